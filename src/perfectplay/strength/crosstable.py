"""Every opponent against every other on every game, as a page."""

from collections.abc import Iterator, Sequence
from math import fsum
from typing import Any, NamedTuple

from perfectplay.core.game import Game
from perfectplay.core.wording import markdown_table
from perfectplay.games.registry import load, names
from perfectplay.players.level import LevelPlayer
from perfectplay.players.registry import load_computer, load_player
from perfectplay.solver.graph import Graph, TooLargeError, explore
from perfectplay.strength.head_to_head import GAMES, Arena, Rates, percent
from perfectplay.strength.statistics import wilson

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


class CrossTable(NamedTuple):
    """Every player against every other: `rates[i][j]` has player i on side 0 and player j on side 1."""

    players: tuple[str, ...]
    rates: tuple[tuple[Rates, ...], ...]

    @property
    def games(self) -> int | None:
        """The number of games sampled for each inexact pair; None if all pairs are exact."""
        return next((each.games for row in self.rates for each in row if each.games is not None), None)

    def score(self, player: int) -> float | None:
        """A player's share of points in both seats against everyone; half a point for no winner.

        None if games get stuck: what a dead end is worth, no rule says.
        """
        count = len(self.players)
        total = 0.0
        for opponent in range(count):
            for rates, side in ((self.rates[player][opponent], 0), (self.rates[opponent][player], 1)):
                if rates.stuck:
                    return None
                total += rates.wins[side] + (rates.tie + rates.endless) / 2
        return total / (2 * count)


def cross_table(arena: Arena, specs: Sequence[str]) -> CrossTable:
    """Return the table of the players with these specs.

    >>> import perfectplay as pp
    >>> from perfectplay.solver.graph import explore
    >>> game = pp.load("bit-flip")
    >>> table = cross_table(Arena(game, explore(game)), ["random", "perfect"])
    >>> round(table.rates[1][0].wins[0], 3), round(table.rates[0][1].wins[0], 3)
    (1.0, 0.151)
    """
    players = [load_computer(spec) for spec in specs]
    for player in players:
        player.prepare(arena.game)
    rates = tuple(tuple(arena.rates(one, two) for two in players) for one in players)
    return CrossTable(tuple(specs), rates)


class Difference(NamedTuple):
    """How players do against opponents that are `levels` levels weaker, in both seats."""

    levels: int
    stronger: float
    weaker: float
    games: int | None = None
    """The total number of sampled games; None if the shares are exact."""

    def text(self, share: float) -> str:
        """Format one of the shares in percent, with its interval if it is sampled.

        >>> Difference(2, 0.625, 0.375).text(0.625), Difference(2, 0.5, 0.5, 100).text(0.5)
        ('62.5%', '50% (40% to 60%)')
        """
        return percent(share, None if self.games is None else wilson(round(share * self.games), self.games))


def by_difference(table: CrossTable) -> tuple[Difference, ...]:
    """The win rates of the graded players in a table, by the difference in level."""
    found: dict[int, list[tuple[float, float]]] = {}
    graded = {
        place: player.strength
        for place, spec in enumerate(table.players)
        if isinstance(player := load_player(spec), LevelPlayer)
    }
    for strong, above in graded.items():
        for weak, below in graded.items():
            if above > below:
                pairs = found.setdefault(above - below, [])
                pairs.append(table.rates[strong][weak].wins)
                pairs.append((table.rates[weak][strong].wins[1], table.rates[weak][strong].wins[0]))
    return tuple(
        Difference(
            levels,
            fsum(stronger for stronger, _ in pairs) / len(pairs),
            fsum(weaker for _, weaker in pairs) / len(pairs),
            None if table.games is None else table.games * len(pairs),
        )
        for levels, pairs in sorted(found.items())
    )


def table_dict(table: CrossTable) -> dict[str, Any]:
    """Return a table of players as JSON-serializable data."""
    return {
        "players": list(table.players),
        "rates": [[rates_dict(rates) for rates in row] for row in table.rates],
    }


def rates_dict(rates: Rates) -> dict[str, Any]:
    """Return rates as JSON-serializable data."""
    bounds = (rates.interval(0), rates.interval(1))
    return {
        "wins": list(rates.wins),
        "tie": rates.tie,
        "endless": rates.endless,
        "stuck": rates.stuck,
        "games": rates.games,
        "intervals": [None if each is None else list(each) for each in bounds],
    }


def rates_text(rates: Rates) -> str:
    """Both sides' wins in percent. Sampled rates also show the interval of the first side's.

    >>> rates_text(Rates((0.5, 0.25), 0.25, 0.0)), rates_text(Rates((0.5, 0.5), 0.0, 0.0, 100))
    ('50.0 : 25.0', '50 : 50 (40-60)')
    """
    if rates.games is None:
        return f"{100 * rates.wins[0]:.1f} : {100 * rates.wins[1]:.1f}"
    low, high = rates.interval(0) or (0.0, 1.0)
    return f"{100 * rates.wins[0]:.0f} : {100 * rates.wins[1]:.0f} ({100 * low:.0f}-{100 * high:.0f})"


def table_rows(table: CrossTable) -> tuple[list[str], list[list[str]]]:
    """Return the header and the rows of a table of players."""
    rows = [
        [player, *(rates_text(rates) for rates in row)]
        for player, row in zip(table.players, table.rates, strict=True)
    ]
    return ["", *table.players], rows


def table_caption(game: Game[Any], table: CrossTable) -> str:
    """The caption that explains the numbers in a table of players."""
    one, two = game.side_names
    caption = f"Wins of {one} (rows) : wins of {two} (columns), in percent"
    if any(rates.tie or rates.endless or rates.stuck for row in table.rates for rates in row):
        caption += "; the rest, up to 100, has no winner"
    if any(rates.stuck for row in table.rates for rates in row):
        caption += " or gets stuck in a dead end, without a result"
    if table.games is None:
        return f"{caption}. All exact."
    exact = any(rates.games is None for row in table.rates for rates in row)
    where = "where an interval is given, " if exact else ""
    return (
        f"{caption}; {where}sampled, {table.games} games per pair, with the first's 95% interval in brackets."
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
