"""What the commands are made of: the class of all commands, types of arguments, and shared options."""

import os
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from inspect import cleandoc
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click
from click.shell_completion import CompletionItem

from perfectplay.cli.limits import LARGEST_SEED, MOST_PROCESSES, MOST_SOLVED

if TYPE_CHECKING:
    from perfectplay.core.spec import Parameters
    from perfectplay.terminal.console import Console


class SpecType(click.ParamType):  # type: ignore[type-arg] # generic only in newer releases
    """A game or a player, as a spec. A game may be a file; completing its parameters would run it."""

    def __init__(self, name: Literal["game", "player"]) -> None:
        self.name = name

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """How the beginning of a spec can go on: a name or, after its colon, a parameter."""
        home, game = import_module(f"perfectplay.{self.name}s.registry"), self.name == "game"
        names: tuple[str, ...] = home.names() if game else home.player_names()
        class_of: Callable[[str], type[Parameters]] = home.game_class if game else home.player_class
        name, colon, begun = incomplete.partition(":")
        if game and not any(each.startswith(name) for each in names):
            return [CompletionItem(incomplete, type="file")]
        if colon and name in names:
            return [CompletionItem(f"{name}:{each}") for each in class_of(name).completions(begun)]
        found = [each for each in names if each.startswith(incomplete)]
        if len(found) == 1 and class_of(found[0]).completions(""):
            found.append(f"{found[0]}:")  # with two ways to go on, no shell puts a blank behind the name
        return [CompletionItem(each) for each in found]


class WholeNumber(click.IntRange):
    """A whole number. A plain range would say "not a valid integer range" of other texts."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        try:
            int(value)
        except ValueError:
            self.fail(f"{value!r} is not a whole number.", param, ctx)
        number: int = super().convert(value, param, ctx)
        return number


class Amount(click.FloatRange):
    """A finite number. A plain range would accept nan and inf."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number: float = super().convert(value, param, ctx)
        if not isfinite(number):
            self.fail(f"{value!r} is not a finite number.", param, ctx)
        return number


def option(*names: str, **settings: Any) -> click.Option:
    """An option by its names; a default is shown in its help."""
    return click.Option(names, **{"show_default": True} | settings)


def number(name: str, least: int, most: int | None = None, **settings: Any) -> click.Option:
    """An option for a whole number between bounds."""
    return option(name, type=WholeNumber(least, most), **settings)


def choice(name: str, words: str, **settings: Any) -> click.Option:
    """An option for one of some words."""
    return option(name, type=click.Choice(words.split()), **settings)


def flag(*names: str, help: str) -> click.Option:  # noqa: A002 as click calls it
    """An option without a value."""
    return click.Option(names, is_flag=True, help=help)


def argument(name: str, **settings: Any) -> click.Argument:
    """An argument of a command."""
    return click.Argument([name], **settings)


class Command(click.Command):
    """A command that calls `work`, a function of a package, with the console and the options by name.

    What the function returns is the exit code. It is imported only when it is called, so that the help of
    all commands loads click alone. `excludes` maps a parameter to those that cannot be given with it.
    """

    def __init__(
        self,
        name: str,
        work: str,
        *params: click.Parameter,
        help: str,  # noqa: A002 as click calls it
        excludes: Mapping[str, str] | None = None,
        package: str = "perfectplay",
    ) -> None:
        writes = any(each.type is NEW_FILE for each in params)
        params = (*params, FORCE) if writes else params
        super().__init__(name, params=[*params, DEBUG], help=cleandoc(help), callback=self._call)
        self.work = f"{package}.{work}"
        self.excludes = excludes or {}

    def load(self) -> Callable[..., int | None]:
        """The function that does the work."""
        module, _, function = self.work.partition(":")
        found: Callable[..., int | None] = getattr(import_module(module), function)
        return found

    def _call(self, **options: Any) -> None:
        ctx = click.get_current_context()
        default = click.core.ParameterSource.DEFAULT
        labels = {
            each.name: each.opts[0] if isinstance(each, click.Option) else each.human_readable_name
            for each in self.params
            if ctx.get_parameter_source(each.name or "") != default
        }
        for name, others in self.excludes.items():
            for other in others.split():
                if name in labels and other in labels:
                    raise click.UsageError(f"{labels[name]} and {labels[other]} exclude each other")
        for each in () if ctx.meta.get("force", True) else self.params:
            path = options.get(each.name or "") if each.type is NEW_FILE else None
            if path is not None and path.is_file():
                from perfectplay.output import is_standard_output

                if not is_standard_output(path):
                    raise click.UsageError(f"{path} exists already; --force replaces it")
        ctx.exit(self.load()(console(), **options) or 0)


