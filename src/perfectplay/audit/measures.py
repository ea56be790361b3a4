"""The numbers of an audit: how much there is to decide, and what skill and seats are worth."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from math import fsum
from typing import NamedTuple

from perfectplay.audit.case import Case
from perfectplay.core.value import KINDS, Kind
from perfectplay.strength.chain import Scalar, propagate
from perfectplay.strength.crosstable import CrossTable, Difference, by_difference, cross_table
from perfectplay.strength.head_to_head import HeadToHead, Rates

EXACT = 1_000
"""Games with at most this many positions get the full table of players, computed exactly."""
STILL_EXACT = 10_000
"""Games with at most this many positions get a shorter exact table; for larger ones, games are sampled."""
BROAD = 100
"""Games with more actions than this are not sampled: the graded players would think for too long."""
SAMPLED_PLIES = 16
"""Sampled games are left unfinished after this many plies."""
LONGEST = 40
"""Lengths of random games are listed up to this many plies; longer games are counted together."""

PLAYERS: tuple[str, ...] = ("random", "level:1", "level:3", "level:5", "level:7", "level:9", "perfect")
FEW_PLAYERS: tuple[str, ...] = ("random", "level:1", "level:5", "level:9")
EQUALS = "level:5"
"""The player that plays against itself to measure what a seat is worth."""


class Depth(NamedTuple):
    """The positions first reached after `ply` plies, counted by their value to the side to move."""

    ply: int
    kinds: dict[Kind, int]
    over: int
    """Positions where the game is over."""

    def counts(self, kinds: Sequence[Kind]) -> dict[str, int]:
        """How many positions have each of these kinds of value, and how many are over."""
        return {**{kind: self.kinds.get(kind, 0) for kind in kinds}, "over": self.over}


def kinds_in(depths: Sequence[Depth]) -> list[Kind]:
    """The kinds of values to show, best first: undecided only where it occurs."""
    shown: list[Kind] = [kind for kind in reversed(KINDS) if kind != "undecided"]
    return [*shown, "undecided"] if any("undecided" in depth.kinds for depth in depths) else shown


class Lengths(NamedTuple):
    """How long random games are: the share that ends after each number of plies."""

    shares: dict[int, float]
    longer: float
    """The share of games that are longer than all of these, never end or get stuck."""
    games: int | None
    """The number of sampled games; None if the shares are exact."""


class Measures(NamedTuple):
    """Everything that is counted or computed about a game. A value is None if it was left out."""

    positions: int
    moves: int
    whole: bool
    positions_with_moves: int
    decisions: int | None
    """Positions where the choice changes the value."""
    only_moves: int | None
    """Positions where only one of several moves keeps the value."""
    equal_levels: Rates | None
    level_differences: tuple[Difference, ...]
    cross_table: CrossTable | None
    value_by_ply: tuple[Depth, ...]
    random_lengths: Lengths
    left_out: tuple[str, ...]


@lru_cache(maxsize=16)
def measures(case: Case) -> Measures:
    """Measure a game."""
    table = _table(case)
    choices = [[value.rank[0] for _, value in moves] for _, moves in case.choices]
    place = table.players.index(EQUALS) if table and EQUALS in table.players else None
    return Measures(
        case.visited,
        case.graph.edges,
        case.whole,
        sum(bool(case.graph.moves(number)) for number in range(case.visited)),
        len(case.choices) if case.judged else None,
        sum(kinds.count(max(kinds)) == 1 for kinds in choices) if case.judged else None,
        None if table is None or place is None else table.rates[place][place],
        () if table is None else by_difference(table),
        table,
        _depths(case) if case.judged else (),
        random_lengths(case),
        tuple(_list_left_out(case, table)),
    )


def _table(case: Case) -> CrossTable | None:
    if case.whole and case.visited <= STILL_EXACT:
        players = PLAYERS if case.visited <= EXACT else FEW_PLAYERS
        return cross_table(HeadToHead(case.game, case.graph), players)
    if case.game.num_actions > BROAD:
        return None
    players = FEW_PLAYERS if case.theory is not None or case.whole else FEW_PLAYERS[:1]
    return cross_table(HeadToHead(case.game, None, plies=SAMPLED_PLIES), players)


def _depths(case: Case) -> tuple[Depth, ...]:
    kinds: dict[int, Counter[Kind]] = {}
    over: Counter[int] = Counter()
    for number, depth in enumerate(case.depths):
        kinds.setdefault(depth, Counter())
        value = case.value(number)
        if not case.graph.moves(number) and number not in case.stuck:
            over[depth] += 1
        elif value is not None:
            kinds[depth][value.kind] += 1
    return tuple(Depth(depth, dict(kinds[depth]), over[depth]) for depth in sorted(kinds))


def random_play(case: Case) -> Iterator[Mapping[int, Scalar]]:
    """How likely each position is after 0, 1, 2, ... plies of random moves, as far as lengths are listed."""

    def steps(number: int) -> Mapping[int, float]:
        targets = [target for _, target in case.graph.moves(number)]
        return {target: count / len(targets) for target, count in Counter(targets).items()}

    return islice(propagate(steps), LONGEST + 1)


def random_lengths(case: Case) -> Lengths:
    """The lengths of games with random moves: exact, or estimated from the random games of the case."""
    if not case.whole:
        ends = [len(walk) for walk in case.walks if case.game.outcome([*case.along(walk)][-1]) is not None]
        games = len(case.walks)
        shares = {plies: ends.count(plies) / games for plies in sorted({*ends}) if plies <= LONGEST}
        return Lengths(shares, 1 - fsum(shares.values()), games)
    over = {number for number in range(case.visited) if not case.graph.moves(number)} - case.stuck
    ended = (fsum(here[number] for number in here.keys() & over) for here in random_play(case))
    shares = {ply: share for ply, share in enumerate(ended) if share}
    return Lengths(shares, max(0.0, 1 - fsum(shares.values())), None)


def _list_left_out(case: Case, table: CrossTable | None) -> list[str]:
    left_out = []
    if case.table is not None:
        left_out.append(
            f"A table base of all {case.table.positions:,} positions says what they are worth: whatever needs"
            f" all of their moves is based on the {case.scope}."
        )
    elif not case.whole:
        left_out.append(
            "The game has too many positions to visit: whatever theory does not prove is based on the"
            f" {case.scope}."
        )
    if case.searched is not None:
        left_out.append(str(case.searched))
    if not case.judged:
        left_out.append("Nothing is known about perfect play: there is no theory of this game.")
    if table is None:
        left_out.append(
            "Win rates of graded players are left out: with this many moves they would take too long."
        )
    elif table.games is not None:
        left_out.append(
            f"Win rates are sampled, not exact: {table.games} games per pair, each left unfinished after"
            f" {SAMPLED_PLIES} plies."
        )
    return left_out
