"""The command `demo`."""

import click

from perfectplay.cli.options import Command, GameSpec, console, line_option, seed_option


@click.command(cls=Command)
@click.argument("game", type=GameSpec(), required=False)
@seed_option()
@line_option
def demo(game: str | None, seed: int | None, line: bool) -> None:
    """Watch the computer play GAME, or every game."""
    from perfectplay.terminal.line import demo as line_demo
    from perfectplay.terminal.mode import full_screen

    seed = line_demo.SEED if seed is None else seed
    if full_screen(console(), line=line):
        from perfectplay.games.registry import names
        from perfectplay.terminal.fullscreen.opening import demo_screen, show

        return console().say(*show(demo_screen([game] if game else names(), seed)))
    line_demo.demo(console(), game, seed)
