"""Mirror Match one game at a time: a move adds a few bytes at one end of the last observation."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from perfectplay.core.game import Action, Outcome
from perfectplay.games.mirror_match.rules import MirrorMatch, State
from perfectplay.simulate.observation import observer_for
from perfectplay.simulate.rewards import REWARDS
from perfectplay.simulate.single.base import Row, row_text
from perfectplay.simulate.single.games import RulesGame, fresh

INT8 = np.dtype(np.int8)
"""NumPy takes twice as long to make an array from the type itself."""
Planes = tuple[bytes, bytes]
"""The views of a sequence with side 0 to move, and with side 1."""


@dataclass(slots=True, eq=False)
class MirrorRow:
    """A position stored as bytes; what is not needed after every step is computed on demand."""

    _game: "MirrorGame"
    line: bytes
    planes: Planes
    side: int
    terminated: bool
    choice: bool
    fresh_mask: Callable[[], NDArray[np.int8]]

    __repr__ = row_text

    @property
    def state(self) -> State:
        return State(tuple(self.line), 1 if self.side else 0)

    @property
    def moves(self) -> dict[Action, Any]:
        return {} if self.terminated else self._game.every_move

    @property
    def legal(self) -> NDArray[np.bool_]:
        return self._game.masks[self.terminated]

    @property
    def observation(self) -> NDArray[np.bool_]:
        return self.fresh_bits().view(np.bool_)

    @property
    def outcome(self) -> Outcome | None:
        return self._game.game.outcome(self.state)

    @property
    def rewards(self) -> tuple[float, float]:
        return REWARDS[1 - self.side if self.terminated else None]

    def fresh_bits(self) -> NDArray[np.int8]:
        game, seen = self._game, self.planes[self.side]
        return np.ndarray(game.shape, INT8, bytearray(seen + game.blank[self.side][len(seen) :]))


class MirrorGame(RulesGame[State]):
    """Mirror Match with numbers that fit into bytes."""

    row: MirrorRow  # type: ignore[assignment]  # it has the attributes of a row

    def __init__(self, game: MirrorMatch, horizon: int) -> None:
        self.shape = observer_for(game, horizon).shape
        self._digits, self._shortest = game.digits, game.shortest
        self.every_move = dict.fromkeys(range(game.num_actions), None)
        self.masks = np.ones(game.num_actions, np.bool_), np.zeros(game.num_actions, np.bool_)
        for mask in self.masks:
            mask.setflags(write=False)
        self.fresh_masks = tuple(fresh(mask.view(np.int8)) for mask in self.masks)
        empty = bytes(game.digits)
        self.blank = (empty + b"\0") * horizon, (empty + b"\1") * horizon
        planes = [empty[:number] + b"\1" + empty[number + 1 :] for number in range(game.digits)]
        self._numbers = [(bytes([n + 1]), each + b"\0", each + b"\1") for n, each in enumerate(planes)]
        super().__init__(game, horizon)

    def reset(self) -> Row:
        return self._go_to(self.game.initial(), 0, (0, 0))

    def step(self, action: Action) -> Row:
        if action.__class__ is not int:
            action = self._whole(action)
        if action not in self.moves:
            raise self.error_for(action)
        row, digits = self.row, self._digits
        side, line, planes = row.side, row.line, row.planes
        if action < 2 * digits:  # neither a pass by choice nor an invalid turn
            number, zero, one = self._numbers[action % digits]
            if action < digits:
                line, planes = number + line, (zero + planes[0], one + planes[1])
            else:
                line, planes = line + number, (planes[0] + zero, planes[1] + one)
            if self._invalid[side]:
                self._invalid = self._count(side, 0)
        self._plies += 1
        return self._arrive(line, planes, 1 - side)

    def _go_to(self, state: State, plies: int, invalid: tuple[int, int]) -> Row:
        self._plies, self._invalid = plies, invalid
        cells = [self._numbers[number - 1] for number in state.sequence]
        planes = b"".join(zero for _, zero, _ in cells), b"".join(one for _, _, one in cells)
        return self._arrive(bytes(state.sequence), planes, state.side)

    def _arrive(self, line: bytes, planes: Planes, side: int) -> Row:
        # The ends alone rule out most sequences as palindromes.
        won = line[:1] == line[-1:] and len(line) >= self._shortest and line == line[::-1]
        goes_on = not won and self._plies < self.limit
        self.moves = self.every_move if goes_on else {}
        self.row = row = MirrorRow(self, line, planes, side, won, goes_on, self.fresh_masks[won])
        return cast(Row, row)
