"""The command `audit`."""

from pathlib import Path

import click

from perfectplay.cli.options import Command, console, game_argument, json_option, limit_option


@click.command(cls=Command)
@game_argument
@limit_option
@json_option
@click.option(
    "--html",
    type=click.Path(path_type=Path),
    help="Write the audit as a page to this file; - is standard output.",
)
@click.option(
    "--sweep", "values", metavar="NAME=A..B", help="Make a table for a range of a parameter instead."
)
@click.pass_context
def audit(
    ctx: click.Context, game: str, limit: int, as_json: bool, html: Path | None, values: str | None
) -> None:
    """Audit the rules of GAME.

    The audit says who wins by force, what never ends and which rule can never apply. In a large game,
    dead ends are looked for as far as solve would go, which --limit changes.

    \b
    perfectplay audit dual-direction
    perfectplay audit ./my_game.py --html audit.html
    perfectplay audit race-to-the-center:arrival=full-turn --json
    perfectplay audit bit-flip --sweep bits=4..12
    """
    from perfectplay.terminal.audit import show_audit, show_sweep

    for name in ("html", "limit"):
        if values is not None and ctx.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT:
            raise click.UsageError(f"--sweep and --{name} exclude each other")
    if values is not None:
        show_sweep(console(), game, values, as_json=as_json)
    else:
        show_audit(console(), game, limit=limit, as_json=as_json, html=html)
