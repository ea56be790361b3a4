"""The coach beside a board: a hint, the reason for it, and the value of every move."""

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING, Any

from textual.binding import Binding

from perfectplay.core.errors import PerfectplayError
from perfectplay.core.game import Action
from perfectplay.terminal.fullscreen.thinking import Advice
from perfectplay.terminal.fullscreen.widgets.drawing import Marks

if TYPE_CHECKING:
    from perfectplay.terminal.fullscreen.screens.board_screen import BoardScreen

KEYS = (
    Binding("h", "coach('hint')", "Hint", tooltip="A good move"),
    Binding("w", "coach('why')", "Why", tooltip="The reason for it"),
    Binding("v", "coach('values')", "Values", tooltip="What every move is worth"),
)


@dataclass(eq=False)
class Advisor:
    """Asks the coach about the positions of a screen, and keeps its answers. It works in another process."""

    screen: "BoardScreen"
    _: KW_ONLY
    assist: Callable[[bool], object] = lambda everyone: None
    """Notes that the person to move had help, or everyone."""
    tell_values: Callable[[Any, Advice], object] = lambda state, advice: None
    """Comments on values."""
    values: bool = False
    """Whether the value of every move is shown."""
    _known: dict[tuple[int, Any], Advice] = field(default_factory=dict)
    _hinted: Any = None
    """The position that a hint was given for."""

    def find(self, ply: int) -> Advice | None:
        """The answer about the position after `ply` plies, if it has come."""
        return self._known.get((ply, self.screen.match.positions[ply]))

    def marks(self, ply: int) -> Marks:
        """What to show on top of a position."""
        advice = self.find(ply)
        if advice is None or (ply != self.screen.match.plies and not self.values):
            return Marks()
        best = advice.best if self._hinted == self.screen.match.positions[ply] else ()
        return Marks(values=advice.values if self.values else None, best=best)

    async def advise(self, ply: int) -> Advice | None:
        """The answer about a position. If there is none, the screen says why."""
        match = self.screen.match
        key = ply, match.positions[ply]
        if key not in self._known:
            try:
                self._known[key] = await self.screen.fullscreen.thinking.advise(match, ply)
            except PerfectplayError as error:
                self.screen.say(str(error))
        return self._known.get(key)

    def ask(self, word: str) -> None:
        """Show a hint, the reason for it, or (the second time no longer) the values of all moves."""
        if word == "values":
            self.values = not self.values
            if self.values:
                self.assist(True)
            self.screen.show()
            self.look_up()
        else:
            self.screen.run(self._answer(word), "advice")

    def look_up(self) -> None:
        """Ask for the values of the position shown, if they are wanted."""
        if self.values:
            self.screen.run(self._answer("values"), "advice")

    async def _answer(self, word: str) -> None:
        match, ply = self.screen.match, self.screen.ply
        state = match.positions[ply]
        advice = await self.advise(ply)
        if advice is None or match is not self.screen.match:  # another position was set up meanwhile
            return
        if word != "values":
            self.assist(False)
        if word == "hint":
            self._hinted = state
        self.screen.show()
        if word == "values":
            self.tell_values(state, advice)
        else:
            self.screen.say(*([advice.hint] if word == "hint" else advice.why))

    def explain(self, action: Action | str) -> None:
        """Say what one move is worth and why, or why it is not a move."""
        if isinstance(action, str):
            return self.screen.say(action)
        self.screen.run(self._explain(action), "advice")

    async def _explain(self, action: Action) -> None:
        try:
            lines = await self.screen.fullscreen.thinking.explain(self.screen.match, action)
        except PerfectplayError as error:
            return self.screen.say(str(error))
        self.assist(False)
        self.screen.say(*lines)
