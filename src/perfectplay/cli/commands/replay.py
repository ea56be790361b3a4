"""The command `replay`."""

from pathlib import Path

import click

from perfectplay.cli.options import Command, console


@click.command(cls=Command)
@click.argument("file", metavar="FILE")
@click.option("--moves", help="Take FILE as a game and play these moves: --moves 'left, right'.")
@click.option("--verify", is_flag=True, help="Only check every move and the result.")
@click.option("--game", "game_file", help="The game file, for a record of a game from a file.")
def replay(file: str, moves: str | None, verify: bool, game_file: str | None) -> None:
    """Step through a record, or through moves of a game.

    FILE is the record or, with --moves, a game. The moves may be the witness of an audit.

    \b
    perfectplay replay game.txt
    perfectplay replay dual-direction --moves "left, left, left, left"
    """
    from perfectplay.terminal.show import show_moves, show_replay

    if moves is not None:
        show_moves(console(), file, moves, verify=verify)
    else:
        show_replay(console(), Path(file), game_file, verify=verify)
