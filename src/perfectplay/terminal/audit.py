"""Audits, sweeps and cross-tables, printed."""

import json
from pathlib import Path

from perfectplay.audit.crosstable import OPPONENTS, opponents_data, opponents_page
from perfectplay.audit.findings.laws import shown
from perfectplay.audit.report import as_dict, audit, text
from perfectplay.audit.sweep import sweep, sweep_dict, sweep_text
from perfectplay.core.conformance import LAWS, broken_laws
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
    console: Console,
    players: tuple[str, ...],
    games: tuple[str, ...],
    *,
    samples: int,
    seed: int,
    as_json: bool,
) -> None:
    """Let players meet in every game and on both seats."""
    who, where = players or OPPONENTS, games or None
    if as_json:
        console.say(json.dumps(opponents_data(who, where, samples=samples, seed=seed)))
    else:
        show_markdown(console, opponents_page(who, where, samples=samples, seed=seed))


def show_broken_laws(console: Console, spec: str) -> bool:
    """Check the laws of `Game` on a game, and say whether it keeps them all."""
    game = load(spec)
    broken = broken_laws(game)
    for each in broken:
        console.say(f"{each.law}: {each}")
        moves = shown(game, each)
        if moves:
            console.say(f"  Shown by: {', '.join(moves)}")
    if not broken:
        console.say(f"{game.spec} keeps all {len(LAWS)} laws of Game.")
    return not broken
