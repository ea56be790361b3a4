"""Many games at once, stepped by array operations."""

from collections.abc import Hashable
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from perfectplay.core.errors import BadParameterError
from perfectplay.core.game import Game, whole_number
from perfectplay.simulate.arguments import game_of, illegal_action, whole
from perfectplay.simulate.chance import Stream
from perfectplay.simulate.kernel import Actions, Games, Kernel, Labels, Shown, record_type
from perfectplay.simulate.positions import checked_horizon, kernel_module
from perfectplay.simulate.table_kernel import TableKernel
from perfectplay.simulate.threads import shared

S = TypeVar("S", bound=Hashable)

BLOCK = 1 << 15
"""Games that are worked on together: few enough for the cache of a core. Each block has a generator of
its own, so that the same seed plays the same games on any number of cores."""


class Batch(NamedTuple):
    """All about the positions of many games, each array with one row for each game."""

    observation: NDArray[np.bool_]
    legal: NDArray[np.bool_]
    side: NDArray[np.int8]
    reward: NDArray[np.float32]
    """What the end of the game has brought each side; 0 before the end."""
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    """Whether the horizon has cut the game short, which is no result."""
    labels: Labels | None = None
    action: Actions | None = None
    """What a rollout has played to come here; of no meaning in a step that starts a new game."""


