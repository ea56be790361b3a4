"""Line mode: a session played at a console, line by line."""

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from datetime import date
from typing import Any

from perfectplay.core.dialogue import Forfeit, Prompt
from perfectplay.core.errors import ForfeitError
from perfectplay.core.game import Action, Refusal
from perfectplay.players.base import ComputerPlayer
from perfectplay.terminal import messages
from perfectplay.terminal.command_parser import TypedCommand, confirm
from perfectplay.terminal.console import Console
from perfectplay.terminal.markdown import show_rulebook
from perfectplay.terminal.move_entry import MoveReader
from perfectplay.terminal.progress import waiting
from perfectplay.terminal.session import COMMANDS, Session


class Quit(Exception):
    """A player leaves a game that is not over."""


@dataclass(eq=False)
class LineMode:
    """Plays a session at a console."""

    console: Console
    session: Session
    _: KW_ONLY
    show_board: bool = False
    wait: Callable[[], bool] | None = None
    """Called before each turn until it returns True."""
    _drawn: Any = None
    """With `show_board`, the position that was drawn last."""
    _bar: Callable[..., None] | None = None
    """Shows how many games of a series between computers are over."""

    def run(self) -> None:
        """Play until the series is over; EndOfInput and Quit leave it as it is on disk."""
        session = self.session
        if session.attended or session.series.games == 1:
            self._play_all()
        else:
            with waiting("Playing", self.console) as self._bar:
                self._play_all()
        self.console.say(*session.autosave.finish())

    def _play_all(self) -> None:
        session = self.session
        session.width = self.console.width
        if session.series.current is not None:
            title, last = session.match.game.title, messages.last_move(session.match)
            self.console.say(*session.contestants.seating(), f"Continuing {title}.{last}")
            if not session.dialogue.question_draws:
                self._say(*session.dialogue.board(session.match.state))
            self._play()
        while not session.series.over:
            session.width = self.console.width
            session.begin()
            self._drawn = None
            self._say(*session.contestants.seating(), *session.dialogue.greeting(session.match.state))
            self._play()

    def _play(self) -> None:
        session, match = self.session, self.session.match
        wait = self.wait
        while match.result is None:
            if wait is not None and wait():
                wait = None
            self.console.say("")
            if session.due == "pass":
                self._say(*session.move(match.game.legal_actions(match.state)[0]))
                continue
            if self.show_board and not session.dialogue.question_draws and self._drawn != match.state:
                self._say(*session.dialogue.board(match.state), "")
            player = session.player
            if isinstance(player, ComputerPlayer):
                self._computer_turn(player)
            else:
                self._human_turn(MoveReader(session.dialogue, match.state))
        self.console.say(*session.ending())
        if self.console.interactive and session.exercises and len(session.contestants.people) == 1:
            from perfectplay.terminal.line.exercises import practise

            self.console.say("")
            if confirm(self.console.ask, "Try the moment again (y/n)? "):
                practise(self.console, session.exercises, date.today())

    def _human_turn(self, turn: MoveReader) -> None:
        """Ask until the turn is over: by a move, a forfeit, an undo or the end of the match."""
        while True:
            prompt = turn.prompt()
            self.console.say(*prompt.lines)
            line = self.console.ask(prompt.text)
            command = COMMANDS.read(line) or self._confirm(turn, line)
            if command is None:
                if self._answer(turn, line):
                    return
            elif command.word == "undo" and turn.answers:
                self.console.say(messages.describe_takeback(turn.take_back()))
            elif command.word == "quit":
                self.console.say(*messages.half_a_move(turn.answers))
                raise Quit
            elif self._carry_out(command, turn):
                return
            else:
                self.console.say(*messages.list_answers(turn.answers))

    def _answer(self, turn: MoveReader, line: str) -> bool:
        """Take an answer: True when the turn is over."""
        step = turn.answer(line)
        if step is None:
            return False
        if isinstance(step, Refusal):
            self.console.say(step.text)
            return False
        if isinstance(step, Forfeit):
            if self.session.match.forgiving:
                self.console.say(f"{step.text} Choose again.")
                return False
            self.console.say(*self.session.forfeit())
        else:
            self._say(*self.session.move(step))
        return True

    def _computer_turn(self, player: ComputerPlayer) -> None:
        session, match, dialogue = self.session, self.session.match, self.session.dialogue
        try:
            action = self._choose(player)
        except ForfeitError as error:
            if match.forgiving:
                raise  # asked again, a program would most likely answer the same without end
            prompt = dialogue.ask(match.state, ())
            if isinstance(prompt, Prompt):
                self.console.say(*prompt.lines)
            self.console.say(f"{error}.")
            self.console.say(*session.forfeit())
            return
        self.console.say(*messages.echo_turn(dialogue, match.state, dialogue.answers(match.state, action)))
        self._say(*session.move(action))

    def _choose(self, player: ComputerPlayer) -> Action:
        match = self.session.match
        if self._bar is not None:  # no spinner beside the bar
            self._bar(len(self.session.series.matches) - 1, self.session.series.games)
            return player.move(match)
        with waiting(f"{match.game.side_names[match.side]} ({player.spec}) is thinking"):
            return player.move(match)

    def _confirm(self, turn: MoveReader, line: str) -> TypedCommand | None:
        """The command that a person meant by a word one slip away from it, if they confirm it."""
        near = COMMANDS.nearest(line) if self.console.interactive else None
        if near is None or turn.reads(line):
            return None
        return COMMANDS.confirm(near, self.console.ask)

    def _carry_out(self, command: TypedCommand, turn: MoveReader) -> bool:
        """Carry out a command: True when the turn is over."""
        word, rest = command
        if self.console.interactive and self.session.to_confirm(word):
            if not confirm(self.console.ask, messages.RESIGN if word == "resign" else messages.ABANDON):
                self.console.say("The game continues.")
                return False
        elif word == "why" and turn.answers and rest and turn.reads(rest):
            command = TypedCommand(word, " ".join((*turn.answers, rest)))
        match word:
            case "help":
                self.console.say(*messages.HELP)
            case "rules":
                show_rulebook(self.console, self.session.match.game, plain=True)
            case _:
                reply = self.session.carry_out(command)
                (self._say if reply.ends_turn else self.console.say)(*reply.lines)
                return reply.ends_turn
        return False

    def _say(self, *lines: str) -> None:
        """Say lines, and remember the position if they draw it."""
        self.console.say(*lines)
        state = self.session.match.state
        if self.show_board and self.session.dialogue.draws(state, lines):
            self._drawn = state
