"""Copies of a game in progress: by pickle, by deepcopy, by the library's own clone, or by playing again.

Only the attributes that change during a game are copied; the others are shared and watched.
`deepcopy` and `pickle` of a whole environment are not used: some environments give back their start.
"""

import copy
import pickle
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable
from random import Random
from typing import Any, ClassVar

from perfectplay.foreign.adapter import Adapter, Move
from perfectplay.foreign.environment import Environment, attributes
from perfectplay.foreign.state import ATOMS, UnreadableError, canonical

SIMPLE = ATOMS | {float}
TRIES, PLIES = 3, 8
"""A way of copying is tried in this many games, and each copy played on for this many plies."""


class ChangedError(Exception):
    """Attributes that were taken for constant have changed."""

    def __init__(self, names: Iterable[str]) -> None:
        super().__init__(", ".join(names))
        self.names = frozenset(names)


class DrawnError(Exception):
    """Chance plays: a move has drawn a random number, or the same moves lead elsewhere."""

    def __init__(self, moves: tuple[Move, ...]) -> None:
        super().__init__()
        self.moves = moves


class Copies(ABC):
    """Saves and restores the state of one adapter."""

    replays: ClassVar[bool] = False
    """Whether a saved state is nothing but its moves."""

    def __init__(self, env: Environment, seed: int, varying: frozenset[str]) -> None:
        self.env, self.seed, self.varying = env, seed, varying
        self.adapter = env.fresh(seed)
        self.begin()

    def begin(self) -> None:
        """Prepare for the adapter as it is now."""
        self.dict = attributes(self.adapter)
        self.names = tuple(sorted(self.varying | set(self.adapter.carried)))
        constant = [(name, value) for name, value in self.dict.items() if name not in self.varying]
        self.constant = constant
        self.count = len(constant)
        self.watched = [(name, _readable(value)) for name, value in constant if type(value) not in SIMPLE]

    @abstractmethod
    def save(self, path: tuple[Move, ...]) -> Any:
        """A copy of the state now; `path` has the moves that led here."""

    @abstractmethod
    def load(self, saved: Any) -> None:
        """Go back to a saved state."""

    def key(self) -> Hashable:
        """The position: the canonical form of everything that changes."""
        found = self.dict
        return tuple([canonical(found.get(name)) for name in self.names if name in self.varying])

    def check(self) -> None:
        """Raise ChangedError if an attribute was replaced or added that was taken for constant."""
        found = self.dict
        for name, value in self.constant:
            if found.get(name) is not value:
                raise ChangedError([name])
        if len(found) > self.count:
            new = found.keys() - {name for name, _ in self.constant} - self.varying
            if new:
                raise ChangedError(new)

    def watch(self) -> None:
        """Raise ChangedError if the inside of an attribute changed that was taken for constant."""
        changed = [name for name, was in self.watched if _readable(self.dict.get(name)) != was]
        if changed:
            raise ChangedError(changed)

    def _varying(self) -> dict[str, Any]:
        found = self.dict
        held = {name: found[name] for name in self.varying if name in found}
        for name in self.adapter.carried:
            held[f"adapter.{name}"] = getattr(self.adapter, name)
        return held

    def _put(self, held: dict[str, Any]) -> None:
        found = self.dict
        for name in self.adapter.carried:
            setattr(self.adapter, name, held.pop(f"adapter.{name}"))
        for name in self.varying:
            if name not in held:
                found.pop(name, None)
        found.update(held)


class PickleCopies(Copies):
    """Copies by pickling the attributes that change."""

    def save(self, path: tuple[Move, ...]) -> Any:
        self.check()
        return pickle.dumps(self._varying(), 5)

    def load(self, saved: Any) -> None:
        self._put(pickle.loads(saved))


class DeepCopies(Copies):
    """Copies by deepcopy, which leaves everything constant where it is."""

    def begin(self) -> None:
        super().begin()
        self.memo = {id(value): value for _, value in self.constant}
        for _, value in self.constant:
            if isinstance(value, (list, tuple)):
                self.memo.update({id(each): each for each in value})

    def save(self, path: tuple[Move, ...]) -> Any:
        self.check()
        return copy.deepcopy(self._varying(), dict(self.memo))

    def load(self, saved: Any) -> None:
        self._put(copy.deepcopy(saved, dict(self.memo)))


class ClonedCopies(Copies):
    """Copies by what the library offers."""

    def begin(self) -> None:
        if self.adapter.holder is not None:
            raise NotImplementedError("this library has no clones")
        self.names = ()

    def key(self) -> Hashable:
        return self.adapter.key()

    def check(self) -> None:
        pass

    def watch(self) -> None:
        pass

    def save(self, path: tuple[Move, ...]) -> Any:
        return self.adapter.clone()

    def load(self, saved: Any) -> None:
        self.adapter.restore(saved)


class ReplayedCopies(Copies):
    """No copies: the game is played again from its start, in a new environment."""

    replays = True

    def check(self) -> None:
        pass

    def watch(self) -> None:
        pass

    def save(self, path: tuple[Move, ...]) -> Any:
        return path

    def load(self, saved: Any) -> None:
        try:
            self.adapter = self.env.play(self.seed, saved)
        except Exception as error:
            raise DrawnError(saved) from error
        self.dict = attributes(self.adapter)


WAYS: tuple[type[Copies], ...] = (ClonedCopies, PickleCopies, DeepCopies, ReplayedCopies)


def copies(env: Environment, seed: int, varying: frozenset[str], way: type[Copies] | None = None) -> Copies:
    """The first way of copying that works in a few random games."""
    for each in WAYS if way is None else (way,):
        try:
            if way is not None or all(_works(each(env, seed, varying), Random(n)) for n in range(TRIES)):
                return each(env, seed, varying)
        except ChangedError:
            raise
        except Exception:  # noqa: BLE001 - somebody's objects can raise anything while they are copied
            continue
    return ReplayedCopies(env, seed, varying)


def _works(made: Copies, rng: Random) -> bool:
    """Whether a game goes on from a copy as it goes on without one."""
    start, path = made.save(()), []
    for _ in range(rng.randrange(1, PLIES)):
        moves = made.adapter.moves()
        if not moves:
            break
        path.append(rng.choice(moves))
        if made.adapter.step(path[-1]).over:
            return True
    saved, key, ahead = made.save(tuple(path)), made.key(), rng.random()
    told = trace(made.adapter, Random(ahead), PLIES)
    for _ in range(2):  # a copy can be used twice
        made.load(start)
        made.load(saved)
        if made.key() != key or trace(made.adapter, Random(ahead), PLIES) != told:
            return False
    return trace(made.env.play(made.seed, path), Random(ahead), PLIES) == told


def trace(adapter: Adapter, rng: Random, plies: int) -> list[Hashable]:
    """What can be seen while random moves are made: legal moves, rewards, who moves, errors.

    The order of the moves does not count: it may be that of a set, which no copy keeps.
    """
    seen: list[Hashable] = []
    try:
        for _ in range(plies):
            moves = sorted(adapter.moves(), key=repr)
            seen.append((tuple(moves), adapter.mover()))
            if not moves:
                break
            step = adapter.step(rng.choice(moves))
            seen.append(step)
            if step.over:
                break
    except Exception as error:  # noqa: BLE001 - an error is one of the things that can be seen
        seen.append((type(error).__name__, str(error)))
    return seen


def _readable(value: Any) -> Hashable:
    try:
        return canonical(value)
    except (UnreadableError, RecursionError):
        return None
