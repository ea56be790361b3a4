"""The command `audit-env`."""

import json
from collections.abc import Callable
from pathlib import Path

import click

from perfectplay.cli.options import Command, WholeNumber, console, json_option


def _arguments(ctx: click.Context, option: click.Parameter, given: str) -> dict[str, object]:
    try:
        found = json.loads(given)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise click.BadParameter("it must be an object in JSON, such as '{\"size\": 4}'")
    return found


def making_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options that say how an environment is made, and what it calls its methods."""
    for option in (
        click.option("--mover", default="", metavar="NAME", help="What says who moves, if it is unusual."),
        click.option("--legal", default="", metavar="NAME", help="What lists legal moves, if it is unusual."),
        click.option(
            "--kwargs", default="{}", metavar="JSON", callback=_arguments, help="Arguments to make it with."
        ),
    ):
        command = option(command)
    return command


@click.command("audit-env", cls=Command)
@click.argument("what", nargs=-1, required=True)
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="The folder for a collection.")
@click.option("--workers", type=WholeNumber(1, 256), default=1, show_default=True, help="Processes to use.")
@click.option(
    "--moves", type=WholeNumber(1, 10**8), default=30_000, show_default=True, help="Moves to try in each."
)
@click.option(
    "--deepen", type=WholeNumber(1, 10**8), help="Moves to try where the value is not known otherwise."
)
@making_options
@click.option("--on", type=click.Choice(["ray"]), help="Spread a collection over machines.")
@json_option
@click.option("--html", type=click.Path(path_type=Path), help="Write the audit of one environment as a page.")
@click.option("--fail-on", metavar="problem|warning|CODE,...", help="Which findings give exit code 1.")
@click.option(
    "--baseline",
    "known",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A file with known findings, as --json prints them; these never fail the run.",
)
@click.option("--trust", is_flag=True, help="Run environments even where the sandbox lacks a layer.")
@click.pass_context
def audit_env(
    ctx: click.Context,
    what: tuple[str, ...],
    out: Path | None,
    workers: int,
    moves: int,
    deepen: int | None,
    kwargs: dict[str, object],
    legal: str,
    mover: str,
    on: str | None,
    as_json: bool,
    html: Path | None,
    fail_on: str | None,
    known: Path | None,
    trust: bool,
) -> None:
    """Audit games and environments that others wrote.

    WHAT is a file, package.module:Class, gym:ID, pettingzoo:NAME, openspiel:SPEC or pgx:NAME. With --out it
    may be several, or a pattern in quotes. Foreign code runs in a sandbox.

    Exit codes: 0 clean, 1 findings that --fail-on names (a problem by default, for one environment), 2 bad
    input, 3 an audit that could not be finished.

    \b
    perfectplay audit-env ./env.py
    perfectplay audit-env pettingzoo:tictactoe_v3 --json
    perfectplay audit-env 'envs/*.py' --out audits --workers 2
    """
    from perfectplay.foreign.adapter import MethodNames
    from perfectplay.foreign.collection import expand_names
    from perfectplay.foreign.sandbox.request import AuditOptions
    from perfectplay.terminal.audit_env import show_collection, show_environment
    from perfectplay.terminal.fail_on import parse_fail_on, read_baseline, translate_errors

    fails = None if fail_on is None else parse_fail_on(fail_on)
    called = MethodNames(legal, mover)
    options = AuditOptions(moves=moves, deepen=deepen, trust=trust, kwargs=kwargs, names=called)
    ignored = read_baseline(known)
    with translate_errors():
        if out is not None:
            if html is not None:
                raise click.UsageError("--html is for one environment; a collection has a page for each")
            code = show_collection(
                console(),
                what,
                out,
                options,
                workers=workers,
                on=on,
                as_json=as_json,
                fails=fails,
                known=ignored,
            )
        else:
            names = expand_names(what)
            if len(names) != 1:
                raise click.UsageError(
                    f"these are {len(names)} environments; name one, or give --out FOLDER, where the results"
                    " of a collection go"
                )
            if on is not None:
                raise click.UsageError("--on is for a collection: it needs --out FOLDER")
            code = show_environment(
                console(),
                names[0],
                options,
                as_json=as_json,
                html=html,
                fails=fails or parse_fail_on("problem"),
                known=ignored,
            )
    ctx.exit(code)
