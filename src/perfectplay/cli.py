"""The command line. Only click is imported at the start; each command imports what it needs."""

import os
import sys
from collections.abc import Callable
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import BashComplete, CompletionItem, add_completion_class, split_arg_string

from perfectplay import __version__

if TYPE_CHECKING:
    from perfectplay.core.spec import Parameters
    from perfectplay.terminal.console import Console
    from perfectplay.web.settings import Option


class GameSpec(click.ParamType):  # type: ignore[type-arg] # generic only in newer releases
    """A game, as a spec or a game file. A game file's parameters are not completed: that would run it."""

    name = "game"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from perfectplay.games.registry import game_class, names

        if not any(name.startswith(incomplete.partition(":")[0]) for name in names()):
            return [CompletionItem(incomplete, type="file")]
        return _completed(incomplete, names(), game_class)


class PlayerSpec(click.ParamType):  # type: ignore[type-arg] # generic only in newer releases
    """A player, as a spec."""

    name = "player"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from perfectplay.players.registry import player_class, player_names

        return _completed(incomplete, player_names(), player_class)


def _completed(
    incomplete: str, names: tuple[str, ...], class_of: Callable[[str], "type[Parameters]"]
) -> list[CompletionItem]:
    """How the beginning of a spec can go on: a name or, after its colon, a parameter."""
    name, colon, begun = incomplete.partition(":")
    if colon and name in names:
        return [CompletionItem(f"{name}:{each}") for each in class_of(name).completions(begun)]
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


@add_completion_class
class Bash(BashComplete):
    """Completion in bash. Bash ends words at : and =, so the whole line is read instead."""

    source_template = """\
%(complete_func)s() {
    local line="${COMP_LINE:0:COMP_POINT}" breaks="${COMP_WORDBREAKS//[^:=]/}" kept="" type value
    local word="${line##*[[:space:]]}"
    # Bash replaces only what stands behind the last of its word breaks.
    if [[ -n $breaks ]]; then kept="${word%%"${word##*[$breaks]}"}"; fi
    while IFS=',' read -r type value; do
        if [[ $type == dir ]]; then
            COMPREPLY=()
            compopt -o dirnames
        elif [[ $type == file ]]; then
            COMPREPLY=()
            compopt -o default
        elif [[ $type == plain ]]; then
            COMPREPLY+=("${value#"$kept"}")
        fi
    done < <(COMP_LINE="$line" %(complete_var)s=bash_complete "$1")
}

complete -o nosort -F %(complete_func)s %(prog_name)s
"""

    def get_completion_args(self) -> tuple[list[str], str]:
        line = os.environ.get("COMP_LINE")
        if line is None:
            return super().get_completion_args()
        words = split_arg_string(line)
        incomplete = "" if line[-1:].isspace() else words.pop()
        return words[1:], incomplete


class Amount(click.FloatRange):
    """A finite number. A plain range would accept nan and inf."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number: float = super().convert(value, param, ctx)
        if not isfinite(number):
            self.fail(f"{value!r} is not a finite number.", param, ctx)
        return number


class Command(click.Command):
    """A command with the option --debug, which `main` reads."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        option = click.Option(
            ["--debug"], is_flag=True, expose_value=False, help="Show a traceback if something fails."
        )
        self.params.append(option)


class ServeCommand(Command):
    """The command `serve`. Its other options are the server's settings, imported only when needed."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The parameters, with an option for each setting."""
        from perfectplay.web.settings import options

        known = {param.name for param in self.params}
        self.params[-1:-1] = [_setting(each) for each in options() if each.setting not in known]
        return super().get_params(ctx)


def _setting(option: "Option") -> click.Option:
    names = [option.name, option.setting]
    if isinstance(option.default, bool):
        return click.Option(names, is_flag=True, help=option.help)
    if isinstance(option.default, tuple):
        return click.Option(names, multiple=True, default=(), metavar=option.metavar, help=option.help)
    kind = click.IntRange(option.least) if isinstance(option.default, int) else Amount(option.least)
    shown = option.default is not None
    return click.Option(names, type=kind, default=option.default, show_default=shown, help=option.help)


class Group(click.Group):
    """A group that suggests the nearest command for an unknown one."""

    command_class = Command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            from perfectplay.core.errors import nearest
            from perfectplay.core.wording import quoted

            hint = nearest(args[0], self.list_commands(ctx)) or "; perfectplay --help lists them"
            raise click.UsageError(f"unknown command {quoted(args[0])}{hint}")
        return super().resolve_command(ctx, args)


