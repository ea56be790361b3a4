"""Two rule sets side by side: whether they are the same game, and what differs between them."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import zip_longest
from typing import Any, TypedDict

from perfectplay.audit.case import Case, prepare
from perfectplay.audit.findings import Finding
from perfectplay.audit.readings import outlook
from perfectplay.audit.report import audit
from perfectplay.core.game import Game
from perfectplay.core.value import ChartPoint, Kind
from perfectplay.core.walks import BreadthFirst
from perfectplay.solver.compare import compare
from perfectplay.solver.graph import explore
from perfectplay.tables.encoding import JsonObject
from tab.game_file import Overrides, game_in
from tab.limits import MOST_CHANGED, MOST_PAIRED

_TO_THE_OTHER: dict[Kind, Kind] = {"win": "loss", "loss": "win"}


class RuleSet(TypedDict):
    """A file, and the settings that differ from its own."""

    source: str
    settings: Overrides


def _games(one: RuleSet, other: RuleSet) -> list[Game[Any]]:
    return [game_in(each["source"], each["settings"]) for each in (one, other)]


def difference(one: RuleSet, other: RuleSet, first: int) -> JsonObject:
    """The shortest moves that tell two games apart, as far as their first positions show it."""
    return compare(*(explore(game, first=first) for game in _games(one, other)))._asdict()


def changes(one: RuleSet, other: RuleSet) -> JsonObject:
    """Positions, openings, and what the positions are worth that the same moves lead to in both games.

    Nothing is `known` about values where laws are broken, or where too much would have to be visited.
    """
    cases = [prepare(game) for game in _games(one, other)]
    known = all(case.trusted and case.judged and not case.undecided for case in cases)
    walk = BreadthFirst([(0, 0)] if known else [], partial(_shared_ways, cases), limit=MOST_PAIRED)
    for _ in walk:
        pass  # it may stop before all pairs that it found are visited
    changed = [pair for pair in walk.parents if len(set(map(_winner, cases, pair))) > 1]
    later = [pair for pair in changed if len(walk.path(pair)) != 1]  # openings are listed
    counts = [f"{'' if case.whole else 'more than '}{case.visited:,}" for case in cases]
    return {
        "known": known,
        "rows": [
            ["Positions", *counts],
            ["Moves in them", *(f"{case.graph.edges:,}" for case in cases)],
            ["Perfect play", *(outlook(case)[1] for case in cases)],
        ],
        "openings": _openings(cases) if known else [],
        "paired": len(walk.parents),
        "all": walk.whole,
        "changed": len(changed),
        "shown": [
            {"moves": walk.path(pair), "words": list(map(_words, cases, pair))}
            for pair in later[:MOST_CHANGED]
        ],
    }


def _shared_ways(cases: Sequence[Case], pair: tuple[int, int]) -> Iterator[tuple[str, tuple[int, int]]]:
    """The moves that a position of either game both have, and the positions that they lead to."""
    one, other = map(_ways, cases, pair)
    return ((text, (one[text], other[text])) for text in one if text in other)


def _ways(case: Case, number: int) -> dict[str, int]:
    """What each move of a position leads to; empty for a position that was not visited."""
    if number >= case.visited:
        return {}
    text, state = case.game.action_text, case.graph.states[number]
    return {text(state, action): target for action, target in case.graph.moves(number)}


def _openings(cases: Sequence[Case]) -> list[JsonObject]:
    """What each first move is worth in either game; None where it is not legal."""
    ways = [_ways(case, 0) for case in cases]
    return [
        {
            "move": move,
            "words": [
                _words(case, after[move]) if move in after else None
                for case, after in zip(cases, ways, strict=True)
            ],
        }
        for move in dict.fromkeys(text for after in ways for text in after)
    ]


def _winner(case: Case, number: int) -> Kind:
    """What a position is worth to the first side."""
    kind = case.value(number).kind  # type: ignore[union-attr]  # it is asked only where values are known
    second = case.game.side_to_move(case.graph.states[number]) == 1
    return _TO_THE_OTHER.get(kind, kind) if second else kind


def _words(case: Case, number: int) -> str:
    """What a position is worth, in words."""
    value = case.value(number)
    assert value is not None
    return ChartPoint(0, _winner(case, number), value.plies, False, 0).describe(case.game.side_names)


def changed_findings(one: RuleSet, other: RuleSet) -> JsonObject:
    """What the audit finds in only one of two games, or says differently about them."""
    found = [audit(game).findings for game in _games(one, other)]
    said = [{(each.code, each.text) for each in findings} for findings in found]
    new = [
        [each for each in findings if (each.code, each.text) not in said[1 - side]]
        for side, findings in enumerate(found)
    ]
    codes = dict.fromkeys(each.code for findings in new for each in findings)
    pairs = [
        (code, pair)
        for code in codes
        for pair in zip_longest(*([each for each in findings if each.code == code] for findings in new))
    ]
    return {
        "findings": [
            {"code": code, "texts": [each and each.text for each in pair], "moves": _witness(pair)}
            for code, pair in pairs
        ]
    }


def _witness(pair: Sequence[Finding | None]) -> tuple[str, ...]:
    """The moves that show one of two findings: the first that has any."""
    return next((each.witness for each in pair if each is not None and each.witness), ())
