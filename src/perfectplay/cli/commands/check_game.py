"""The command `check-game`."""

import click

from perfectplay.cli.options import Command, GameSpec, console, limit_option


@click.command("check-game", cls=Command)
@click.argument("game", metavar="FILE", type=GameSpec())
@limit_option
@click.pass_context
def check_game(ctx: click.Context, game: str, limit: int) -> None:
    """Check that the game in FILE keeps the laws of all games.

    Everything else relies on them: docs/add-a-game.md tells which there are. Dead ends are looked for as
    far as solve would go, which --limit changes. The exit status is 0 if all laws hold, and 1 if one is
    broken, which is printed with the moves that show it.

    \b
    perfectplay check-game ./my_game.py
    perfectplay check-game bit-flip:bits=12
    """
    from perfectplay.terminal.audit import show_broken_laws

    if not show_broken_laws(console(), game, limit):
        ctx.exit(1)
