"""The command `mcp`."""

from contextlib import closing
from pathlib import Path
from typing import Any

import click

from perfectplay.cli.options import Command


@click.command(cls=Command)
@click.option("--oracle", is_flag=True, help="Offer the tool values: the exact value of every move.")
@click.option("--out", type=click.Path(path_type=Path), help="Add the ended games to this Parquet file.")
@click.option("--agent", default="client", show_default=True, help="The agent's name in that file.")
def mcp(oracle: bool, out: Path | None, agent: str) -> None:
    """Serve the games to an agent over MCP.

    It speaks on standard input and output. The client starts this command itself. perfectplay report reads
    the file that --out writes.

    \b
    perfectplay mcp --help
    """
    from perfectplay.core.errors import MissingExtraError, PerfectplayError
    from perfectplay.evals.files import read_parquet, save
    from perfectplay.evals.tables import Tables
    from perfectplay.saves import InUseError, SaveFile

    try:
        from perfectplay.evals.mcp_server import server
    except ImportError as error:
        raise MissingExtraError("mcp", "mcp") from error
    if oracle:
        agent = f"{agent}, with the oracle"
    if out is None:
        server(Tables(agent=agent), oracle=oracle).run("stdio")
        return
    try:
        lock = SaveFile(out)  # two servers would each write the file without the other's games
    except InUseError as error:
        raise PerfectplayError(f"another server writes {out}: give each a file of its own") from error
    with closing(lock):
        # Games of earlier sessions stay, and any other file is refused.
        earlier = read_parquet(out).rows if out.is_file() else []

        def changed(rows: list[dict[str, Any]]) -> None:
            save([*earlier, *rows], out)

        changed([])  # a file that cannot be written is reported before anything is played
        server(Tables(changed, agent), oracle=oracle).run("stdio")
