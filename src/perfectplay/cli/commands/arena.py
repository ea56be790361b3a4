"""The command `arena`."""

from pathlib import Path
from typing import Literal

import click

from perfectplay.cli.options import (
    Command,
    PlayerSpec,
    WholeNumber,
    console,
    games_option,
    json_option,
    seed_option,
)


@click.command(cls=Command)
@click.argument("players", type=PlayerSpec(), nargs=-1)
@games_option
@click.option(
    "--opponent",
    "opponents",
    type=PlayerSpec(),
    multiple=True,
    help="Let the players meet this opponent instead of each other; may be repeated.",
)
@click.option("--table", is_flag=True, help="Print a cross-table: how often each player beats each other.")
@click.option(
    "--best-response",
    is_flag=True,
    help="Add what the best response to an opponent scores, and the decisions that players keep.",
)
@click.option(
    "--games",
    "count",
    type=WholeNumber(1, 10**6),
    default=100,
    show_default=True,
    help="Games for each pair and seat, where they are played, or sampled for --table; else 400 are sampled.",
)
@click.option(
    "--plies",
    type=WholeNumber(0, 10**6),
    help="Count one half for a game that is not over by then, by default 100; 0 for no limit.",
)
@click.option("--out", type=click.Path(path_type=Path), help="Keep the games that are played in this folder.")
@click.option(
    "--on",
    type=click.Choice(["here", "pool", "ray"]),
    default="here",
    show_default=True,
    help="Play in this process, in several, or on a Ray cluster.",
)
@click.option(
    "--workers", type=WholeNumber(1, 256), default=2, show_default=True, help="Processes of a pool."
)
@seed_option(default=0)
@json_option
@click.pass_context
def arena(
    ctx: click.Context,
    players: tuple[str, ...],
    games: tuple[str, ...],
    opponents: tuple[str, ...],
    table: bool,
    best_response: bool,
    count: int,
    plies: int | None,
    out: Path | None,
    on: Literal["here", "pool", "ray"],
    workers: int,
    seed: int,
    as_json: bool,
) -> None:
    """Let PLAYERS meet, every pair in both seats.

    Prints the points of each player, and the strengths of those whose move probabilities are not known.
    Without PLAYERS, a standard selection meets. A bot may be given a name, as in NAME=SPEC.

    Results between known players are computed. All others play. With --out, the games are kept in a folder:
    an arena that was interrupted continues where it stopped, and a finished one plays nothing. Where nothing
    is played, no files are written.

    \b
    perfectplay arena random level:3 search:depth=2 mcts:simulations=5 --game bit-flip --games 20 --out arena
    perfectplay arena --game bit-flip --opponent level:3 --best-response
    perfectplay arena random level:5 perfect --game bit-flip --game dual-direction --table
    """
    import json

    from perfectplay.terminal.audit import show_crosstable
    from perfectplay.terminal.progress import waiting

    if table:
        for name in ("opponents", "best_response", "out", "on", "workers"):
            if ctx.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT:
                option = name.removesuffix("s") if name == "opponents" else name.replace("_", "-")
                raise click.UsageError(f"--table and --{option} exclude each other")
        show_crosstable(
            console(), players, games, samples=count, plies=plies or None, seed=seed, as_json=as_json
        )
        return
    if out is not None and len(games) != 1:
        raise click.UsageError("--out needs exactly one --game")

    from perfectplay.evals.arena import PLAYERS, Arena, play
    from perfectplay.evals.standings import results, results_text
    from perfectplay.foreign.environment_game import load_environment
    from perfectplay.games.registry import names
    from perfectplay.strength.points import PLIES

    limit = PLIES if plies is None else plies or None
    found = []
    for game in games or names():
        with waiting(f"Playing {game}"):
            meeting = Arena(game, players or PLAYERS, opponents, count, seed, limit, load_environment)
            samples = [each for _, job in play(meeting, out, on=on, workers=workers) for each in job]
            found.append(results(meeting, samples, best_response=best_response))
        if out is not None and not meeting.jobs():
            kind = "exact" if all(each["interval"] is None for each in found[-1]["scores"]) else "sampled"
            click.echo(f"All results are {kind}; nothing was played, so no files were written.", err=True)
    console().say(json.dumps(found, indent=2) if as_json else "\n\n".join(map(results_text, found)))
