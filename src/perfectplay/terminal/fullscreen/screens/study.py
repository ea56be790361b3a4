"""Study: any position, what every move is worth, and how perfect play continues."""

from typing import Any, ClassVar

from textual.binding import Binding, BindingType

from perfectplay.core.dialogue import Dialogue
from perfectplay.core.game import Action, Game
from perfectplay.core.match import Match
from perfectplay.core.series import Series
from perfectplay.players.registry import load_players
from perfectplay.terminal.command_parser import Command
from perfectplay.terminal.fullscreen.dialogs import Field, Question
from perfectplay.terminal.fullscreen.keys import COACH_KEYS
from perfectplay.terminal.fullscreen.screens.advisor import Advisor
from perfectplay.terminal.fullscreen.screens.board_screen import BoardScreen
from perfectplay.terminal.fullscreen.thinking import Advice
from perfectplay.terminal.session import COMMANDS, Session

OVER = "The game is over here; u takes back, p sets up a position."
PLAYED_ONLY = "This is a board to study on: nothing is won or saved. g plays from here, q leaves."


class StudyScreen(BoardScreen):
    """A board for one person who makes all moves. Nothing is saved."""

    commands = COMMANDS
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("b", "best", "Best", tooltip="Make the best move"),
        Binding("p", "position", "Position", tooltip="Set up a position by its text"),
        Binding("g", "play_on", "Play", tooltip="Play from here against the computer"),
        *COACH_KEYS,
        Binding("u", "in_history('undo')", "Undo", tooltip="Take a move back"),
        Binding("y", "in_history('redo')", "Redo", show=False, tooltip="Repeat it"),
        Binding("q", "leave", "Leave"),
    ]

    def __init__(self, game: Game[Any]) -> None:
        super().__init__()
        self.session = _new_session(game)
        self.advisor = Advisor(self, tell_values=self._tell_values)
        self.advisor.values = True

    @property
    def match(self) -> Match[Any]:
        return self.session.match

    @property
    def dialogue(self) -> Dialogue[Any]:
        return self.session.dialogue

    def idle(self) -> str:
        return OVER

    def unused(self, key: str) -> str:
        played_only = key in ("x", "a", "s", "n", "i")  # keys of a game that is played
        return PLAYED_ONLY if played_only else super().unused(key)

    def heading(self) -> list[str]:
        return [f"Study · {self.match.game.title}"]

    def waiting(self) -> str:
        return OVER

    def on_mount(self) -> None:
        self.say("Make moves for both sides, or press p to set up a position.")
        self.call_after_refresh(self._advance)

    def _advance(self, *lines: str) -> None:
        """Say lines, and ask for the next move. A pass that is forced is made at once."""
        if lines:
            self.say(*lines)
        while self.session.due == "pass":
            self.session.forced_pass()
        if self.session.due == "person":
            self.asking.ask()
        else:
            self.asking.stop()
            self.say(*self.session.result())
        self.show_move()
        self.advisor.look_up()

    def play(self, action: Action) -> None:
        self._advance("", *self.session.play(action))

    def forfeit(self, text: str, line: str) -> None:
        self._advance(text, *self.session.forfeit())

    def command(self, command: Command) -> None:
        match command.word:
            case "quit":
                self.action_leave()
            case "resign" | "abandon" | "save":
                self.say(PLAYED_ONLY)
            case "undo" | "redo":
                self.action_in_history(command.word)
            case "why" if command.rest:
                self.advisor.explain(self.session.find_move(command.rest))
            case "hint" | "why":
                self.advisor.ask(command.word)
            case "help" | "rules":
                getattr(self, f"action_{command.word}")()
            case _:
                self.say(*self.session.carry_out(command).lines)

    def _tell_values(self, state: Any, advice: Advice) -> None:
        words = []
        for action in advice.line:
            words.append(self.match.game.action_text(state, action))
            state = self.match.game.apply(state, action)
        self.say(advice.verdict, f"Best play: {', '.join(words)}" if words else "")

    def action_in_history(self, word: str) -> None:
        if word == "redo" or not self.asking.take_back_answer():
            self._advance(*self.session.carry_out(Command(word)).lines)

    def action_best(self) -> None:
        if self.match.result is not None:
            return self.say(OVER)
        self.shown = None
        self.run(self._play_best(), "advice")

    async def _play_best(self) -> None:
        advice = await self.advisor.advise(self.match.plies)
        if advice is not None:
            self.asking.choose((advice.line or advice.best)[0])

    def action_position(self) -> None:
        start = self.match.game.state_text(self.match.state)
        question = "The position, as records write it, such as the one on the board:"
        self.app.push_screen(Question("Set up a position", [Field(question, start)], self._read, self._set))

    def _read(self, answers: list[str]) -> Session:
        game = self.match.game
        return _new_session(game, game.parse_state(answers[0]))

    def _set(self, session: Session) -> None:
        self.session = session
        self._advance("")

    def action_play_on(self) -> None:
        if self.match.game.outcome(self.match.positions[self.ply]) is not None:
            return self.say("The game is over in this position; u takes back.")
        from perfectplay.terminal.fullscreen.opening import continued_screen

        players = ("human", self.fullscreen.preferences.opponent)
        self.app.push_screen(continued_screen(self.match, self.ply, players))


def _new_session(game: Game[Any], start: Any = None) -> Session:
    """A session without a file in which one person moves for both sides, from any position."""
    series: Series[Any] = Series(game, start=start)
    session = Session(series, load_players(series.players))
    session.begin()
    return session
