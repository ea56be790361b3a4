"""Play: a session on the full screen."""

import asyncio
from typing import Any, ClassVar

from textual.binding import Binding, BindingType
from textual.worker import Worker

from perfectplay.core.dialogue import Dialogue, Forfeit, Lines
from perfectplay.core.errors import PerfectplayError
from perfectplay.core.game import Action
from perfectplay.core.match import Match
from perfectplay.terminal import messages
from perfectplay.terminal.commands import Command
from perfectplay.terminal.fullscreen.coached import CoachedScreen
from perfectplay.terminal.fullscreen.thinking import Mark
from perfectplay.terminal.play import parting
from perfectplay.terminal.session import COMMANDS, Session

SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
PACE = 0.4
"""Seconds before a computer moves, so that one's own move is seen first."""
DURING, AFTERWARDS = ("hint", "why", "undo", "redo", "resign", "abandon"), ("next", "review")
"""What can be done during a game, and after it."""
_SPOKEN = ("board", "moves", "history", "save")
"""Commands that only say something."""
ACTIONS = {"help": "help", "rules": "rules", "hint": "hint", "undo": "undo", "redo": "redo"}


class PlayScreen(CoachedScreen):
    """A series being played here by people and computers."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("u", "undo", "Undo"),
        Binding("y", "redo", "Redo", show=False),
        Binding("n", "next", "New game"),
        Binding("i", "review", "Review"),
        Binding("x", "resign", "Resign", show=False),
        Binding("a", "abandon", "Abandon", show=False),
        Binding("s", "save", "Where it is saved", show=False),
        Binding("escape", "interrupt", "Interrupt the computer", show=False),
        Binding("enter", "go_on", "Let the computer think again", show=False),
        Binding("q", "leave", "Leave"),
    ]

    def __init__(self, session: Session, opening: Lines = ()) -> None:
        super().__init__()
        if session.series.current is None:
            session.begin()
        self.session = session
        self.opening = opening
        self.thinking: Worker[None] | None = None
        self.stopped = ""
        """Why a computer is not thinking although it is its turn."""
        self.reviewed: tuple[Mark, ...] = ()
        self._resigning = False
        self._ticks = 0

    @property
    def match(self) -> Match[Any]:
        return self.session.match

    @property
    def dialogue(self) -> Dialogue[Any]:
        return self.session.dialogue

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether a key does anything now; the foot shows only those that do."""
        if action in AFTERWARDS:
            return self.match.result is not None
        return action not in DURING or self.match.result is None

    def parting(self) -> list[str]:
        """What to say to a player who leaves."""
        return parting(self.session) if self.match.result is None else []

    def on_mount(self) -> None:
        self.say(*self.greeting())
        self.set_interval(0.1, self._tick)
        self.call_after_refresh(self.advance)
        self.call_after_refresh(lambda: self.run(self.fullscreen.thinking.start(), "start"))

    def greeting(self) -> Lines:
        """What is said before the first move, or when a game goes on."""
        last = messages.last_move(self.match)
        words = (f"Continuing.{last}",) if last else self.dialogue.greeting(self.match.state)
        return (*self.opening, *words)

    def on_unmount(self) -> None:
        self.session.autosave.flush()
        self.session.close()

    # The course of a game

    def advance(self) -> None:
        """Go on to whatever is due."""
        self.turn, self.stopped, self._resigning = None, "", False
        match self.session.due:
            case "pass":
                self.session.forced_pass()
                self.tell()
                self.moved()
                self.set_timer(PACE, self.advance)
            case "computer":
                self.thinking = self.run(self._computer_turn(), "think")
                self.show()
            case "person":
                self.ask()
                self.show()
                self.look_up()
            case _:
                self.over()

    async def _computer_turn(self) -> None:
        match, player = self.match, self.session.player
        try:
            chosen, _ = await asyncio.gather(
                self.fullscreen.thinking.choose(match, player.spec), asyncio.sleep(self.pace())
            )
        except PerfectplayError as error:
            return self._stop(f"{self._computer()} cannot move: {error}.")
        self.thinking = None
        if isinstance(chosen, Forfeit):
            self.after(chosen.text, *self.session.forfeit())
        else:
            self.after(*self.session.play(chosen))

    def pace(self) -> float:
        """Seconds before a computer moves."""
        return 0.0 if self.app.animation_level == "none" else PACE

    def after(self, *lines: str) -> None:
        """Go on after a move."""
        self.tell(*lines)
        self.moved()
        self.advance()

    def tell(self, *lines: str) -> None:
        """Say what the last move was."""
        line = self.match.line(self.match.last)
        events = f" ({', '.join(line.events)})" if line.events else ""
        self.add(f"{line.side}: {line.text}{events}", *lines)

    def add(self, *lines: str) -> None:
        """Show lines below those before."""
        self.say(*self._lines, *lines)

    def play(self, action: Action) -> None:
        self.say()
        self.after(*self.session.play(action))

    def forfeit(self, text: str, line: str) -> None:
        if self.match.forgiving:
            return self.say(f"{text} Choose again.")
        self.say(text)
        self.after(*self.session.forfeit())

    def over(self) -> None:
        """Show how the game ended, and ask the coach about it."""
        self.add(*self.session.result(), *self.session.score())
        if self.session.due == "nothing":
            self.add(*self.session.autosave.finish())
        self.show()
        self.refresh_bindings()
        if self.session.attended:
            self.run(self._review_game(), "review")

    async def _review_game(self) -> None:
        match = self.match
        try:
            lines, marks = await self.fullscreen.thinking.review(match)
        except PerfectplayError:
            return  # a game too large to solve
        if match is self.match:
            self.reviewed = marks
            self.add(*lines)
            self.show()

    # What the screen says

    def heading(self) -> str:
        series, names = self.session.series, self.match.game.side_names
        number = len(series.matches)
        sides = [series.players[series.contestant(side, number)] for side in (0, 1)]
        people = sides.count("human")
        called = ["you" if player == "human" else player for player in sides]
        seats = " against ".join(names if people == 2 else map(_seat, names, called))
        games = f" · game {number} of {series.games}, score {series.score[0]}:{series.score[1]}"
        return f"{self.match.game.title} · {seats}{games if series.games > 1 else ''}"

    def _computer(self) -> str:
        return f"{self.match.game.side_names[self.match.side]} ({self.session.player.spec})"

    def waiting(self) -> str:
        if self.stopped:
            return self.stopped
        if self.thinking is not None:
            return f"{SPINNER[self._ticks % len(SPINNER)]} {self._computer()} is thinking. Esc interrupts."
        if self.match.result is not None:
            more = "the next game" if self.session.due == "game" else "a rematch"
            return f"n starts {more}, i reviews this game, q leaves."
        return ""

    def notes(self) -> dict[int, str]:
        return {mark.ply: "?" for mark in self.reviewed if not mark.kept}

    def _tick(self) -> None:
        self._ticks += 1
        if self.thinking is not None and self.shown is None and self.app.animation_level != "none":
            self.show_status()

    def assisted(self) -> None:
        self.session.assist()

    # Keys

    def action_interrupt(self) -> None:
        """Stop a computer that is thinking."""
        if self.thinking is not None:
            self._stop("Interrupted.")

    def _stop(self, why: str) -> None:
        self._cancel()
        self.stopped = f"{why} Enter lets it think again, u takes back, x resigns, q leaves."
        self.show()

    def _cancel(self) -> None:
        if self.thinking is not None:
            thinking, self.thinking = self.thinking, None
            thinking.cancel()

    def action_go_on(self) -> None:
        """Let a computer think that was interrupted."""
        # A rematch has a key of its own: one Enter too many must not take the result away.
        if self.stopped:
            self.advance()

    def action_undo(self) -> None:
        """Take back a move, or the first half of one."""
        if self.turn is not None and self.turn.answers:
            self.take_back_answer()
        elif self.match.result is not None:
            self.say("The game is over.")
        else:
            self._in_history("undo")

    def action_redo(self) -> None:
        """Make the moves again that were taken back."""
        if self.match.result is None:
            self._in_history("redo")

    def _in_history(self, word: str) -> None:
        self._cancel()
        reply = self.session.carry_out(Command(word))
        self.say(*reply.lines)
        self.shown = None
        self.advance()

    def action_resign(self) -> None:
        """Give up the game, after asking."""
        if self.match.result is not None:
            return
        if not self._resigning:
            self._resigning = True
            return self.say("Press x again to resign.")
        self._finish("resign")

    def action_abandon(self) -> None:
        """Offer to leave a game that repeats itself unfinished."""
        if self.turn is None:
            return self.say("You can offer that when it is your turn.")
        self._finish("abandon")

    def _finish(self, word: str) -> None:
        self._cancel()
        reply = self.session.carry_out(Command(word))
        self.say(*reply.lines)
        if reply.ends_turn:
            self.shown = None
            self.advance()

    def action_save(self) -> None:
        """Say where the game is saved."""
        self.say(*self.session.carry_out(Command("save")).lines)

    def action_next(self) -> None:
        """Start the next game of the series or, after the last, a rematch."""
        if self.match.result is None:
            return self.say("A game is being played; x resigns it, q leaves it for later.")
        self.reviewed, self.shown = (), None
        self.say()
        if self.session.due != "game":
            return self.fullscreen.rematch(self)
        self.session.begin()
        self.refresh_bindings()
        self.say(*self.greeting())
        self.advance()

    def action_review(self) -> None:
        """Step through the mistakes of a finished game."""
        if self.match.result is None:
            return self.say("The review comes after the game; h gives a hint.")
        self.fullscreen.review(self.match)

    def action_leave(self) -> None:
        """Leave the game. It is saved."""
        self._cancel()
        self.fullscreen.left(self)

    def command(self, text: str) -> bool:
        command = COMMANDS.read(text)
        if command is None:
            return False
        match command.word:
            case "quit":
                self.action_leave()
            case "why" if command.rest:
                self.explain(self.session.move_named(command.rest))
            case "why":
                self.action_why()
            case word if word in _SPOKEN:
                self.say(*self.session.carry_out(command).lines)
            case "resign" | "abandon":
                if self.match.result is None:
                    self._finish(command.word)
            case word:
                getattr(self, f"action_{ACTIONS[word]}")()
        return True


def _seat(name: str, player: str) -> str:
    return f"{name} ({player})"
