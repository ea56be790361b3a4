"""Steps a batch of games by looking everything up in the game's table."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.core.game import Game
from perfectplay.simulate.kernel import ActionArray, Bits, Games, Labels, Shown, record_type
from perfectplay.simulate.table import PositionTable, table_for


class Slots:
    """The moves of all rows, one row after another, so that one lookup draws a move.

    The row that starts at slot f and has k moves is packed into one number, f * 65536 + k * 32768 - k.
    With r from -32768 to 32767, adding -k * r and halving 16 times gives each of f, ..., f + k - 1
    evenly; and -k itself is what the 15 lowest bits show when all higher bits are set.
    """

    def __init__(self, moves: NDArray[np.bool_], table: PositionTable[Any]) -> None:
        """Pack the moves marked in `moves`. A row without any gets one that leads to the start."""
        owner, action = moves.nonzero()
        counts = moves.sum(axis=1)
        lonely = counts == 0
        owner = np.concatenate((owner, lonely.nonzero()[0]))
        action = np.concatenate((action, np.zeros(lonely.sum(), action.dtype)))
        order = np.argsort(owner, kind="stable")
        self.owner, self.action = owner[order], action[order]
        counts = np.maximum(counts, 1)
        first = np.cumsum(counts) - counts
        small = len(owner) < 1 << 15
        kind: type[Any] = np.int32 if small else np.int64
        self.packed = ((first << 16) + (counts << 15) - counts).astype(kind)
        """Each row of the table, packed."""
        self.target = np.maximum(table.next[self.owner, self.action], 0).astype(np.intp)
        """The row that the move in each slot leads to."""
        self.packed_target = self.packed[self.target]
        # Arrays, because NumPy is slow to convert a plain number.
        self._mask, self._shift = np.array(-1 << 15, kind), np.array(16, kind)

    def draw(self, packed: NDArray[Any], bits: Bits) -> NDArray[Any]:
        """Draw a slot of each packed row."""
        slot: NDArray[Any] = np.bitwise_or(packed, self._mask)
        slot *= bits
        slot += packed
        np.right_shift(slot, self._shift, slot)
        return slot


class TableKernel:
    """Steps games whose positions are rows of a table."""

    def __init__(self, game: Game[Any]) -> None:
        self._table = table = table_for(game)
        self.observer = table.observer
        self._width = np.array(game.num_actions)
        # In a finished row, and in one extra row at the end, every action leads to the start.
        after = np.where(table.terminated[:, None], 0, table.next)
        self._next = np.concatenate((after.astype(np.intp).ravel(), np.zeros(game.num_actions, np.intp)))
        records = np.zeros(len(table.states), record_type(table.observer))
        for name in records.dtype.names or ():
            records[name] = getattr(table, name)
        # NumPy copies records with fields more slowly than the same number of plain bytes.
        self._type, self._plain = records.dtype, np.dtype((np.void, records.itemsize))
        self._records = records.view(self._plain)
        # The two rewards are fetched as one eight-byte number.
        self._rewards = table.reward.view(np.int64).ravel()

    def start(self, size: int) -> Games:
        return (np.zeros(size, np.intp),)

    def step(
        self, games: Games, restart: NDArray[np.bool_] | None, actions: ActionArray, after: Games
    ) -> NDArray[np.bool_] | None:
        rows, out = games[0], after[0]
        if restart is not None:
            rows = np.where(restart, len(self._records), rows)
        at = np.multiply(rows, self._width)
        at += actions
        self._next.take(at, None, out, "wrap")
        return out < 0 if np.minimum.reduce(out) < 0 else None

    def advance(self, games: Games, restart: NDArray[np.bool_] | None, bits: Bits, after: Games) -> None:
        slots = self.legal
        slot = slots.draw(slots.packed.take(games[0], None, None, "wrap"), bits)
        slots.target.take(slot, None, after[0], "wrap")
        if restart is not None:
            after[0][restart] = 0

    def run(self, games: Games, steps: int, bits: Callable[[int], Bits]) -> None:
        """Make `steps` random steps in place."""
        slots, rows = self.legal, games[0]
        packed = slots.packed.take(rows)
        for _ in range(steps):
            slots.packed_target.take(slots.draw(packed, bits(len(rows))), None, packed, "wrap")
        rows[:] = slots.owner[packed >> 16]

    def roll(self, games: Games, steps: int, bits: Callable[[int], Bits]) -> tuple[Shown, ActionArray]:
        """Make `steps` random steps in place; return what every step shows, and the actions."""
        slots, rows = self.legal, games[0]
        packed = slots.packed.take(rows)
        drawn = np.empty((steps, len(rows)), np.intp)
        for step in range(steps):
            slot = drawn[step]
            slot[:] = slots.draw(packed, bits(len(rows)))
            slots.packed_target.take(slot, None, packed, "wrap")
        # For all steps at once: the overhead of a call per step would exceed its work.
        actions = slots.action.take(drawn, None, None, "wrap")
        seen = slots.target.take(drawn, None, drawn, "wrap")
        rows[:] = seen[-1]
        records = self._records.take(seen, None, None, "wrap").view(self._type)
        rewards = self._rewards.take(seen, None, None, "wrap")
        return Shown(records, rewards.view(np.float32).reshape(*seen.shape, 2)), actions

    def choose(self, games: Games, bits: Bits, best: bool) -> ActionArray:
        slots = self._best if best else self.legal
        return slots.action.take(slots.draw(slots.packed.take(games[0]), bits))

    def show(self, games: Games, shown: Shown) -> None:
        rows = games[0]
        self._records.take(rows, None, shown.records.view(self._plain), "wrap")
        self._rewards.take(rows, None, shown.rewards.view(np.int64).ravel(), "wrap")

    def label(self, games: Games) -> Labels:
        table, rows = self._table, games[0]
        return Labels(table.value[rows], table.distance[rows], table.best[rows])

    def state(self, games: Games, number: int) -> Any:
        return self._table.states[games[0][number]]

    @cached_property
    def legal(self) -> Slots:
        """The legal moves of each position, as they are drawn."""
        return Slots(self._table.legal, self._table)

    @cached_property
    def _best(self) -> Slots:
        return Slots(self._table.best, self._table)
