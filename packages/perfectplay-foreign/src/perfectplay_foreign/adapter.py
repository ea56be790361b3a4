"""The questions that every library can answer about a game in progress."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

Move = int | float | str | tuple["Move", ...]
"""A move as the environment takes it: a number, text, or a tuple of these."""
Moves = tuple[Move, ...]
JsonMove = int | float | str | Sequence["JsonMove"]
"""A move as data for JSON, where it comes back with lists for tuples."""
Make = Callable[[], object]
"""Makes a new environment."""


def move_from_json(data: object) -> Move:
    """A move from data of JSON. Raises TypeError unless it is a number, text, or a list of these."""
    if isinstance(data, (list, tuple)):
        return tuple(map(move_from_json, data))
    if not isinstance(data, (int, float, str)):
        raise TypeError(f"{data} is not a move: a number, text, or a list of these")
    return data


class StartError(Exception):
    """An environment that cannot start; `code` is the finding."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


class UnavailableError(StartError):
    """An unknown name: no environment was found that could have a fault.

    `missing` says that a library is missing, which can be installed, and that the name is not wrong.
    """

    def __init__(self, text: str, *, missing: bool = False) -> None:
        super().__init__("", text)
        self.missing = missing


class Step(NamedTuple):
    """The result of a move."""

    over: bool
    cut: bool
    """Whether the game was only cut off: truncated, not ended by its rules."""
    reward: float
    """The reward of the side that moved."""


class MethodNames(NamedTuple):
    """What an environment calls the method or attribute that lists the legal moves, and that says who moves.

    Empty where a usual name is to be found.
    """

    legal: str = ""
    mover: str = ""


USUAL_NAMES = MethodNames()


class Adapter(ABC):
    """One game in progress in somebody's environment, started from a seed.

    Each library has a subclass in `adapters/`, found by its module. What an environment does against the
    protocol is kept in `violations`: the code of the finding, and what was seen first.
    """

    prefix: ClassVar[str] = ""
    """What names an environment of this library on the command line, as in pettingzoo:NAME."""
    forks: ClassVar[bool] = True
    """Whether the library works in a process that was forked."""
    refuses: ClassVar[bool] = True
    """Whether the library promises to refuse illegal moves, and moves after the end."""
    tries: ClassVar[bool] = False
    """Whether moves are not listed but tried, so that some may be overlooked."""
    remembers: ClassVar[bool] = False
    """Whether `look` only repeats what the last step returned."""
    opaque: ClassVar[bool] = False
    """Whether the state is read and copied by `key`, `clone` and `restore`, and not by its attributes."""
    carried: tuple[str, ...] = ()
    """The attributes of the adapter itself that belong to the state."""

    def __init__(self, env: object, seed: int, strict: bool, names: MethodNames) -> None:
        self.strict, self.names = strict, names
        self.violations: dict[str, str] = {}
        self.path: list[Move] = []
        """The moves so far, if each is reported."""
        self.env: Any = env
        self.start(seed)

    @classmethod
    @abstractmethod
    def fits(cls, env: object) -> bool:
        """Whether an object is an environment of this library."""

    @classmethod
    def make(cls, name: str, arguments: Mapping[str, object]) -> object:
        """Make the environment that follows the prefix on the command line."""
        raise NotImplementedError

    @abstractmethod
    def start(self, seed: int) -> None:
        """Start a game. Raises StartError."""

    @abstractmethod
    def moves(self) -> Moves:
        """The legal moves, without repeats."""

    @abstractmethod
    def step(self, move: Move) -> Step:
        """Make a move."""

    @abstractmethod
    def mover(self) -> Hashable:
        """Something that stands for the side to move; None if nothing says so."""

    @abstractmethod
    def look(self) -> object:
        """What the side to move observes."""

    def all_moves(self) -> Sequence[Move] | None:
        """Every move there is, legal or not; None if they cannot be listed."""
        return None

    def is_over_at_start(self) -> bool:
        """Whether the environment says, before any move, that the game is over."""
        return False

    def draw(self) -> object:
        """What the environment draws of the position. Raises NotImplementedError if it draws nothing."""
        raise NotImplementedError

    def title(self) -> str:
        """What the library calls the game; empty if it has no name for it."""
        return ""

    def again(self, seed: int) -> bool:
        """Start a second game in the same environment; False if the library has nothing of the kind."""
        return False

    @property
    def holder(self) -> object:
        """The object whose attributes are the state of the game; None if that is opaque."""
        return None if self.opaque else self.env

    def key(self) -> Hashable:
        """The position, if it is opaque."""
        raise NotImplementedError

    def clone(self) -> object:
        """A copy of an opaque state. `restore` takes it, any number of times."""
        raise NotImplementedError

    def restore(self, copied: object) -> None:
        """Go back to a state that `clone` returned."""
        raise NotImplementedError

    def notice(self, code: str, text: str) -> None:
        """Keep the first violation of each kind."""
        self.violations.setdefault(code, text)

    def result(self, own: float, rewards: Iterable[float], over: bool, cut: bool = False) -> Step:
        """The result of a move from the rewards of both sides, which should cancel out at the end."""
        given = list(rewards)
        if (over or cut) and abs(sum(given)) > 1e-6:
            said = f"the rewards of a finished game are {given}, which do not cancel out"
            self.notice("not-zero-sum", said)
        return Step(over or cut, cut and not over, own)


def find_adapters() -> Iterator[type[Adapter]]:
    """Every kind of adapter, the least particular last."""
    from importlib import import_module

    import perfectplay_foreign.adapters as package
    from perfectplay.core.parts import find_class, find_modules

    found = [find_class(import_module(each), Adapter) for each in find_modules(package).values()]
    return iter(sorted(found, key=lambda adapter: (adapter.prefix == "gym", adapter.__name__)))
