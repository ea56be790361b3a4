"""The command `perfectplay`: finds its commands, and explains what goes wrong."""

import shlex
import sys
from contextlib import suppress
from importlib.util import find_spec
from io import TextIOWrapper

import click
from click.shell_completion import add_completion_class

from perfectplay import __version__
from perfectplay.cli.agent_commands import CHECKING, MEASURING, SERVING
from perfectplay.cli.game_commands import AUDITING, PLAYING, READING, SOLVING
from perfectplay.cli.options import OfferedCommand, console
from perfectplay.cli.shell import Bash

add_completion_class(Bash)

RENAMED = {"crosstable": "arena --table", "floors": "arena --best-response"}
"""What commands that are no longer there are now."""


GROUPS = {
    "Play": PLAYING,
    "Understand": (*READING, *SOLVING),
    "Check": (*AUDITING, *CHECKING),
    "Measure": MEASURING,
    "Serve and shell": SERVING,
}
"""The commands, as the help groups them."""


FOREIGN = dict.fromkeys(("perfectplay_foreign", "numpy"), "perfectplay-foreign")
NEEDED = {
    "audit-env": FOREIGN,
    "replay-env": FOREIGN,
    "train": {"jax": "jax"},
    "report": {"pyarrow": "parquet"},
    "leaderboard": {"inspect_ai": "evals"},
    "dataset": {"numpy": "rl"},
    "mcp": dict.fromkeys(("perfectplay_mcp", "mcp"), "perfectplay-mcp"),
    "serve": dict.fromkeys(("perfectplay_server", "fastapi"), "perfectplay-server"),
}
"""What commands cannot do without: libraries, each with the extra or the package that installs it."""


class Group(click.Group):
    """All commands. Suggests the nearest one for an unknown name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)  # as they are grouped, not by the alphabet

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        command = super().get_command(ctx, cmd_name)
        if isinstance(command, OfferedCommand):
            from perfectplay.core.errors import PerfectplayError

            with suppress(PerfectplayError):  # called, it says so
                return command.find()
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        widest = max(map(len, self.commands))
        missing = {
            name: extra
            for name, needed in NEEDED.items()
            for library, extra in needed.items()
            if find_spec(library) is None
        }
        for heading, commands in GROUPS.items():
            with formatter.section(heading):
                rows = []
                for name in (str(each.name) for each in commands):
                    mark = f" (needs {missing[name]})" if name in missing else ""
                    short = self.commands[name].get_short_help_str(formatter.width - widest - 6 - len(mark))
                    rows.append((name.ljust(widest), f"{short}{mark}"))
                formatter.write_dl(rows)
        if missing:
            from perfectplay.core.errors import install_command

            formatter.write_paragraph()
            command = install_command(next(iter(missing.values())))
            formatter.write(f"To add what a command needs: {command}\n")  # on one line, to be copied

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            from perfectplay.core.errors import nearest
            from perfectplay.core.formatting import quote
            from perfectplay.games.registry import names

            if args[0] in RENAMED:
                raise click.UsageError(f"{args[0]} is now perfectplay {RENAMED[args[0]]}")
            if args[0].partition(":")[0] in names() or args[0].endswith(".py"):
                raise click.UsageError(
                    f"{quote(args[0])} is a game; to play it: perfectplay play {shlex.quote(args[0])}"
                )
            known = [*self.list_commands(ctx), *(f"play {name}" for name in names())]
            hint = nearest(args[0], known) or "; perfectplay --help lists them"
            raise click.UsageError(f"unknown command {quote(args[0])}{hint}")
        return super().resolve_command(ctx, args)


HELP = """Play five small games of pure strategy, exactly by their rulebooks.

On a terminal, perfectplay alone opens a screen with all games.
"""


@click.group(
    cls=Group,
    commands=[each for commands in GROUPS.values() for each in commands],
    context_settings={"help_option_names": ["-h", "--help"]},
    invoke_without_command=True,
    help=HELP,
)
@click.version_option(__version__, message="%(prog)s %(version)s")
@click.option("--line", is_flag=True, help="Line by line instead of on the full screen.")
@click.option("--debug", is_flag=True, help="Show a traceback if something fails.")
@click.pass_context
def cli(ctx: click.Context, line: bool, debug: bool) -> None:
    """Run a command or, without one on a terminal, open the menu."""
    if ctx.invoked_subcommand is None:
        if not (sys.stdin and sys.stdin.isatty() and sys.stdout and sys.stdout.isatty()):
            return click.echo(ctx.get_help())
        from perfectplay.terminal.mode import open_menu

        open_menu(console(), line=line)


def main() -> None:
    """Run the command line. A mistake of the user gets one line and exit code 2, never a traceback.

    A closed pipe is left to click, which ends the program quietly with exit code 1.
    """
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # Characters that cannot be shown or read are escaped: they must not stop a game.
            stream.reconfigure(errors="backslashreplace")
    debug = "--debug" in sys.argv
    try:
        code = cli.main(prog_name="perfectplay", standalone_mode=False)
    except click.exceptions.Exit as end:
        code = end.exit_code
    except click.Abort as end:  # click's word for Ctrl-C
        from perfectplay.games.registry import find_interrupted_rule

        code = 130
        # The rule of a game file that was interrupted, if it was one, may never have returned.
        where = None if end.__cause__ is None else find_interrupted_rule(end.__cause__)
        if where is not None:
            _say(where)
    except Exception as error:
        if debug:
            raise
        code = _explain(error)
    sys.exit(code or 0)


def _explain(error: Exception) -> int:
    from perfectplay.core.errors import PerfectplayError
    from perfectplay.games.registry import game_file_error, game_files

    if isinstance(error, click.ClickException):
        text, code = error.format_message(), max(2, error.exit_code)  # click's own is 1 or 2
    elif isinstance(error, PerfectplayError):
        text, code = str(error), 2
    elif (in_file := game_file_error(error)) is not None:
        text, code = str(in_file), 2
    elif isinstance(error, OSError):
        name = f"{error.filename}: " if error.filename else ""
        text, code = f"{name}{error.strerror or error}", 2
    elif isinstance(error, MemoryError | OverflowError):
        text, code = "that is too large for the memory of this machine", 2
    elif files := game_files():  # its line is not known, but it is the likely culprit
        text, code = f"{files[-1]} gave an error ({type(error).__name__}: {error}); --debug shows more", 2
    else:
        text, code = f"internal error ({type(error).__name__}: {error}); --debug shows more", 1
    _say(text)
    return code


def _say(text: str) -> None:
    from perfectplay.core.formatting import make_printable

    click.echo(f"perfectplay: {make_printable(' '.join(text.split()))}", err=True)
