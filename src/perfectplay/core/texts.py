"""What people read about a game, beside its rules: instructions, recommended settings, how a game ended."""

import ast
import inspect
import sys
from collections.abc import Callable, Mapping
from dataclasses import fields
from importlib import resources
from textwrap import dedent
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from perfectplay.core.game import Game

G = TypeVar("G", bound="Game[Any]")


class Preset(NamedTuple):
    """A recommended setting of a game: its spec, a short title, and why it is worth playing.

    >>> import perfectplay as pp
    >>> [preset.spec for preset in pp.load("inversion-race").texts().presets]
    ['inversion-race:passing=leapfrog', 'inversion-race:cells=17,passing=leapfrog']
    """

    spec: str
    title: str
    why: str


class GameTexts(Generic[G]):
    """The texts of a game. This class works for any game; a game may bring its own, as `Game.texts`.

    >>> import perfectplay as pp
    >>> pp.load("mirror-match").texts().puzzle
    'The first player can always win with the third move of the game. Can you see how?'
    """

    endings: ClassVar[Mapping[str, str]] = {}
    """For a reason, the end of the game in a sentence; `{winner}` and `{loser}` stand for names."""
    glossary: ClassVar[tuple[str, ...]] = ()
    """The words that belong to this game, each followed by its longer forms: "flip flips flipped"."""
    family: ClassVar[tuple[str, ...]] = ()
    """Parameters that make further games of this kind, each small enough to solve: "bits=12"."""
    presets: ClassVar[tuple[Preset, ...]] = ()
    """Settings that the audit recommends over the default: longer, fairer, and with an end."""
    default_why: ClassVar[str] = ""
    """What the audit says about the default setting, where there are presets."""
    decided: ClassVar[bool] = False
    """Whether whoever starts the default setting has as good as won, so that a preset is proposed first."""
    puzzle: ClassVar[str] = ""
    """What is known about the default setting, as a question to the players."""
    puzzle_solved: ClassVar[str] = ""
    """What to say to a player who has found the answer."""

    def __init__(self, game: G) -> None:
        self.game = game

    def settings(self) -> tuple[Preset, ...]:
        """The rulebook's setting and the presets, the one to propose first; empty without presets.

        >>> import perfectplay as pp
        >>> [each.title for each in pp.load("inversion-race").texts().settings()]
        ['Leapfrog', 'Long leapfrog', 'By the rulebook']
        """
        default = Preset(type(self.game).name, "By the rulebook", self.default_why)
        if not self.presets:
            return ()
        return (*self.presets, default) if self.decided else (default, *self.presets)

    def instructions(self) -> str:
        """The rules of this very game as Markdown, with its own numbers, for somebody new to it.

        >>> import perfectplay as pp
        >>> print(pp.load("bit-flip:bits=7").texts().instructions().splitlines()[4])
        - The row has 7 bits, numbered from 0 to 6. All are 0 at the start. Player 1 flips first.
        """
        game = self.game
        about = docstring(type(game)).partition(">>>")[0].strip()
        numbers = [f"- {each.name}: {getattr(game, each.name)}" for each in fields(game)]
        return "\n\n".join(part for part in (f"# {game.title}", about, "\n".join(numbers)) if part)

    def rulebook(self) -> str:
        """The whole rulebook as Markdown: rulebook.md or the docstring of the game, then its parameters.

        >>> import perfectplay as pp
        >>> pp.load("bit-flip").texts().rulebook().splitlines()[0]
        '# Bit Flip'
        """
        kind = type(self.game)
        parts = [self._rules().strip()]
        helps = kind.parameter_help()
        if helps:
            example = f"{kind.source or kind.name}:{helps[0].name}={helps[0].default}"
            parts.append(f"## Parameters\n\nGiven in the game's spec, as in `{example}`.")
            lines = (
                f"- `{each.name}` ({each.allowed}; default {each.default}): {each.doc}" for each in helps
            )
            parts.append("\n".join(lines))
        return "\n\n".join(parts) + "\n"

    def _rules(self) -> str:
        kind = type(self.game)
        package = kind.__module__.rpartition(".")[0]
        if package and kind.source is None:
            file = resources.files(package).joinpath("rulebook.md")
            if file.is_file():
                return file.read_text("utf-8")
        return f"# {kind.title}\n\n{docstring(kind)}"


def docstring(thing: type[Any] | Callable[..., Any]) -> str:
    """The docstring of a class or a function. `python -OO` drops it, and then its source is read."""
    if sys.flags.optimize < 2:
        return inspect.getdoc(thing) or ""
    for each in getattr(thing, "__mro__", (thing,)):
        try:
            [node] = ast.parse(dedent(inspect.getsource(each))).body
        except (OSError, TypeError, SyntaxError, ValueError):  # there is no source to read
            continue
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and (found := ast.get_docstring(node)):
            return found
    return ""


def summary(thing: type[Any]) -> str:
    """The first line of a class's docstring."""
    return (docstring(thing) or thing.__name__).splitlines()[0]
