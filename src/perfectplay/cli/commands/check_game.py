"""The command `check-game`."""

import click

from perfectplay.cli.options import Command, GameSpec, console, limit_option


@click.command("check-game", cls=Command)
@click.argument("game", metavar="FILE", type=GameSpec())
@limit_option
@click.pass_context
def check_game(ctx: click.Context, game: str, limit: int) -> None:
    """Check that the game in FILE follows the laws of all games.

    Everything else relies on these laws; docs/add-a-game.md lists them. The search for dead ends stops at
    --limit positions. The exit status is 0 if all checks pass. It is 1 if one fails, which is printed with
    the moves that show it.

    \b
    perfectplay check-game ./my_game.py
    perfectplay check-game bit-flip:bits=12
    """
    from perfectplay.terminal.audit import show_broken_laws

    if not show_broken_laws(console(), game, limit):
        ctx.exit(1)
