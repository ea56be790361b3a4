"""The command `puzzle`."""

import click

from perfectplay.cli.options import Command, GameSpec, console, json_option


@click.command(cls=Command)
@click.argument("game", type=GameSpec(), required=False)
@click.option("--date", "day", metavar="YYYY-MM-DD", help="The day of the puzzle, by default today.")
@click.option("--try", "moves", metavar="MOVE", multiple=True, help="Try a move; may be repeated.")
@click.option("--answer", is_flag=True, help="Show the answer.")
@json_option
def puzzle(game: str | None, day: str | None, moves: tuple[str, ...], answer: bool, as_json: bool) -> None:
    """Show the puzzle of the day for GAME, or for every game.

    In a puzzle exactly one move keeps the win, the tie or the game. Everyone gets the same puzzle on
    the same day, with a setting of the game that changes from day to day.

    \b
    perfectplay puzzle
    perfectplay puzzle bit-flip --date 2026-01-05 --answer
    perfectplay puzzle bit-flip --date 2026-01-05 --try 1
    """
    from perfectplay.terminal.show import show_puzzles

    show_puzzles(console(), game, day, moves, answer=answer, as_json=as_json)
