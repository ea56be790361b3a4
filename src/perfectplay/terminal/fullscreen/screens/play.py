"""Play: a session on the full screen."""

from datetime import date
from typing import Any, ClassVar

from textual.binding import Binding, BindingType

from perfectplay.core.dialogue import Dialogue, Forfeit, Lines
from perfectplay.core.endings import explain, verdict
from perfectplay.core.errors import PerfectplayError
from perfectplay.core.formatting import capitalize
from perfectplay.core.game import Action
from perfectplay.core.match import ABANDON_FROM, Match
from perfectplay.core.outcome import Side
from perfectplay.core.texts import summary
from perfectplay.core.value import ChartPoint
from perfectplay.strength.journal import Journal
from perfectplay.terminal import messages
from perfectplay.terminal.command_parser import TypedCommand
from perfectplay.terminal.contestants import goes_first, name_sides, plain
from perfectplay.terminal.fullscreen.screens.advisor import KEYS, Advisor
from perfectplay.terminal.fullscreen.screens.board_screen import BoardScreen
from perfectplay.terminal.fullscreen.screens.computer_turn import ComputerTurn
from perfectplay.terminal.fullscreen.screens.review import ReviewScreen
from perfectplay.terminal.fullscreen.screens.solving import ExerciseScreen
from perfectplay.terminal.fullscreen.thinking import Review
from perfectplay.terminal.play import describe_leaving
from perfectplay.terminal.session import COMMANDS, Session

PACE = 0.4
"""Seconds before a computer moves, so that one's own move is seen first."""
DURING = ("hint", "why", "undo", "redo", "resign", "abandon")
"""What can be done during a game only."""
_SPOKEN = ("board", "moves", "history", "save")
"""Commands that only say something."""


