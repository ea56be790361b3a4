"""Judges a table with the auditor, and works out what perfect play leads to, as far as that is proved."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from perfectplay.audit.case import Case
from perfectplay.audit.findings import FINDERS, Finding
from perfectplay.audit.measures import EXACT, measures
from perfectplay.audit.report import Audit
from perfectplay.core.game import Action
from perfectplay.core.outcome import Outcome, Side
from perfectplay.core.value import Value
from perfectplay.core.wording import pluralize
from perfectplay.foreign.environment_game import EnvironmentGame
from perfectplay.foreign.findings import ORDER
from perfectplay.foreign.transitions import OPEN, TransitionTable
from perfectplay.solver.graph import Graph
from perfectplay.solver.retrograde import Solution, retrograde

SLOW = ("skill",)
"""Findings that need every player to meet every other; they are left out for large tables."""


OURS = ("dead-reason",)
"""Findings about names that no environment has, only the game made from its table."""


OF_ALL_MOVES = ("dead-end", "forced-suicide", "trap")
"""Findings that speak of every move of a position; they are left out where moves are only tried."""


@dataclass(frozen=True)
class BoundedGame(EnvironmentGame):
    """The game in which everything that is not known is won by one side."""

    favored: Side = 0

    def outcome(self, state: int) -> Outcome | None:
        table = self.table
        unknown = table.visited <= state < len(table.sides) or state in table.open_positions
        if unknown or self._end(state) == OPEN:
            return Outcome(self.favored, "open")
        return super().outcome(state)


def graph_of(game: EnvironmentGame) -> Graph[int]:
    """The graph of a table. The ends have the numbers after the last position."""
    table = game.table
    graph: Graph[int] = Graph(game)
    count = len(table.sides)
    graph.states = list(range(count + len(table.ends)))
    graph.index = {state: state for state in graph.states}
    graph.offsets, graph.actions = table.offsets[:], table.actions
    graph.targets = table.targets[:]
    for place, target in enumerate(table.targets):
        if target < 0:
            graph.targets[place] = count + table.ends.index(target)
    graph.forward = False
    return graph


def _complete(graph: Graph[int]) -> Graph[int]:
    """The graph with an empty list of moves for everything that has none."""
    missing = len(graph.states) + 1 - len(graph.offsets)
    graph.offsets.extend([graph.offsets[-1]] * missing)
    return graph


def bounds(game: EnvironmentGame) -> tuple[Solution[int], Solution[int]]:
    """The values of all positions if everything unknown were won by the first side, and by the second."""

    def solve(favored: Side) -> Solution[int]:
        return retrograde(_complete(graph_of(BoundedGame(game.what, game.table, favored))))

    return solve(0), solve(1)


class WholeCase(Case):
    """A whole table. Ends are not counted as positions: all of one kind are one."""

    @property
    def scope(self) -> str:
        assert isinstance(self.game, EnvironmentGame)
        return pluralize(len(self.game.table.sides), "position", "positions")


@dataclass(frozen=True, eq=False)
class PartialCase(Case):
    """A part of a game: what is proved of it stands, whatever the rest is like."""

    bounds: tuple[Solution[int], Solution[int]] | None = None

    @property
    def grounds(self) -> str:
        return "whatever lies beyond the positions that were visited"

    @property
    def scope(self) -> str:
        return f"first {pluralize(self.visited, 'position', 'positions')}"

    def value(self, number: int) -> Value | None:
        assert self.bounds is not None
        assert isinstance(self.game, EnvironmentGame)
        if self.game.table.tried:  # any position may have a better move
            return None
        high, low = (bound.value(number) for bound in self.bounds)
        # Beyond what was visited, there may be more.
        if high.kind != low.kind or low.kind in ("endless", "undecided"):
            return None
        proved = low if self.winner(number) == 0 else high
        return proved if proved.kind in ("win", "loss") else Value(proved.kind)

    def winner(self, number: int) -> int:
        """The side that wins a position by either bound, if both say the same."""
        assert self.bounds is not None
        return self.bounds[0].winners[number]

    def moves(self, number: int) -> tuple[tuple[Action, Value], ...]:
        known = self.moves_at(number)
        return known if len(known) == len(self.graph.moves(number)) else ()

    def moves_at(self, state: Any) -> tuple[tuple[Action, Value], ...]:
        side = self.game.side_to_move(state)
        found = []
        for action, target in self.graph.moves(state):
            value = self.value(target)
            if value is not None:
                found.append((action, value.before(self.game.side_to_move(target) == side)))
        return tuple(found)


class Judgement(NamedTuple):
    """What a table shows."""

    table: TransitionTable
    audit: Audit
    value: Value | None
    """The value of the start to the side that moves first; None if it is not known."""


def judge(what: str, table: TransitionTable) -> Judgement:
    """Run the auditor over a table.

    >>> table = TransitionTable.from_dict({"sides": [0, 1], "offsets": [0, 2, 3], "actions": [0, 1, 0],
    ...                          "targets": [-1, 1, -2], "looks": [0, 1], "names": [0, 1], "open": []})
    >>> found = judge("./env.py", table)
    >>> str(found.value), [each.code for each in found.audit.findings]
    ('win in 1', ['forced-win', 'dominated-action', 'skill'])
    """
    game = EnvironmentGame(what, table)
    if table.whole:
        graph = _complete(graph_of(game))
        case: Case = WholeCase(game, graph, retrograde(graph))
    else:
        case = PartialCase(game, graph_of(game), None, bounds=bounds(game))
    value = None if case.undecided else case.value(0)
    if value is not None and value.kind in ("win", "loss") and not case.whole:
        value = value if _exact(case, table, value) else Value(value.kind)
    found = tuple(_findings(case, OURS + OF_ALL_MOVES * table.tried))
    numbers = measures(case) if case.whole and case.visited <= EXACT else None
    found = tuple(sorted(found, key=lambda each: ORDER.index(each.severity)))
    return Judgement(table, Audit(case, found, (), numbers), value)


def _findings(case: Case, without: Collection[str]) -> Iterator[Finding]:
    slow = not case.whole or case.visited > EXACT
    for code, finder in FINDERS.items():
        if code not in without and not (slow and code in SLOW):
            yield from finder(case)


def _exact(case: Case, table: TransitionTable, value: Value) -> bool:
    """Whether no way through what is unknown could be shorter."""
    nearest = min(_open_depths(case, table), default=None)
    return value.plies is not None and (nearest is None or value.plies <= nearest + 1)


def _open_depths(case: Case, table: TransitionTable) -> Iterator[int]:
    """How many plies away from the start everything unknown is."""
    depths = {0: 0}
    end = len(table.sides) + table.ends.index(OPEN) if OPEN in table.ends else -1
    for number in range(len(table.sides)):
        if number >= table.visited or number in table.open_positions:
            yield depths[number]
            continue
        for _, target in case.graph.moves(number):
            depths.setdefault(target, depths[number] + 1)
    if end in depths:
        yield depths[end]
