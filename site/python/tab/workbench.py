"""What the workbench asks about a game file: its laws, values, positions, findings and sweeps.

Each request has the whole file in it, so that a new worker needs to know nothing.
"""

from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import fields
from functools import wraps
from io import StringIO
from typing import Any

from perfectplay.audit.case import Case, prepare
from perfectplay.audit.findings import MEANINGS
from perfectplay.audit.readings import outlook
from perfectplay.audit.report import audit, describe_scope, reading_rows
from perfectplay.audit.sweep import sweep, sweep_dict
from perfectplay.core.errors import ParseError
from perfectplay.core.game import Game
from perfectplay.core.laws.conformance import find_broken_laws
from perfectplay.core.match import Match
from perfectplay.core.texts import summary
from perfectplay.core.value import Value, best_of
from perfectplay.tables.encoding import JsonObject
from perfectplay.tables.position_serializers import serialize_moves, serialize_position
from tab.comparison import changed_findings, changes, difference
from tab.diagnostics import diagnostics, leftovers
from tab.game_file import Overrides, file_name, game_in, problem_of
from tab.limits import MOST_DRAWN, MOST_PRINTED, MOST_STEPS

REQUESTS: dict[str, Callable[..., JsonObject]] = {}


class _Printed(StringIO):
    """What a file prints, as far as it is shown."""

    def write(self, text: str) -> int:
        super().write(text[: MOST_PRINTED - self.tell()])
        return len(text)


def request(function: Callable[..., JsonObject]) -> Callable[..., JsonObject]:
    """Make a function a request of the workbench.

    Whatever goes wrong in it is in its answer under `error`, and what the file prints under `printed`.
    """

    @wraps(function)
    def run(*arguments: Any, **named: Any) -> JsonObject:
        with redirect_stdout(_Printed()) as printed, redirect_stderr(printed):
            try:
                answer = function(*arguments, **named)
            except BaseException as error:  # noqa: BLE001 - a game file may raise anything
                answer = {"error": problem_of(error)}
        return {**answer, "printed": printed.getvalue()}

    REQUESTS[function.__name__] = run
    return run


@request
def game(source: str, settings: Overrides) -> JsonObject:
    """What the game is called, and its parameters."""
    found = game_in(source, settings)
    return {
        "name": found.name,
        "title": found.title,
        "file": file_name(found.name),
        "summary": summary(type(found)),
        "side_names": found.side_names,
        "parameters": [_parameter(found, each.name) for each in fields(found)],
    }


def _parameter(found: Game[Any], name: str) -> JsonObject:
    about = next(each for each in type(found).parameter_help() if each.name == name)
    value, choices = getattr(found, name), found.choices(name)
    whole = isinstance(value, int) and not choices
    least, most = found.parameter_bounds(name) if whole else (None, None)
    return {
        "name": name,
        "doc": about.doc,
        "default": about.default,
        "allowed": about.allowed,
        "value": "none" if value is None else str(value),
        "kind": "choice" if choices else "whole" if whole else "text",
        "choices": list(choices),
        "least": least,
        "most": most,
    }


@request
def position(source: str, settings: Overrides, moves: Sequence[str], values: bool = False) -> JsonObject:
    """The position after some moves, to draw and to play on. With `values`, what each move is worth."""
    found = game_in(source, settings)
    match = _play_moves(found, moves)
    case = prepare(found) if values else None
    return {
        "position": serialize_position(match, match.plies, number=1),
        "played": serialize_moves(match, swapped=False),
        "side_names": found.side_names,
        "values": None if case is None or match.result is not None else _values(case, match),
        "unknown": None if case is None else _unknown(case),
    }


def _play_moves(found: Game[Any], moves: Sequence[str]) -> Match[Any]:
    view = found.view(found.initial())
    if max(sum(map(len, view.rows)), len(view.controls)) > MOST_DRAWN:
        raise ParseError(f"the board is too large to draw: it has more than {MOST_DRAWN} cells or buttons")
    match = Match(found)
    for move in moves:
        _play(match, move)
    return match


