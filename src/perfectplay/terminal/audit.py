"""Audits, sweeps and cross-tables, printed."""

import json
from pathlib import Path

import click

from perfectplay.audit.crosstable import OPPONENTS, opponents_page
from perfectplay.audit.report import as_dict, audit, text
from perfectplay.audit.sweep import sweep, sweep_dict, sweep_text
from perfectplay.games.registry import load
from perfectplay.output import is_standard_output, write_whole
from perfectplay.terminal.console import Console
from perfectplay.terminal.markdown import show_markdown
from perfectplay.terminal.progress import waiting


def show_audit(console: Console, spec: str, *, as_json: bool, html: Path | None) -> None:
    """Audit the rules of a game, and print the result or write it as a page to a file."""
    game = load(spec)
    with waiting(f"Auditing {game.spec}"):
        found = audit(game)
    if html is not None:
        from perfectplay.audit.page import page

        write_whole(html, page(found))
        click.echo(f"The audit is in {html}", err=is_standard_output(html))
    elif as_json:
        console.say(json.dumps(as_dict(found)))
    else:
        show_markdown(console, text(found))


def show_sweep(console: Console, spec: str, values: str, *, as_json: bool) -> None:
    """Audit a range of values of a parameter, and print a table."""
    game = load(spec)
    with waiting(f"Auditing {game.spec} for {values}"):
        found = sweep(game, values)
    if as_json:
        console.say(json.dumps(sweep_dict(found)))
    else:
        show_markdown(console, sweep_text(found))


def show_crosstable(
    console: Console, players: tuple[str, ...], games: tuple[str, ...], *, samples: int, seed: int
) -> None:
    """Let players meet in every game, in both seats, and print a table."""
    with waiting("Playing"):
        page = opponents_page(players or OPPONENTS, games or None, samples=samples, seed=seed)
    show_markdown(console, page)
