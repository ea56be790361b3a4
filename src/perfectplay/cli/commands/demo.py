"""The command `demo`."""

import click

from perfectplay.cli.options import Command, GameSpec, console, line_option, seed_option


@click.command(cls=Command)
@click.argument("game", type=GameSpec(), required=False)
@seed_option()
@line_option
def demo(game: str | None, seed: int | None, line: bool) -> None:
    """Watch the computer play GAME, or every game."""
    from perfectplay.terminal.line.demo import SEED
    from perfectplay.terminal.line.demo import demo as show
    from perfectplay.terminal.mode import full_screen

    seed = SEED if seed is None else seed
    if full_screen(console(), line=line):
        from perfectplay.terminal.fullscreen import opening

        return console().say(*opening.demo(game, seed))
    show(console(), game, seed)
