"""What known players score, seat by seat: the yardstick for agents that are measured."""

from collections.abc import Mapping, Sequence
from typing import Any

from perfectplay.core.errors import ParseError
from perfectplay.core.game import Game
from perfectplay.core.outcome import Side
from perfectplay.core.wording import markdown_table
from perfectplay.games.registry import load_bounded
from perfectplay.players.base import KnownPlayer
from perfectplay.players.registry import load_player
from perfectplay.strength.points import (
    LARGEST,
    PLIES,
    SAMPLES,
    best_response,
    check_scored,
    expected_kept,
    expected_points,
)

AGENTS = ("random", "level:3", "level:5", "level:7", "perfect")

NO_INFORMATION = 0.05
"""A seat in which the best response is less than this above random says nothing about an agent."""


def seated(game: Game[Any], seat: Side) -> dict[str, Any]:
    """The columns of a row that tell a seat: its number, 1 or 2, and the name of its side to show.

    >>> import perfectplay as pp
    >>> seated(pp.load("inversion-race"), 1)
    {'seat': 2, 'side': 'Player B'}
    """
    return {"seat": seat + 1, "side": game.side_names[seat]}


def seat_text(row: Mapping[str, Any]) -> str:
    """The seat of a row, with the name of its side unless that says no more.

    >>> seat_text({"seat": 2, "side": "Player 2"}), seat_text({"seat": 2, "side": "Player B"})
    ('2', '2 (Player B)')
    """
    said, side = str(row["seat"]), row.get("side")
    return f"{said} ({side})" if side and not side.endswith(f" {said}") else said


def known_player(spec: str) -> KnownPlayer:
    """The player with known move probabilities that a spec names. Raises ParseError for any other."""
    player = load_player(spec)
    if not isinstance(player, KnownPlayer):
        raise ParseError(f"the move probabilities of {spec} are not known, so it has no exact score")
    return player


def floors(
    game_spec: str, opponents: Sequence[str], agents: Sequence[str] = AGENTS, plies: int | None = None
) -> list[dict[str, Any]]:
    """A row for each opponent and seat, with points and corrected scores of each agent.

    With `plies`, games that are not over by then count one half. Decisions are counted up to `plies`, or else
    up to the usual limit of a game: play without end may have any number of them.

    >>> [one, two] = floors("bit-flip", ["level:3"])
    >>> round(one["points"]["random"], 3), round(one["best"], 3), one["exact"]
    (0.358, 1.0, True)
    """
    game = load_bounded(game_spec, LARGEST, "score")
    check_scored(game)
    players = {spec: known_player(spec) for spec in agents}
    rows = []
    for spec in opponents:
        opponent = known_player(spec)
        seats: tuple[Side, Side] = (0, 1)
        for seat in seats:
            points = {
                name: expected_points(game, each, opponent, seat, plies) for name, each in players.items()
            }
            kept = {
                name: expected_kept(game, each, opponent, seat, plies or PLIES)
                for name, each in players.items()
            }
            floor = expected_points(game, known_player("random"), opponent, seat, plies)
            best = best_response(game, opponent, seat, plies)
            rows.append(
                {
                    "game": game.spec,
                    "opponent": spec,
                    **seated(game, seat),
                    "exact": floor.interval is None,
                    "samples": None if floor.interval is None else SAMPLES,
                    "plies": plies,
                    "points": {name: each.value for name, each in points.items()},
                    "intervals": {name: each.interval for name, each in points.items()},
                    "best": best,
                    "corrected": {name: each and each.corrected for name, each in kept.items()},
                    "informative": None if best is None else best - floor.value >= NO_INFORMATION,
                }
            )
    return rows


def floors_text(rows: Sequence[dict[str, Any]]) -> str:
    """The rows as tables in Markdown: points, then kept decisions corrected for guessing."""
    agents = list(rows[0]["points"])
    exact, plies = rows[0]["exact"], rows[0]["plies"]
    how = (
        "exact"
        if exact
        else f"sampled, {SAMPLES} games each, with 95% intervals; best response only if forced"
    )
    if plies or not exact:
        how += f"; a game that is not over after {plies or PLIES} plies counts one half"
    points, corrected = [], []
    for row in rows:
        head = [row["opponent"], seat_text(row)]
        cells = [_cell(row["points"][name], row["intervals"][name]) for name in agents]
        points.append([*head, *cells, _cell(row["best"])])
        corrected.append([*head, *(_cell(row["corrected"][name]) for name in agents)])
    parts = [
        f"Expected points in {rows[0]['game']}, {how}:",
        markdown_table(["opponent", "seat", *agents, "best response"], points),
    ]
    if exact:
        parts += [
            f"Kept decisions, corrected for guessing, exact, in the first {plies or PLIES} plies:",
            markdown_table(["opponent", "seat", *agents], corrected),
        ]
    silent = [f"{row['opponent']}, seat {row['seat']}" for row in rows if row["informative"] is False]
    if silent:
        parts.append(
            f"No information about an agent (best response less than {NO_INFORMATION} above random):"
            f" {'; '.join(silent)}"
        )
    return "\n\n".join(parts)


def _cell(value: float | None, interval: tuple[float, float] | None = None) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}" if interval is None else f"{value:.2f} ({interval[0]:.2f} to {interval[1]:.2f})"
