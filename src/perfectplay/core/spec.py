"""Specs: a name with parameters as one shell-safe word, `bit-flip:bits=12,first=2`.

Games and players are frozen dataclasses whose fields are their parameters. This module turns such
an object into its spec and a spec's texts back into the object, and checks every value once.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields, replace
from functools import cached_property
from types import NoneType
from typing import Any, ClassVar, Literal, NamedTuple, Self, get_args, get_origin, get_type_hints

from perfectplay.core.errors import (
    BadParameterError,
    ParseError,
    PerfectplayError,
    UnknownParameterError,
    takes,
)
from perfectplay.core.formatting import join_words, quote
from perfectplay.core.limits import LARGEST_NUMBER

MOST_OFFERED = 20
"""Shell completion offers all values of a parameter if it has at most this many."""

Bound = int | Callable[[Any], int] | None


def split_spec(text: str) -> tuple[str, str | None]:
    """Split a spec into its name and what follows the colon, if there is one."""
    if text.startswith("env:"):  # the name of an environment may be a path, too
        return "env", text.removeprefix("env:")
    # A path may contain a colon, so the name of a game file extends to its suffix.
    found = re.fullmatch(r"([^:]*\.py|.*?[/\\].*?\.py|[^:]*)(?::(.*))?", text, re.DOTALL)
    if found is None or not found[1]:
        raise ParseError(f"bad spec {quote(text)}: a name must come first, as in name:key=value")
    return found[1], found[2]


def parameter(
    default: Any = None,
    doc: str = "",
    *,
    least: Bound = None,
    most: Bound = None,
    derive: Callable[[Any], Any] | None = None,
    derived_as: str = "",
    allowed: str = "",
) -> Any:
    """A dataclass field that is a documented, bounded parameter.

    `derive` computes the default from the parameters before it, and `derived_as` says how in words.
    `allowed` describes what a class checks itself in `__post_init__`; see `Parameters.reject`.

    >>> @dataclass(frozen=True)
    ... class Track(Parameters):
    ...     name = "track"
    ...     cells: int = parameter(11, "how many cells", least=3)
    ...     start: int = parameter(derive=lambda track: track.cells // 2, least=0)
    >>> Track(start=5).spec, Track(cells=7, start=2).spec
    ('track', 'track:cells=7,start=2')
    """
    bounds = {"least": least, "most": most, "allowed": allowed}
    return field(default=default, metadata={"doc": doc, "derive": derive, "derived_as": derived_as, **bounds})


class ParameterHelp(NamedTuple):
    """What a person needs to know about one parameter."""

    name: str
    default: str
    allowed: str
    doc: str


@dataclass(frozen=True)
class Parameters:
    """Base class of everything a spec can name. Subclasses are frozen dataclasses."""

    name: ClassVar[str]
    source: ClassVar[str | None] = None
    """The file a class was loaded from, if any. The spec then has this path in place of the name."""

    def __post_init__(self) -> None:
        _hints(type(self))  # refuses what is not a dataclass
        for each in fields(self):
            if getattr(self, each.name) is None and each.metadata.get("derive"):
                object.__setattr__(self, each.name, each.metadata["derive"](self))
            self._check(each)

    bare: ClassVar[str | None] = None
    """The parameter that may end a spec without its name, taken verbatim: `level:3`."""

    @classmethod
    def from_spec(cls, rest: str | None) -> Self:
        """Make the object from what follows the colon in its spec.

        >>> @dataclass(frozen=True)
        ... class Program(Parameters):
        ...     name, bare = "program", "command"
        ...     command: str = parameter("cat")
        ...     seconds: int = parameter(10)
        >>> Program.from_spec("seconds=5,bot --size=3,4")
        Program(command='bot --size=3,4', seconds=5)
        """
        texts: dict[str, str] = {}
        hints, is_bare = _hints(cls), False
        whole = quote(f"{cls.name}:{rest}")
        if rest == "":
            raise ParseError(f"bad spec {whole}: nothing follows the colon")
        while rest is not None:
            part, comma, after = rest.partition(",")
            key, equals, value = part.partition("=")
            if cls.bare is not None and not (equals and (key in hints or _is_whole(hints[cls.bare]))):
                key, equals, value, comma, is_bare = cls.bare, "=", rest, "", True
            if not (key and equals and value):
                known = takes(cls.name, hints)
                raise ParseError(f"bad spec {whole}: {quote(part)} is not key=value; {known}")
            if key in texts:
                raise ParseError(f"bad spec {whole}: {quote(key)} is given twice")
            texts[key] = value
            rest = after if comma else None
        try:
            return cls.from_texts(texts)
        except BadParameterError as error:
            if is_bare and error.parameter == cls.bare:
                raise BadParameterError(cls.bare, error.value, error.allowed, bare_of=cls.name) from None
            raise

    @classmethod
    def from_texts(cls, texts: Mapping[str, str]) -> Self:
        """Make the object from parameters given as text, as in a spec."""
        hints = _hints(cls)
        for key, text in texts.items():
            if key not in hints:
                raise UnknownParameterError(cls.name, key, text, hints)
        return cls(**{key: _value(hints[key], text) for key, text in texts.items()})

    @cached_property
    def spec(self) -> str:
        """The shortest spec that loads to an equal object."""
        said = [
            f"{each.name}={_text(getattr(self, each.name))}"
            for each in fields(self)
            if each.name != self.bare and (each.default is MISSING or not self._same_with_default(each))
        ]
        if self.bare is not None and (last := _text(getattr(self, self.bare))):
            said.append(last)
        name = self.source or self.name
        return f"{name}:{','.join(said)}" if said else name

    @classmethod
    def choices(cls, parameter_name: str) -> tuple[str, ...]:
        """The values of a parameter with a fixed list of values; empty for any other."""
        hint = _hints(cls).get(parameter_name)
        return get_args(hint) if get_origin(hint) is Literal else ()

    @classmethod
    def parameter_help(cls) -> tuple[ParameterHelp, ...]:
        """Name, default, allowed values and meaning of every parameter, in order."""
        sample = cls()
        return tuple(
            ParameterHelp(
                each.name,
                each.metadata.get("derived_as") or _text(getattr(sample, each.name)),
                sample._list_allowed(each),
                each.metadata.get("doc", ""),
            )
            for each in fields(cls)
        )

    @classmethod
    def completions(cls, begun: str) -> tuple[str, ...]:
        """Completions of a spec for a shell; `begun` is the text after the colon so far."""
        said, comma, part = begun.rpartition(",")
        parts = [each.partition("=") for each in said.split(",")] if said else []
        texts = {key: value for key, _, value in parts}
        try:
            sample = cls.from_texts(texts)
        except PerfectplayError:
            return ()
        offered = [
            value if each.name == cls.bare else f"{each.name}={value}"
            for each in fields(cls)
            if each.name not in texts
            for value in sample._typical(each)
        ]
        return tuple(f"{said}{comma}{each}" for each in offered if each.startswith(part))

    def _typical(self, each: "Field[Any]") -> tuple[str, ...]:
        """All values of a parameter if there are few, otherwise its default."""
        choices = self.choices(each.name)
        least, most = self.parameter_bounds(each.name)
        if least is not None and most is not None and most - least < MOST_OFFERED:
            choices = tuple(map(str, range(least, most + 1)))
        return choices or (_text(getattr(self, each.name)),)

    def parameter_bounds(self, parameter_name: str) -> tuple[int | None, int | None]:
        """The least and the greatest value of a parameter; None where it has no such bound."""
        limits = type(self).__dataclass_fields__[parameter_name].metadata
        least, most = limits.get("least"), limits.get("most")
        return (least(self) if callable(least) else least), (most(self) if callable(most) else most)

    def reject(self, parameter_name: str) -> BadParameterError:
        """The error for a parameter whose value the class does not allow."""
        allowed = self._list_allowed(self.__dataclass_fields__[parameter_name])
        return BadParameterError(parameter_name, getattr(self, parameter_name), allowed)

    def _same_with_default(self, each: "Field[Any]") -> bool:
        # Depends on the object, not only the field: a derived default uses the other parameters.
        try:
            return replace(self, **{each.name: each.default}) == self
        except BadParameterError:
            return False

    def _check(self, each: "Field[Any]") -> None:
        value = getattr(self, each.name)
        hint = _hints(type(self))[each.name]
        if choices := self.choices(each.name):
            good = value in choices
        elif value is None:
            good = NoneType in get_args(hint)
        elif _is_whole(hint):
            least, most = self.parameter_bounds(each.name)
            good = type(value) is int and abs(value) < LARGEST_NUMBER
            if type(value) is int and not good:
                raise BadParameterError(each.name, "...", "a whole number of at most 18 digits")
            good = good and (least is None or value >= least) and (most is None or value <= most)
        else:
            good = isinstance(value, hint)
        if not good:
            raise self.reject(each.name)

    def _list_allowed(self, each: "Field[Any]") -> str:
        hint = _hints(type(self))[each.name]
        if each.metadata.get("allowed"):
            return str(each.metadata["allowed"])
        if get_origin(hint) is Literal:
            return join_words(get_args(hint))
        if not _is_whole(hint):
            return "text"
        least, most = self.parameter_bounds(each.name)
        bounds = "" if least is None else f", at least {least}"
        if most is not None:
            bounds = f", at most {most}" if least is None else f" from {least} to {most}"
        return f"{'none or ' * (NoneType in get_args(hint))}a whole number{bounds}"


_HINTS: dict[type, dict[str, Any]] = {}


def _hints(cls: type[Parameters]) -> dict[str, Any]:
    # Resolving annotations is slow, and specs need them often.
    if cls not in _HINTS:
        for base in cls.__mro__:
            for name in vars(base):
                if isinstance(getattr(cls, name, None), Field):  # an attribute, and not a parameter
                    raise PerfectplayError(
                        f"{base.__name__} has the parameter {name} and is not a dataclass:"
                        " write @dataclass(frozen=True) above the class"
                    )
        hints = get_type_hints(cls)
        _HINTS[cls] = {each.name: hints[each.name] for each in fields(cls)}
    return _HINTS[cls]


def _is_whole(hint: Any) -> bool:
    return hint is int or int in get_args(hint)


def _value(hint: Any, text: str) -> object:
    """Convert a parameter's text. Text that cannot be converted is kept and fails the later check."""
    if NoneType in get_args(hint) and text == "none":
        return None
    if _is_whole(hint) and re.fullmatch(r"-?[0-9]{1,4000}", text):
        return int(text)
    return text


def _text(value: object) -> str:
    return "none" if value is None else str(value)
