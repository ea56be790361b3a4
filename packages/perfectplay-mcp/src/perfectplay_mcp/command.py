"""The command `mcp`: its options, and what its help says."""

import sys

from perfectplay.cli import main as run_perfectplay
from perfectplay.cli.limits import MOST_ATTEMPTS, MOST_SAMPLED_GAMES
from perfectplay.cli.options import (
    PATH,
    Command,
    SpecType,
    choice,
    flag,
    number,
    option,
    seed_option,
)

MCP = Command(
    "mcp",
    "serve:serve_agent",
    flag("--oracle", help="Offer the tool values: the exact value of every move."),
    option("--out", type=PATH, help="Keep all games that are begun in this Parquet file."),
    option("--agent", default="client", help="The agent's name in that file."),
    option(
        "--game", type=SpecType("game"), help="Measure: the agent plays this game, and chooses only moves."
    ),
    option("--opponent", type=SpecType("player"), help="The opponent in a measurement; level:3 by default."),
    number("--games", 1, MOST_SAMPLED_GAMES, help="Its games in each seat; 10 by default."),
    number("--attempts", 1, MOST_ATTEMPTS, help="Failed answers in a row that forfeit a game; 1 by default."),
    choice("--moves", "hidden listed", help="Whether legal moves are listed."),
    choice("--disguise", "none words arrows", help="How the game is disguised."),
    seed_option(),
    help="""Serve the games to an agent over MCP.

    It speaks on standard input and output. The client starts this command itself. perfectplay report
    reads the file that --out writes.

    With --game it measures: the games are fixed in advance and played once, in order. Started again with
    the same file, it continues after the last game that was begun.

    \b
    perfectplay mcp --help
    perfectplay mcp --game bit-flip --opponent level:3 --games 10 --out games.parquet
    """,
    package="perfectplay_mcp",
)


def main() -> None:
    """Run `perfectplay mcp` by the name of the package, by which hosts start a server."""
    sys.argv.insert(1, "mcp")
    run_perfectplay()
