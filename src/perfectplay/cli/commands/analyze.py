"""The command `analyze`."""

from pathlib import Path

import click

from perfectplay.cli.options import Command, console, game_argument, json_option, limit_option


@click.command(cls=Command)
@game_argument
@click.option("--position", help="A position as records write it; by default the start.")
@click.option(
    "--record", type=click.Path(path_type=Path), help="The record of a game: judge every move in it."
)
@limit_option
@json_option
def analyze(game: str, position: str | None, record: Path | None, limit: int, as_json: bool) -> None:
    """Say what each move is worth, or judge a played game.

    Without --record, it lists the moves of one position of GAME.

    \b
    perfectplay analyze bit-flip --position "0000100000 2"
    perfectplay analyze bit-flip --record game.txt
    perfectplay analyze mirror-match --position "1-2 1" --json
    """
    from perfectplay.terminal.solve import show_analysis, show_position

    if position is not None and record is not None:
        raise click.UsageError("--position and --record exclude each other")
    if record is not None:
        show_analysis(console(), game, record, limit=limit, as_json=as_json)
    else:
        show_position(console(), game, position, limit=limit, as_json=as_json)
