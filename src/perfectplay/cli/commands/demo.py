"""The command `demo`."""

import click

from perfectplay.cli.options import Command, GameSpec, console, seed_option


@click.command(cls=Command)
@click.argument("game", type=GameSpec(), required=False)
@seed_option()
def demo(game: str | None, seed: int | None) -> None:
    """Watch the computer play GAME, or every game."""
    from perfectplay.terminal.demo import SEED
    from perfectplay.terminal.demo import demo as show

    show(console(), game, SEED if seed is None else seed)
