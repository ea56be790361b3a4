"""What the counts of many samples come to: ratios of sums, with intervals, group by group."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import fsum
from typing import Any

from perfectplay.admission import admitted_game, admitted_player
from perfectplay.audit.strength import wilson
from perfectplay.core.errors import PerfectplayError
from perfectplay.core.outcome import Side
from perfectplay.core.spec import split_spec
from perfectplay.evals.counts import ANSWERS, BY_RULES, POINTS
from perfectplay.evals.exact import Kept, best_response, check_scored, expected_kept, expected_points
from perfectplay.evals.samples import Row
from perfectplay.evals.setup import LARGEST
from perfectplay.evals.statistics import Estimate, corrected, ratio
from perfectplay.players.base import KnownPlayer
from perfectplay.players.level import LevelPlayer
from perfectplay.players.random import RandomPlayer

NO_INFORMATION = 0.05
"""A seat in which the best response is less than this above random says nothing about an agent."""

GROUP = ("agent", "task", "game", "opponent", "seat", "attempts", "moves", "memory", "disguise", "start")
"""What games must have in common to be added up."""

BOTH = "both"
"""The seat in rows that add up both."""


def grouped(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """The measures of each group of samples, sorted.

    Games are grouped by everything in `GROUP`. Single questions are added up over both seats and all sizes
    of a game, because there are few of each.
    """
    found = []
    for group in _groups(rows, _told):
        sizes = sorted({row["game"] for row in group})
        told = _told(group[0]) | ({"game": sizes[0]} if len(sizes) == 1 else {})
        told["side"] = "" if told["seat"] == BOTH else group[0]["side"]
        measured = measures(group)
        found.append({**told, "sizes": len(sizes), **measured, **_compared(group[0], measured)})
    return found


def by_size(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """The measures of each game and size over both seats, sorted."""

    def told(row: Row) -> Row:
        return {name: row[name] for name in GROUP} | {"seat": BOTH}

    return [{**told(group[0]), **measures(group)} for group in _groups(rows, told)]


def _told(row: Row) -> Row:
    """What a sample has in common with its group."""
    told = {name: row[name] for name in GROUP}
    return told if row["task"] == "play" else told | {"game": split_spec(row["game"])[0], "seat": BOTH}


def _groups(rows: Iterable[Row], told: Callable[[Row], Row]) -> list[list[Row]]:
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(told(row).values()), []).append(row)
    return [groups[key] for key in sorted(groups, key=lambda key: [_natural(str(part)) for part in key])]


def _natural(text: str) -> list[tuple[int, int | str]]:
    """A key that sorts numbers in a text by their value.

    >>> sorted(["bits=16", "bits=9"], key=_natural)
    ['bits=9', 'bits=16']
    """
    return [(0, int(part)) if part.isdecimal() else (1, part) for part in re.split(r"(\d+)", text)]


def measures(rows: Sequence[Row]) -> dict[str, Any]:
    """The measures of some samples, without anything exact to compare them with."""
    games = [row for row in rows if row["result"] is not None]
    decided = [row for row in games if row["result"] in BY_RULES]
    kept, decisions = sum(row["kept"] for row in rows), sum(row["decisions"] for row in rows)
    guess = fsum(row["guess"] for row in rows) / decisions if decisions else None
    free = [row for row in games if row["luck"] is not None]
    found: dict[str, Any] = {
        "samples": len(rows),
        "errors": sum(row["errors"] for row in rows),
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
    if guess is not None:  # below 1: in a decision, some move does not keep
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


def _compared(row: Row, measured: Mapping[str, Any]) -> dict[str, Any]:
    """What is exact about the group of a sample: random's points, the best response's, the nearest level."""
    found: dict[str, Any] = dict.fromkeys(("floor", "best", "informative", "levels", "plays_like"))
    opponent = _known(row["opponent"])
    if row["task"] != "play" or opponent is None or row["start"] != "initial":
        return found
    try:
        game = admitted_game(row["game"], LARGEST)
        check_scored(game)
    except PerfectplayError:  # too large, or a game file, which a log must not make us run
        return found
    seat: Side = 0 if row["seat"] == 1 else 1
    floor = expected_points(game, RandomPlayer(), opponent, seat, row["plies_limit"])
    best = best_response(game, opponent, seat, row["plies_limit"])
    found |= {"floor": floor.value, "floor_sampled": floor.interval is not None, "best": best}
    if best is not None:
        found["informative"] = best - floor.value >= NO_INFORMATION
    scale = level_scale(row["game"], row["opponent"], seat, row["plies_limit"])
    if measured["corrected"] is not None and scale:
        like = nearest_levels(scale, measured["corrected"])
        near = [
            *like,
            *(level for bound in measured["corrected_wilson"] for level in nearest_levels(scale, bound)),
        ]
        found |= {"levels": list(scale.values()), "plays_like": [like[0], min(near), max(near)]}
    return found


def _known(spec: str) -> KnownPlayer | None:
    try:
        player = admitted_player(spec)
    except PerfectplayError:
        return None
    return player if isinstance(player, KnownPlayer) else None


def level_scale(spec: str, opponent: str, seat: Side, plies: int) -> dict[int, float]:
    """The exact corrected score of every level against an opponent; empty if there is none.

    >>> scale = level_scale("bit-flip", "level:3", 0, 100)
    >>> round(scale[5], 3), scale[10]
    (0.509, 1.0)
    """
    game, other = admitted_game(spec, LARGEST), _known(opponent)
    if other is None:
        return {}
    scale = {}
    for level in range(1, 11):
        kept: Kept | None = expected_kept(game, LevelPlayer(level), other, seat, plies)
        if kept is None or kept.corrected is None:
            return {}
        scale[level] = kept.corrected
    return scale


def nearest_levels(scale: Mapping[int, float], value: float) -> list[int]:
    """The levels whose corrected score is nearest, weakest first. Levels may have the same score.

    >>> nearest_levels({1: 0.0, 2: 0.5, 3: 1.0}, 0.6), nearest_levels({1: 0.0, 2: 0.5, 3: 0.5}, 0.4)
    ([2], [2, 3])
    """
    least = min(abs(score - value) for score in scale.values())
    return [level for level, score in scale.items() if abs(score - value) - least < 1e-9]


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
