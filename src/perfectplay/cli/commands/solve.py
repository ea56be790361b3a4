"""The command `solve`."""

import click

from perfectplay.cli.options import Command, console, game_argument, json_option, limit_option


@click.command(cls=Command)
@game_argument
@click.option("--exact-distance", is_flag=True, help="Count plies too where theory gives only the result.")
@limit_option
@json_option
def solve(game: str, exact_distance: bool, limit: int, as_json: bool) -> None:
    """Say who wins GAME under perfect play.

    It also says in how many plies (moves of either side), and what each first move is worth.

    \b
    perfectplay solve inversion-race
    perfectplay solve bit-flip:bits=20 --exact-distance
    perfectplay solve ./tic_tac_toe.py --limit 10000 --json
    """
    from perfectplay.terminal.solve import show_solution

    show_solution(console(), game, exact_distance=exact_distance, limit=limit, as_json=as_json)
