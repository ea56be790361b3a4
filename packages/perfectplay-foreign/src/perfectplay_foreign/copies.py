"""Copies of a game in progress: by pickle, by deepcopy, by the library's own clone, or by playing again.

Only the attributes that change during a game are copied; the others are shared and watched.
`deepcopy` and `pickle` of a whole environment are not used: some environments give back their start.
"""

import copy
import pickle
from collections.abc import Hashable, Iterable
from random import Random
from typing import ClassVar

from perfectplay_foreign.adapter import Adapter, Moves, Step
from perfectplay_foreign.environment import Environment, attributes, play_randomly
from perfectplay_foreign.state import ATOMS, canonical, canonical_or_none

SIMPLE = ATOMS | {float}
TRIES, PLIES = 3, 8
"""A way of copying is tried in this many games, and each copy played on for this many plies."""


class ChangedError(Exception):
    """Attributes that were taken for constant have changed."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        super().__init__(", ".join(names))
        self.names = frozenset(names)


class DrawnError(Exception):
    """Chance plays: a move has drawn a random number, or the same moves lead elsewhere."""

    def __init__(self, moves: Moves = ()) -> None:
        super().__init__()
        self.moves = moves


class Copies:
    """Saves and restores the state of one adapter: here by playing its moves again, in a new environment."""

    replays: ClassVar[bool] = True
    """Whether a saved state is nothing but its moves."""

    def __init__(self, env: Environment, seed: int, varying: frozenset[str]) -> None:
        self.env, self.seed, self.varying = env, seed, varying
        self.adapter = env.fresh(seed)
        self.begin()

    def begin(self) -> None:
        """Prepare for the adapter as it is now."""
        self.attributes = attributes(self.adapter)
        self.names = tuple(sorted(self.varying))

    def save(self, path: Moves) -> object:
        """A copy of the state now; `path` has the moves that led here."""
        return path

    def load(self, saved: object) -> None:
        """Go back to a saved state."""
        assert isinstance(saved, tuple)  # as `save` returned it
        try:
            self.adapter = self.env.play(self.seed, saved)
        except Exception as error:
            raise DrawnError(saved) from error
        self.attributes = attributes(self.adapter)

    def key(self) -> Hashable:
        """The position: the canonical form of everything that changes."""
        return tuple([canonical(self.attributes.get(name)) for name in self.names])

    def check(self) -> None:
        """Raise ChangedError if an attribute was replaced or added that was taken for constant."""

    def watch(self) -> None:
        """Raise ChangedError if the inside of an attribute changed that was taken for constant."""


class AttributeCopies(Copies):
    """Copies of the attributes that change."""

    replays = False

    def begin(self) -> None:
        super().begin()
        self.constant = [each for each in self.attributes.items() if each[0] not in self.varying]
        self.watched = [
            (name, canonical_or_none(value)) for name, value in self.constant if type(value) not in SIMPLE
        ]

    def check(self) -> None:
        found = self.attributes
        for name, value in self.constant:
            if found.get(name) is not value:
                raise ChangedError([name])
        if len(found) > len(self.constant) and (new := found.keys() - dict(self.constant) - self.varying):
            raise ChangedError(new)

    def watch(self) -> None:
        now = self.attributes.get
        changed = [name for name, was in self.watched if canonical_or_none(now(name)) != was]
        if changed:
            raise ChangedError(changed)

    def take(self) -> dict[str, object]:
        """Everything that changes, after a check of what does not."""
        self.check()
        held = {name: self.attributes[name] for name in self.names if name in self.attributes}
        return held | {f"adapter.{name}": getattr(self.adapter, name) for name in self.adapter.carried}

    def put(self, held: dict[str, object]) -> None:
        """Put back what `take` returned, or a copy of it."""
        for name in self.adapter.carried:
            setattr(self.adapter, name, held.pop(f"adapter.{name}"))
        for name in self.names:
            if name not in held:
                self.attributes.pop(name, None)
        self.attributes.update(held)


class PickleCopies(AttributeCopies):
    """Copies by pickle."""

    def save(self, path: Moves) -> bytes:
        return pickle.dumps(self.take(), 5)

    def load(self, saved: object) -> None:
        assert isinstance(saved, bytes)
        self.put(pickle.loads(saved))


class DeepCopies(AttributeCopies):
    """Copies by deepcopy, which leaves everything constant where it is."""

    def begin(self) -> None:
        super().begin()
        kept = [value for _, value in self.constant]
        kept += [each for value in kept if isinstance(value, (list, tuple)) for each in value]
        self.memo = {id(each): each for each in kept}

    def save(self, path: Moves) -> object:
        return copy.deepcopy(self.take(), dict(self.memo))

    def load(self, saved: object) -> None:
        assert isinstance(saved, dict)
        self.put(copy.deepcopy(saved, dict(self.memo)))


class ClonedCopies(Copies):
    """Copies by what the library offers."""

    replays = False

    def begin(self) -> None:
        if not self.adapter.opaque:
            raise NotImplementedError("this library has no clones")

    def key(self) -> Hashable:
        return self.adapter.key()

    def save(self, path: Moves) -> object:
        return self.adapter.clone()

    def load(self, saved: object) -> None:
        self.adapter.restore(saved)


def choose_copies(env: Environment, seed: int, varying: frozenset[str]) -> Copies:
    """The first way of copying that works in a few random games."""
    for way in (ClonedCopies, PickleCopies, DeepCopies):
        try:
            if all(_works(way(env, seed, varying), Random(n)) for n in range(TRIES)):
                return way(env, seed, varying)
        except ChangedError:
            raise
        except Exception:  # noqa: BLE001 - somebody's objects can raise anything while they are copied
            continue
    return Copies(env, seed, varying)


def _works(made: Copies, rng: Random) -> bool:
    """Whether a game continues from a copy as it continues without one."""
    start, path = made.save(()), []
    for _ in range(rng.randrange(1, PLIES)):
        moves = made.adapter.moves()
        if not moves:
            break
        path.append(rng.choice(moves))
        if made.adapter.step(path[-1]).over:
            return True
    saved, key, ahead = made.save(tuple(path)), made.key(), rng.random()
    seen = trace(made.adapter, Random(ahead), PLIES)
    for _ in range(2):  # a copy can be used twice
        made.load(start)
        made.load(saved)
        if made.key() != key or trace(made.adapter, Random(ahead), PLIES) != seen:
            return False
    return trace(made.env.play(made.seed, path), Random(ahead), PLIES) == seen


def trace(adapter: Adapter, rng: Random, plies: int) -> list[Hashable]:
    """What can be seen while random moves are made: legal moves, rewards, who moves, errors.

    The order of the moves does not count: it may be that of a set, which no copy keeps.
    """
    seen: list[Hashable] = []
    for _, each in play_randomly(adapter, rng, plies, repr):
        if isinstance(each, Step):
            seen.append(each)
        elif isinstance(each, Exception):  # one of the things that can be seen
            seen.append((type(each).__name__, str(each)))
        else:
            seen.append((each, adapter.mover()))
    return seen
