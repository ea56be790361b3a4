"""Review: the mistakes of a game, one after the other."""

from collections.abc import Sequence
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from perfectplay.core.errors import PerfectplayError
from perfectplay.core.formatting import pluralize
from perfectplay.core.match import Match
from perfectplay.core.outcome import SIDES, Side
from perfectplay.core.value import ChartPoint
from perfectplay.terminal.contestants import name_sides
from perfectplay.terminal.fullscreen.screens.board_screen import BoardScreen
from perfectplay.terminal.fullscreen.widgets.chart import Chart
from perfectplay.terminal.fullscreen.widgets.drawing import Marks


class ReviewScreen(BoardScreen):
    """A game that is over: what each mistake threw away, and the best move instead."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n,tab", "mistake(1)", "Next", key_display="n", tooltip="The next mistake"),
        Binding("p,shift+tab", "mistake(-1)", "Previous", key_display="p", tooltip="The mistake before"),
        Binding("left", "step(-1)", "Step back", False, "←", tooltip="Look one move back"),
        Binding("right", "step(1)", "Step on", False, "→", tooltip="Look one move on"),
        Binding("enter", "play_on", "Play on", tooltip="Play on from here, as a new game"),
        Binding("q", "leave", "Leave"),
    ]

    def __init__(self, match: Match[Any], names: tuple[str, str] | None = None) -> None:
        """`names` are what the two sides are called in the middle of a sentence."""
        super().__init__()
        self._match = match
        people: list[Side] = [side for side in SIDES if match.players[side] == "human"]
        self._names = names or name_sides(match.game, people)
        self._points: Sequence[ChartPoint] = ()
        self.mistakes: list[ChartPoint] = []
        self.at: int | None = None
        """The mistake that is looked at, counted from 0."""
        self._words: dict[int, str] = {}
        self._summary: tuple[str, ...] = ("The coach is looking at the game.",)

    @property
    def match(self) -> Match[Any]:
        return self._match

    def why_not(self, action: str) -> str:
        return "There are no mistakes." if action == "mistake" and not self.mistakes else ""

    def compose(self) -> ComposeResult:
        for part in super().compose():
            if part.id == "status":
                yield Chart()
            yield part

    def show(self) -> None:
        super().show()
        if not self.is_left:
            self.query_one(Chart).show(self._points, self.match.game.side_names, self.ply)

    def on_mount(self) -> None:
        self.say(*self._summary)
        self.call_after_refresh(self.show)
        self.run_worker(self._judge(), group="review")

    async def _judge(self) -> None:
        try:
            lines, self._points, _ = await self.fullscreen.thinking.review(self.match, self._names)
        except PerfectplayError as error:
            return self.say(str(error))
        if self.is_left:
            return
        self.mistakes = [point for point in self._points if point.mistake]
        self._words = {
            each.ply: line for each in self.mistakes for line in lines if line.startswith(f"Move {each.ply},")
        }
        if self.mistakes and self.mistakes[-1].ply > self.match.plies:
            self._words[self.mistakes[-1].ply] = lines[-1]  # a resignation comes last
        self._summary = tuple(line for line in lines if line not in self._words.values())
        self.say(*self._summary)
        if self.mistakes:
            self.action_mistake(1)
        else:
            self.show()

    def heading(self) -> list[str]:
        return [f"Review · {self.match.game.title}"]

    def describe_wait(self) -> str:
        if self.at is not None:
            return self.describe_look(self.match.plies)
        if not self.mistakes:
            return "No mistakes. ← → step through."
        return f"{pluralize(len(self.mistakes), 'mistake', 'mistakes')}: n steps through."

    def describe_look(self, ply: int) -> str:
        if self.at is None:
            return self._fit(f"Position {ply} of {self.match.plies}")
        number = f"Mistake {self.at + 1} of {len(self.mistakes)}"
        if ply == self.match.plies:
            return self._fit(f"{number}: resigned, * best")
        return self._fit(f"{number}, move {ply + 1}: ? made, * best")

    def _fit(self, text: str) -> str:
        whole = f"{text}. Enter plays on from here."
        return whole if len(whole) < self.size.width - 1 else text

    def explain_key(self, key: str) -> str:
        more = " n shows the next mistake." if self.mistakes else ""
        return f"This game is over: Enter plays on from an earlier position as a new game.{more}"

    def marks(self, ply: int) -> Marks:
        advice = self.advisor.find(ply)
        if advice is None or self.match.game.outcome(self.match.positions[ply]) is not None:
            return Marks()
        made = [entry.action for entry in self.match.history if entry.is_ply and entry.ply == ply]
        mistake = made[0] if self.at is not None and made else None
        return Marks(values=advice.values, best=advice.best, mistake=mistake)

    def notes(self) -> dict[int, str]:
        return {point.ply: "?" for point in self.mistakes}

    def on_look(self) -> None:
        self.at = next((i for i, point in enumerate(self.mistakes) if point.ply == self.ply + 1), None)
        self.say(self._words.get(self.ply + 1, ""), *(self._summary if self.at is None else ()))
        self.run(self._look_up(), "advice")

    async def _look_up(self) -> None:
        if await self.advisor.advise(self.ply) is not None:
            self.show()

    def action_mistake(self, by: int) -> None:
        here = self.ply
        if self.at is None and self.shown is None:
            here = -1 if by > 0 else self.match.plies + 1
        places = [point.ply - 1 for point in self.mistakes]
        found = [place for place in places if (place - here) * by > 0]
        if not found:
            return self.say(*self._lines[:1], "There is no other mistake that way.")
        self.look_at(min(found) if by > 0 else max(found))

    def action_play_on(self) -> None:
        self.continue_from_here(self.match.players, "[ goes back")
