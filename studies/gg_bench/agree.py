"""How far the auditor and the second checker agree, class by class."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from studies.gg_bench.rows import SEVERAL, JsonRow, number_of

STARTLESS = ("import-fails", "construct-fails", "reset-fails", "moves-fail", "no-moves")
SEARCHED = ("crash", "dead-end", "legal-refused", "legal-punished", "reward-before-end", "turn-contradicted")
CHANCE = ("random-step", "not-repeatable")
PROVED = ("one-winner", "endless-possible")

Facts = dict[str, Any]


def compare_checkers(records: Sequence[JsonRow], second: Sequence[JsonRow]) -> dict[str, dict[str, Any]]:
    """For each class: how many games both decide, in how many they agree, and in which they do not.

    What is not found counts where both have visited every position from the first start; what the second
    checker finds counts everywhere, because the auditor tries more moves. `both` is how many games have it
    by both; `alone` names those that have it by the auditor, where the second checker did not finish.
    """
    other = {number_of(each["env"]): each for each in second}
    pairs = [(each, other[number_of(each["env"])]) for each in records if number_of(each["env"]) in other]
    finished = [(one, two) for one, two in pairs if "whole" in two]
    whole = [(one, two) for one, two in finished if two["whole"] and _first(one)["whole"]]
    found: dict[str, dict[str, Any]] = {}

    def count(
        name: str, games: Sequence[tuple[JsonRow, JsonRow]], agree: Callable[[JsonRow, JsonRow], bool]
    ) -> None:
        apart = [number_of(one["env"]) for one, two in games if not agree(one, two)]
        found[name] = {"games": len(games), "agree": len(games) - len(apart), "apart": apart}

    def count_code(
        name: str, games: Sequence[tuple[JsonRow, JsonRow]], has: Callable[[JsonRow], bool]
    ) -> None:
        count(name, games, lambda one, two: has(one) == (name in two["codes"]))
        decided = {number_of(one["env"]) for one, _ in games}
        having = [(number_of(one["env"]), two) for one, two in finished if has(one)]
        found[name]["both"] = sum(game in decided and name in two["codes"] for game, two in having)
        found[name]["alone"] = [game for game, two in having if not two["whole"] and name not in two["codes"]]

    count_code("no-start", finished, lambda one: _has(one, STARTLESS))
    count_code("several-starts", finished, _starts)
    count_code("random-step", finished, partial(_has, codes=CHANCE))
    single = [(one, two) for one, two in whole if not one["starts"]]
    for name in SEARCHED:
        shown = [pair for pair in finished if pair in single or name in pair[1]["codes"]]
        count_code(name, shown, partial(_has, codes=(name,)))
    for name in PROVED:
        count_code(name, single, partial(_proves, code=name))
    count("positions", whole, lambda one, two: _first(one)["positions"] == two["positions"])
    count("winner", whole, lambda one, two: _value(one)[0] == two["value"])
    won = [(one, two) for one, two in whole if two["value"] and _value(one)[0] == two["value"]]
    count("distance", won, lambda one, two: _value(one)[1] == two["plies"])
    return found


def _has(record: JsonRow, codes: Sequence[str]) -> bool:
    return any(each["code"] in codes for each in record["findings"])


def _proves(record: JsonRow, code: str) -> bool:
    return any(each["code"] == code and each["severity"] != "note" for each in record["findings"])


def _starts(record: JsonRow) -> bool:
    """Whether the start is not always the same; it may also be the moves that ignore the seed."""
    return any(each["code"] in SEVERAL and "start" in each["text"] for each in record["findings"])


def _first(record: JsonRow) -> Facts:
    """The first start, which is the one that the second checker searches."""
    facts: Facts = record["starts"][0] if record["starts"] else record
    return facts


def _value(record: JsonRow) -> tuple[str | None, int | None]:
    """Who wins the first start, if somebody does."""
    value = _first(record)["value"]
    return (value["kind"], value["plies"]) if value and value["kind"] in ("win", "loss") else (None, None)