class BatchedGame(Generic[S]):
    """So many games of one kind, stepped together.

    The step after a game's end, or after its truncation, starts a new one, whichever its action, and
    rewards nobody. With `labels`, every step also tells what perfect play makes of the positions.

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
        self.game: Game[S] = game_of(game)
        self.size = whole("size", size, 1)
        self.horizon = checked_horizon(self.game, horizon)
        self._kernel = kernel_for(self.game, self.horizon)
        self.observer = self._kernel.observer
        self._labels = labels
        self._record_type = record_type(self.observer)
        self._never = np.zeros(self.size, np.bool_)
        self._never.setflags(write=False)
        self.reset(whole("seed", seed, 0))

    def reset(self, seed: int | None = None) -> Batch:
        """Start all games again; with a seed, the generators too."""
        parts = [slice(at, min(at + BLOCK, self.size)) for at in range(0, self.size, BLOCK)]
        if seed is not None:
            seeds = np.random.SeedSequence(whole("seed", seed, 0)).spawn(len(parts))
            self._streams = [Stream(each) for each in seeds]
        # Positions are written from one buffer to the other, so that a bad action changes nothing.
        self._buffers = self._kernel.start(self.size), self._kernel.start(self.size)
        self._turn = 0
        self._blocks = [
            _Block(part, part.stop - part.start, stream)
            for part, stream in zip(parts, self._streams, strict=True)
        ]
        self._plies = np.zeros(self.size, np.int32)
        self._truncated = self._over = self._never
        return self.look()

    def step(self, actions: ArrayLike, where: NDArray[np.bool_] | None = None) -> Batch:
        """Play an action in each game or, with `where`, in those games that it marks; the others stay.

        If an action is bad, raises an error that names the first such and changes nothing.
        """
        given = self._checked(actions)
        moving = None if where is None else self._checked_mask(where)
        # In a game that does not move, any action is as good as another.
        chosen = (given if moving is None else np.where(moving, given, 0)).astype(np.intp, copy=False)
        shown, kernel, count = self._shown(), self._kernel, self.game.num_actions

        def move(block: _Block) -> NDArray[np.bool_] | None:
            part, actions = block.part, chosen[block.part]
            # Read as unsigned, a number below zero is a very large one.
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

        found = shared(move, self._blocks)
        if any(illegal is not None and illegal.any() for illegal in found):
            raise self._refused(given, found)
        return self._settled(shown, moving)

    def step_random(self) -> Batch:
        """Play a legal action in each game, drawn evenly: `step(random_actions())` in one go."""
        shown, kernel = self._shown(), self._kernel

        def move(block: _Block) -> None:
            games, after = self._games_of(block)
            kernel.advance(games, self._restart(block.part), block.stream.bits(block.size), after)
            kernel.show(after, self._part_of(shown, block))

        shared(move, self._blocks)
        return self._settled(shown, None)

    def play_random(self, steps: int) -> Batch:
        """Make so many random steps and look only then: the fastest way through many positions."""
        steps, kernel = whole("steps", steps, 1), self._kernel
        if self.horizon is not None or not isinstance(kernel, TableKernel):
            for _ in range(steps - 1):
                self.step_random()
            return self.step_random()

        def run(block: _Block) -> None:
            kernel.run(self._games_of(block)[0], steps, block.stream.bits)

        shared(run, self._blocks)
        return self.look()

    def rollout(self, steps: int) -> Batch:
        """Make so many random steps and keep what each played and showed, in arrays with one more axis.

        >>> seen = BatchedGame("bit-flip", 100).rollout(20)
        >>> seen.observation.shape, seen.reward.shape, seen.action.shape
        ((20, 100, 10, 2), (20, 100, 2), (20, 100))
        """
        steps, kernel = whole("steps", steps, 1), self._kernel
        if self.horizon is not None or self._labels or not isinstance(kernel, TableKernel):
            actions = []
            batches = []
            for _ in range(steps):
                actions.append(self.random_actions())
                batches.append(self.step(actions[-1]))
            return _stacked(batches)._replace(action=np.stack(actions))

        def run(block: _Block) -> tuple[Shown, Actions]:
            return kernel.roll(self._games_of(block)[0], steps, block.stream.bits)

        parts = shared(run, self._blocks)
        shown, action = parts[0]
        if len(parts) > 1:
            pieces = zip(*(part[0] for part in parts), strict=True)
            shown = Shown(*(np.concatenate(arrays, axis=1) for arrays in pieces))
            action = np.concatenate([part[1] for part in parts], axis=1)
        never = np.zeros((steps, self.size), np.bool_)
        return self._batch(shown)._replace(truncated=never, action=action)

    def random_actions(self, *, best: bool = False) -> Actions:
        """A legal action for each game, drawn evenly, or evenly from the best ones.

        Each is drawn from 16 random bits, so that no chance is off by more than 1 in 65,536. For a game
        that is over any action will do.
        """
        chosen = []
        for block in self._blocks:
            games, _ = self._games_of(block)
            chosen.append(self._kernel.choose(games, block.stream.bits(block.size), best))
        return np.concatenate(chosen)

    def look(self) -> Batch:
        """The positions as they are, with the rewards of those that are over."""
        shown = self._shown()

        def show(block: _Block) -> None:
            self._kernel.show(self._games_of(block)[0], self._part_of(shown, block))

        shared(show, self._blocks)
        return self._batch(shown)

    def state(self, number: int) -> S:
        """The position of one game as the plain rules have it.

        >>> batch = BatchedGame("bit-flip:bits=3", 2)
        >>> _ = batch.step([1, 0])
        >>> batch.state(1)
        State(flipped=1, side=1)
        """
        at = whole_number(number)
        if at is None or not 0 <= at < self.size:
            raise BadParameterError("number", repr(number), f"a whole number from 0 to {self.size - 1}")
        found: S = self._kernel.state(self._buffers[self._turn], at)
        return found

    def _games_of(self, block: "_Block") -> tuple[Games, Games]:
        """Where the positions of a block are, and where the next ones go."""
        now, then = self._buffers[self._turn], self._buffers[1 - self._turn]
        if block.size == self.size:
            return now, then
        return _cut(now, block.part), _cut(then, block.part)

    def _restart(self, part: slice) -> NDArray[np.bool_] | None:
        """Which games of a block start again though they are not over."""
        return None if self.horizon is None else self._truncated[part]

    def _shown(self) -> Shown:
        """Room for what is shown of all games."""
        return Shown(np.empty(self.size, self._record_type), np.empty((self.size, 2), np.float32))

    def _part_of(self, shown: Shown, block: "_Block") -> Shown:
        return shown if block.size == self.size else _cut(shown, block.part)

    def _batch(self, shown: Shown) -> Batch:
        records = shown.records
        labels = self._kernel.label(self._buffers[self._turn]) if self._labels else None
        return Batch(
            records["observation"],
            records["legal"],
            records["side"],
            shown.rewards,
            records["terminated"],
            self._truncated,
            labels,
        )

    def _settled(self, shown: Shown, moving: NDArray[np.bool_] | None) -> Batch:
        """Go over to the positions that have been written."""
        self._turn = 1 - self._turn
        if self.horizon is not None:
            moved = ~self._never if moving is None else moving
            self._plies += moved
            self._plies[self._over & moved] = 0
            terminated = shown.records["terminated"]
            self._truncated = (self._plies >= self.horizon) & ~terminated
            self._over = self._truncated | terminated
            self._truncated.setflags(write=False)  # it is handed out, and decides who starts again
        return self._batch(shown)

    def _checked(self, actions: ArrayLike) -> NDArray[Any]:
        try:
            given = np.asarray(actions)
        except ValueError:  # NumPy's word for rows of several lengths
            raise BadParameterError(
                "actions", "rows of several lengths", f"of shape ({self.size},)"
            ) from None
        if given.dtype.kind not in "iu":
            raise BadParameterError("actions", f"an array of {given.dtype}", "an array of whole numbers")
        if given.shape != (self.size,):
            raise BadParameterError("actions", f"an array of shape {given.shape}", f"of shape ({self.size},)")
        return given

    def _checked_mask(self, where: object) -> NDArray[np.bool_]:
        mask = np.asarray(where)
        if mask.dtype != np.bool_ or mask.shape != (self.size,):
            shown = f"an array of {mask.dtype} and shape {mask.shape}"
            raise BadParameterError("where", shown, f"an array of bool and shape ({self.size},)")
        return mask

    def _refused(self, actions: NDArray[Any], found: list[Any]) -> Exception:
        """The error that names the first bad action."""
        top = self.game.num_actions
        number = next(
            block.part.start + int(illegal.argmax())
            for block, illegal in zip(self._blocks, found, strict=True)
            if illegal is not None and illegal.any()
        )
        state, action = self.state(number), int(actions[number])
        if not 0 <= action < top:
            return BadParameterError(f"actions[{number}]", action, f"a whole number from 0 to {top - 1}")
        return illegal_action(f"actions[{number}]={action}", self.game, state, action)


class _Block(NamedTuple):
    """Games that are worked on together."""

    part: slice
    size: int
    stream: Stream


Arrays = TypeVar("Arrays", bound=tuple[Any, ...])


def _cut(arrays: Arrays, part: slice) -> Arrays:
    """The same part of several arrays."""
    cut = [each[part] for each in arrays]
    return arrays.__class__(*cut) if isinstance(arrays, Shown) else arrays.__class__(cut)


def _stacked(batches: list[Batch]) -> Batch:
    """What was shown step by step, in one."""
    shown: list[Any] = [np.stack(arrays) for arrays in zip(*(each[:6] for each in batches), strict=True)]
    labels = [each.labels for each in batches if each.labels is not None]
    shown.append(Labels(*(np.stack(arrays) for arrays in zip(*labels, strict=True))) if labels else None)
    return Batch._make([*shown, None])


def kernel_for(game: Game[Any], horizon: int | None) -> Kernel:
    """What steps a game: its table, or a kernel of its own where no table can hold it."""
    module = kernel_module(game)
    return TableKernel(game) if module is None else module.kernel(game, horizon)
