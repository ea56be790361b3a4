"""The command `dataset`."""

from pathlib import Path

import click

from perfectplay.cli.options import Command, WholeNumber, game_argument


@click.command(cls=Command)
@game_argument
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    help="The file, FILE.jsonl or FILE.parquet; - is standard output, as lines of JSON.",
)
@click.option("--plies", type=WholeNumber(1, 10**6), help="Only positions that occur within this many plies.")
def dataset(game: str, out: Path, plies: int | None) -> None:
    """Write every position of GAME to a file.

    Each row has the observation, the legal moves and the best moves.

    \b
    perfectplay dataset bit-flip --out positions.jsonl
    perfectplay dataset mirror-match:digits=3 --plies 6 --out positions.parquet
    """
    from contextlib import nullcontext

    from perfectplay.foreign.environment_game import load_environment
    from perfectplay.games.registry import load
    from perfectplay.output import is_standard_output
    from perfectplay.simulate.dataset import write
    from perfectplay.terminal.progress import waiting

    rules = load(game, environments=load_environment)
    # Rows that scroll by show progress, and a spinner would appear among them.
    with nullcontext() if is_standard_output(out) else waiting(f"Solving and writing {rules.spec}"):
        count = write(rules, out, plies=plies)
    where = "went to standard output" if is_standard_output(out) else f"are in {out}"
    click.echo(f"{count:,} positions of {rules.spec} {where}", err=is_standard_output(out))
