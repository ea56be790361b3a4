"""What an environment is asked, the same for every library. An adapter is one game in progress."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

Move = Hashable
"""A move as the environment takes it: a whole number, a tuple of them, or text."""
Make = Callable[[], Any]
"""Makes a new environment."""


def move_to_json(move: Move) -> Any:
    """A move as data for JSON.

    >>> move_to_json((1, (2, 3)))
    [1, [2, 3]]
    """
    return [move_to_json(each) for each in move] if isinstance(move, tuple) else move


def move_from_json(data: Any) -> Move:
    """A move from data for JSON.

    >>> move_from_json([1, [2, 3]])
    (1, (2, 3))
    """
    return tuple(map(move_from_json, data)) if isinstance(data, list) else data


class StartError(Exception):
    """An environment that cannot start; `code` is the finding."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


class UnavailableError(StartError):
    """An unknown name: no environment was found that could have a fault."""

    def __init__(self, text: str, *, missing: bool = False) -> None:
        super().__init__("", text)
        self.missing = missing
        """Whether it is a library that is missing, which can be installed, and not the name that is wrong."""


class Step(NamedTuple):
    """What a move brought about."""

    over: bool
    cut: bool
    """Whether the game was only cut off: truncated, not ended by its rules."""
    reward: float
    """The reward of the side that moved."""


class MethodNames(NamedTuple):
    """What an environment calls the things that are asked of it, where its library has no name for them."""

    legal: str = ""
    """The method or attribute that lists the legal moves."""
    mover: str = ""
    """The method or attribute that says who moves."""


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

    def __init__(self, make: Make, seed: int, strict: bool = False, names: MethodNames = USUAL_NAMES) -> None:
        self.strict, self.names = strict, names
        self.violations: dict[str, str] = {}
        self.path: list[Move] = []
        """The moves so far, where somebody watches."""
        self.env: Any = None
        self.start(make, seed)

    @classmethod
    @abstractmethod
    def fits(cls, env: Any) -> bool:
        """Whether an object is an environment of this library."""

    @classmethod
    def named(cls, name: str, arguments: Mapping[str, Any]) -> Make:
        """What makes the environment that follows the prefix on the command line."""
        raise NotImplementedError

    @abstractmethod
    def start(self, make: Make, seed: int) -> None:
        """Make the environment and start a game. Raises StartError."""

    @abstractmethod
    def moves(self) -> tuple[Move, ...]:
        """The legal moves, without repeats."""

    @abstractmethod
    def step(self, move: Move) -> Step:
        """Make a move."""

    @abstractmethod
    def mover(self) -> Hashable:
        """Something that stands for the side to move; None if nothing says so."""

    @abstractmethod
    def look(self) -> Any:
        """What the side to move observes."""

    def all_moves(self) -> Sequence[Move] | None:
        """Every move there is, legal or not; None if they cannot be listed."""
        return None

    def finished(self) -> bool:
        """Whether the environment says, before any move, that the game is over."""
        return False

    def draw(self) -> object:
        """What the environment draws of the position."""
        return None

    def title(self) -> str:
        """What the library calls the game; empty if it has no name for it."""
        return ""

    def again(self, seed: int) -> bool:
        """Start a second game in the same environment; False if the library has nothing of the kind."""
        return False

    @property
    def carried(self) -> tuple[str, ...]:
        """The attributes of the adapter itself that belong to the state."""
        return ()

    @property
    def holder(self) -> Any:
        """The object whose attributes are the state of the game; None if it cannot be looked into."""
        return self.env

    def key(self) -> Hashable:
        """The position, for an adapter without a holder."""
        raise NotImplementedError

    def clone(self) -> Any:
        """A copy of the state, for an adapter without a holder. `restore` takes it, any number of times."""
        raise NotImplementedError

    def restore(self, copied: Any) -> None:
        """Go back to a state that `clone` returned."""
        raise NotImplementedError

    def notice_sum(self, rewards: Iterable[float]) -> None:
        """Keep rewards of a finished game that do not cancel out."""
        given = list(rewards)
        if abs(sum(given)) > 1e-6:
            said = f"the rewards of a finished game are {given}, which do not cancel out"
            self.notice("not-zero-sum", said)

    def notice(self, code: str, text: str) -> None:
        """Keep what was seen to go against the protocol."""
        self.violations.setdefault(code, text)


def find_adapters() -> Iterator[type[Adapter]]:
    """Every kind of adapter, the most particular first."""
    from importlib import import_module

    import perfectplay.foreign.adapters as package
    from perfectplay.core.discovery import find_class, find_modules

    found = [find_class(import_module(each), Adapter) for each in find_modules(package).values()]
    return iter(sorted(found, key=lambda adapter: (not adapter.prefix, adapter.__name__)))
