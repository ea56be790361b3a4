"""The coach beside a board: a hint, the reason for it, and the value of every move."""

from collections.abc import Coroutine
from typing import Any, ClassVar

from textual.binding import Binding, BindingType
from textual.worker import Worker

from perfectplay.core.errors import PerfectplayError
from perfectplay.core.game import Action
from perfectplay.terminal.fullscreen.screens.asking import AskingScreen
from perfectplay.terminal.fullscreen.thinking import Advice
from perfectplay.terminal.fullscreen.widgets.drawing import Marks


class CoachedScreen(AskingScreen):
    """A board whose player may ask the coach. It answers in a process of its own."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("h", "hint", "Hint", tooltip="A good move"),
        Binding("w", "why", "Why", tooltip="The reason for it"),
        Binding("v", "values", "Values", tooltip="What every move is worth"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.values = False
        """Whether the value of every move is shown."""
        self._advice: dict[Any, Advice] = {}
        """The coach's answers, by position."""
        self._hinted: Any = None
        """The position that a hint was given for."""

    def run(self, work: Coroutine[Any, Any, None], group: str) -> Worker[None]:
        """Do something in the background; what was begun before in the same group is given up."""
        return self.run_worker(work, group=group, exclusive=True, exit_on_error=True)

    def marks(self, ply: int) -> Marks:
        state = self.match.positions[ply]
        advice = self._advice.get(state)
        if advice is None or (ply != self.match.plies and not self.values):
            return Marks()
        best = advice.best if self._hinted == state else ()
        return Marks(values=advice.values if self.values else None, best=best)

    def looked(self) -> None:
        super().looked()
        self.look_up()

    def action_hint(self) -> None:
        """Show a good move."""
        self.run(self._advised("hint"), "advice")

    def action_why(self) -> None:
        """Explain the good move."""
        self.run(self._advised("why"), "advice")

    def action_values(self) -> None:
        """Show or hide what every move is worth."""
        self.values = not self.values
        if self.values:
            self.assisted(everyone=True)
        self.show()
        self.look_up()

    def assisted(self, *, everyone: bool) -> None:
        """Note that the coach has helped the person to move, or everyone who plays."""

    def look_up(self) -> None:
        """Ask for the values of the position shown, if they are wanted and not known."""
        if self.values:
            self.run(self._advised("values"), "advice")

    async def _advised(self, word: str) -> None:
        match = self.match
        ply = match.plies if self.shown is None else self.shown
        state = match.positions[ply]
        if state not in self._advice:
            try:
                self._advice[state] = await self.fullscreen.thinking.advise(match, ply)
            except PerfectplayError as error:
                return self.say(str(error))
        if word != "values":
            self.assisted(everyone=False)
        if word == "hint":
            self._hinted = state
        self.show()
        self.advised(word, state, self._advice[state])

    def advised(self, word: str, state: Any, advice: Advice) -> None:
        """Say what the coach has answered."""
        if word != "values":
            self.say(*([advice.hint] if word == "hint" else advice.why))

    def explain(self, action: Action | str) -> None:
        """Say what one move is worth, or why it is not a move."""
        if isinstance(action, str):
            return self.say(action)
        self.run(self._explained(action), "advice")

    async def _explained(self, action: Action) -> None:
        try:
            lines = await self.fullscreen.thinking.explain(self.match, action)
        except PerfectplayError as error:
            return self.say(str(error))
        self.assisted(everyone=False)
        self.say(*lines)
