"""Expected points and kept decisions of players with known move probabilities, exact in small games."""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import islice
from math import fsum
from typing import Any, NamedTuple

from perfectplay.core.errors import ParseError
from perfectplay.core.formatting import quote
from perfectplay.core.game import Game
from perfectplay.core.outcome import Side
from perfectplay.core.value import Kind
from perfectplay.players.base import KnownPlayer
from perfectplay.players.level import LevelPlayer
from perfectplay.solver.errors import TooLargeError
from perfectplay.solver.graph import Graph, explore
from perfectplay.solver.judgement import Scored, keepers
from perfectplay.solver.oracle_cache import oracle_for
from perfectplay.strength.chain import expectations, propagate
from perfectplay.strength.head_to_head import STUCK, HeadToHead
from perfectplay.strength.statistics import Estimate, wilson

LARGEST_RATED = 100
"""The largest number that a parameter of a game may have, and the most moves."""

PLIES = 100
"""A game is left unfinished after this many plies."""

MOST, MOST_EDGES = 10_000, 30_000
"""The most positions that are visited, and the most moves of an exact chain."""

MOST_SAMPLED = 20
"""Games are sampled where at most this many moves exist; with more, even a few games take minutes."""

SAMPLES = 400
"""How many games are sampled where no exact chain fits."""

PAYOFFS = ([1.0, 0.0, 0.5], [0.0, 1.0, 0.5])
"""For each seat, what it gets for a win of either side and for a tie."""
ENDLESS_PAYS = 0.5
"""What each seat gets for play without end, or that a limit of plies ends."""


def points_of_kind(kind: Kind) -> float:
    """What a position with this kind of value is worth to the side to move; one half if nobody wins it."""
    return {"win": 1.0, "loss": 0.0}.get(kind, 0.5)


def check_decided(game: Game[Any], dead_ends: float) -> None:
    """Raise ParseError if play can get stuck: no rule says what such a game is worth."""
    if dead_ends:
        raise ParseError(
            f"{quote(game.spec, 100)} is undecided: play can get stuck where there is no legal move and no"
            " result, so it has no scores; check-game shows the moves that lead there"
        )


@lru_cache(maxsize=16)
def graph_of(game: Game[Any], start: Any = None) -> Graph[Any] | None:
    """All positions of a game, or those from `start` on; None if too many for an exact chain."""
    try:
        graph = explore(game, start=start, limit=MOST)
    except TooLargeError:
        return None
    return graph if graph.edges <= MOST_EDGES else None


@lru_cache(maxsize=16)
def head_to_head(game: Game[Any], plies: int | None = None) -> HeadToHead:
    """What compares known players in games of at most `plies`.

    A game without a whole graph is sampled, and then no limit is the usual one.
    """
    return HeadToHead(game, graph_of(game), SAMPLES, plies or PLIES, limit=plies)


def check_scored(game: Game[Any]) -> None:
    """Raise ParseError if a game has no scores, or if they can neither be computed nor sampled in seconds."""
    if graph_of(game) is not None:
        check_decided(game, head_to_head(game).ends.count(STUCK))
    elif game.num_actions > MOST_SAMPLED:
        raise ParseError(
            f"{game.spec} is too large: scores are computed for at most {MOST:,} positions with"
            f" {MOST_EDGES:,} moves, and sampled for at most {MOST_SAMPLED} different moves"
        )


def _order_players(agent: KnownPlayer, opponent: KnownPlayer, seat: Side) -> tuple[KnownPlayer, KnownPlayer]:
    return (agent, opponent) if seat == 0 else (opponent, agent)


@lru_cache(maxsize=4096)
def expected_points(
    game: Game[Any], agent: KnownPlayer, opponent: KnownPlayer, seat: Side, plies: int | None = None
) -> Estimate:
    """The points of a known agent in a seat: 1 for a win, one half for a tie or endless play.

    With `plies`, a game that is not over by then counts one half, as it does where games are played.
    """
    rates = head_to_head(game, plies).rates(*_order_players(agent, opponent, seat))
    check_decided(game, rates.stuck)
    value = rates.points(seat)
    return Estimate(value, None if rates.games is None else wilson(value * rates.games, rates.games))


@lru_cache(maxsize=64)
def points_everywhere(game: Game[Any], opponent: KnownPlayer, seat: Side) -> Mapping[Any, float] | None:
    """The exact points of level:5 in a seat from every position; None without a whole graph.

    Every position that a lost turn leads to is there, too.
    """
    players = _order_players(LevelPlayer(5), opponent, seat)
    found: dict[Any, float] = {}
    waiting = [game.initial()]
    while waiting:
        start = waiting.pop()
        if start in found:
            continue
        graph = graph_of(game, start) if len(found) < MOST else None
        if graph is None:
            return None
        pair = HeadToHead(game, graph)
        points = expectations(pair.steps_between(*players), pair.ends, PAYOFFS[seat], ENDLESS_PAYS)
        found |= zip(graph.states, map(float, points), strict=True)
        unfinished = (state for state in graph.states if game.outcome(state) is None)
        waiting += [after for state in unfinished if (after := game.after_forfeit(state)) is not None]
    return found


def share_kept(moves: Sequence[Scored]) -> float:
    """The share of the legal moves that have the best kind of value; below 1 the position is a decision."""
    return len(keepers(moves)) / len(moves)


class Kept(NamedTuple):
    """Expected decisions of a known agent in one game: how many, how many kept, how many by guessing."""

    decisions: float
    kept: float
    guess: float

    @property
    def corrected(self) -> float | None:
        """The share of kept decisions corrected for guessing; None if there are no decisions."""
        return (self.kept - self.guess) / (self.decisions - self.guess) if self.decisions else None


@lru_cache(maxsize=4096)
def expected_decisions(
    game: Game[Any], agent: KnownPlayer, opponent: KnownPlayer, seat: Side, plies: int = PLIES
) -> Kept | None:
    """The decisions that an agent is expected to meet and keep in a game; None without a whole graph."""
    graph = graph_of(game)
    if graph is None:
        return None
    oracle, pair = oracle_for(game), head_to_head(game)

    @cache
    def count(number: int) -> Kept:
        """What the agent decides in one position."""
        state = graph.states[number]
        moves = oracle.moves(state) if pair.sides[number] == seat else ()
        if not moves or share_kept(moves) == 1:
            return Kept(0.0, 0.0, 0.0)
        chances = agent.chances(game, state)
        kept = fsum(chances.get(move.action, 0.0) for move in keepers(moves))
        return Kept(1.0, kept, share_kept(moves))

    players = _order_players(agent, opponent, seat)
    totals = [0.0, 0.0, 0.0]
    for here in islice(propagate(pair.steps_between(*players).__getitem__), plies):
        for number, chance in here.items():
            totals = [total + float(chance) * each for total, each in zip(totals, count(number), strict=True)]
    return Kept(*totals)
