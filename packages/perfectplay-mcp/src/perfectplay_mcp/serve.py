"""The work of the command `mcp`: serves games to an agent, and keeps what it played."""

from contextlib import closing
from pathlib import Path

import click

from perfectplay.core.errors import ParseError, PerfectplayError, needs
from perfectplay.evals.files import read_parquet, save
from perfectplay.evals.play import check_playable
from perfectplay.evals.samples import Sample
from perfectplay.evals.setup import Setup
from perfectplay.games.registry import load_bounded
from perfectplay.saves import InUseError, SaveFile
from perfectplay.strength.points import LARGEST_RATED
from perfectplay.terminal.console import Console
from perfectplay_mcp.tools import GameTools, Schedule


def serve_agent(
    console: Console,
    *,
    oracle: bool,
    out: Path | None,
    agent: str,
    game: str | None,
    games: int | None,
    **asked: object,
) -> None:
    """Serve games on standard input and output until the client leaves."""
    with needs("mcp", "perfectplay-mcp"):
        from perfectplay_mcp.server import GameServer
    options = {name: value for name, value in asked.items() if value is not None}
    if game is None and (options or games):
        raise click.UsageError(f"--{next(iter(options), 'games')} needs --game")
    if game is not None and (oracle or out is None):
        raise click.UsageError("--game excludes --oracle" if oracle else "--game needs --out")
    agent = f"{agent}, with the oracle" if oracle else agent
    if out is None:
        GameServer(GameTools(agent=agent), oracle=oracle).run("stdio")
        return
    setup = None
    if game is not None:
        setup = Setup.from_data({"game": load_bounded(game, LARGEST_RATED, "play").spec, **options})
        check_playable(setup)
    try:
        lock = SaveFile(out)  # two servers would each write the file without the other's games
    except InUseError as error:
        raise PerfectplayError(f"another server writes {out}: give each a file of its own") from error
    with closing(lock):
        # Games of earlier sessions stay, and any other file is refused.
        wanted = 0 if setup is None else 2 * (games or 10)
        earlier, meant = read_parquet(out) if out.is_file() else ([], wanted)
        other = [each for each in earlier if (each.setup, each.agent) != (setup, agent)]
        if meant != wanted or (setup and other):
            raise ParseError(f"{out} has other games: give each measurement a file of its own")

        def keep(samples: list[Sample]) -> None:
            save([*earlier, *samples], out, wanted)

        keep([])  # a file that cannot be written is reported before anything is played
        if setup is None:
            GameServer(GameTools(keep, agent), oracle=oracle).run("stdio")
        else:
            done = {(each.seat, each.number) for each in earlier}
            GameServer(Schedule(setup, games or 10, keep, agent, done)).run("stdio")
