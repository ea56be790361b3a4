"""What the counts of many samples come to: ratios of sums, with intervals, group by group."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import fsum
from typing import Any

from perfectplay.audit.strength import wilson
from perfectplay.core.errors import PerfectplayError
from perfectplay.core.outcome import Side
from perfectplay.evals.counts import ANSWERS, BY_RULES, POINTS
from perfectplay.evals.exact import Kept, best_response, expected_kept, expected_points
from perfectplay.evals.samples import Row
from perfectplay.evals.statistics import Estimate, corrected, ratio
from perfectplay.games.registry import load
from perfectplay.players.base import KnownPlayer
from perfectplay.players.level import LevelPlayer
from perfectplay.players.random import RandomPlayer
from perfectplay.players.registry import load_player

NO_INFORMATION = 0.05
"""A seat in which the best response is less than this above random says nothing about an agent."""

GROUP = ("agent", "task", "game", "opponent", "seat", "attempts", "moves", "memory", "disguise", "start")
"""What samples must have in common to be added up."""


def grouped(rows: Iterable[Row], by: Sequence[str] = GROUP) -> list[dict[str, Any]]:
    """The measures of each group of samples, in the order in which the groups first appear."""
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row.get(name) for name in by), []).append(row)
    return [
        {**dict(zip(by, key, strict=True)), **measures(found), **_compared(found)}
        for key, found in groups.items()
    ]


def measures(rows: Sequence[Row]) -> dict[str, Any]:
    """The measures of some samples, without anything exact to compare them with."""
    games = [row for row in rows if row["result"] is not None]
    decided = [row for row in games if row["result"] in BY_RULES]
    kept, decisions = sum(row["kept"] for row in rows), sum(row["decisions"] for row in rows)
    guess = fsum(row["guess"] for row in rows) / decisions if decisions else None
    free = [row for row in games if row["luck"] is not None]
    found: dict[str, Any] = {
        "samples": len(rows),
        "answers": {name: sum(row["answers"][name] for row in rows) for name in ANSWERS},
        "illegal": _added(row["illegal"] for row in rows),
        "decisions": decisions,
        "kept": kept,
        "guess": guess,
        **_measured("corrected", ratio(_corrected(rows))),
        "drops": _added(row["drops"] for row in rows),
        "decisions_at": _added(row["decisions_at"] for row in rows),
        "drops_at": _added(row["drops_at"] for row in rows),
        "wasted": sum(row["wasted"] for row in rows),
        "named": sum(row["named"] for row in rows),
        "games": len(games),
        "results": dict(Counter(row["result"] for row in games)),
        "stopped_at": dict(Counter(row["stopped_at"] for row in games if row["stopped_at"])),
        **_measured("points", ratio((row["cluster"], POINTS[row["result"]], 1) for row in games)),
        "decided": len(decided),
        **_measured("points_decided", ratio((row["cluster"], POINTS[row["result"]], 1) for row in decided)),
        **_measured(
            "luck_free", ratio((row["cluster"], POINTS[row["result"]] - row["luck"], 1) for row in free)
        ),
        "tokens": sum(row.get("tokens") or 0 for row in rows) or None,
        "cost": sum(row.get("cost") or 0 for row in rows) or None,
    }
    found["corrected_wilson"] = None
    if decisions and guess is not None and guess < 1:
        found["corrected_wilson"] = [corrected(bound, guess) for bound in wilson(kept, decisions)]
    found["points_wilson"] = None
    if games:
        found["points_wilson"] = list(wilson(sum(POINTS[row["result"]] for row in games), len(games)))
    return found


def _added(counts: Iterable[Mapping[str, int | None]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for each in counts:
        total.update({name: number for name, number in each.items() if number})
    return dict(total)


def _corrected(rows: Iterable[Row]) -> list[tuple[object, float, float]]:
    return [(row["cluster"], row["kept"] - row["guess"], row["decisions"] - row["guess"]) for row in rows]


def _measured(name: str, found: Estimate | None) -> dict[str, float | None]:
    return {name: found.value if found else None, f"{name}_error": found.error if found else None}


def _compared(rows: Sequence[Row]) -> dict[str, Any]:
    """What is exact about the group: random's points, the best response's, and the nearest level."""
    row = rows[0]
    found: dict[str, Any] = {"floor": None, "best": None, "informative": None, "plays_like": None}
    opponent = _known(row["opponent"])
    if row["task"] != "play" or opponent is None or row["start"] != "initial":
        return found
    game = load(row["game"], allow_paths=False)
    seat: Side = 0 if game.side_names[0].split()[-1] == row["seat"] else 1
    floor = expected_points(game, RandomPlayer(), opponent, seat)
    best = best_response(game, opponent, seat)
    found |= {"floor": floor.value, "floor_sampled": floor.interval is not None, "best": best}
    if best is not None:
        found["informative"] = best - floor.value >= NO_INFORMATION
    estimate = ratio(_corrected(rows))
    scale = level_scale(row["game"], row["opponent"], seat, row["plies_limit"])
    if estimate is not None and scale:
        low, high = estimate.interval or (estimate.value, estimate.value)
        found["plays_like"] = [nearest_level(scale, value) for value in (estimate.value, low, high)]
    return found


def _known(spec: str) -> KnownPlayer | None:
    try:
        player = load_player(spec)
    except PerfectplayError:
        return None
    return player if isinstance(player, KnownPlayer) else None


def level_scale(spec: str, opponent: str, seat: Side, plies: int) -> dict[int, float]:
    """The exact corrected score of every level against an opponent; empty if there is none.

    >>> scale = level_scale("bit-flip", "level:3", 0, 100)
    >>> round(scale[5], 3), scale[10]
    (0.509, 1.0)
    """
    game, other = load(spec, allow_paths=False), _known(opponent)
    if other is None:
        return {}
    scale = {}
    for level in range(1, 11):
        kept: Kept | None = expected_kept(game, LevelPlayer(level), other, seat, plies)
        if kept is None or kept.corrected is None:
            return {}
        scale[level] = kept.corrected
    return scale


def nearest_level(scale: Mapping[int, float], value: float) -> int:
    """The level whose corrected score is nearest.

    >>> nearest_level({1: 0.0, 2: 0.5, 3: 1.0}, 0.6)
    2
    """
    return min(scale, key=lambda level: abs(scale[level] - value))


def seat_adjusted(groups: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """How far points rise from random to the best response, over seats and opponents.

    Seats that carry no information are named and left out.

    >>> one = {"game": "g", "opponent": "o", "seat": "1", "points": 0.644, "floor": 0.358, "best": 1.0}
    >>> two = {"game": "g", "opponent": "o", "seat": "2", "points": 0.531, "floor": 0.260, "best": 0.664}
    >>> none = {"game": "g", "opponent": "p", "seat": "2", "points": 0.0, "floor": 0.0, "best": 0.0}
    >>> found = seat_adjusted([one, two, none])
    >>> round(found["seat_adjusted"], 3), found["no_information"]
    (0.533, ['g against p, seat 2'])
    """
    above = below = 0.0
    silent = []
    for group in groups:
        if group.get("points") is None or group.get("best") is None:
            continue
        span = group["best"] - group["floor"]
        if span < NO_INFORMATION:
            silent.append(f"{group['game']} against {group['opponent']}, seat {group['seat']}")
        else:
            above += group["points"] - group["floor"]
            below += span
    return {"seat_adjusted": above / below if below else None, "no_information": silent}
