"""Study: any position, what every move is worth, and how perfect play continues."""

from typing import Any, ClassVar

from textual.binding import Binding, BindingType

from perfectplay.core.dialogue import Lines
from perfectplay.core.game import Game
from perfectplay.core.series import Series
from perfectplay.terminal import messages
from perfectplay.terminal.fullscreen.dialogs import Field, QuestionWindow
from perfectplay.terminal.fullscreen.screens.advisor import Advisor
from perfectplay.terminal.fullscreen.screens.play import PlayScreen
from perfectplay.terminal.fullscreen.thinking import Advice
from perfectplay.terminal.session import Session

OVER = "The game is over here; u takes back, p sets up a position."
PLAYED_ONLY = "This is a board to study on: nothing is won or saved. g plays from here, q leaves."
NOT_HERE = ("next", "review", "exercise", "resign", "abandon", "save")
"""What belongs to a game that is played."""


class StudyScreen(PlayScreen):
    """A board for one person who makes all moves. Nothing is saved."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("b", "best", "Best", tooltip="Make the best move"),
        Binding("p", "position", "Position", tooltip="Set up a position by its text"),
        Binding("g", "play_on", "Play", tooltip="Play from here against the computer"),
        Binding("q", "leave", "Leave"),
    ]

    def __init__(self, game: Game[Any]) -> None:
        super().__init__(Session(Series(game)))
        self.advisor = Advisor(self, tell_values=self._tell_values)
        self.advisor.values = True

    def why_not(self, action: str) -> str:
        over = action == "go_on" and self.match.result is not None
        return PLAYED_ONLY if action in NOT_HERE else OVER if over else ""

    def idle(self) -> str:
        return OVER

    describe_wait = idle

    def heading(self) -> list[str]:
        return [f"Study · {self.match.game.title}"]

    def headline(self) -> str:
        return ""

    def describe_leaving(self) -> list[str]:
        return []

    def greeting(self) -> Lines:
        return ("Make moves for both sides, or press p to set up a position.",)

    def pace(self) -> float:
        return 0.0

    def tell(self, *lines: str) -> None:
        self.say(*lines)

    def over(self) -> None:
        self.say(*messages.ending(self.dialogue, self.match))
        self.show()
        self.advisor.look_up()

    def _tell_values(self, state: Any, advice: Advice) -> None:
        words = []
        for action in advice.line:
            words.append(self.match.game.action_text(state, action))
            state = self.match.game.apply(state, action)
        self.say(advice.verdict, f"Best play: {', '.join(words)}" if words else "")

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
        self.app.push_screen(
            QuestionWindow("Set up a position", [Field(question, start)], self._read, self._set)
        )

    def _read(self, answers: list[str]) -> Session:
        game = self.match.game
        return Session(Series(game, start=game.parse_state(answers[0])))

    def _set(self, session: Session) -> None:
        self.session, self.shown = session, None
        session.begin()
        self.say()
        self.advance()

    def action_play_on(self) -> None:
        self.continue_from_here(("human", self.fullscreen.preferences.opponent), "u takes back")
