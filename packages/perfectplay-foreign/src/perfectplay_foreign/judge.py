"""Audits a table, and computes the value of the game as far as it is proved."""

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from perfectplay.audit.case import Case
from perfectplay.audit.findings import Finding, findings
from perfectplay.audit.measures import EXACT, measures
from perfectplay.audit.report import Audit
from perfectplay.core.formatting import pluralize
from perfectplay.core.game import Action
from perfectplay.core.outcome import Outcome, Side
from perfectplay.core.value import Value
from perfectplay.solver.graph import Graph
from perfectplay.solver.retrograde import Solution, retrograde
from perfectplay_foreign.environment_game import EnvironmentGame, explore_environment
from perfectplay_foreign.probe import Suspect
from perfectplay_foreign.records import Found
from perfectplay_foreign.sandbox.request import AuditOptions, Turns
from perfectplay_foreign.transitions import TransitionTable

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
        return Outcome(self.favored, "open") if self.is_open(state) else super().outcome(state)


def graph_of(game: EnvironmentGame) -> Graph[int]:
    """The graph of a table. The ends have the numbers after the last position."""
    table, graph = game.table, Graph[int](game)
    graph.states = range(len(table.sides) + len(table.ends))
    graph.find = {state: state for state in graph.states}.get
    graph.offsets, graph.actions = table.offsets[:], table.actions
    graph.targets = array("l", [game.state_after(target) for target in table.targets])
    graph.forward = False
    return graph


def load_graph(what: str, seed: int, turns: Turns, limit: int) -> Graph[int]:
    """The graph of an environment, as far as at most `limit` moves show it."""
    return graph_of(explore_environment(what, AuditOptions(seed=seed, turns=turns, moves=limit)))


def _solve(game: EnvironmentGame) -> tuple[Graph[int], Solution[int]]:
    """The graph with an empty list of moves for everything that has none, and its solution."""
    graph = graph_of(game)
    missing = len(graph.states) + 1 - len(graph.offsets)
    graph.offsets.extend([graph.offsets[-1]] * missing)
    return graph, retrograde(graph)


class WholeCase(Case):
    """A whole table. Ends are not counted as positions: all of one kind are one."""

    @property
    def scope(self) -> str:
        assert isinstance(self.game, EnvironmentGame)
        return pluralize(len(self.game.table.sides), "position", "positions")


@dataclass(frozen=True, eq=False)
class PartialCase(Case):
    """A part of a game. Proofs hold, whatever the rest is like."""

    bounds: tuple[Solution[int], Solution[int]] = field(kw_only=True)
    """The values if everything unknown were won by the first side, and by the second."""

    @property
    def grounds(self) -> str:
        return "whatever lies beyond the positions that were visited"

    @property
    def scope(self) -> str:
        return f"first {pluralize(self.visited, 'position', 'positions')}"

    def value(self, number: int) -> Value | None:
        assert isinstance(self.game, EnvironmentGame)
        if self.game.table.tried:  # any position may have a better move
            return None
        high, low = (bound.value(number) for bound in self.bounds)
        # Beyond what was visited, there may be more.
        if high.kind != low.kind or low.kind in ("endless", "undecided"):
            return None
        proved = low if self.bounds[0].winners[number] == 0 else high
        return proved if proved.kind in ("win", "loss") else Value(proved.kind)

    def moves(self, number: int) -> tuple[tuple[Action, Value], ...]:
        known = self.moves_at(number)
        return known if len(known) == len(self.graph.moves(number)) else ()

    def moves_at(self, state: int) -> tuple[tuple[Action, Value], ...]:
        side = self.game.side_to_move
        return tuple(
            (action, value.before(side(target) == side(state)))
            for action, target in self.graph.moves(state)
            if (value := self.value(target)) is not None
        )


class Judgement:
    """What a table shows. Its witnesses are replayed in the sandbox, where the environment is."""

    def __init__(self, what: str, table: TransitionTable, seed: int = 0) -> None:
        self.table = table
        self.game = EnvironmentGame(what, table)
        if table.whole:
            self.case: Case = WholeCase(self.game, *_solve(self.game))
        else:
            bounds = _solve(BoundedGame(what, table, 0))[1], _solve(BoundedGame(what, table, 1))[1]
            self.case = PartialCase(self.game, graph_of(self.game), None, bounds=bounds)
        self.value = self._value()
        """The value of the start to the side that moves first; None if it is not known."""
        large = self.case.visited > EXACT
        without = (*OURS, *OF_ALL_MOVES * table.tried, *SLOW * (large or not self.case.whole))
        found = findings(self.case, without)
        numbers = measures(self.case) if self.case.whole and not large else None
        self.audit = Audit(self.case, found, (), numbers)
        self.suspects = [self._suspect(each, seed) for each in found] + self._same_looks(seed)
        """The witnesses that are to be replayed."""

    def _value(self) -> Value | None:
        value = None if self.case.undecided else self.case.value(0)
        if value is None or value.kind not in ("win", "loss") or self.case.whole:
            return value
        # The distance is exact if no way through what is unknown could be shorter.
        unknown = filter(self.game.is_open, self.case.graph.states)
        nearest = min((len(self.case.path(state)) for state in unknown), default=None)
        exact = value.plies is not None and (nearest is None or value.plies <= nearest + 1)
        return value if exact else Value(value.kind)

    def _suspect(self, finding: Finding, seed: int) -> Suspect:
        """The moves of a witness, and where the table says that they lead."""
        moves, state = [], 0
        for text in finding.witness:
            action = self.game.parse_action(state, text)
            moves.append(self.table.names[action])
            state = self.game.apply(state, action)
        return Suspect("", tuple(moves), seed=seed, end=self.game.end_at(state) or 0)

    def _same_looks(self, seed: int) -> list[Suspect]:
        """Two positions that look the same and differ in value for the side to move."""
        first: dict[int, int] = {}
        kinds = [value and value.kind for value in map(self.case.value, range(self.table.visited))]
        for number, kind in enumerate(kinds):
            like = number if kind is None else first.setdefault(self.table.looks[number], number)
            if kinds[like] != kind:
                here, there = (each if each == "endless" else f"a {each}" for each in (kind, kinds[like]))
                claim = f"it is {here} for the side to move, and there {there}"
                names, paths = self.table.names, (self.case.path(each) for each in (number, like))
                one, two = (tuple(names[action] for action in path) for path in paths)
                return [Suspect("observation-hides", one, two, seed, claim)]
        return []

    def keep(self, replayed: Sequence[Found | bool], known: Iterable[Found]) -> tuple[list[Found], list[str]]:
        """The findings whose witnesses replayed and whose codes are not known, and the codes dropped."""
        shown = list(zip(self.audit.findings, self.suspects, replayed, strict=False))
        found = [Found(*each[:3], way.seed, way.moves) for each, way, good in shown if good is True]
        found += [answer for answer in replayed if isinstance(answer, Found)]
        codes = {each.code for each in known}
        dropped = [finding.code for finding, _, good in shown if good is not True]
        return [each for each in found if each.code not in codes], dropped
