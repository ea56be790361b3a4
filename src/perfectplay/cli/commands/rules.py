"""The command `rules`."""

import click

from perfectplay.cli.options import Command, console, game_argument


@click.command(cls=Command)
@game_argument
def rules(game: str) -> None:
    """Print the rules of GAME.

    They include the parameters, and how ambiguous rules are interpreted.
    """
    from perfectplay.terminal.show import show_rules

    show_rules(console(), game)