@click.group(cls=Group, invoke_without_command=True)
@click.version_option(__version__, message="%(prog)s %(version)s")
@click.option("--debug", is_flag=True, help="Show a traceback if something fails.")
@click.pass_context
def cli(ctx: click.Context, debug: bool) -> None:
    """Play five small games of pure strategy, exactly by their rulebooks.

    On a terminal, perfectplay alone opens a menu.
    """
    if ctx.invoked_subcommand is None:
        console = _console()
        if console.interactive and sys.stdout.isatty():
            from perfectplay.terminal.menu import menu

            _migrate()
            menu(console)
        else:
            click.echo(ctx.get_help())


@cli.command()
@click.argument("game", type=GameSpec(), required=False)
@click.option("--p1", type=PlayerSpec(), default="human", show_default=True, help="The first player.")
@click.option("--p2", type=PlayerSpec(), default="human", show_default=True, help="The second player.")
@click.option(
    "--first", type=click.Choice(["1", "2", "random"]), help="The player who starts: p1, p2 or a toss."
)
@click.option("--games", type=click.IntRange(1, 1000), default=1, help="Number of games in the series.")
@click.option("--no-alternate", is_flag=True, help="The same player starts every game of a series.")
@click.option("--seed", type=click.IntRange(0, 10**18 - 1), help="Seed for all random choices.")
@click.option("--board", is_flag=True, help="Draw the position before every turn.")
@click.option(
    "--max-plies", type=click.IntRange(1, 10**9), help="Stop a game unfinished after this many plies."
)
@click.option("--save", type=click.Path(path_type=Path), help="Save the game in this file.")
@click.option("--forgiving", is_flag=True, help="Ask again where an invalid move would forfeit the turn.")
@click.option("--table", metavar="URL", help="Play at a web table instead, by its link.")
@click.option("--name", help="Your name at a web table.")
@click.pass_context
def play(
    ctx: click.Context,
    game: str | None,
    p1: str,
    p2: str,
    first: str | None,
    games: int,
    no_alternate: bool,
    seed: int | None,
    board: bool,
    max_plies: int | None,
    save: Path | None,
    forgiving: bool,
    table: str | None,
    name: str | None,
) -> None:
    """Play a game.

    GAME is a name, a name with parameters, or a game file.

    \b
    perfectplay play bit-flip --p2 random
    perfectplay play inversion-race:passing=leapfrog,first=B
    perfectplay play ./tic_tac_toe.py
    perfectplay play --table http://HOST/join/TABLE/CODE --name Ann
    """
    _migrate()
    if table is not None:
        for option in ctx.params:
            given = ctx.get_parameter_source(option) is not click.core.ParameterSource.DEFAULT
            if given and option not in ("table", "name", "board", "debug"):
                raise click.UsageError("--table goes only with --name and --board: the table has a game")
        from perfectplay.terminal.online import play_online

        return play_online(_console(), table, name=name or "", show_board=board)
    if game is None:
        raise click.UsageError("Missing argument 'GAME'.")
    if name is not None:
        raise click.UsageError("--name goes with --table")
    from perfectplay.terminal.play import start

    start(
        _console(),
        game,
        players=(p1, p2),
        first=first,
        games=games,
        alternate=not no_alternate,
        seed=seed,
        show_board=board,
        max_plies=max_plies,
        save=save,
        forgiving=forgiving,
    )


@cli.command()
@click.argument("which", required=False)
@click.option("--board", is_flag=True, help="Draw the position before every turn.")
@click.option("--trust", is_flag=True, help="Allow a file from elsewhere to run its game file or program.")
@click.option("--forget", metavar="NUMBER", help="Remove this game from the list; its file is kept.")
def resume(which: str | None, board: bool, trust: bool, forget: str | None) -> None:
    """Continue a saved game.

    WHICH is its file, or its number in the list of open games.
    """
    from perfectplay.terminal.play import forget as take_off
    from perfectplay.terminal.play import resume as go_on

    _migrate()
    if forget is not None:
        if which is not None or board or trust:
            raise click.UsageError("--forget takes no other argument or option")
        return take_off(_console(), forget)
    go_on(_console(), which, show_board=board, trust=trust)


@cli.command()
@click.argument("game", type=GameSpec(), required=False)
@click.option("--seed", type=click.IntRange(0, 10**18 - 1), help="Seed for all random choices.")
def demo(game: str | None, seed: int | None) -> None:
    """Watch the computer play GAME, or every game."""
    from perfectplay.terminal.demo import SEED
    from perfectplay.terminal.demo import demo as show

    show(_console(), game, SEED if seed is None else seed)


@cli.command()
def games() -> None:
    """List the games and their parameters."""
    from perfectplay.terminal.show import show_games

    show_games(_console())


@cli.command()
@click.argument("game", type=GameSpec())
def rules(game: str) -> None:
    """Print the rules of GAME.

    They include the parameters, and how unclear passages are read.
    """
    from perfectplay.terminal.show import show_rules

    show_rules(_console(), game)


