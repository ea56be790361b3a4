"""The published scores, computed again, and what they become when other games or failures count."""

import json
from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

from perfectplay.strength.statistics import ratio
from studies.gg_bench.rows import RESULTS, JsonRow

PUBLISHED = {
    "o1": 36.3,
    "deepseek-reasoner": 32.5,
    "o3-mini": 31.1,
    "claude-3.7-sonnet": 9.5,
    "gpt-4o": 8.9,
    "gpt-4o-mini": 7.6,
    "llama3.3-70b": 7.4,
}
"""The means that the authors report, in percent, by the names of their result files."""
GAMES = 30
FIRST = GAMES // 2
"""How many games of a model are played with each opponent; it moves first in every second one."""
DIGITS = 4
"""How many are kept, so that what is printed with one is rounded right."""

Counts = dict[int, dict[str, int]]
"""The counts of a model, by game."""


class Mean(NamedTuple):
    """A mean over games in percent, with its 95% interval clustered by game."""

    percent: float
    low: float
    high: float
    games: int


def read_counts(folder: Path) -> dict[str, Counts]:
    """The counts of every model."""
    found: dict[str, Counts] = {}
    for path in sorted((folder / RESULTS).glob("*_eval_*.json")):
        data = json.loads(path.read_text("utf-8"))
        counts = {int(game): each for game, each in data.items() if game.isnumeric()}
        found[path.name.partition("_eval_")[0]] = counts
    order = {name: place for place, name in enumerate(PUBLISHED)}
    return dict(sorted(found.items(), key=lambda each: order.get(each[0], len(order))))


def count_decided(counts: Mapping[str, int]) -> int:
    """The games that the authors count: won, lost and drawn, without failures."""
    return counts["gpt_wins"] + counts["agent_wins"] + counts["draws"]


def count_won(counts: Mapping[str, int]) -> int:
    """The games that a model won if whoever fails loses: the opponent's failures are among them."""
    return counts["gpt_wins"] + counts["agent_faults"]


def shares(counts: Counts, *, failures: bool) -> dict[int, float]:
    """For each game the share that a model won; with `failures`, these count as losses of whoever failed."""
    if failures:
        return {game: count_won(each) / each["total_games"] for game, each in counts.items()}
    return {
        game: each["gpt_wins"] / count_decided(each) for game, each in counts.items() if count_decided(each)
    }


def mean(values: Mapping[int, float], games: Iterable[int] | None = None) -> Mean | None:
    """The mean over games; None if there are none."""
    chosen = [(game, values[game], 1) for game in (values if games is None else games) if game in values]
    found = ratio(chosen)
    if found is None:
        return None
    low, high = found.interval if 0 <= found.value <= 1 else (found.value, found.value)
    percent, least, most = (round(100 * each, DIGITS) for each in (found.value, low, high))
    return Mean(percent, least, most, len(chosen))


def difference(one: Mapping[int, float], other: Mapping[int, float], games: Iterable[int]) -> Mean:
    """The mean difference of two models, paired by game."""
    both = [100 * (one[game] - other[game]) for game in games if game in one and game in other]
    middle = sum(both) / len(both)
    error = sqrt(sum((each - middle) ** 2 for each in both) / (len(both) - 1) / len(both))
    half = 1.959964 * error * (1 + 1.21 / (len(both) - 1))  # Student's t is about this much wider
    percent, low, high = (round(each, DIGITS) for each in (middle, middle - half, middle + half))
    return Mean(percent, low, high, len(both))


def is_clear(mean: Sequence[float]) -> bool:
    """Whether 0 is outside the interval of a difference."""
    return mean[1] > 0 or mean[2] < 0


def find_deciding(one: Mapping[int, float], other: Mapping[int, float]) -> list[int]:
    """The games without any one of which it would change whether two models can be told apart."""
    games = sorted(one.keys() & other.keys())
    if len(games) < 3:
        return []
    clear = is_clear(difference(one, other, games))

    def clear_without(left_out: int) -> bool:
        return is_clear(difference(one, other, [game for game in games if game != left_out]))

    return [game for game in games if clear_without(game) != clear]


