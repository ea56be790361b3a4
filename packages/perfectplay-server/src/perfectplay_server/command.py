"""The command `serve`: its options, mostly the server's settings, and what its help says."""

from dataclasses import Field
from typing import TYPE_CHECKING, Any

import click

from perfectplay.cli.limits import MOST_PROCESSES
from perfectplay.cli.options import FOLDER, Amount, Command, WholeNumber, number, option
from perfectplay.core.errors import needs
from perfectplay_server.settings import ServerSettings, options

if TYPE_CHECKING:
    from perfectplay.terminal.console import Console

LIBRARIES = ("fastapi", "starlette", "pydantic", "sqlalchemy", "uvicorn", "websockets")


def start_server(console: "Console", **asked: Any) -> None:
    """Run the server until it is stopped."""
    with needs("fastapi", "perfectplay-server", *LIBRARIES):
        from perfectplay_server.serve import serve

    settings = ServerSettings(**{each.name: asked.pop(each.name) for _, each in options()})
    serve(settings, **asked)


def _make_option(name: str, setting: Field[Any]) -> click.Option:
    names, text, least = (name, setting.name), setting.metadata["help"], setting.metadata["least"]
    if isinstance(setting.default, bool):
        return click.Option(names, is_flag=True, help=text)
    if isinstance(setting.default, tuple):
        return click.Option(names, multiple=True, default=(), metavar=setting.metadata["metavar"], help=text)
    kind = WholeNumber(least) if isinstance(setting.default, int) else Amount(least)
    return option(*names, type=kind, default=setting.default, help=text)


SERVE = Command(
    "serve",
    "command:start_server",
    option("--host", default="127.0.0.1", help="The address to listen on."),
    number("--port", 0, 65535, default=8000, help="The port to listen on; 0 picks a free one."),
    option("--data", type=FOLDER, help="The folder to keep the tables in."),
    option(
        "--database",
        metavar="URL",
        help="The PostgreSQL database to keep the tables in: postgresql://USER@HOST/NAME",
    ),
    number(
        "--workers",
        1,
        MOST_PROCESSES,
        default=1,
        help="Number of server processes; more than one needs --database.",
    ),
    option("--open/--no-open", "open_page", default=True, help="Open the page in a browser on this machine."),
    *(_make_option(name, setting) for name, setting in options()),
    help="""Run a server to play in browsers.

    Play the computer, or send a link to an opponent.

    \b
    perfectplay serve
    perfectplay serve --host 0.0.0.0 --port 80
    perfectplay serve --behind-proxy --allowed-host games.example
    perfectplay serve --database postgresql://me@db/tables --workers 4
    """,
    package="perfectplay_server",
)
