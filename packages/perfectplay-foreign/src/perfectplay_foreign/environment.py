"""A foreign environment: how it is made, and the adapter for it."""

import random
import sys
from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import partial

from perfectplay_foreign.adapter import (
    USUAL_NAMES,
    Adapter,
    Make,
    MethodNames,
    Move,
    Moves,
    StartError,
    Step,
    find_adapters,
)
from perfectplay_foreign.protocol import construct, describe_error
from perfectplay_foreign.sandbox.limits import Limits
from perfectplay_foreign.state import canonical, canonical_or_none
from perfectplay_foreign.transitions import TransitionTable, end_target

WRITTEN_FOR = "1.4"
"""The version of Gymnasium whose spaces keep their generator in `_np_random`: reading the public `np_random`
would make one, and so change an environment by looking at it."""
GENERATORS = ("Generator", "RandomState", "Random")
"""The names of types that draw random numbers."""


class Environment:
    """An environment that can be started any number of times, always in the same way.

    The global generators of `random` and NumPy are seeded before each start, so that environments that
    draw from them can be repeated too.
    """

    def __init__(
        self, make: Make, adapter: type[Adapter] | None = None, names: MethodNames = USUAL_NAMES
    ) -> None:
        self.make, self.adapter, self.names = make, adapter, names
        self.at: Callable[[int, list[Move]], None] | None = None
        """Called with the seed and the moves before each call, if it must be known where a process ended."""
        self.alternating = False
        """Whether the host lets the sides alternate, whatever the environment says."""
        self.first_sees = False
        """Whether the first side sees all rewards, and not the side that moved."""
        self.limits = Limits()
        self.table: TransitionTable | None = None
        """What was visited so far."""

    @property
    def visited(self) -> tuple[int, int]:
        """How many positions and moves were visited so far."""
        return (0, 0) if self.table is None else (len(self.table.sides), len(self.table.actions))

    def end(self, side: int, step: Step) -> int:
        """The target of a move of a side that has ended the game."""
        return end_target(0 if self.first_sees else side, step.reward)

    def fresh(self, seed: int, *, strict: bool = False, luck: int | None = None) -> Adapter:
        """A new game. `luck` seeds the global generators, by default like the game."""
        if self.adapter is None:
            self.adapter = self._find_adapter()  # before seeding: making an environment may draw
        seed_globals(seed if luck is None else luck)
        at = None if self.at is None else partial(self.at, seed)
        if at is not None:
            at([])
        env = construct(self.make)
        try:
            adapter = self.adapter(env, seed, strict, self.names)
        except StartError:
            raise
        except Exception as error:
            raise StartError("reset-fails", describe_error(error)) from error
        if at is not None:
            _announce(adapter, at)
        return adapter

    def _find_adapter(self) -> type[Adapter]:
        env = construct(self.make)
        for adapter in find_adapters():
            if adapter.fits(env):
                return adapter
        raise StartError("construct-fails", f"{type(env).__name__} is not an environment: no reset and step")

    def play(self, seed: int, moves: Iterable[Move]) -> Adapter:
        """A new game after some moves, which are not checked."""
        adapter = self.fresh(seed)
        for move in moves:
            adapter.step(move)
        return adapter


def play_randomly(
    adapter: Adapter, rng: random.Random, plies: int, order: Callable[[Move], str] | None = None
) -> Iterator[tuple[Moves, Moves | Step | Exception]]:
    """A random game: the moves so far with, in turn, the legal moves and what one of them brought about.

    It ends with the game, with an empty list of moves, or with an error. Moves may be put into an `order`.
    """
    path: Moves = ()
    try:
        for _ in range(plies):
            legal = adapter.moves()
            legal = legal if order is None else tuple(sorted(legal, key=order))
            yield path, legal
            if not legal:
                return
            path = (*path, rng.choice(legal))
            step = adapter.step(path[-1])
            yield path, step
            if step.over:
                return
    except Exception as error:  # noqa: BLE001 - somebody's code; whoever plays says what it means
        yield path, error


def _announce(adapter: Adapter, at: Callable[[list[Move]], None]) -> None:
    """Let an adapter report its moves before it makes them."""
    step: Callable[[Move], Step] = adapter.step

    def announce(move: Move) -> Step:
        adapter.path.append(move)
        at(adapter.path)
        return step(move)

    setattr(adapter, "step", announce)  # noqa: B010 - a method is replaced on purpose


def seed_globals(seed: int) -> None:
    """Seed the generators that everything in a process shares."""
    random.seed(seed)
    if (numpy := sys.modules.get("numpy")) is not None:
        numpy.random.seed(seed)


def is_generator(value: object) -> bool:
    """Whether a value is a generator of random numbers."""
    return type(value).__name__ in GENERATORS


def luck(adapter: Adapter) -> Hashable:
    """The state of all generators: those of the process, of the environment, and of its spaces."""
    numpy = sys.modules.get("numpy")
    drawn = numpy.random.get_state() if numpy is not None else None
    shared = random.getstate(), None if drawn is None else (drawn[1].tobytes(), drawn[2])
    held = {
        name: getattr(value, "_np_random", None) if hasattr(value, "contains") else value
        for name, value in attributes(adapter).items()
    }
    return shared, frozenset((name, canonical(value)) for name, value in held.items() if is_generator(value))


def attributes(adapter: Adapter) -> dict[str, object]:
    """The attributes that hold the state of a game, as they are."""
    return vars(adapter.holder) if adapter.holder is not None else {"key": adapter.key()}


def read(adapter: Adapter) -> dict[str, Hashable]:
    """The attributes that hold the state of a game, in canonical form; None where one cannot be read."""
    return {name: canonical_or_none(value) for name, value in attributes(adapter).items()}
