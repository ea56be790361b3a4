"""Audits, sweeps and cross-tables, printed."""

import json
from pathlib import Path

import click

from perfectplay.audit.crosstable import OPPONENTS, opponents_data, opponents_page
from perfectplay.audit.findings.laws import shown
from perfectplay.audit.report import as_dict, audit, text
from perfectplay.audit.sweep import sweep, sweep_dict, sweep_text
from perfectplay.core.conformance import LAWS, broken_laws, by_problem
from perfectplay.games.registry import load_bounded
from perfectplay.output import is_standard_output, write_whole
from perfectplay.solver.graph import LARGEST
from perfectplay.terminal.console import Console
from perfectplay.terminal.markdown import show_markdown
from perfectplay.terminal.progress import waiting


def show_audit(console: Console, spec: str, *, as_json: bool, html: Path | None) -> None:
    """Audit the rules of a game, and print the result or write it as a page to a file."""
    game = load_bounded(spec, LARGEST, "audit")
    with waiting(f"Auditing {game.spec}"):
        found = audit(game)
    if html is not None:
        from perfectplay.audit.page import page

        write_whole(html, page(found))
        where = "went to standard output" if is_standard_output(html) else f"is in {html}"
        click.echo(f"The audit {where}", err=is_standard_output(html))
    elif as_json:
        console.say(json.dumps(as_dict(found)))
    else:
        show_markdown(console, text(found))


def show_sweep(console: Console, spec: str, values: str, *, as_json: bool) -> None:
    """Audit a range of values of a parameter, and print a table."""
    game = load_bounded(spec, LARGEST, "audit")
    with waiting(f"Auditing {game.spec} for {values}"):
        found = sweep(game, values)
    if as_json:
        console.say(json.dumps(sweep_dict(found)))
    else:
        show_markdown(console, sweep_text(found))


def show_crosstable(
    console: Console,
    players: tuple[str, ...],
    games: tuple[str, ...],
    *,
    samples: int,
    seed: int,
    as_json: bool,
) -> None:
    """Let players meet in every game, in both seats, and print a table."""
    who, where = players or OPPONENTS, games or None
    make = opponents_data if as_json else opponents_page
    with waiting("Playing"):
        made = make(who, where, samples=samples, seed=seed)
    if isinstance(made, str):
        show_markdown(console, made)
    else:
        console.say(json.dumps(made))


def show_broken_laws(console: Console, spec: str) -> bool:
    """Check the laws of `Game` on a game, and say whether it keeps them all."""
    game = load_bounded(spec, LARGEST, "check")
    with waiting(f"Checking {game.spec}"):
        broken = broken_laws(game)
    for laws, each in by_problem(broken):
        console.say(f"{', '.join(laws)}: {each}")
        moves = shown(game, each)
        if moves:
            console.say(f"  Shown by: {', '.join(moves)}")
    if not broken:
        console.say(f"{game.spec} keeps all {len(LAWS)} laws of Game.")
    return not broken
