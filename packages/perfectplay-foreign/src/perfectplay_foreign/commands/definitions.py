"""The commands `audit-env` and `replay-env`: their options, and what their help says."""

import json

import click

from perfectplay.cli.limits import MOST_WORKERS
from perfectplay.cli.options import (
    FILE,
    FOLDER,
    JSON,
    NEW_FILE,
    TURNS,
    Command,
    argument,
    choice,
    flag,
    number,
    option,
    seed_option,
)
from perfectplay_foreign.limits import MOST_MOVES, MOST_STARTS, MOVES


def _read_object(ctx: click.Context, param: click.Parameter, given: str) -> dict[str, object]:
    try:
        found = json.loads(given)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise click.BadParameter("it must be an object in JSON, such as '{\"size\": 4}'")
    return found


MADE = (
    click.Option(
        ["--kwargs"], default="{}", metavar="JSON", callback=_read_object, help="Arguments to make it with."
    ),
    click.Option(["--legal"], default="", metavar="NAME", help="The method that lists the legal moves."),
    click.Option(["--mover"], default="", metavar="NAME", help="The method that says who moves."),
)
"""How an environment is made, and what it calls its methods."""

AUDIT_ENV = Command(
    "audit-env",
    "commands.audit_env:show_audits",
    argument("what", nargs=-1, required=True),
    option("--out", type=FOLDER, help="The folder for a collection."),
    number("--workers", 1, MOST_WORKERS, default=1, help="Processes to use."),
    number("--moves", 1, MOST_MOVES, default=MOVES, help="Moves to try in each."),
    number("--deepen", 1, MOST_MOVES, help="Moves to try where the value is not known yet."),
    *MADE,
    TURNS,
    choice(
        "--rewards",
        "mover first",
        default="mover",
        help="Who sees rewards: the side that moved, or the side that moves first.",
    ),
    number(
        "--starts",
        1,
        MOST_STARTS,
        default=1,
        help="Seeds over which an environment with several starts is judged.",
    ),
    choice("--on", "ray", help="Spread a collection over machines."),
    JSON,
    option("--html", type=NEW_FILE, help="Write the audit of one environment as a page."),
    option("--fail-on", metavar="problem|warning|CODE,...", help="Which findings give exit code 1."),
    option(
        "--baseline",
        type=FILE,
        help="A file with known findings, as --json prints them; these never fail the run.",
    ),
    flag("--trust", help="Run environments even where the sandbox lacks a layer."),
    help="""Audit games and environments that others wrote.

    WHAT is a file, package.module:Class, gym:ID, pettingzoo:NAME, openspiel:SPEC or pgx:NAME. With --out
    it may be several, or a pattern in quotes. Foreign code runs in a sandbox.

    Exit codes: 0 clean, 1 findings that --fail-on names (a problem by default, for one environment), 2
    bad input, 3 an audit that could not be finished.

    \b
    perfectplay audit-env ./env.py
    perfectplay audit-env pettingzoo:tictactoe_v3 --json
    perfectplay audit-env 'envs/*.py' --out audits --workers 2
    """,
    package="perfectplay_foreign",
)

REPLAY_ENV = Command(
    "replay-env",
    "commands.audit_env:show_steps",
    argument("what"),
    option("--moves", default="", show_default=False, help="The moves to play: words, or a list in JSON."),
    seed_option(0),
    *MADE,
    flag("--trust", help="Run the environment even where the sandbox lacks a layer."),
    help="""Play moves in an environment, step by step.

    WHAT is named as for audit-env. The moves may be the witness of a finding.

    \b
    perfectplay replay-env ./env.py --moves "0 2 1" --seed 0
    """,
    package="perfectplay_foreign",
)
