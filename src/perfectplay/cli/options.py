"""What the commands share: types of arguments, options, the console."""

import sys
from collections.abc import Callable
from math import isfinite
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from perfectplay.core.spec import Parameters
    from perfectplay.terminal.console import Console


class GameSpec(click.ParamType):  # type: ignore[type-arg] # generic only in newer releases
    """A game, as a spec or a game file. A game file's parameters are not completed: that would run it."""

    name = "game"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from perfectplay.games.registry import game_class, names

        if not any(name.startswith(incomplete.partition(":")[0]) for name in names()):
            return [CompletionItem(incomplete, type="file")]
        return _complete(incomplete, names(), game_class)


class PlayerSpec(click.ParamType):  # type: ignore[type-arg] # generic only in newer releases
    """A player, as a spec."""

    name = "player"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from perfectplay.players.registry import player_class, player_names

        return _complete(incomplete, player_names(), player_class)


def _complete(
    incomplete: str, names: tuple[str, ...], class_of: Callable[[str], "type[Parameters]"]
) -> list[CompletionItem]:
    """How the beginning of a spec can go on: a name or, after its colon, a parameter."""
    name, colon, begun = incomplete.partition(":")
    if colon and name in names:
        return [CompletionItem(f"{name}:{each}") for each in class_of(name).completions(begun)]
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


class WholeNumber(click.IntRange):
    """A whole number. A plain range would call what is none "not a valid integer range"."""

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


def with_help(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings of a command, with the help that `python -OO` drops."""
    if settings.get("help") is None and settings.get("callback") is not None:
        from perfectplay.core.texts import docstring

        return settings | {"help": docstring(settings["callback"])}
    return settings


class Command(click.Command):
    """A command with the option --debug, which `main` reads."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **with_help(settings))
        option = click.Option(
            ["--debug"], is_flag=True, expose_value=False, help="Show a traceback if something fails."
        )
        self.params.append(option)


game_argument = click.argument("game", type=GameSpec())
games_option = click.option(
    "--game", "games", type=GameSpec(), multiple=True, help="Only this game; may be repeated."
)
board_option = click.option(
    "--board", is_flag=True, help="Draw the position before every turn, line by line."
)
line_option = click.option("--line", is_flag=True, help="Line by line instead of on the full screen.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
limit_option = click.option(
    "--limit",
    type=WholeNumber(1),
    default=2_000_000,
    show_default=True,
    help="Stop at this many positions.",
)


def seed_option(default: int | None = None) -> Callable[[Any], Any]:
    """The option --seed."""
    kind = WholeNumber(0, 10**18 - 1)
    return click.option(
        "--seed", type=kind, default=default, show_default=True, help="Seed for all random choices."
    )


def console() -> "Console":
    """The console of this process."""
    from perfectplay.terminal.console import Console

    if sys.stdout is None:
        raise click.ClickException("there is no standard output to write to")
    return Console(sys.stdin, sys.stdout)
