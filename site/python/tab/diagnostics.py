"""Broken laws in words for the author of a game file: the line to look at, and what to do about it."""

import ast
import re
from collections.abc import Sequence
from typing import Any

from perfectplay.audit.case import Case
from perfectplay.audit.visit import HARMLESS, is_trusted
from perfectplay.core.formatting import pluralize
from perfectplay.core.game import Game
from perfectplay.core.laws.conformance import Violation, by_problem, place
from perfectplay.core.value import Value
from perfectplay.core.walks import move_texts
from perfectplay.games.registry import names
from perfectplay.solver.graph import explore
from perfectplay.solver.retrograde import retrograde
from tab.game_file import FILE
from tab.limits import MOST_COMPARED

BLAMED = {
    "initial": "initial",
    "readings": "readings",
    "side": "side_to_move",
    "legal-actions": "legal_actions",
    "outcome": "outcome",
    "dead-end": "legal_actions",
    "apply": "apply",
    "action-text": "action_text",
    "state-text": "parse_state",
    "canonical": "canonical",
    "forfeit": "after_forfeit",
    "view": "view",
    "dialogue": "dialogue",
    "theory": "theory",
}
"""For a law, what to look at in the file where no error says it."""

OPTIONAL = {
    "canonical": "It says which positions are alike, and the rules do not treat them alike.",
    "dialogue": "It asks for moves in a terminal, and every game can do without one of its own.",
    "theory": "It gives values by an argument about the rules; without it they come from the solver alone.",
}
"""What a game can do without, and what it is for."""

FITTED = ("texts", "dialogue", "theory")
"""What a game of the package says or claims about its own rules."""

_KINDS = {"endless": "endless play", "undecided": "undecided"}


def diagnostics(found: Game[Any], source: str, broken: Sequence[Violation]) -> list[dict[str, Any]]:
    """Each broken law: the problem, advice, the position, the line to look at, and the moves that show it.

    A law is grave if everything else relies on it.
    """
    lines = find_definitions(source, type(found).__name__)
    if is_trusted(each for each in broken if each.law != "theory"):
        broken = [_solve_theory(found, each) if each.law == "theory" else each for each in broken]
    return [
        {
            "laws": list(laws),
            "problem": re.sub(rf"\((?!{FILE})([\w.]+), line", r"(\1 of the package, line", each.problem),
            "grave": not HARMLESS.issuperset(laws),
            "advice": _advice(laws, lines),
            "where": each.where,
            "line": _line(each.problem) or _blame(laws, lines),
            "witness": list(_witness(found, each)),
        }
        for laws, each in by_problem(broken)
    ]


def find_definitions(source: str, name: str) -> dict[str, int]:
    """What a class in a file defines, each with its line.

    >>> find_definitions("class Nim:\\n    title = 'Nim'\\n\\n    def apply(self): ...\\n", "Nim")
    {'title': 2, 'apply': 4}
    """
    found = {}
    for kind in ast.parse(source).body:
        for each in kind.body if isinstance(kind, ast.ClassDef) and kind.name == name else ():
            match each:
                case ast.FunctionDef():
                    found[each.name] = each.lineno
                case ast.Assign(targets=[ast.Name(id=said)]) | ast.AnnAssign(target=ast.Name(id=said)):
                    found[said] = each.lineno
    return found


def leftovers(found: Game[Any], source: str) -> list[dict[str, Any]]:
    """What a file that was made from a game of the package still says about the rules of that game."""
    if found.source is None or not (found.name in names() or "from perfectplay.games." in source):
        return []
    lines = find_definitions(source, type(found).__name__)
    return [{"name": name, "line": lines[name]} for name in FITTED if name in lines]


def _advice(laws: Sequence[str], lines: dict[str, int]) -> str:
    for law in laws:
        if law in OPTIONAL and law in lines:
            return f"If you changed a rule on purpose, delete def {law} (line {lines[law]}). {OPTIONAL[law]}"
    if "state-text" in laws and "parse_state" in lines:
        return f"parse_state (line {lines['parse_state']}) has to read every position that your rules allow."
    return ""


def _blame(laws: Sequence[str], lines: dict[str, int]) -> int | None:
    return next((lines[name] for law in laws if (name := BLAMED.get(law, "")) in lines), None)


def _solve_theory(found: Game[Any], broken: Violation) -> Violation:
    """A theory that is wrong, as the first position where the solver finds another value than it claims."""
    try:
        theory, graph = found.theory(), explore(found, limit=MOST_COMPARED)
        assert theory is not None
        solution = retrograde(graph)
        for number, state in enumerate(graph.states):
            claimed, solved = theory.value(state), solution.value(number)
            if claimed.kind != solved.kind or (theory.knows_plies and claimed.plies != solved.plies):
                mover = found.side_names[found.side_to_move(state)]
                claim = f"The theory of this file claims {_words(claimed)} for {mover}"
                return broken._replace(
                    problem=f"{claim}, and the solver finds {_words(solved)}.",
                    where=place(found, state),
                    path=Case(found, graph, solution).path(number),
                )
    except Exception:  # noqa: BLE001 - the game may be too large, and a theory that is wrong may raise anything
        return broken
    return broken


def _words(value: Value) -> str:
    moves = f" in {pluralize(value.plies, 'move', 'moves')}" if value.plies else ""
    return f"{_KINDS.get(value.kind, f'a {value.kind}')}{moves}"


def _line(problem: str) -> int | None:
    parts = re.search(rf"\({re.escape(FILE)}, line (\d+)\)", problem)
    return int(parts[1]) if parts else None


def _witness(found: Game[Any], broken: Violation) -> tuple[str, ...]:
    try:
        return move_texts(found, broken.path)
    except Exception:  # noqa: BLE001 - where a law is broken, moves may have no text
        return ()
