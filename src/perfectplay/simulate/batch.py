"""A batch of games, stepped by array operations."""

from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from perfectplay.core.game import Game, S, whole_number
from perfectplay.simulate.arguments import (
    as_game,
    check_actions,
    check_fits,
    check_mask,
    illegal_error,
    range_error,
    whole,
)
from perfectplay.simulate.kernel import ActionArray, Batch, Games, Kernel, Labels, Shown, Stream, record_type
from perfectplay.simulate.positions import check_horizon, kernel_module
from perfectplay.simulate.table_kernel import TableKernel
from perfectplay.simulate.threads import share

BLOCK = 1 << 15
"""How many games make a block: few enough for the cache of a core. Each block has its own generator, so
that the same seed plays the same games on any number of cores."""


class BatchedGame(Generic[S]):
    """A batch of `size` games of the same kind, stepped together.

    Arrays have shape `(size, ...)`; `Batch` lists their shapes and types. Once a game is over or
    truncated, its next step ignores the action, starts a new game and gives no reward. With `labels`,
    every step also returns the exact values of the positions.

    >>> batch = BatchedGame("bit-flip:bits=3", 2)
    >>> seen = batch.step([1, 0])
    >>> seen.terminated.tolist(), seen.reward.tolist()
    ([True, False], [[1.0, -1.0], [0.0, 0.0]])
    >>> seen.legal[1].nonzero()[0].tolist()
    [2]
    """

    def __init__(
        self,
        game: Game[S] | str,
        size: int,
        *,
        seed: int = 0,
        horizon: int | None = None,
        labels: bool = False,
    ) -> None:
        self.game: Game[S] = as_game(game)
        self.size = whole("size", size, 1)
        self.horizon = check_horizon(self.game, horizon)
        module = kernel_module(self.game)
        # The table of the game, or a special kernel if no table can hold it.
        self.kernel: Kernel = (
            TableKernel(self.game) if module is None else module.kernel(self.game, self.horizon)
        )
        self.observer = self.kernel.observer
        self._labels = labels
        self._record_type = record_type(self.observer)
        self._bytes_shown = self._record_type.itemsize + 2 * np.dtype(np.float32).itemsize
        """How many bytes a step shows of each game: at least its record and two rewards."""
        check_fits("size", self.size, self.size * self._bytes_shown)
        self._never = np.zeros(self.size, np.bool_)
        self._never.setflags(write=False)
        self.reset(whole("seed", seed, 0))

    def reset(self, seed: int | None = None) -> Batch:
        """Start all games again. With a seed, restart the random generators too."""
        parts = [slice(at, min(at + BLOCK, self.size)) for at in range(0, self.size, BLOCK)]
        if seed is not None:
            seeds = np.random.SeedSequence(whole("seed", seed, 0)).spawn(len(parts))
            self._streams = [Stream(each) for each in seeds]
        # Positions are written from one buffer to the other, so that an invalid action changes nothing.
        self._buffers = self.kernel.start(self.size), self.kernel.start(self.size)
        self._turn = 0
        self._blocks = [
            _Block(part, part.stop - part.start, stream)
            for part, stream in zip(parts, self._streams, strict=True)
        ]
        self._plies = np.zeros(self.size, np.int32)
        self._truncated = self._over = self._never
        return self.look()

    def step(self, actions: ArrayLike, where: NDArray[np.bool_] | None = None) -> Batch:
        """Play an action in each game or, with `where`, only in the games that it marks.

        `actions` holds integers and has shape `(size,)`; `where` is bool and has the same shape. Raises
        an error that names the first invalid action, if there is one, and then changes nothing.
        """
        given = check_actions(actions, self.size)
        moving = None if where is None else check_mask(where, self.size)
        # Games that do not move need some valid action.
        chosen = (given if moving is None else np.where(moving, given, 0)).astype(np.intp, copy=False)
        shown, kernel, count = self._make_shown(), self.kernel, self.game.num_actions

        def move(block: _Block) -> NDArray[np.bool_] | None:
            part, actions = block.part, chosen[block.part]
            # Read as unsigned, a negative number is very large.
            if np.maximum.reduce(actions.view(np.uintp)) >= count:
                return (actions < 0) | (actions >= count)
            games, after = self._games_of(block)
            illegal = kernel.step(games, self._restart(part), actions, after)
            if moving is not None:
                for new, old in zip(after, games, strict=True):
                    np.copyto(new, old, where=~moving[part])
                illegal = None if illegal is None else illegal & moving[part]
            if illegal is None or not illegal.any():
                kernel.show(after, self._part_of(shown, block))
            return illegal

        found = share(move, self._blocks)
        if any(illegal is not None and illegal.any() for illegal in found):
            raise self._error_for(given, found)
        return self._settle(shown, moving)

    def step_random(self) -> Batch:
        """Play a uniformly random legal action in each game: `step(random_actions())` in one call."""
        shown, kernel = self._make_shown(), self.kernel

        def move(block: _Block) -> None:
            games, after = self._games_of(block)
            kernel.advance(games, self._restart(block.part), block.stream.bits(block.size), after)
            kernel.show(after, self._part_of(shown, block))

        share(move, self._blocks)
        return self._settle(shown, None)

    def play_random(self, steps: int) -> Batch:
        """Make `steps` random steps and return only the last: the fastest way through many positions."""
        steps, kernel = whole("steps", steps, 1), self.kernel
        if self.horizon is not None or not isinstance(kernel, TableKernel):
            for _ in range(steps - 1):
                self.step_random()
            return self.step_random()

        def run(block: _Block) -> None:
            kernel.run(self._games_of(block)[0], steps, block.stream.bits)

        share(run, self._blocks)
        return self.look()

    def rollout(self, steps: int) -> Batch:
        """Make `steps` random steps and return all of them, in arrays of shape `(steps, size, ...)`.

        >>> seen = BatchedGame("bit-flip", 100).rollout(20)
        >>> seen.observation.shape, seen.reward.shape, seen.action.shape
        ((20, 100, 10, 2), (20, 100, 2), (20, 100))
        """
        steps, kernel = whole("steps", steps, 1), self.kernel
        check_fits("steps", steps, steps * self.size * self._bytes_shown)
        if self.horizon is not None or self._labels or not isinstance(kernel, TableKernel):
            actions = []
            batches = []
            for _ in range(steps):
                actions.append(self.random_actions())
                batches.append(self.step(actions[-1]))
            return _stack(batches)._replace(action=np.stack(actions))

        def run(block: _Block) -> tuple[Shown, ActionArray]:
            return kernel.roll(self._games_of(block)[0], steps, block.stream.bits)

        parts = share(run, self._blocks)
        shown, action = parts[0]
        if len(parts) > 1:
            pieces = zip(*(part[0] for part in parts), strict=True)
            shown = Shown(*(np.concatenate(arrays, axis=1) for arrays in pieces))
            action = np.concatenate([part[1] for part in parts], axis=1)
        never = np.zeros((steps, self.size), np.bool_)
        return self._batch(shown)._replace(truncated=never, action=action)

    def random_actions(self, *, best: bool = False) -> ActionArray:
        """Draw a legal action for each game uniformly, with `best` from the best ones: intp, shape `(size,)`.

        Each is drawn with 16 random bits, so no probability is off by more than 1 in 65,536. For a game
        that is over, the action is arbitrary.
        """
        chosen = (
            self.kernel.choose(self._games_of(block)[0], block.stream.bits(block.size), best)
            for block in self._blocks
        )
        return np.concatenate(list(chosen))

    def look(self) -> Batch:
        """Return the current positions without a step. Games that are over show their rewards."""
        shown = self._make_shown()

        def show(block: _Block) -> None:
            self.kernel.show(self._games_of(block)[0], self._part_of(shown, block))

        share(show, self._blocks)
        return self._batch(shown)

    def state(self, number: int) -> S:
        """Return the position of one game as a state of the rules.

        >>> batch = BatchedGame("bit-flip:bits=3", 2)
        >>> _ = batch.step([1, 0])
        >>> batch.state(1)
        State(flipped=1, side=1)
        """
        at = whole_number(number)
        if at is None or not 0 <= at < self.size:
            raise range_error("number", repr(number), self.size)
        found: S = self.kernel.state(self._buffers[self._turn], at)
        return found

    def _games_of(self, block: "_Block") -> tuple[Games, Games]:
        """The buffers of a block: its current positions, and room for the next ones."""
        now, then = self._buffers[self._turn], self._buffers[1 - self._turn]
        if block.size == self.size:
            return now, then
        return _cut(now, block.part), _cut(then, block.part)

    def _restart(self, part: slice) -> NDArray[np.bool_] | None:
        """The games of a block that start again although they are not over."""
        return None if self.horizon is None else self._truncated[part]

    def _make_shown(self) -> Shown:
        """Empty arrays for what is shown of all games."""
        return Shown(np.empty(self.size, self._record_type), np.empty((self.size, 2), np.float32))

    def _part_of(self, shown: Shown, block: "_Block") -> Shown:
        return shown if block.size == self.size else _cut(shown, block.part)

    def _batch(self, shown: Shown) -> Batch:
        records = shown.records
        labels = self.kernel.label(self._buffers[self._turn]) if self._labels else None
        return Batch(
            records["observation"],
            records["legal"],
            records["side"],
            shown.rewards,
            records["terminated"],
            self._truncated,
            labels,
        )

    def _settle(self, shown: Shown, moving: NDArray[np.bool_] | None) -> Batch:
        """Make the newly written positions the current ones."""
        self._turn = 1 - self._turn
        if self.horizon is not None:
            moved = ~self._never if moving is None else moving
            self._plies += moved
            self._plies[self._over & moved] = 0
            terminated = shown.records["terminated"]
            self._truncated = (self._plies >= self.horizon) & ~terminated
            self._over = self._truncated | terminated
            self._truncated.setflags(write=False)  # callers get it, and it decides which games restart
        return self._batch(shown)

    def _error_for(self, actions: NDArray[Any], found: list[Any]) -> Exception:
        """The error that names the first invalid action."""
        number = next(
            block.part.start + int(illegal.argmax())
            for block, illegal in zip(self._blocks, found, strict=True)
            if illegal is not None and illegal.any()
        )
        state, action = self.state(number), int(actions[number])
        if not 0 <= action < self.game.num_actions:
            return range_error(f"actions[{number}]", action, self.game.num_actions)
        return illegal_error(f"actions[{number}]={action}", self.game, state, action)


class _Block(NamedTuple):
    """Games that one thread steps together."""

    part: slice
    size: int
    stream: Stream


Arrays = TypeVar("Arrays", bound=tuple[Any, ...])


def _cut(arrays: Arrays, part: slice) -> Arrays:
    """The same slice of several arrays."""
    cut = [each[part] for each in arrays]
    return arrays.__class__(*cut) if isinstance(arrays, Shown) else arrays.__class__(cut)


def _stack(batches: list[Batch]) -> Batch:
    """Stack the batches of several steps along a new first axis."""
    shown: list[Any] = [np.stack(arrays) for arrays in zip(*(each[:6] for each in batches), strict=True)]
    labels = [each.labels for each in batches if each.labels is not None]
    shown.append(Labels(*(np.stack(arrays) for arrays in zip(*labels, strict=True))) if labels else None)
    return Batch(*shown)
