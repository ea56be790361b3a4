"""Exact scores of players with known move probabilities, from the chain that `crosstable` uses."""

from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from perfectplay.audit.chain import expectations
from perfectplay.audit.crosstable import PLIES as SAMPLED_PLIES
from perfectplay.audit.strength import STUCK, TIE, Arena, ends_of, wilson
from perfectplay.core.errors import ParseError
from perfectplay.core.game import Game
from perfectplay.core.outcome import Side, other
from perfectplay.evals.positions import MOST, share_kept
from perfectplay.evals.setup import PLIES, check_decided
from perfectplay.players.base import KnownPlayer
from perfectplay.players.level import LevelPlayer
from perfectplay.solver.graph import Graph, TooLargeError, explore
from perfectplay.solver.oracle_cache import oracle_for

MOST_EDGES = 30_000
"""An exact chain has at most this many moves in all, as well as at most `MOST` positions."""

MOST_SAMPLED = 20
"""Games are sampled where at most this many moves exist; with more, even a few games take minutes."""

SAMPLES = 400
"""How many games are sampled where no exact chain fits; each is left after crosstable's plies."""

REFERENCE = LevelPlayer(5)
"""The agent that positions are valued for when luck is subtracted."""


class Points(NamedTuple):
    """Expected points of one player against another in one seat."""

    value: float
    interval: tuple[float, float] | None = None
    """The 95% interval if the points were sampled; None if they are exact."""


@lru_cache(maxsize=16)
def graph_of(game: Game[Any]) -> Graph[Any] | None:
    """All positions of a game; None if there are too many for an exact chain."""
    try:
        graph = explore(game, limit=MOST)
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
def arena(game: Game[Any]) -> Arena:
    """The arena in which known players meet. A game without a whole graph is sampled there."""
    return Arena(game, graph_of(game), games=SAMPLES, plies=SAMPLED_PLIES)


@lru_cache(maxsize=4096)
def expected_points(game: Game[Any], agent: KnownPlayer, opponent: KnownPlayer, seat: Side) -> Points:
    """The points of a known agent in a seat: 1 for a win, one half for a tie or endless play.

    >>> import perfectplay as pp
    >>> from perfectplay.players.registry import load_player
    >>> game = pp.load("bit-flip")
    >>> round(expected_points(game, load_player("random"), load_player("level:3"), 0).value, 3)
    0.358
    """
    pair = (agent, opponent) if seat == 0 else (opponent, agent)
    rates = arena(game).rates(*pair)
    check_decided(game, rates.stuck)
    value = rates.wins[seat] + (rates.tie + rates.endless) / 2
    return Points(value, None if rates.games is None else wilson(value * rates.games, rates.games))


@lru_cache(maxsize=1024)
def best_response(game: Game[Any], opponent: KnownPlayer, seat: Side) -> float | None:
    """The most points that any agent can expect in a seat; None if unknown.

    Without a graph it is known only where the seat wins by force.
    """
    graph = graph_of(game)
    if graph is None:
        oracle, start = oracle_for(game), game.initial()
        mine = game.side_to_move(start) == seat
        return 1.0 if oracle.value(start).kind == ("win" if mine else "loss") else None
    ends = ends_of(graph)
    payoff = {seat: 1.0, other(seat): 0.0, TIE: 0.5}
    # With n plies left, an unfinished game pays one half, as endless play does.
    values = [0.5 if end is None else payoff[end] for end in ends]
    turns = [game.side_to_move(state) == seat for state in graph.states]
    targets = [[target for _, target in graph.moves(number)] for number in range(len(ends))]
    rows = [
        {} if mine or end is not None else _row(graph, opponent, number)
        for number, (mine, end) in enumerate(zip(turns, ends, strict=True))
    ]
    while True:
        after = [
            value
            if end is not None or not targets[number]
            else max(values[target] for target in targets[number])
            if turns[number]
            else sum(chance * values[target] for target, chance in rows[number].items())
            for number, (value, end) in enumerate(zip(values, ends, strict=True))
        ]
        if max(abs(new - old) for new, old in zip(after, values, strict=True)) < 1e-10:
            return after[0]
        values = after


@lru_cache(maxsize=64)
def points_everywhere(game: Game[Any], opponent: KnownPlayer, seat: Side) -> Mapping[Any, float] | None:
    """The exact points of level:5 in a seat from every position; None without a whole graph."""
    graph = graph_of(game)
    if graph is None:
        return None
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
                    kept = sum(chances.get(move.action, 0.0) for move in moves if move.value.rank[0] == best)
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