@cli.command()
@click.argument("file", metavar="FILE")
@click.option("--moves", help="Take FILE as a game and play these moves: --moves 'left, right'.")
@click.option("--verify", is_flag=True, help="Only check every move and the result.")
@click.option("--game", "game_file", help="The game file, for a record of a game from a file.")
def replay(file: str, moves: str | None, verify: bool, game_file: str | None) -> None:
    """Step through a record, or through moves of a game.

    FILE is the record or, with --moves, a game. The moves may be the witness of an audit.

    \b
    perfectplay replay game.txt
    perfectplay replay dual-direction --moves "left, left, left, left"
    """
    from perfectplay.terminal.show import show_moves, show_replay

    if moves is not None:
        show_moves(_console(), file, moves, verify=verify)
    else:
        show_replay(_console(), Path(file), game_file, verify=verify)


@cli.command()
@click.argument("game", type=GameSpec())
@click.option("--exact-distance", is_flag=True, help="Count plies too where theory gives only the result.")
@click.option(
    "--limit",
    type=click.IntRange(1),
    default=2_000_000,
    show_default=True,
    help="Stop at this many positions.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def solve(game: str, exact_distance: bool, limit: int, as_json: bool) -> None:
    """Say who wins GAME under perfect play.

    It also says in how many plies, and what each first move is worth.

    \b
    perfectplay solve inversion-race
    perfectplay solve bit-flip:bits=20 --exact-distance
    perfectplay solve ./tic_tac_toe.py --limit 10000 --json
    """
    from perfectplay.terminal.solve import show_solution

    show_solution(_console(), game, exact_distance=exact_distance, limit=limit, as_json=as_json)


@cli.command()
@click.argument("game", type=GameSpec())
@click.option("--position", help="A position as records write it; by default the start.")
@click.option(
    "--record", type=click.Path(path_type=Path), help="The record of a game: judge every move in it."
)
@click.option(
    "--limit",
    type=click.IntRange(1),
    default=2_000_000,
    show_default=True,
    help="Stop at this many positions.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def analyze(game: str, position: str | None, record: Path | None, limit: int, as_json: bool) -> None:
    """Say what each move is worth, or judge a played game.

    Without --record, it lists the moves of one position of GAME.

    \b
    perfectplay analyze bit-flip --position "0000100000 2"
    perfectplay analyze bit-flip --record game.txt
    perfectplay analyze mirror-match --position "1-2 1" --json
    """
    from perfectplay.terminal.solve import show_analysis, show_position

    if position is not None and record is not None:
        raise click.UsageError("--position and --record exclude each other")
    if record is not None:
        show_analysis(_console(), game, record, limit=limit, as_json=as_json)
    else:
        show_position(_console(), game, position, limit=limit, as_json=as_json)


@cli.command()
@click.argument("game", type=GameSpec())
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option(
    "--html",
    type=click.Path(path_type=Path),
    help="Write the audit as a page to this file; - is standard output.",
)
@click.option(
    "--sweep", "values", metavar="NAME=A..B", help="Make a table for a range of a parameter instead."
)
def audit(game: str, as_json: bool, html: Path | None, values: str | None) -> None:
    """Audit the rules of GAME.

    The audit says who wins by force, what never ends and which rule can never apply.

    \b
    perfectplay audit dual-direction
    perfectplay audit ./my_game.py --html audit.html
    perfectplay audit race-to-the-center:arrival=full-turn --json
    perfectplay audit bit-flip --sweep bits=4..12
    """
    from perfectplay.terminal.audit import show_audit, show_sweep

    if values is not None and html is not None:
        raise click.UsageError("--sweep and --html exclude each other")
    if values is not None:
        show_sweep(_console(), game, values, as_json=as_json)
    else:
        show_audit(_console(), game, as_json=as_json, html=html)


@cli.command()
@click.argument("game", type=GameSpec())
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    help="The file, FILE.jsonl or FILE.parquet; - is standard output, as lines of JSON.",
)
@click.option(
    "--plies", type=click.IntRange(1, 10**6), help="Only positions that occur within this many plies."
)
def dataset(game: str, out: Path, plies: int | None) -> None:
    """Write every position of GAME to a file.

    Each row has the observation, the legal moves and the best moves.

    \b
    perfectplay dataset bit-flip --out positions.jsonl
    perfectplay dataset mirror-match:digits=3 --plies 6 --out positions.parquet
    """
    from contextlib import nullcontext

    from perfectplay.games.registry import load
    from perfectplay.output import is_standard_output
    from perfectplay.simulate.dataset import write
    from perfectplay.terminal.progress import waiting

    rules = load(game)
    # Rows that scroll by show progress, and a spinner would appear among them.
    with nullcontext() if is_standard_output(out) else waiting(f"Solving and writing {rules.spec}"):
        count = write(rules, out, plies=plies)
    where = "went to standard output" if is_standard_output(out) else f"are in {out}"
    click.echo(f"{count:,} positions of {rules.spec} {where}", err=is_standard_output(out))


@cli.command()
@click.argument("players", type=PlayerSpec(), nargs=-1)
@click.option("--game", "games", type=GameSpec(), multiple=True, help="Only this game; may be repeated.")
@click.option(
    "--samples",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    help="Games per pair, where they are sampled.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, 10**18 - 1),
    default=0,
    show_default=True,
    help="Seed for all random choices.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
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

    show_crosstable(_console(), players, games, samples=samples, seed=seed, as_json=as_json)


@cli.command("check-game")
@click.argument("game", metavar="FILE", type=GameSpec())
@click.pass_context
def check_game(ctx: click.Context, game: str) -> None:
    """Check that the game in FILE keeps the laws of all games.

    Everything else relies on them: docs/add-a-game.md tells which there are. The exit status is 0 if
    all hold, and 1 if one is broken, which is printed with the moves that show it.

    \b
    perfectplay check-game ./my_game.py
    perfectplay check-game bit-flip:bits=12
    """
    from perfectplay.terminal.audit import show_broken_laws

    if not show_broken_laws(_console(), game):
        ctx.exit(1)


@cli.command("check-bot")
@click.argument("command", nargs=-1, required=True)
@click.option(
    "--seconds", type=click.IntRange(1, 3600), default=10, show_default=True, help="Time per answer."
)
@click.option("--seed", type=click.IntRange(0, 10**18 - 1), default=0, help="Seed for all random choices.")
@click.option("--game", "games", type=GameSpec(), multiple=True, help="Only this game; may be repeated.")
def check_bot(command: tuple[str, ...], seconds: int, seed: int, games: tuple[str, ...]) -> None:
    """Check that a program can play here.

    The program that COMMAND starts must speak the protocol of docs/bots.md.

    \b
    perfectplay check-bot "python3 bot.py"
    perfectplay check-bot "python3 bot.py" --game bit-flip --game mirror-match:digits=3
    """
    from perfectplay.players.program import check_program

    _console().say(*check_program(" ".join(command), seconds, seed=seed, games=games))


@cli.command(cls=ServeCommand)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
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
    type=click.IntRange(1, 64),
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
def serve(
    host: str,
    port: int,
    data: Path | None,
    database: str | None,
    workers: int,
    open_page: bool,
    **settings: Any,
) -> None:
    """Run a web server to play in browsers.

    Play the computer, or send a link to an opponent.

    \b
    perfectplay serve
    perfectplay serve --host 0.0.0.0 --port 80
    perfectplay serve --behind-proxy --allowed-host games.example
    perfectplay serve --database postgresql://me@db/tables --workers 4
    """
    from perfectplay.web.serve import serve as start
    from perfectplay.web.settings import Settings

    _migrate()
    start(
        Settings(**settings),
        host=host,
        port=port,
        data=data,
        database=database,
        workers=workers,
        open_page=open_page,
    )


@cli.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script for SHELL.

    The shell must evaluate it when it starts:

    \b
    bash:  eval "$(perfectplay completion bash)"
    zsh:   eval "$(perfectplay completion zsh)"
    fish:  perfectplay completion fish | source
    """
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None  # the three shells above are click's own
    click.echo(kind(cli, {}, "perfectplay", "_PERFECTPLAY_COMPLETE").source())


def _migrate() -> None:
    """Move data of older versions to its new place, before a command looks for it."""
    from perfectplay.migration import migrate

    for line in migrate():
        click.echo(line, err=True)


def _console() -> "Console":
    from perfectplay.terminal.console import Console

    if sys.stdout is None:
        raise click.ClickException("there is no standard output to write to")
    return Console(sys.stdin, sys.stdout)


def main() -> None:
    """Run the command line. A mistake of the user gets one line and exit code 2, never a traceback.

    A closed pipe is left to click, which ends the program quietly with exit code 1.
    """
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if stream is not None:
            # Characters that cannot be shown or read are escaped: they must not stop a game.
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    debug = "--debug" in sys.argv
    try:
        code = cli.main(prog_name="perfectplay", standalone_mode=False)
    except click.exceptions.Exit as end:
        code = end.exit_code
    except click.Abort:  # click's word for Ctrl-C
        code = 130
    except Exception as error:
        if debug:
            raise
        code = _explain(error)
    sys.exit(code or 0)


def _explain(error: Exception) -> int:
    from perfectplay.core.errors import PerfectplayError
    from perfectplay.core.wording import escaped
    from perfectplay.games.registry import game_file_error, game_files

    if isinstance(error, click.ClickException):
        text, code = error.format_message(), 2
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
    click.echo(f"perfectplay: {escaped(' '.join(text.split()))}", err=True)
    return code
