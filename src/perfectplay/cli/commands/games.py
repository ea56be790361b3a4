"""The command `games`."""

import click

from perfectplay.cli.options import Command, console


@click.command(cls=Command)
def games() -> None:
    """List the games and their parameters."""
    from perfectplay.terminal.show import show_games

    show_games(console())