class OfferedCommand(click.Command):
    """A command that a package beside this one defines: here are only its name, and what it is for."""

    def __init__(self, name: str, package: str, *, help: str) -> None:  # noqa: A002 as click calls it
        self.package = package
        anything = {"ignore_unknown_options": True, "allow_extra_args": True}
        super().__init__(name, help=help, callback=self.find, context_settings=anything)

    def find(self) -> click.Command:
        """The command itself. Raises a PerfectplayError if the package is not installed or does not fit."""
        from perfectplay.core.parts import find_offered

        return find_offered(self.package, str(self.name), click.Command)


class Folder(click.Path):
    """A folder, which has a name."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return super().convert(value, param, ctx) if value != "" else self.fail("it has no name", param, ctx)


PATH: Any = click.Path(path_type=Path)
NEW_FILE: Any = click.Path(path_type=Path)
"""A file that is written, and replaced only with --force."""
FILE: Any = click.Path(path_type=Path, exists=True, dir_okay=False)
EXISTING: Any = click.Path(path_type=Path, exists=True)
FOLDER: Any = Folder(path_type=Path, file_okay=False)
GAME = argument("game", type=SpecType("game"))
GAMES = option(
    "--game", "games", type=SpecType("game"), multiple=True, help="Only this game; may be repeated."
)
BOARD = flag("--board", help="Draw the position before every turn, line by line.")
LINE = flag("--line", help="Line by line instead of on the full screen.")
JSON = flag("--json", "as_json", help="Print JSON.")
BOUNDS = (
    number("--limit", 1, help="Stop at this many positions. By default, as many as fit into the memory."),
    number("--memory", 1, help="Stop at this many MiB. By default, half of what is free."),
    number(
        "--processes", 1, MOST_PROCESSES, help="How many processes explore. By default, one for each core."
    ),
)
"""Options of commands that solve a game."""
TURNS = choice(
    "--turns",
    "environment alternating",
    default="environment",
    help="Whose turn it is in an environment: as it says, or alternating as its host plays it.",
)
LIMIT = number("--limit", 1, default=MOST_SOLVED, help="Stop at this many positions.")
FORCE = click.Option(
    ["--force"],
    is_flag=True,
    expose_value=False,
    callback=lambda ctx, param, given: ctx.meta.update(force=given),
    help="Replace files that exist already.",
)
"""Read by the command itself."""
DEBUG = click.Option(
    ["--debug"], is_flag=True, expose_value=False, help="Show a traceback if something fails."
)
"""Read by `main`."""


def seed_option(default: int | None = None) -> click.Option:
    """The option --seed."""
    return number("--seed", 0, LARGEST_SEED, default=default, help="Seed for all random choices.")


def console() -> "Console":
    """The console of this process."""
    from perfectplay.terminal.console import Console, has_colors

    if sys.stdout is None:
        raise click.ClickException("there is no standard output to write to")
    if sys.stdout.isatty() and not has_colors(os.environ.get("TERM", "")):
        os.environ["NO_COLOR"] = "1"  # which everything that draws in color looks at
    return Console(sys.stdin, sys.stdout)
