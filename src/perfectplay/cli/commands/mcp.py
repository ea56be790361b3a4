"""The command `mcp`."""

from pathlib import Path
from typing import Any

import click

from perfectplay.cli.options import Command, GameSpec, PlayerSpec


@click.command(cls=Command)
@click.option("--oracle", is_flag=True, help="Offer the tool values: the exact value of every move.")
@click.option(
    "--out", type=click.Path(path_type=Path), help="Keep all games that are begun in this Parquet file."
)
@click.option("--agent", default="client", show_default=True, help="The agent's name in that file.")
@click.option("--game", type=GameSpec(), help="Measure: the agent plays this game, and chooses only moves.")
@click.option("--opponent", type=PlayerSpec(), help="The opponent in a measurement; level:3 by default.")
@click.option("--games", type=click.IntRange(1, 10**6), help="Its games in each seat; 10 by default.")
@click.option("--attempts", type=click.IntRange(1, 1000), help="Answers that may fail; 1 by default.")
@click.option("--moves", type=click.Choice(["hidden", "listed"]), help="Whether legal moves are listed.")
@click.option("--disguise", type=click.Choice(["none", "words", "arrows"]), help="How the game is disguised.")
@click.option("--seed", type=click.IntRange(0, 10**18 - 1), help="Seed for all random choices.")
def mcp(
    oracle: bool, out: Path | None, agent: str, game: str | None, games: int | None, **asked: Any
) -> None:
    """Serve the games to an agent over MCP.

    It speaks on standard input and output. The client starts this command itself. perfectplay report reads
    the file that --out writes.

    With --game it measures: the games are fixed in advance and played once, in order. Started again with the
    same file, it goes on after the last game that was begun.

    \b
    perfectplay mcp --help
    perfectplay mcp --game bit-flip --opponent level:3 --games 10 --out games.parquet
    """
    from perfectplay.core.errors import MissingExtraError
    from perfectplay.evals.mcp_tools import GameTools

    try:
        from perfectplay.evals.mcp_server import server
    except ImportError as error:
        raise MissingExtraError("mcp", "mcp") from error
    options = {name: value for name, value in asked.items() if value is not None}
    if game is None and (options or games):
        raise click.UsageError(f"--{next(iter(options), 'games')} needs --game")
    if game is not None and (oracle or out is None):
        raise click.UsageError("--game excludes --oracle" if oracle else "--game needs --out")
    agent = f"{agent}, with the oracle" if oracle else agent
    if out is None:
        server(GameTools(agent=agent), oracle=oracle).run("stdio")
        return
    from perfectplay.core.errors import ParseError, PerfectplayError
    from perfectplay.evals.files import read_parquet, save
    from perfectplay.saves import InUseError, SaveFile

    try:
        lock = SaveFile(out)  # two servers would each write the file without the other's games
    except InUseError as error:
        raise PerfectplayError(f"another server writes {out}: give each a file of its own") from error
    try:
        # Games of earlier sessions stay, and any other file is refused.
        wanted = 0 if game is None else 2 * (games or 10)
        earlier, meant = read_parquet(out) if out.is_file() else ([], wanted)

        def changed(rows: list[dict[str, Any]]) -> None:
            save([*earlier, *rows], out, wanted)

        made: Any = GameTools(changed, agent)
        if game is not None:
            made = _measurement(game, options, games or 10, changed, agent, earlier)
        if meant != wanted or made is None:
            raise ParseError(f"{out} has other games: give each measurement a file of its own")
        changed([])  # a file that cannot be written is reported before anything is played
        server(made, oracle=oracle).run("stdio")
    finally:
        lock.close()


def _measurement(
    game: str, options: dict[str, Any], games: int, changed: Any, agent: str, earlier: list[dict[str, Any]]
) -> Any:
    """The schedule of a measurement, without the games begun earlier; None if those are others."""
    from dataclasses import asdict

    from perfectplay.evals.play import Play
    from perfectplay.evals.schedule import Schedule
    from perfectplay.evals.setup import Setup
    from perfectplay.games.registry import load_bounded
    from perfectplay.strength.points import LARGEST

    setup = Setup.from_dict({"game": load_bounded(game, LARGEST, "play").spec, **options})
    told = {**asdict(setup), "task": "play", "agent": agent}
    if any({name: row[name] for name in told} != told for row in earlier):
        return None
    if (opponent := Play(setup, seat=0).opponent) is not None:  # what cannot be played is reported at once
        opponent.close()
    done = {(row["seat"], row["number"]) for row in earlier}
    return Schedule(setup, games, changed, agent, done)
