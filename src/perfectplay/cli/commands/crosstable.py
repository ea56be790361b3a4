"""The command `crosstable`."""

import click

from perfectplay.cli.options import Command, PlayerSpec, console, games_option, json_option, seed_option


@click.command(cls=Command)
@click.argument("players", type=PlayerSpec(), nargs=-1)
@games_option
@click.option(
    "--samples",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    help="Games per pair, where they are sampled.",
)
@seed_option(default=0)
@json_option
def crosstable(
    players: tuple[str, ...], games: tuple[str, ...], samples: int, seed: int, as_json: bool
) -> None:
    """Let players meet in every game, in both seats.

    Prints a table in Markdown of the PLAYERS or, without any, of a standard selection.

    \b
    perfectplay crosstable random level:5 perfect --game bit-flip
    perfectplay crosstable "mcts:simulations=50" level:9 --game mirror-match --samples 40 --json
    """
    from perfectplay.terminal.audit import show_crosstable

    show_crosstable(console(), players, games, samples=samples, seed=seed, as_json=as_json)