class PlayScreen(BoardScreen):
    """A series being played here by people and computers."""

    commands = COMMANDS
    BINDINGS: ClassVar[list[BindingType]] = [
        *KEYS,
        Binding("u", "undo", "Undo", tooltip="Take a move back"),
        Binding("y", "redo", "Redo", show=False, tooltip="Repeat it"),
        Binding("n", "next", "Next game", tooltip="The next game; the other player goes first"),
        Binding("i", "review", "Review", tooltip="Step through the mistakes"),
        Binding("e", "exercise", "Try again", tooltip="Try the moment again where you gave something away"),
        Binding("x", "resign", "Resign", show=False),
        Binding("a", "abandon", "Abandon", show=False, tooltip="End it unfinished"),
        Binding("s", "save", "Saved where?", show=False, tooltip="Where the game is saved"),
        Binding("escape", "back", "Back", False, "Esc", tooltip="Interrupt the computer, or leave"),
        Binding("enter", "go_on", "Continue", show=False, tooltip="Let the computer think again"),
        Binding("q", "leave", "Leave", tooltip="Leave; every move is saved"),
    ]

    def __init__(self, session: Session, opening: Lines = ()) -> None:
        super().__init__()
        if session.series.current is None:
            session.begin()
        self.session = session
        session.how_to_end = messages.PRESS_A
        self.opening = opening
        self.computer = ComputerTurn(self, self._computer_moved)
        self.advisor = Advisor(self, assist=lambda everyone: session.assist(everyone=everyone))
        self.reviewed: tuple[ChartPoint, ...] = ()

    @property
    def match(self) -> Match[Any]:
        return self.session.match

    @property
    def dialogue(self) -> Dialogue[Any]:
        return self.session.dialogue

    @property
    def side_names(self) -> tuple[str, str]:
        """What the two sides are called in the middle of a sentence."""
        return name_sides(self.match.game, self.session.contestants.people)

    def why_not(self, action: str) -> str:
        over = self.match.result is not None
        if action in DURING and over:
            return f"The game is over; {self._afterwards()}"
        if action == "next" and not over:
            return "This game is not over: x resigns it, q leaves it for later."
        if action == "review" and not over:
            return f"The review comes after the game; {KEYS[0].key} gives a hint now."
        if action == "exercise" and not (over and self.session.exercises):
            return "In this game nothing was given away." if over else "Exercises come after the game."
        if action == "abandon" and not self.asking.is_due:
            return "You can offer that when it is your turn."
        if action == "abandon" and self.match.most_repeated < ABANDON_FROM:
            circles = f"once the same position has come up {ABANDON_FROM} times. x resigns."
            return f"A repeating game can be ended unfinished, {circles}"
        if action == "go_on" and not self.computer.stopped:
            return self.idle()
        return ""

    def idle(self) -> str:
        if self.match.result is not None:
            return f"The game is over; {self._afterwards()}"
        return "It is not your turn yet."

    def _afterwards(self) -> str:
        return "press n for the next game, i to review this game, q to leave."

    def describe_leaving(self) -> list[str]:
        begun = any(match.history for match in self.session.series.matches)
        if self.match.result is not None or (self.fullscreen.has_played and not begun):
            return []
        return [*messages.half_a_move(self.asking.entry.answers), *describe_leaving(self.session)]

    def on_mount(self) -> None:
        self.say(*self.greeting())
        self.set_interval(0.1, self.computer.tick)
        self.call_after_refresh(self.advance)
        self.call_after_refresh(lambda: self.run(self.computer.prepare(), "prepare"))

    def greeting(self) -> Lines:
        """What is said before the first move, or when a game goes on."""
        last, series = messages.last_move(self.match), self.session.series
        if last:
            return (*self.opening, f"Continuing.{last}")
        number = f"Game {len(series.matches)} of {series.games}: " if series.games > 1 else ""
        starter = capitalize(f"{number}{goes_first(self.side_names[self.match.side])}.")
        return (*self.opening, starter, summary(type(self.match.game)))

    def on_unmount(self) -> None:
        self.session.autosave.flush()
        self.session.close()

    # The course of a game

    def advance(self) -> None:
        """Go on to whatever is due."""
        self.asking.stop()
        self.computer.stopped = ""
        match self.session.due:
            case "pass":
                self.tell(*self.session.play(self.match.game.legal_actions(self.match.state)[0]))
                self.show_move()
                if pace := self.pace():
                    self.set_timer(pace, self.advance)
                else:  # a timer of no time at all is never due
                    self.call_later(self.advance)
            case "computer":
                self.computer.think(self.pace())
                self.show()
            case "person":
                self.asking.ask()
                self.show()
                self.advisor.look_up()
            case _:
                self.over()

    def pace(self) -> float:
        """Seconds before a computer moves."""
        return 0.0 if self.app.animation_level == "none" else PACE

    def _computer_moved(self, chosen: Action | Forfeit) -> None:
        if isinstance(chosen, Forfeit):
            self._after(chosen.text, *self.session.forfeit())
        else:
            self._after(*self.session.play(chosen))

    def _after(self, *lines: str) -> None:
        self.tell(*lines)
        self.show_move()
        self.advance()

    def tell(self, *lines: str) -> None:
        """Say what the last move was."""
        last = self.match.last
        self.add(
            messages.announce_move(capitalize(self.side_names[last.side]), self.match.line(last)), *lines
        )

    def add(self, *lines: str) -> None:
        """Show lines below those before."""
        self.say(*self._lines, *lines)

    def play(self, action: Action) -> None:
        self.say()
        self._after(*self.session.play(action))

    def forfeit(self, text: str, line: str) -> None:
        self.say(text)
        self._after(*self.session.forfeit())

    def over(self) -> None:
        """Show how the game ended, and ask the coach about it."""
        match = self.match
        self.fullscreen.has_played = True
        ended = () if match.result is None else (explain(match, match.result, self.side_names),)
        self.say(*ended, *self.session.contestants.score())
        kept = self.session.autosave.finish() if self.session.due == "nothing" else ()
        self.show()
        if self.session.attended:
            self.run(self._review_game(kept), "review")
        else:
            self.add(*kept)

    async def _review_game(self, kept: Lines) -> None:
        match = self.match
        try:
            people = self.session.opponents
            found = await self.fullscreen.thinking.review(match, self.side_names, people)
        except PerfectplayError:
            found = Review((), (), Journal())  # a game too large to solve
        noted = self.session.note(found.journal)
        if match is self.match:
            self.reviewed = found.chart
            again = ("e tries the moment again.",) if self.session.exercises else ()
            self.add(*found.lines, *again, *noted, *kept)
            self.show()

    # What the screen says

    def heading(self) -> list[str]:
        series, contestants = self.session.series, self.session.contestants
        number, people = len(series.matches), contestants.people
        score = f"game {number} of {series.games}, {series.score[0]}:{series.score[1]}"
        side_names = self.match.game.side_names
        own = f"you are {side_names[people[0]]}" if len(people) == 1 else ""
        others = [plain(player) for player in series.players if player != "human"]
        against = "two players" if not others else " against ".join(others)
        whom = f"against {against}" if own else against
        return [self.match.game.title, own, score if series.games > 1 else "", whom]

    def headline(self) -> str:
        result, people = self.match.result, self.session.contestants.people
        viewer = people[0] if len(people) == 1 else None
        return "" if result is None else verdict(result, self.match.game.side_names, viewer)

    def viewpoint(self, state: Any) -> Side:
        people = self.session.contestants.people
        return people[0] if len(people) == 1 else super().viewpoint(state)

    def describe_wait(self) -> str:
        if self.computer.stopped:
            return self.computer.stopped
        if self.computer.is_thinking:
            return f"{self.computer.sign_of_life()} Esc interrupts."
        return capitalize(self._afterwards()) if self.match.result is not None else ""

    def notes(self) -> dict[int, str]:
        return {point.ply: "?" for point in self.reviewed if point.mistake}

    # Keys

    def action_undo(self) -> None:
        if not self.asking.take_back_answer():
            self._carry_out("undo")

    def action_redo(self) -> None:
        self._carry_out("redo")

    def _carry_out(self, word: str) -> None:
        self.computer.cancel()
        self.say(*self.session.carry_out(TypedCommand(word)).lines)
        self.shown = None
        self.advance()

    def action_resign(self) -> None:
        if self.asking.confirm("x"):
            self._carry_out("resign")

    def action_abandon(self) -> None:
        if self.session.to_confirm("abandon") and not self.asking.confirm("a"):
            return
        self._carry_out("abandon")
        if self.match.result is None and self.match.abandon_offer is not None:
            self.say("Both players have to agree: the other one presses a too, or makes a move to continue.")

    def action_save(self) -> None:
        self.say_why(" ".join(self.session.carry_out(TypedCommand("save")).lines))

    def action_next(self) -> None:
        self.reviewed, self.shown = (), None
        self.say()
        if self.session.due != "game":
            from perfectplay.terminal.fullscreen.opening import rematch_screen

            self.app.switch_screen(rematch_screen(self.session.series))
            return
        self.session.begin()
        self.opening = ()
        self.say(*self.greeting())
        self.advance()

    def action_review(self) -> None:
        self.app.push_screen(ReviewScreen(self.match))

    def action_exercise(self) -> None:
        self.app.push_screen(ExerciseScreen(self.session.exercises, date.today()))

    def action_leave(self) -> None:
        self.computer.cancel()
        super().action_leave()

    def action_back(self) -> None:
        if self.computer.is_thinking:
            self.computer.stop("Interrupted.")
        else:
            self.action_leave()

    def action_go_on(self) -> None:
        """Let a computer think that was interrupted."""
        # A rematch has a key of its own: one Enter too many must not take the result away.
        self.advance()

    def command(self, command: TypedCommand) -> None:
        match command.word:
            case "quit":
                self.action_leave()
            case "why" if command.rest:
                self.advisor.explain(self.session.find_move(command.rest))
            case word if why_not := self.why_not(word):
                self.say(why_not)
            case word if word in _SPOKEN:
                self.say(*self.session.carry_out(command).lines)
            case "hint" | "why":
                self.advisor.ask(command.word)
            case "resign":
                self._carry_out("resign")
            case word:  # help, rules, undo, redo, abandon
                getattr(self, f"action_{word}")()