def _play(match: Match[Any], move: str) -> None:
    if move == "forfeit" and match.game.after_forfeit(match.state) is not None:
        match.forfeit()
    else:
        match.play(move)


def _unknown(case: Case) -> str | None:
    """Why values are not known: because of broken laws, the size of the game, or a dead end."""
    if not case.trusted:
        return "laws"
    if not case.judged:
        return "size"
    return "dead-end" if case.solution is not None and case.solution.dead_ends else None


def _values(case: Case, match: Match[Any]) -> JsonObject | None:
    if _unknown(case) is not None:
        return None
    pairs = case.moves_at(match.state)
    best = best_of(pairs)
    text = match.game.action_text
    return {
        "value": _value(max((value for _, value in pairs), key=lambda value: value.rank)),
        "moves": [
            {
                **_value(value),
                "action": action,
                "text": text(match.state, action),
                "best": action in best,
            }
            for action, value in pairs
        ],
    }


def _value(value: Value) -> JsonObject:
    return {"kind": value.kind, "plies": value.plies}


@request
def judge(source: str, settings: Overrides) -> JsonObject:
    """The laws that the game breaks, as far as its first positions show, and what perfect play leads to."""
    found = game_in(source, settings)
    case = prepare(found)
    worth = case.value(0) if case.trusted and not case.undecided else None
    return {
        "broken": diagnostics(found, source, case.broken),
        "leftovers": leftovers(found, source),
        "trusted": case.trusted,
        "whole": case.whole,
        "positions": case.visited if case.trusted else None,
        "moves": case.graph.edges if case.trusted else None,
        "scope": case.scope if case.trusted else None,
        "result": outlook(case)[0],
        "plies": None if worth is None else worth.plies,
        "kind": None if worth is None else worth.kind,
    }


@request
def laws(source: str, settings: Overrides) -> JsonObject:
    """The laws that the game breaks, as `perfectplay check-game` finds them."""
    found = game_in(source, settings)
    return {
        "broken": diagnostics(found, source, find_broken_laws(found)),
        "leftovers": leftovers(found, source),
    }


@request
def findings(source: str, settings: Overrides) -> JsonObject:
    """Everything that the audit finds."""
    found = audit(game_in(source, settings))
    head, rows = reading_rows(found.readings) if found.readings else ([], [])
    return {
        "visited": describe_scope(found),
        "findings": [
            {**each._asdict(), "witness": list(each.witness), "meaning": MEANINGS[each.code]}
            for each in found.findings
        ],
        "readings": {"head": head, "rows": rows} if found.readings else None,
    }


@request
def steps(source: str, settings: Overrides, moves: Sequence[str]) -> JsonObject:
    """The start and the position after each move of a witness, as far as it can be played."""
    found = game_in(source, settings)
    match, stopped = _play_moves(found, ()), None
    for move in moves[:MOST_STEPS]:
        try:
            _play(match, move)
        except Exception as error:  # noqa: BLE001 - the moves may show that the game breaks here
            stopped = problem_of(error)
            break
    return {
        "positions": [serialize_position(match, ply, number=1) for ply in range(match.plies + 1)],
        "played": serialize_moves(match, swapped=False),
        "side_names": found.side_names,
        "stopped": stopped,
        "left_out": max(0, len(moves) - MOST_STEPS),
    }


@request
def setting(source: str, settings: Overrides, parameter: str, value: int) -> JsonObject:
    """What the game is like with one value of a parameter: a row of a sweep, or none if it is not allowed."""
    found = game_in(source, settings)
    try:
        swept = sweep(found, f"{parameter}={value}..{value}")
    except ParseError:
        return {"row": None}
    row = {**sweep_dict(swept)[0], "rates": swept[0].rates}
    wins = (side for side, name in enumerate(found.side_names) if row["result"] == f"{name} wins")
    return {"row": {**row, "side": next(wins, None)}}


for _comparison in (difference, changes, changed_findings):
    request(_comparison)
