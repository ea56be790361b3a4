"""Errors for invalid input. All of them are ValueErrors."""

import sys
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path

from perfectplay.core.formatting import make_printable, pluralize, quote


class PerfectplayError(ValueError):
    """Base class of the errors below. The text is one line that can be shown to a user.

    Only ConformanceError has more: one line for every broken law.
    """

    def __init__(self, text: str, *, reason: str | None = None) -> None:
        super().__init__(text)
        self.reason = text if reason is None else reason
        """The text without the list of legal moves that an error about a move may end with."""
        self.answer: str | None = None
        """What a program named as its move, if the error is about that."""


class ParseError(PerfectplayError):
    """A text that cannot be read as a move, a position or a spec."""


class GameFileError(ParseError):
    """An error in a game file: the `line` where it was raised, if that is known, and the `problem` alone."""

    def __init__(self, text: str, *, line: int | None, problem: str) -> None:
        super().__init__(text)
        self.line = line
        self.problem = problem


class ForfeitError(ParseError):
    """An invalid move that costs the turn by the rules (Mirror Match's invalid numbers)."""


class IllegalActionError(PerfectplayError):
    """A well-formed move that the rules forbid."""


class MatchStateError(PerfectplayError):
    """A step the match does not allow now, such as resigning a finished game."""


class BadParameterError(PerfectplayError):
    """A parameter with a value that is not allowed.

    >>> print(BadParameterError("bits", 0, "a whole number, at least 1"))
    bits=0: must be a whole number, at least 1

    `bare_of` is the player whose spec gives the value without the name of the parameter.

    >>> print(BadParameterError("strength", 11, "a whole number from 1 to 10", bare_of="level"))
    level:11: must be a whole number from 1 to 10
    """

    def __init__(self, parameter: str, value: object, allowed: str, *, bare_of: str | None = None) -> None:
        text = str(value)
        shown = make_printable(text) if len(text) <= 40 else quote(text)
        named = f"{make_printable(parameter)}=" if bare_of is None else f"{make_printable(bare_of)}:"
        super().__init__(f"{named}{shown}: must be {allowed}")
        self.parameter, self.value, self.allowed = parameter, value, allowed


class UnknownParameterError(PerfectplayError):
    """A parameter that the game or player does not have. `also` may be meant, though it is not one.

    >>> print(UnknownParameterError("bit-flip", "oponent", "perfect", ["bits"], also=["opponent"]))
    oponent=perfect: no such parameter; bit-flip takes bits (did you mean opponent?)
    """

    def __init__(
        self, owner: str, parameter: str, value: str, known: Iterable[str], *, also: Iterable[str] = ()
    ) -> None:
        names = list(known)
        given = make_printable(f"{parameter}={value}"[:60])
        meant = nearest(parameter, [*names, *also])
        super().__init__(f"{given}: no such parameter; {takes(owner, names)}{meant}")


class UnknownGameError(PerfectplayError):
    """An unknown game name."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        super().__init__(_unknown("game", name, known))


class UnknownPlayerError(PerfectplayError):
    """An unknown player name."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        super().__init__(_unknown("player", name, known))


class RecordError(PerfectplayError):
    """A record that cannot be read or does not follow the rules; `line` counts from 1."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"line {line}: {problem}")
        self.line = line
        self.problem = problem


class MissingExtraError(PerfectplayError, ImportError):
    """A library that is not in the base install. The text says how to install it."""

    def __init__(self, library: str, extra: str) -> None:
        super().__init__(f"{library} is not installed; add it with: {install_command(extra)}")


def install_command(extra: str) -> str:
    """The command that installs an extra, or a package beside this one whose name is given instead.

    It is one for a clone's own environment, for a clone, or for an index.
    """
    beside = extra.startswith("perfectplay-")
    root = Path(__file__).parents[3]
    if not (root / "pyproject.toml").is_file() or Path(__file__).parents[2].name != "src":
        return f"pip install {extra}" if beside else f"pip install 'perfectplay[{extra}]'"
    pip = Path(sys.prefix) / ("Scripts" if sys.platform == "win32" else "bin") / "pip"
    what = f"packages/{extra}" if beside else f"'.[{extra}]'"
    return f"{pip.relative_to(root) if pip.is_relative_to(root) else 'pip'} install -e {what}"


def describe_error(error: BaseException) -> str:
    """What an error from elsewhere is and says, without its file.

    >>> describe_error(ZeroDivisionError("division by zero"))
    'ZeroDivisionError: division by zero'
    """
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


@contextmanager
def needs(library: str, extra: str, *modules: str) -> Iterator[None]:
    """Around imports of a library that is not in the base install: raises MissingExtraError without it.

    `modules` are what the extra installs, where that is not a module of the library's name alone. Any
    other failed import is an error in the program, and is raised as it is.
    """
    try:
        yield
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in (modules or (library,)):
            raise
        raise MissingExtraError(library, extra) from error


class WrongTypeError(PerfectplayError, TypeError):
    """An argument of the wrong kind, such as a text where a position is expected.

    >>> print(WrongTypeError("a game, as load returns", "bit-flip"))
    expected a game, as load returns, not 'bit-flip'
    """

    def __init__(self, expected: str, given: object) -> None:
        shown = repr(given)
        super().__init__(
            f"expected {expected}, not {make_printable(shown if len(shown) <= 40 else shown[:40] + '...')}"
        )


class ConformanceError(PerfectplayError):
    """A game that breaks laws of `Game`: `violations` maps each broken law to its first witness."""

    def __init__(self, name: str, violations: dict[str, str]) -> None:
        lines = "\n".join(f"- {law}: {text}" for law, text in violations.items())
        super().__init__(f"{name} fails {pluralize(len(violations), 'check', 'checks')}:\n{lines}")
        self.violations = violations


def takes(owner: str, parameters: Collection[str]) -> str:
    """The parameters of a game or a player."""
    return f"{owner} takes {', '.join(parameters) or 'no parameters'}"


def nearest(word: str, known: Iterable[str]) -> str:
    """A suggestion of the known word closest to `word`; empty if none is close."""
    close = get_close_matches(word[:80].lower(), list(known), n=1)
    return f" (did you mean {close[0]}?)" if close else ""


def _unknown(kind: str, name: str, known: Iterable[str]) -> str:
    names = list(known)
    hint = nearest(name, names) or f"; choose from: {', '.join(names)}"
    return f"unknown {kind} {quote(name)}{hint}"
