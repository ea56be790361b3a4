"""Cross-tables: every player against every other, in both seats."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from math import fsum
from typing import Any, NamedTuple

from perfectplay.core.game import Game
from perfectplay.games.registry import load, names
from perfectplay.players.level import LEVELS, LevelPlayer
from perfectplay.players.registry import load_computer, load_player
from perfectplay.render.markdown import markdown_table
from perfectplay.solver.errors import TooLargeError
from perfectplay.solver.graph import Graph, explore
from perfectplay.strength.head_to_head import GAMES, HeadToHead, Rates, percent
from perfectplay.strength.points import MOST
from perfectplay.strength.statistics import wilson

PLIES = 24
"""A sampled game is left unfinished after this many plies."""

OPPONENTS = ("random", *(f"level:{n}" for n in LEVELS), "perfect", "search:depth=4", "mcts:simulations=50")


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

        None if games get stuck: no rule says what a dead end is worth.
        """
        first, second = self.rates[player], [row[player] for row in self.rates]
        if any(rates.stuck for rates in (*first, *second)):
            return None
        total = fsum(one.points(0) + two.points(1) for one, two in zip(first, second, strict=True))
        return total / (2 * len(self.players))

    def rows(self) -> tuple[list[str], list[list[str]]]:
        """Return the header and the rows to show."""
        pairs = zip(self.players, self.rates, strict=True)
        return ["", *self.players], [[player, *map(rates_text, row)] for player, row in pairs]

    def caption(self, game: Game[Any]) -> str:
        """The caption that explains the numbers."""
        one, two = game.side_names
        caption = f"Wins of {one} (rows) : wins of {two} (columns), in percent"
        if any(rates.tie or rates.endless or rates.stuck for row in self.rates for rates in row):
            caption += "; the rest, up to 100, has no winner"
        if any(rates.stuck for row in self.rates for rates in row):
            caption += " or gets stuck in a dead end, without a result"
        if self.games is None:
            return f"{caption}. All exact."
        exact = any(rates.games is None for row in self.rates for rates in row)
        where = "where an interval is given, " if exact else ""
        sampled = f"{where}sampled, {self.games} games per pair"
        return f"{caption}; {sampled}, with the first's 95% interval in brackets."

    def as_dict(self) -> dict[str, Any]:
        """Return the table as JSON-serializable data."""
        return {
            "players": list(self.players),
            "rates": [[rates_dict(rates) for rates in row] for row in self.rates],
        }


def cross_table(game: HeadToHead, specs: Sequence[str]) -> CrossTable:
    """Return the table of the players with these specs."""
    players = [load_computer(spec) for spec in specs]
    for player in players:
        player.prepare(game.game)
    rates = tuple(tuple(game.rates(one, two) for two in players) for one in players)
    return CrossTable(tuple(specs), rates)


class Difference(NamedTuple):
    """How players do against opponents that are `levels` levels weaker, in both seats."""

    levels: int
    stronger: float
    weaker: float
    games: int | None = None
    """The total number of sampled games; None if the shares are exact."""

    def text(self, share: float) -> str:
        """Format one of the shares in percent, with its interval if it is sampled."""
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
                pairs += [table.rates[strong][weak].wins, table.rates[weak][strong].wins[::-1]]
    return tuple(
        Difference(
            levels,
            fsum(stronger for stronger, _ in pairs) / len(pairs),
            fsum(weaker for _, weaker in pairs) / len(pairs),
            None if table.games is None else table.games * len(pairs),
        )
        for levels, pairs in sorted(found.items())
    )


def rates_dict(rates: Rates) -> dict[str, Any]:
    """Return rates as JSON-serializable data."""
    bounds = (rates.interval(0), rates.interval(1))
    intervals = [None if each is None else list(each) for each in bounds]
    return {**rates._asdict(), "wins": list(rates.wins), "intervals": intervals}


def rates_text(rates: Rates) -> str:
    """Both sides' wins in percent. Sampled rates also show the interval of the first side's."""
    if rates.games is None:
        return f"{100 * rates.wins[0]:.1f} : {100 * rates.wins[1]:.1f}"
    low, high = rates.interval(0) or (0.0, 1.0)
    return f"{100 * rates.wins[0]:.0f} : {100 * rates.wins[1]:.0f} ({100 * low:.0f}-{100 * high:.0f})"


def cross_tables(
    players: Sequence[str] = OPPONENTS,
    games: Sequence[str] = (),
    *,
    samples: int = GAMES,
    plies: int | None = None,
    seed: int = 0,
    environments: bool = False,
) -> list[tuple[Game[Any], CrossTable]]:
    """Let players meet in games, by default in all games of this package.

    A pair of players with known move probabilities is computed exactly if the game is small enough. Any
    other pair plays `samples` games, each left unfinished after 24 plies. With `plies`, all games are left
    unfinished after that many. `environments` is that of `load`.
    """
    found = []
    for spec in games or names():
        game = load(spec, environments=environments)
        graph: Graph[Any] | None = None
        with suppress(TooLargeError):
            graph = explore(game, limit=MOST)
        pairs = HeadToHead(game, graph, samples, plies or PLIES, seed, plies)
        found.append((game, cross_table(pairs, players)))
    return found


def tables_text(tables: Iterable[tuple[Game[Any], CrossTable]]) -> str:
    """Return a page of tables as Markdown."""
    parts = [
        "# Cross-table of opponents",
        "Each row sits on the first side, each column on the second. The score is a player's share of"
        "\npoints in both seats against all, half a point for a game without a winner.",
    ]
    for game, table in tables:
        head, rows = table.rows()
        for place, row in enumerate(rows):
            score = table.score(place)
            row.append("undecided" if score is None else f"{score:.3f}")
        title = game.title if game == type(game)() else f"{game.title}: {game.spec}"
        parts += [f"## {title}", table.caption(game), markdown_table([*head, "score"], rows)]
    return "\n\n".join(parts) + "\n"


def tables_data(tables: Iterable[tuple[Game[Any], CrossTable]]) -> list[dict[str, Any]]:
    """Return the same tables as JSON-serializable data, one per game."""
    return [
        {
            "game": game.spec,
            **table.as_dict(),
            "scores": [table.score(place) for place in range(len(table.players))],
        }
        for game, table in tables
    ]
