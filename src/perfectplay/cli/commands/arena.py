"""The command `arena`."""

from pathlib import Path
from typing import Literal

import click

from perfectplay.cli.options import Command, GameSpec, PlayerSpec, console, json_option, seed_option


@click.command(cls=Command)
@click.argument("players", type=PlayerSpec(), nargs=-1, required=True)
@click.option("--game", type=GameSpec(), required=True, help="The game they meet in.")
@click.option(
    "--games",
    type=click.IntRange(1, 10**6),
    default=100,
    show_default=True,
    help="Games for each pair and seat, where they are played.",
)
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The folder for the games.")
@click.option(
    "--on",
    type=click.Choice(["here", "pool", "ray"]),
    default="here",
    show_default=True,
    help="Play in this process, in several, or on a Ray cluster.",
)
@click.option(
    "--workers", type=click.IntRange(1, 256), default=2, show_default=True, help="Processes of a pool."
)
@seed_option(default=0)
@json_option
def arena(
    players: tuple[str, ...],
    game: str,
    games: int,
    out: Path,
    on: Literal["here", "pool", "ray"],
    workers: int,
    seed: int,
    as_json: bool,
) -> None:
    """Let PLAYERS meet in one game and rate the unknown ones.

    A bot may be given a name, as in NAME=SPEC.

    Every pair meets in both seats. Results between known players are computed. All others play, in jobs
    that are each kept in a file of the folder: an arena that was interrupted goes on where it stopped, and
    a finished one plays nothing.

    \b
    perfectplay arena random level:3 search:depth=2 --game bit-flip --games 20 --out arena
    """
    import json

    from perfectplay.evals.arena import results, results_text, run
    from perfectplay.terminal.progress import waiting

    with waiting(f"Playing {game}"):
        for _ in run(game, players, out, games=games, seed=seed, on=on, workers=workers):
            pass
        data = results(out, game, players, games, seed)
    console().say(json.dumps(data, indent=2) if as_json else results_text(data))
