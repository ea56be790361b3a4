"""Audits, sweeps and cross-tables, printed."""

import json
from pathlib import Path

import click

from perfectplay.audit.findings.laws import witness_moves
from perfectplay.audit.report import as_dict, audit, text
from perfectplay.audit.sweep import sweep, sweep_dict, sweep_text
from perfectplay.audit.visit import Stopped, is_trusted, search_dead_ends
from perfectplay.core.conformance import LAWS, WALKS, broken_laws, by_problem, positions_checked
from perfectplay.core.limits import LARGEST_SOLVED
from perfectplay.core.wording import pluralize
from perfectplay.foreign.environment_game import load_environment
from perfectplay.games.registry import load_bounded
from perfectplay.output import is_standard_output, write_whole
from perfectplay.strength.crosstable import OPPONENTS, cross_tables, tables_data, tables_text
from perfectplay.terminal.console import Console
from perfectplay.terminal.markdown import show_markdown
from perfectplay.terminal.progress import waiting


def show_audit(console: Console, spec: str, *, limit: int, as_json: bool, html: Path | None) -> None:
    """Audit the rules of a game, and print the result or write it as a page to a file."""
    game = load_bounded(spec, LARGEST_SOLVED, "audit", environments=load_environment)
    with waiting(f"Auditing {game.spec}"):
        found = audit(game, search=limit)
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
    game = load_bounded(spec, LARGEST_SOLVED, "audit", environments=load_environment)
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
    plies: int | None = None,
    seed: int,
    as_json: bool,
) -> None:
    """Let players meet in every game, in both seats, and print a table."""
    with waiting("Playing"):
        tables = cross_tables(
            players or OPPONENTS,
            games,
            samples=samples,
            plies=plies,
            seed=seed,
            environments=load_environment,
        )
    if as_json:
        console.say(json.dumps(tables_data(tables)))
    else:
        show_markdown(console, tables_text(tables))


def show_broken_laws(console: Console, spec: str, limit: int) -> bool:
    """Check the laws of `Game` on a game, and say whether it keeps them all."""
    game = load_bounded(spec, LARGEST_SOLVED, "check", environments=load_environment)
    further = None
    with waiting(f"Checking {game.spec}") as progress:
        broken = broken_laws(game)
        if is_trusted(broken) and all(each.law != "dead-end" for each in broken) and game.theory() is None:
            try:
                further = search_dead_ends(game, limit, progress)
                broken = broken if further.found is None else (*broken, further.found)
            except Stopped as stopped:
                broken = (*broken, stopped.violation)
    for laws, each in by_problem(broken):
        console.say(f"{', '.join(laws)}: {each}")
        moves = witness_moves(game, each)
        if moves:
            console.say(f"  Shown by: {', '.join(moves)}")
    if not broken:
        first = positions_checked(game)
        console.say(f"{game.spec} passes all {len(LAWS)} checks.")
        if further is not None and further.whole and further.positions <= first:
            console.say(f"All {pluralize(further.positions, 'position', 'positions')} were checked.")
        else:
            console.say(f"The first {first:,} positions and {WALKS} random games were checked.")
            console.say(*([] if further is None else [str(further)]))
    return not broken
