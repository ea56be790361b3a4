"""The command `serve`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from perfectplay.cli.options import Amount, Command, WholeNumber

if TYPE_CHECKING:
    from perfectplay.web.settings import ServeOption


class ServeCommand(Command):
    """The command `serve`. Its other options are the server's settings, imported only when needed."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The parameters, with an option for each setting."""
        from perfectplay.web.settings import options

        known = {param.name for param in self.params}
        self.params[-1:-1] = [_setting(each) for each in options() if each.setting not in known]
        return super().get_params(ctx)


def _setting(option: "ServeOption") -> click.Option:
    names = [option.name, option.setting]
    if isinstance(option.default, bool):
        return click.Option(names, is_flag=True, help=option.help)
    if isinstance(option.default, tuple):
        return click.Option(names, multiple=True, default=(), metavar=option.metavar, help=option.help)
    kind = WholeNumber(option.least) if isinstance(option.default, int) else Amount(option.least)
    shown = option.default is not None
    return click.Option(names, type=kind, default=option.default, show_default=shown, help=option.help)


@click.command(cls=ServeCommand)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port",
    type=WholeNumber(0, 65535),
    default=8000,
    show_default=True,
    help="The port to listen on; 0 picks a free one.",
)
@click.option(
    "--data", type=click.Path(path_type=Path, file_okay=False), help="The folder to keep the tables in."
)
@click.option(
    "--database",
    metavar="URL",
    help="The PostgreSQL database to keep the tables in: postgresql://USER@HOST/NAME",
)
@click.option(
    "--workers",
    type=WholeNumber(1, 64),
    default=1,
    show_default=True,
    help="Number of server processes; more than one needs --database.",
)
@click.option(
    "--open/--no-open",
    "open_page",
    default=True,
    show_default=True,
    help="Open the page in a browser on this machine.",
)
def serve(**options: Any) -> None:
    """Run a web server to play in browsers.

    Play the computer, or send a link to an opponent.

    \b
    perfectplay serve
    perfectplay serve --host 0.0.0.0 --port 80
    perfectplay serve --behind-proxy --allowed-host games.example
    perfectplay serve --database postgresql://me@db/tables --workers 4
    """
    from perfectplay.core.errors import needs
    from perfectplay.web.settings import ServerSettings
    from perfectplay.web.settings import options as server_settings

    with needs("fastapi", "web", "fastapi", "starlette", "pydantic", "sqlalchemy", "uvicorn", "websockets"):
        from perfectplay.web.serve import serve as start

    settings = ServerSettings(**{each.setting: options.pop(each.setting) for each in server_settings()})
    start(settings, **options)
