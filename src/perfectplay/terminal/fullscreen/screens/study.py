"""Study: any position, what every move is worth, and how perfect play goes on."""

from typing import Any, ClassVar

from textual.binding import Binding, BindingType

from perfectplay.core.dialogue import Lines
from perfectplay.core.game import Game
from perfectplay.core.series import Series
from perfectplay.players.registry import load_players
from perfectplay.terminal.fullscreen.dialogs import Question
from perfectplay.terminal.fullscreen.screens.play import PlayScreen
from perfectplay.terminal.fullscreen.thinking import Advice
from perfectplay.terminal.session import Session

NOT_HERE = ("resign", "abandon", "save", "next", "review", "interrupt", "go_on")
"""What belongs to a game that is played."""
PLAYED_ONLY = "This is a board to study on: nothing is won or saved. g plays from here, q leaves."


class StudyScreen(PlayScreen):
    """A board for one person who makes all moves. Nothing is saved."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("b", "best", "Best", tooltip="Make the best move"),
        Binding("p", "position", "Position", tooltip="Set up a position by its text"),
        Binding("g", "play_on", "Play", tooltip="Play from here against the computer"),
    ]

    def __init__(self, game: Game[Any]) -> None:
        super().__init__(studied(game))
        self.values = True

    def why_not(self, action: str) -> str:
        return PLAYED_ONLY if action in NOT_HERE else ""

    def idle(self) -> str:
        return self.waiting()

    def parting(self) -> list[str]:
        return []

    def greeting(self) -> Lines:
        return ("Make moves for both sides, or press p to set up a position.",)

    def heading(self) -> list[str]:
        return [f"Study · {self.match.game.title}"]

    def headline(self) -> str:
        return ""

    def assisted(self, *, everyone: bool) -> None:
        pass

    def tell(self, *lines: str) -> None:
        self.say(*lines)

    def over(self) -> None:
        self.say(*self.session.result())
        self.show()

    def waiting(self) -> str:
        return "The game is over here; u takes back, p sets up a position."

    def advised(self, word: str, state: Any, advice: Advice) -> None:
        """Say what the position is worth, and how perfect play goes on."""
        if word != "values":
            return super().advised(word, state, advice)
        line = f"Best play: {self._spelled(state, advice.line)}" if advice.line else ""
        self.say(advice.verdict, line)

    def _spelled(self, state: Any, line: tuple[int, ...]) -> str:
        words = []
        for action in line:
            words.append(self.match.game.action_text(state, action))
            state = self.match.game.apply(state, action)
        return ", ".join(words)

    def action_undo(self) -> None:
        """Take back a move."""
        if self.turn is not None and self.turn.answers:
            return self.take_back_answer()
        if not self.match.history:
            return self.say("There is no move to take back.")
        self.match.undo()
        self.shown = None
        self.advance()

    def action_best(self) -> None:
        """Make the best move, one at a time."""
        if self.match.result is not None:
            return self.say("The game is over here; u takes back.")
        self.shown = None
        self.run(self._play_best(), "advice")

    async def _play_best(self) -> None:
        await self._advised("values")
        advice = self._advice.get(self.match.state)
        if advice is not None and self.turn is not None:
            self.choose((advice.line or advice.best)[0])

    def action_position(self) -> None:
        """Set up a position by its text."""
        game = self.match.game
        start = game.state_text(self.match.state)
        question = "The position, as records write it, such as the one on the board:"
        self.app.push_screen(Question("Set up a position", [(question, start)], self._read), self._set)

    def _read(self, answers: list[str]) -> Session:
        game = self.match.game
        return studied(game, game.parse_state(answers[0]))

    def _set(self, session: Session | None) -> None:
        if session is not None:
            self.session, self.shown = session, None
            self.say()
            self.advance()

    def action_play_on(self) -> None:
        """Play from the position shown, against the computer."""
        ply = self.match.plies if self.shown is None else self.shown
        if self.match.game.outcome(self.match.positions[ply]) is not None:
            return self.say("The game is over in this position; u takes back.")
        self.fullscreen.play_on(self.match, ply, ("human", self.fullscreen.preferences.opponent))


def studied(game: Game[Any], start: Any = None) -> Session:
    """A session without a file in which one person moves for both sides, from any position."""
    series: Series[Any] = Series(game, start=start)
    session = Session(series, load_players(series.players))
    session.begin()
    return session
