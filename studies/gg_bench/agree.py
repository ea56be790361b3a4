"""How far the auditor and the second checker agree, class by class."""

from collections.abc import Callable, Sequence
from typing import Any

from studies.gg_bench.rows import Row, number_of

STARTLESS = ("import-fails", "construct-fails", "reset-fails", "moves-fail", "no-moves")
SEVERAL = ("random-setup", "seed-ignored")
SEARCHED = ("crash", "dead-end", "legal-refused", "legal-punished", "reward-before-end", "turn-contradicted")
PROVED = ("one-winner", "endless-possible")

Facts = dict[str, Any]


def compare_checkers(records: Sequence[Row], second: Sequence[Row]) -> dict[str, dict[str, Any]]:
    """For each class: how many games both decide, in how many they agree, and in which they do not.

    The search counts where both have visited every position from the first start.
    """
    other = {number_of(each["env"]): each for each in second}
    pairs = [(each, other[number_of(each["env"])]) for each in records if number_of(each["env"]) in other]
    finished = [(one, two) for one, two in pairs if "whole" in two]
    whole = [(one, two) for one, two in finished if two["whole"] and _first(one)["whole"]]
    found: dict[str, dict[str, Any]] = {}

    def count(name: str, games: Sequence[tuple[Row, Row]], agree: Callable[[Row, Row], bool]) -> None:
        apart = [number_of(one["env"]) for one, two in games if not agree(one, two)]
        found[name] = {"games": len(games), "agree": len(games) - len(apart), "apart": apart}

    def both_have(code: str, *codes: str) -> Callable[[Row, Row], bool]:
        return lambda one, two: _has(one, *codes) == (code in two["codes"])

    count("no-start", finished, both_have("no-start", *STARTLESS))
    count("several-starts", finished, lambda one, two: _starts(one) == ("several-starts" in two["codes"]))
    single = [(one, two) for one, two in whole if not one["starts"]]
    for name in (*SEARCHED, *PROVED):
        count(name, single, both_have(name, name))
    count("positions", whole, lambda one, two: _first(one)["positions"] == two["positions"])
    count("winner", whole, lambda one, two: _value(one)[0] == two["value"])
    won = [(one, two) for one, two in whole if two["value"] and _value(one)[0] == two["value"]]
    count("distance", won, lambda one, two: _value(one)[1] == two["plies"])
    return found


def _has(record: Row, *codes: str) -> bool:
    return any(each["code"] in codes for each in record["findings"])


def _starts(record: Row) -> bool:
    """Whether the start is not always the same; it may also be the moves that ignore the seed."""
    return any(each["code"] in SEVERAL and "start" in each["text"] for each in record["findings"])


def _first(record: Row) -> Facts:
    """The first start, which is the one that the second checker searches."""
    facts: Facts = record["starts"][0] if record["starts"] else record
    return facts


def _value(record: Row) -> tuple[str | None, int | None]:
    """Who wins the first start, if somebody does."""
    value = _first(record)["value"]
    return (value["kind"], value["plies"]) if value and value["kind"] in ("win", "loss") else (None, None)