def errors_at_least(counts: Counts, games: Mapping[int, JsonRow]) -> int:
    """In how many games the opponent must have erred: won ones that perfect play does not lose."""
    found = 0
    for game, each in counts.items():
        ceiling = games[game]["ceiling"] if game in games else None
        if ceiling is not None:
            found += max(0, count_won(each) - (FIRST if ceiling else 0))
    return found


def score(
    counts: Mapping[str, Counts], rows: Sequence[JsonRow], findings: Sequence[JsonRow]
) -> dict[str, Any]:
    """Everything about scores that the page says."""
    games = {row["game"]: row for row in rows if row["scored"]}
    chance = {row["game"] for row in findings if row["code"] == "random-step"}
    clean = [
        game
        for game, row in games.items()
        if not row["problems"] and not row["undecided"] and game not in chance
    ]
    sound = [game for game, row in games.items() if row["sound"]]
    capped = [game for game, row in games.items() if row["ceiling"]]
    measured = [game for game, row in games.items() if row["random"]]
    refused = sorted({row["game"] for row in findings if row["code"] == "legal-refused"} & set(games))
    models: dict[str, Any] = {}
    published = {name: shares(each, failures=False) for name, each in counts.items()}
    strict = {name: shares(each, failures=True) for name, each in counts.items()}
    for name, each in counts.items():
        relative = {game: min(1.0, strict[name][game] / games[game]["ceiling"]) for game in capped}
        models[name] = {
            "published": mean(published[name]),
            "failures_as_losses": mean(strict[name]),
            "failures": sum(one["gpt_faults"] for one in each.values()),
            "failures_of_opponents": sum(one["agent_faults"] for one in each.values()),
            "games": sum(one["total_games"] for one in each.values()),
            "failures_where_legal_moves_are_refused": sum(each[game]["gpt_faults"] for game in refused),
            "clean": mean(strict[name], clean),
            "sound": mean(strict[name], sound),
            "relative_to_ceiling": mean(relative),
            "above_ceiling": sum(strict[name][game] > games[game]["ceiling"] for game in capped),
            "opponent_errors": errors_at_least(each, games),
        }
    names = list(counts)
    pairs = [(one, other) for place, one in enumerate(names) for other in names[place + 1 :]]
    spread = {game: [strict[name].get(game, 0.0) for name in names] for game in games}
    return {
        "models": models,
        "pairs": {
            kind: {f"{one} - {other}": difference(of[one], of[other], chosen) for one, other in pairs}
            for kind, of, chosen in (
                ("published", published, list(games)),
                ("failures_as_losses", strict, list(games)),
                ("clean", strict, clean),
                ("sound", strict, sound),
            )
            if len(chosen) > 1
        },
        "deciding": {
            f"{one} - {other}": found
            for one, other in pairs
            if (found := find_deciding(strict[one], strict[other]))
        },
        "widest": sorted(game for game in games if max(spread[game]) - min(spread[game]) == 1),
        "never_won": sorted(game for game in games if not any(spread[game])),
        "refusing": refused,
        "opponents_failed": sorted(
            {game for each in counts.values() for game, one in each.items() if one["agent_faults"]}
        ),
        "cut": sum(one["env_faults"] for each in counts.values() for one in each.values()),
        "clean": clean,
        "sound": sound,
        "random": {
            "games": len(measured),
            "random": _percent(games[game]["random"] for game in measured),
            "best": _percent(games[game]["best"] for game in measured),
        },
        "few_decisions": sum(sum(games[game]["decisions_met"]) < 5 for game in measured),
    }


def _percent(pairs: Iterable[Sequence[float]]) -> list[float]:
    """The mean of each seat in percent."""
    every = list(pairs)
    return [round(100 * sum(each[seat] for each in every) / max(len(every), 1), DIGITS) for seat in (0, 1)]
