"""The command `floors`."""

import click

from perfectplay.cli.options import Command, PlayerSpec, console, game_argument, json_option


@click.command(cls=Command)
@game_argument
@click.argument("agents", type=PlayerSpec(), nargs=-1)
@click.option(
    "--opponent",
    "opponents",
    type=PlayerSpec(),
    multiple=True,
    default=("level:3",),
    show_default=True,
    help="The opponent; may be repeated.",
)
@click.option(
    "--plies",
    type=click.IntRange(1, 10**6),
    help="Count one half for a game that is not over by then, as where games are played.",
)
@json_option
def floors(
    game: str, agents: tuple[str, ...], opponents: tuple[str, ...], plies: int | None, as_json: bool
) -> None:
    """Print what known players score in GAME, seat by seat.

    AGENTS are players with known move probabilities; by default, a standard selection. The best
    response is the most that any agent can score.

    \b
    perfectplay floors bit-flip --opponent level:3
    perfectplay floors dual-direction random level:5 --opponent perfect --json
    """
    import json

    from perfectplay.strength.reference import AGENTS, floors_text
    from perfectplay.strength.reference import floors as rows_of
    from perfectplay.terminal.progress import waiting

    with waiting(f"Computing scores in {game}"):
        rows = rows_of(game, opponents, agents or AGENTS, plies)
    console().say(json.dumps(rows, indent=2) if as_json else floors_text(rows))
