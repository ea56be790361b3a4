"""Asking the worker processes, so that keys never wait for an answer."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from perfectplay.core.dialogue import Forfeit
from perfectplay.core.errors import PerfectplayError
from perfectplay.core.game import Action
from perfectplay.core.match import Match
from perfectplay.core.value import Value
from perfectplay.terminal.fullscreen.worker import values
from perfectplay.terminal.limits import LONGEST_THOUGHT

if TYPE_CHECKING:
    from perfectplay.workers.thinker import Thinker


class Advice(NamedTuple):
    """What the coach says about a position."""

    verdict: str
    hint: str
    why: tuple[str, ...]
    values: dict[Action, Value]
    best: tuple[Action, ...]
    line: tuple[Action, ...]


class Mark(NamedTuple):
    """What a ply was worth: a mark in words, and whether it kept the value.

    A resignation counts as the ply after the last.
    """

    ply: int
    mark: str
    kept: bool


class Thinking:
    """Two worker processes, each started by its first question: one for players, one for the coach."""

    def __init__(self) -> None:
        self._player: Thinker | None = None
        self._coach: Thinker | None = None

    async def start(self) -> None:
        """Start both processes, before anything is asked."""
        await self._ask(self.players, {"do": "start"})
        await self._ask(self.coach, {"do": "start"})

    async def choose(self, match: Match[Any], player: str) -> Action | Forfeit:
        """The move of a computer player, or the invalid one that costs it its turn."""
        found = await self._ask(
            self.players, {"do": "choose", "record": str(match.record()), "player": player}
        )
        return Forfeit(found["forfeit"]) if "forfeit" in found else int(found["action"])

    async def advise(self, match: Match[Any], ply: int) -> Advice:
        """The coach's answers about the position after `ply` plies."""
        found = await self._ask(self.coach, {"do": "advise", "record": str(match.record()), "ply": ply})
        return Advice(
            found["verdict"],
            found["hint"],
            tuple(found["why"]),
            values(found["moves"]),
            tuple(found["best"]),
            tuple(found["line"]),
        )

    async def explain(self, match: Match[Any], action: Action) -> Sequence[str]:
        """What one move is worth, and why."""
        request = {"do": "explain", "record": str(match.record()), "action": action}
        lines: list[str] = (await self._ask(self.coach, request))["why"]
        return lines

    async def review(
        self, match: Match[Any], names: tuple[str, str] | None = None
    ) -> tuple[Sequence[str], tuple[Mark, ...]]:
        """The coach's words about a whole game, and a mark for every ply and for a resignation.

        `names` are what the two sides are called in the middle of a sentence.
        """
        request = {"do": "review", "record": str(match.record()), "names": names}
        found = await self._ask(self.coach, request)
        return found["lines"], tuple(Mark(**each) for each in found["marks"])

    async def close(self) -> None:
        """End the processes."""
        for each in (self._player, self._coach):
            if each is not None:
                await each.close()

    @property
    def players(self) -> "Thinker":
        """The process of the computer players."""
        self._player = self._player or _thinker()
        return self._player

    @property
    def coach(self) -> "Thinker":
        """The process of the coach."""
        self._coach = self._coach or _thinker()
        return self._coach

    async def _ask(self, thinker: "Thinker", request: dict[str, Any]) -> dict[str, Any]:
        from perfectplay.workers.thinker import SlowError

        try:
            return await thinker.ask(request)
        except SlowError:
            raise PerfectplayError("the process that was thinking has ended") from None


def _thinker() -> "Thinker":
    from perfectplay.workers.thinker import Thinker

    return Thinker(LONGEST_THOUGHT, program="perfectplay.terminal.fullscreen.worker")
