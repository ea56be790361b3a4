"""The command `mcp`."""

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
    from perfectplay.core.errors import MissingExtraError
    from perfectplay.evals.files import read_parquet, save
    from perfectplay.evals.tables import Tables

    try:
        from perfectplay.evals.mcp_server import server
    except ImportError as error:
        raise MissingExtraError("mcp", "mcp") from error
    # Games of earlier sessions stay, and any other file is refused.
    rows: list[dict[str, Any]] = read_parquet(out) if out is not None and out.is_file() else []

    def ended(row: dict[str, Any]) -> None:
        rows.append(row)
        if out is not None:
            save(rows, out)

    if out is not None:
        save(rows, out)  # a file that cannot be written is reported before anything is played
    server(Tables(ended, agent), oracle=oracle).run("stdio")
