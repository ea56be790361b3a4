"""Every opponent against every other on every game, as a page."""

from collections.abc import Iterator, Sequence
from typing import Any

from perfectplay.audit.report import table_caption, table_dict, table_rows
from perfectplay.audit.strength import GAMES, Arena, CrossTable, cross_table
from perfectplay.core.game import Game
from perfectplay.core.wording import markdown_table
from perfectplay.games.registry import load, names
from perfectplay.solver.graph import Graph, TooLargeError, explore

LIMIT = 10_000
"""Games with at most this many positions are computed exactly if both players' probabilities are known."""

PLIES = 24
"""A sampled game is left unfinished after this many plies."""

OPPONENTS = (
    "random",
    *(f"level:{n}" for n in range(1, 11)),
    "perfect",
    "search:depth=4",
    "mcts:simulations=50",
)


def opponents_page(
    players: Sequence[str] = OPPONENTS,
    games: Sequence[str] | None = None,
    *,
    samples: int = GAMES,
    plies: int = PLIES,
    seed: int = 0,
) -> str:
    """Return the page of all tables as Markdown.

    `players` and `games` are specs; by default, all games of this package. A pair of players with known
    move probabilities is computed exactly if the game is small enough. Any other pair plays `samples`
    games, each left unfinished after `plies`.

    >>> print(opponents_page(["random", "perfect"], ["race-to-the-center"]))
    # Cross-table of opponents
    <BLANKLINE>
    Each row sits on the first side, each column on the second. The score is a player's share of
    points in both seats against all, half a point for a game without a winner.
    <BLANKLINE>
    ## Race to the Center
    <BLANKLINE>
    Wins of Player 1 (rows) : wins of Player 2 (columns), in percent. All exact.
    <BLANKLINE>
    |         | random      | perfect     | score |
    |---------|-------------|-------------|-------|
    | random  | 43.0 : 57.0 | 0.0 : 100.0 | 0.312 |
    | perfect | 75.0 : 25.0 | 0.0 : 100.0 | 0.688 |
    <BLANKLINE>
    """
    parts = [
        "# Cross-table of opponents",
        "Each row sits on the first side, each column on the second. The score is a player's share of"
        "\npoints in both seats against all, half a point for a game without a winner.",
    ]
    for game, table in _tables(players, games, samples, plies, seed):
        head, rows = table_rows(table)
        scores = [table.score(place) for place in range(len(rows))]
        scored = [
            [*row, "undecided" if score is None else f"{score:.3f}"]
            for row, score in zip(rows, scores, strict=True)
        ]
        title = game.title if game == type(game)() else f"{game.title}: {game.spec}"
        parts += [f"## {title}", table_caption(game, table), markdown_table([*head, "score"], scored)]
    return "\n\n".join(parts) + "\n"


def opponents_data(
    players: Sequence[str] = OPPONENTS,
    games: Sequence[str] | None = None,
    *,
    samples: int = GAMES,
    plies: int = PLIES,
    seed: int = 0,
) -> list[dict[str, Any]]:
    """Return the same tables as JSON-serializable data, one per game.

    >>> [table] = opponents_data(["random", "perfect"], ["race-to-the-center"])
    >>> table["scores"], table["rates"][1][0]["wins"]
    ([0.3125, 0.6875], [0.75, 0.25])
    """
    return [
        {
            "game": game.spec,
            **table_dict(table),
            "scores": [table.score(place) for place in range(len(table.players))],
        }
        for game, table in _tables(players, games, samples, plies, seed)
    ]


def _tables(
    players: Sequence[str], games: Sequence[str] | None, samples: int, plies: int, seed: int
) -> Iterator[tuple[Game[Any], CrossTable]]:
    for spec in names() if games is None else games:
        game = load(spec)
        yield game, table_of(game, players, samples=samples, plies=plies, seed=seed)


def table_of(
    game: Game[Any], players: Sequence[str], *, samples: int = GAMES, plies: int = PLIES, seed: int = 0
) -> CrossTable:
    """The table of one game."""
    graph: Graph[Any] | None
    try:
        graph = explore(game, limit=LIMIT)
    except TooLargeError:
        graph = None
    return cross_table(Arena(game, graph, games=samples, plies=plies, seed=seed), players)
