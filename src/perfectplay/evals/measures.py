"""What the counts of many samples come to: ratios of sums, with intervals, group by group."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import fsum
from typing import Any

from perfectplay.core.errors import PerfectplayError
from perfectplay.core.outcome import Side
from perfectplay.core.spec import split_spec
from perfectplay.evals.counts import ANSWERS, BY_RULES, POINTS, READABLE
from perfectplay.evals.samples import Row, known_opponent
from perfectplay.players.level import LevelPlayer
from perfectplay.players.random import RandomPlayer
from perfectplay.strength.points import (
    LARGEST,
    Kept,
    best_response,
    check_scored,
    expected_kept,
    expected_points,
)
from perfectplay.strength.reference import NO_INFORMATION
from perfectplay.strength.statistics import Estimate, corrected, ratio
from perfectplay.validation import validate_game

GROUP = (
    *("agent", "task", "game", "opponent", "seat", "attempts", "moves", "memory", "disguise", "start"),
    *("plies_limit", "temperature", "max_tokens"),
)
"""What games must have in common to be added up."""

BELOW, NO_ANSWERS = "below random", "no answers"
"""What an agent may come to that no level does."""

MOST_PLIES, MOST_DECIDING = 100_000, 1_000
"""Beyond so many plies, points and the shares of decisions that levels keep change no more than they show;
to follow whatever limit a log names could take forever."""

BOTH = "both"
"""The seat in rows that add up both."""


def measure_groups(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """The measures of each group of samples, sorted.

    Games are grouped by everything in `GROUP`. Single questions are added up over both seats and all sizes
    of a game, because there are few of each.
    """
    found = []
    for group in _groups(rows, told):
        sizes = sorted({row["game"] for row in group})
        said = told(group[0]) | ({"game": sizes[0]} if len(sizes) == 1 else {})
        said["side"] = "" if said["seat"] == BOTH else group[0]["side"]
        measured = measures(group)
        found.append({**said, "sizes": len(sizes), **measured, **_compared(group[0], measured)})
    return found


def measure_sizes(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """The measures of each game and size over both seats, sorted."""

    def sized(row: Row) -> Row:
        return told(row) | {"game": row["game"], "seat": BOTH}

    return [{**sized(group[0]), **measures(group)} for group in _groups(rows, sized)]


def told(row: Row) -> Row:
    """What a sample has in common with its group."""
    found = {name: row.get(name) for name in GROUP}
    if row["task"] == "play":
        return found
    return found | {"game": split_spec(row["game"])[0], "seat": BOTH, "plies_limit": None}


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
    answers = {name: sum(row["answers"][name] for row in rows) for name in ANSWERS}
    errors = sum(row["errors"] for row in rows)
    asked = sum(answers.values()) + errors
    free = [row for row in games if row["luck"] is not None]
    return {
        "samples": len(rows),
        "answered": sum(answers[name] for name in READABLE) / asked if asked else None,
        "errors": errors,
        "answers": answers,
        "illegal": _added(row["illegal"] for row in rows),
        **_kept(rows),
        "drops": _added(row["drops"] for row in rows),
        "decisions_at": _added(row["decisions_at"] for row in rows),
        "drops_at": _added(row["drops_at"] for row in rows),
        "wasted": sum(row["wasted"] for row in rows),
        "named": sum(row["named"] for row in rows),
        "games": len(games),
        "results": dict(Counter(row["result"] for row in games)),
        "stopped_at": dict(Counter(row["stopped_at"] for row in games if row["stopped_at"])),
        **_mean("points", games),
        "decided": len(decided),
        **_mean("points_decided", decided),
        **_measured(
            "luck_free", ratio((row["cluster"], POINTS[row["result"]] - row["luck"], 1) for row in free)
        ),
        "tokens": sum(row.get("tokens") or 0 for row in rows) or None,
        "cost": fsum(row.get("cost") or 0 for row in rows) or None,
    }


def _kept(rows: Sequence[Row]) -> dict[str, Any]:
    """Decisions and those kept, of all and of those with a readable answer, corrected for guessing."""
    found: dict[str, Any] = {"kept": sum(row["kept"] for row in rows)}
    for name, read in (("corrected", ""), ("readable", "_read")):
        counts = [
            (row["cluster"], row["kept"], row.get(f"decisions{read}") or 0, row.get(f"guess{read}") or 0)
            for row in rows
        ]
        decisions = sum(number for _, _, number, _ in counts)
        guess = fsum(each for *_, each in counts) / decisions if decisions else None
        found |= {f"decisions{read}": decisions, f"guess{read}": guess}
        found |= _measured(name, ratio((c, kept - least, most - least) for c, kept, most, least in counts))
        shares = ratio((cluster, kept, number) for cluster, kept, number, _ in counts)
        found[f"{name}_interval"] = None
        if shares is not None and guess is not None:  # below 1: in a decision, some move does not keep
            found[f"{name}_interval"] = [corrected(bound, guess) for bound in shares.interval]
    return found


def _added(counts: Iterable[Mapping[str, int | None]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for each in counts:
        total.update({name: number for name, number in each.items() if number})
    return dict(total)


def _measured(name: str, found: Estimate | None) -> dict[str, float | None]:
    """A value, and its standard error unless that says too little."""
    return {name: found and found.value, f"{name}_error": found and found.reliable_error}


def _mean(name: str, rows: Sequence[Row]) -> dict[str, Any]:
    """The mean points of some games, with an interval."""
    found = ratio((row["cluster"], POINTS[row["result"]], 1) for row in rows)
    return {**_measured(name, found), f"{name}_interval": found and list(found.interval)}


def _compared(row: Row, measured: Mapping[str, Any]) -> dict[str, Any]:
    """What is exact about the group of a sample: random's points, the best response's, the nearest level."""
    found: dict[str, Any] = dict.fromkeys(("floor", "best", "informative", "levels", "plays_like"))
    if not any(measured["answers"].values()):
        found["plays_like"] = NO_ANSWERS
    opponent = known_opponent(row["opponent"])
    if row["task"] != "play" or opponent is None or row["start"] != "initial":
        return found
    seat: Side = 0 if row["seat"] == 1 else 1
    plies = min(row["plies_limit"], MOST_PLIES)
    try:
        game = validate_game(row["game"], LARGEST)
        check_scored(game)
        floor = expected_points(game, RandomPlayer(), opponent, seat, plies)
        best = best_response(game, opponent, seat, plies)
    except PerfectplayError:  # too large, undecided, or a game file, which a log must not make us run
        return found
    found |= {"floor": floor.value, "floor_sampled": floor.interval is not None, "best": best}
    if best is not None:
        found["informative"] = best - floor.value >= NO_INFORMATION
    if measured["corrected"] is None or found["plays_like"] is not None:
        return found
    if scale := level_scale(row["game"], row["opponent"], seat, min(plies, MOST_DECIDING)):
        like = compared(scale, measured["corrected"], measured["corrected_interval"])
        found |= {"levels": list(scale.values()), "plays_like": like}
    return found


def level_scale(spec: str, opponent: str, seat: Side, plies: int) -> dict[int, float]:
    """The exact corrected score of every level against an opponent; empty if there is none.

    >>> scale = level_scale("bit-flip", "level:3", 0, 100)
    >>> round(scale[5], 3), scale[10]
    (0.509, 1.0)
    """
    game, other = validate_game(spec, LARGEST), known_opponent(opponent)
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


def compared(scale: Mapping[int, float], value: float, interval: Sequence[float]) -> list[int | str]:
    """What an agent with a corrected score plays like, and what the ends of its interval do.

    A score below 0 is below random, whatever the levels score.

    >>> scale = {1: 0.1, 2: 0.5, 3: 1.0}
    >>> compared(scale, 0.4, (0.0, 0.8)), compared(scale, -0.1, (-0.5, 0.4))
    ([2, 1, 3], ['below random', 'below random', 2])
    """
    low, high = interval
    near = [*nearest_levels(scale, max(value, 0.0)), *nearest_levels(scale, max(high, 0.0))]
    first = [*near, *nearest_levels(scale, max(low, 0.0))]
    return [
        BELOW if value < 0 else near[0],
        BELOW if low < 0 else min(first),
        BELOW if high < 0 else max(first),
    ]


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
