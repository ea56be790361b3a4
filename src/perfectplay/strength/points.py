"""Exact scores of players with known move probabilities, from the chain that `crosstable` uses."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import fsum
from typing import Any, NamedTuple

from perfectplay.core.errors import ParseError
from perfectplay.core.game import Game
from perfectplay.core.outcome import Side
from perfectplay.core.wording import quote
from perfectplay.players.base import KnownPlayer
from perfectplay.players.level import LevelPlayer
from perfectplay.solver.graph import Graph, TooLargeError, explore
from perfectplay.solver.judgement import Scored
from perfectplay.solver.oracle_cache import oracle_for
from perfectplay.strength.chain import best_expectations, expectations
from perfectplay.strength.head_to_head import STUCK, Arena, ends_of
from perfectplay.strength.statistics import wilson

LARGEST = 100
"""The largest number that a parameter of a game may have, and the most moves."""

PLIES = 100
"""A game is left unfinished after this many plies."""

MOST = 10_000
"""Games with at most this many positions are visited whole."""

MOST_EDGES = 30_000
"""An exact chain has at most this many moves in all, as well as at most `MOST` positions."""

MOST_SAMPLED = 20
"""Games are sampled where at most this many moves exist; with more, even a few games take minutes."""

SAMPLES = 400
"""How many games are sampled where no exact chain fits."""

REFERENCE = LevelPlayer(5)
"""The agent that positions are valued for when luck is subtracted."""


class Points(NamedTuple):
    """Expected points of one player against another in one seat."""

    value: float
    interval: tuple[float, float] | None = None
    """The 95% interval if the points were sampled; None if they are exact."""


def check_decided(game: Game[Any], dead_ends: float) -> None:
    """Raise ParseError if play can get stuck: no rule says what such a game is worth, so nothing is measured.

    >>> import perfectplay as pp
    >>> check_decided(pp.load("bit-flip"), 0)
    """
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


def check_scored(game: Game[Any]) -> None:
    """Raise ParseError if a game has no scores, or if they can neither be computed nor sampled in seconds."""
    graph = graph_of(game)
    if graph is not None:
        check_decided(game, ends_of(graph).count(STUCK))
    elif game.num_actions > MOST_SAMPLED:
        raise ParseError(
            f"{game.spec} is too large: scores are computed for at most {MOST:,} positions with"
            f" {MOST_EDGES:,} moves, and sampled for at most {MOST_SAMPLED} different moves"
        )


@lru_cache(maxsize=16)
def arena(game: Game[Any], plies: int | None) -> Arena:
    """The arena in which known players meet, in games of at most `plies`.

    A game without a whole graph is sampled there, and then no limit is the usual one.
    """
    return Arena(game, graph_of(game), games=SAMPLES, plies=plies or PLIES, limit=plies)


@lru_cache(maxsize=4096)
def expected_points(
    game: Game[Any], agent: KnownPlayer, opponent: KnownPlayer, seat: Side, plies: int | None = None
) -> Points:
    """The points of a known agent in a seat: 1 for a win, one half for a tie or endless play.

    With `plies`, a game that is not over by then counts one half, as it does where games are played.

    >>> import perfectplay as pp
    >>> from perfectplay.players.registry import load_player
    >>> game = pp.load("bit-flip")
    >>> round(expected_points(game, load_player("random"), load_player("level:3"), 0).value, 3)
    0.358
    """
    pair = (agent, opponent) if seat == 0 else (opponent, agent)
    rates = arena(game, plies).rates(*pair)
    check_decided(game, rates.stuck)
    value = rates.wins[seat] + (rates.tie + rates.endless) / 2
    return Points(value, None if rates.games is None else wilson(value * rates.games, rates.games))


@lru_cache(maxsize=1024)
def best_response(
    game: Game[Any], opponent: KnownPlayer, seat: Side, plies: int | None = None
) -> float | None:
    """The most points that any agent can expect in a seat; None if unknown.

    `plies` limits the games as in `expected_points`. Without a graph the most is known only where the seat
    wins by force in time.
    """
    graph = graph_of(game)
    if graph is None:
        start = game.initial()
        value = oracle_for(game).value(start)
        wins = value.kind == ("win" if game.side_to_move(start) == seat else "loss")
        in_time = plies is None or (value.plies is not None and value.plies <= plies)
        return 1.0 if wins and in_time else None
    numbers = range(len(graph.states))
    mine = [game.side_to_move(state) == seat for state in graph.states]
    rows = [{} if mine[number] else _row(graph, opponent, number) for number in numbers]
    choices = [[target for _, target in graph.moves(number)] if mine[number] else [] for number in numbers]
    payoffs = [1.0, 0.0, 0.5] if seat == 0 else [0.0, 1.0, 0.5]
    return float(best_expectations(rows, choices, ends_of(graph), payoffs, 0.5, plies)[0])


@lru_cache(maxsize=64)
def points_everywhere(game: Game[Any], opponent: KnownPlayer, seat: Side) -> Mapping[Any, float] | None:
    """The exact points of level:5 in a seat from every position; None without a whole graph.

    Every position that a lost turn leads to is there, too.
    """
    found: dict[Any, float] = {}
    waiting = [game.initial()]
    while waiting:
        start = waiting.pop()
        if start in found:
            continue
        graph = graph_of(game, start) if len(found) < MOST else None
        if graph is None:
            return None
        found |= _points_in(graph, opponent, seat)
        unfinished = (state for state in graph.states if game.outcome(state) is None)
        waiting += [after for state in unfinished if (after := game.after_forfeit(state)) is not None]
    return found


def _points_in(graph: Graph[Any], opponent: KnownPlayer, seat: Side) -> dict[Any, float]:
    game = graph.game
    players = (REFERENCE, opponent) if seat == 0 else (opponent, REFERENCE)
    steps = [
        _row(graph, players[game.side_to_move(state)], number) for number, state in enumerate(graph.states)
    ]
    payoffs = [1.0, 0.0, 0.5] if seat == 0 else [0.0, 1.0, 0.5]
    found = expectations(steps, ends_of(graph), payoffs, 0.5)
    return dict(zip(graph.states, map(float, found), strict=True))


def _row(graph: Graph[Any], player: KnownPlayer, number: int) -> dict[int, float]:
    row: dict[int, float] = {}
    moves = graph.moves(number)
    chances = player.chances(graph.game, graph.states[number]) if moves else {}
    for action, target in moves:
        if chances.get(action):
            row[target] = row.get(target, 0.0) + chances[action]
    return row


def share_kept(moves: Sequence[Scored]) -> float:
    """The share of the legal moves that have the best kind of value; below 1 the position is a decision."""
    best = max(move.value.rank[0] for move in moves)
    return sum(move.value.rank[0] == best for move in moves) / len(moves)


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
def expected_kept(
    game: Game[Any], agent: KnownPlayer, opponent: KnownPlayer, seat: Side, plies: int = PLIES
) -> Kept | None:
    """The decisions that an agent is expected to meet and keep in a game; None without a whole graph."""
    graph = graph_of(game)
    if graph is None:
        return None
    oracle = oracle_for(game)
    here: dict[int, float] = {0: 1.0}
    totals = [0.0, 0.0, 0.0]
    steps: dict[int, tuple[dict[int, float], tuple[float, float, float]]] = {}
    for _ in range(plies):
        after: dict[int, float] = defaultdict(float)
        for number, chance in here.items():
            if number not in steps:
                state = graph.states[number]
                mine = game.side_to_move(state) == seat
                player = agent if mine else opponent
                counted = (0.0, 0.0, 0.0)
                moves = oracle.moves(state) if mine else ()
                if moves and share_kept(moves) < 1:
                    best = max(move.value.rank[0] for move in moves)
                    chances = agent.chances(game, state)
                    kept = fsum(chances.get(move.action, 0.0) for move in moves if move.value.rank[0] == best)
                    counted = (1.0, kept, share_kept(moves))
                steps[number] = _row(graph, player, number), counted
            row, counted = steps[number]
            totals = [total + chance * each for total, each in zip(totals, counted, strict=True)]
            for target, step in row.items():
                after[target] += chance * step
        here = after
        if not here:
            break
    return Kept(*totals)
