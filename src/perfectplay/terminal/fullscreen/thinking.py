"""Asking the worker processes, so that keys never wait for an answer."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

from perfectplay.core.dialogue import Forfeit
from perfectplay.core.errors import PerfectplayError
from perfectplay.core.game import Action
from perfectplay.core.match import Match
from perfectplay.core.outcome import Side
from perfectplay.core.value import ChartPoint, Value
from perfectplay.strength.journal import Journal
from perfectplay.terminal.limits import LONGEST_THOUGHT

if TYPE_CHECKING:
    from perfectplay.workers.thinker import Thinker


class Advice(NamedTuple):
    """What the coach says about a position."""

    verdict: str
    hint: str
    why: Sequence[str]
    values: dict[Action, Value]
    best: Sequence[Action]
    line: Sequence[Action]


class Review(NamedTuple):
    """What the coach says about a whole game."""

    lines: Sequence[str]
    chart: tuple[ChartPoint, ...]
    journal: Journal


class Thinking:
    """Two worker processes, each started by its first question: one for players, one for the coach."""

    def __init__(self) -> None:
        self._thinkers: dict[str, Thinker] = {}

    async def prepare(self, match: Match[Any], players: Iterable[str]) -> None:
        """Start both processes, and let computer players do what takes long before they play."""
        for player in players:
            await self._ask("players", "prepare", match, player=player)
        await self._ask("coach", "start")

    async def choose(self, match: Match[Any], player: str) -> Action | Forfeit:
        """The move of a computer player, or the invalid one that costs it its turn."""
        found = await self._ask("players", "choose", match, player=player)
        return Forfeit(found["forfeit"]) if "forfeit" in found else int(found["action"])

    async def advise(self, match: Match[Any], ply: int) -> Advice:
        """The coach's answers about the position after `ply` plies."""
        found = await self._ask("coach", "advise", match, ply=ply)
        return Advice(**found | {"values": {move: Value(*value) for move, value in found["values"]}})

    async def explain(self, match: Match[Any], action: Action) -> Sequence[str]:
        """What one move is worth, and why."""
        lines: list[str] = (await self._ask("coach", "explain", match, action=action))["why"]
        return lines

    async def review(
        self, match: Match[Any], names: tuple[str, str], people: Mapping[Side, str] | None = None
    ) -> Review:
        """The coach's words about a whole game, the points of its chart, and its journal.

        `names` are what the two sides are called in the middle of a sentence. The journal is that of
        `people`, the sides played here, with their opponents.
        """
        day = date.today().isoformat()
        found = await self._ask(
            "coach", "review", match, names=names, people=[*(people or {}).items()], day=day
        )
        journal = Journal.parse(found["journal"]) if "journal" in found else Journal()
        return Review(found["lines"], tuple(ChartPoint(*each) for each in found["chart"]), journal)

    async def close(self) -> None:
        """End the processes."""
        for each in self._thinkers.values():
            await each.close()

    async def _ask(
        self, whom: str, what: str, match: Match[Any] | None = None, **more: object
    ) -> dict[str, Any]:
        from perfectplay.workers.thinker import SlowError, Thinker

        if whom not in self._thinkers:
            program = "perfectplay.terminal.fullscreen.worker"
            self._thinkers[whom] = Thinker(LONGEST_THOUGHT, program=program)
        record = None if match is None else str(match.record())
        try:
            return await self._thinkers[whom].ask({"do": what, "record": record, **more})
        except SlowError:
            raise PerfectplayError("the process that was thinking has ended") from None
