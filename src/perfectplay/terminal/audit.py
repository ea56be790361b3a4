"""Audits, sweeps and cross-tables, printed."""

import json
from pathlib import Path

from perfectplay.audit.crosstable import OPPONENTS, opponents_page
from perfectplay.audit.report import as_dict, audit, text
from perfectplay.audit.sweep import sweep, sweep_dict, sweep_text
from perfectplay.games.registry import load
from perfectplay.saves import write_whole
from perfectplay.terminal.console import Console
from perfectplay.terminal.markdown import show_markdown


def show_audit(console: Console, spec: str, *, as_json: bool, html: Path | None) -> None:
    """Judge the rules of a game, on the terminal or as a page in a file."""
    found = audit(load(spec))
    if html is not None:
        from perfectplay.audit.page import page

        write_whole(html, page(found))
        console.say(f"The audit is in {html}")
    elif as_json:
        console.say(json.dumps(as_dict(found)))
    else:
        show_markdown(console, text(found))


def show_sweep(console: Console, spec: str, values: str, *, as_json: bool) -> None:
    """Table a range of a parameter."""
    found = sweep(load(spec), values)
    if as_json:
        console.say(json.dumps(sweep_dict(found)))
    else:
        show_markdown(console, sweep_text(found))


def show_crosstable(
    console: Console, players: tuple[str, ...], games: tuple[str, ...], *, samples: int, seed: int
) -> None:
    """Let players meet in every game and on both seats."""
    page = opponents_page(players or OPPONENTS, games or None, samples=samples, seed=seed)
    show_markdown(console, page)
