"""Audits and sweeps of rules, and checks of games and bots, printed."""

import json
from importlib.util import find_spec
from pathlib import Path
from random import Random

import click

from perfectplay.audit.findings.laws import witness_moves
from perfectplay.audit.report import as_dict, audit, text
from perfectplay.audit.sweep import sweep as sweep_parameter
from perfectplay.audit.sweep import sweep_dict, sweep_text
from perfectplay.audit.visit import Stopped, is_trusted, search_dead_ends
from perfectplay.core.formatting import pluralize
from perfectplay.core.laws.conformance import LAWS, WALKS, by_problem, find_broken_laws, positions_checked
from perfectplay.core.limits import LARGEST_SOLVED, MOST_SOLVED
from perfectplay.games.registry import load_bounded
from perfectplay.output import is_standard_output, write_whole
from perfectplay.terminal.console import Console
from perfectplay.terminal.markdown import show_found
from perfectplay.terminal.progress import waiting


def show_audit(
    console: Console,
    game: str,
    *,
    limit: int = MOST_SOLVED,
    as_json: bool = False,
    html: Path | None = None,
    sweep: str | None = None,
) -> None:
    """Audit the rules of a game, and print the result or write it as a page to a file.

    With `sweep`, a range of values of a parameter, print a table for these instead.
    """
    rules = load_bounded(game, LARGEST_SOLVED, "audit", environments=True)
    if sweep is not None:
        with waiting(f"Auditing {rules.spec} for {sweep}") as progress:
            swept = sweep_parameter(rules, sweep, progress)
        return show_found(console, sweep_dict(swept) if as_json else sweep_text(swept))
    with waiting(f"Auditing {rules.spec}"):
        found = audit(rules, search=limit)
    if html is None:
        return show_found(console, as_dict(found) if as_json else text(found))
    from perfectplay.audit.page import page

    write_whole(html, page(found))
    where = "went to standard output" if is_standard_output(html) else f"is in {html}"
    click.echo(f"The audit {where}", err=is_standard_output(html))


def check_bot(
    console: Console, command: tuple[str, ...], *, seconds: int, seed: int, games: tuple[str, ...]
) -> None:
    """Check that a program can play here."""
    from perfectplay.players.program import check_program

    said = check_program(" ".join(command), seconds, seed=seed, games=games, environments=True)
    console.say(*said)


def check_game(console: Console, game: str, limit: int, *, as_json: bool = False) -> int:
    """Check the laws of `Game` on a game, and say whether it keeps them all; returns the exit code."""
    rules = load_bounded(game, LARGEST_SOLVED, "check", environments=True)
    further = None
    with waiting(f"Checking {rules.spec}") as progress:
        broken = find_broken_laws(rules)
        arrays = not broken and rules.array_rules() is not None
        if arrays and find_spec("numpy") is not None:
            from perfectplay.solver.tablebase.array_conformance import find_array_violation

            found = find_array_violation(rules, Random(0))
            broken = broken if found is None else (found,)
        if is_trusted(broken) and all(each.law != "dead-end" for each in broken) and rules.theory() is None:
            try:
                further = search_dead_ends(rules, limit, progress)
                broken = broken if further.found is None else (*broken, further.found)
            except Stopped as stopped:
                broken = (*broken, stopped.violation)
    if as_json:
        problems = [
            {"laws": laws, "problem": str(each), "moves": list(witness_moves(rules, each))}
            for laws, each in by_problem(broken)
        ]
        console.say(json.dumps({"game": rules.spec, "passes": not broken, "problems": problems}))
        return 1 if broken else 0
    for laws, each in by_problem(broken):
        console.say(f"{', '.join(laws)}: {each}")
        moves = witness_moves(rules, each)
        if moves:
            console.say(f"  Shown by: {', '.join(moves)}")
    if not broken:
        first = positions_checked(rules)
        console.say(f"{rules.spec} passes all {len(LAWS)} checks.")
        if further is not None and further.whole and further.positions <= first:
            console.say(f"All {pluralize(further.positions, 'position', 'positions')} were checked.")
        else:
            console.say(f"The first {first:,} positions and {WALKS} random games were checked.")
            console.say(*([] if further is None else [str(further)]))
        if arrays:
            compared = (
                "agree with" if find_spec("numpy") is not None else "were not compared, without NumPy, with"
            )
            console.say(f"Its rules on arrays {compared} its plain rules.")
    return 1 if broken else 0
