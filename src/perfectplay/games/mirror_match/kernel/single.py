"""Mirror Match one game at a time, on boards that are changed in place."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from perfectplay.core.game import Action, Outcome
from perfectplay.games.mirror_match.rules import MirrorMatch, State
from perfectplay.simulate.observation import Observer, observer_for
from perfectplay.simulate.row import Row, row_text
from perfectplay.simulate.single.base import REWARDS
from perfectplay.simulate.single.rules_game import RulesGame
from perfectplay.simulate.single.table_game import fresh


class MirrorObserver(Observer[State]):
    """A faster `Observer`, because a single game calls it after every step."""

    def observe(self, state: State) -> NDArray[np.bool_]:
        width = len(self.pieces) + 1
        drawn = bytearray(self.board[0] * width)
        for at, number in enumerate(state.sequence):
            drawn[at * width + number - 1] = 1
        if state.side:
            drawn[width - 1 :: width] = b"\1" * self.board[0]
        return np.frombuffer(drawn, np.bool_).reshape(self.shape)


class MirrorRow:
    """A position stored as bytes; what is not needed after every step is computed on demand."""

    __slots__ = ("_game", "choice", "fresh_mask", "line", "side", "terminated")

    def __init__(self, game: "MirrorGame", line: bytes, side: int, won: bool, choice: bool) -> None:
        self._game = game
        self.line = line
        self.side = side
        self.terminated = won
        self.choice = choice
        self.fresh_mask = game.fresh_masks[won]

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
        return self._game.observer.observe(self.state)

    @property
    def outcome(self) -> Outcome | None:
        return self._game.game.outcome(self.state)

    @property
    def rewards(self) -> tuple[float, float]:
        return REWARDS[1 - self.side if self.terminated else None]

    def fresh_bits(self) -> NDArray[np.int8]:
        game = self._game
        if game.row is not self:  # the boards have changed since
            return self.observation.view(np.int8)
        return game.windows[self.side][game.first].copy()


class MirrorGame(RulesGame[State]):
    """Mirror Match on two boards, one per side to move, each wide enough to grow in both directions.

    An observation is a window on one board that begins where the sequence begins.
    """

    row: MirrorRow

    def __init__(self, game: MirrorMatch, horizon: int) -> None:
        observer_for(game, horizon)  # refuses a horizon that no board is wide enough for
        self._digits, self._shortest, self._length = game.digits, game.shortest, horizon
        self.every_move = dict.fromkeys(range(game.num_actions), None)
        self.masks = np.ones(game.num_actions, np.bool_), np.zeros(game.num_actions, np.bool_)
        for mask in self.masks:
            mask.setflags(write=False)
        self.fresh_masks = tuple(fresh(mask.view(np.int8)) for mask in self.masks)
        self._numbers = [bytes([number + 1]) for number in range(game.digits)]
        self._lay_out()
        super().__init__(game, horizon)

    def reset(self) -> Row:
        return self._go_to(self.game.initial(), 0, (0, 0))

    def step(self, action: Action) -> Row:
        if action.__class__ is not int:
            action = self._whole(action)
        if action not in self.moves:
            raise self.refused(action)
        row, digits = self.row, self._digits
        side, line = row.side, row.line
        if action < digits:
            self.first -= 1
            at = self.first * (digits + 1) + action
            line = self._numbers[action] + line
        elif action < 2 * digits:
            at = (self.first + len(line)) * (digits + 1) + action - digits
            line += self._numbers[action - digits]
        else:  # a pass by choice, which is not an invalid turn
            self._plies += 1
            return self._gone_over(line, 1 - side)
        self._zero[at] = self._one[at] = 1
        if self._invalid[side]:
            self._invalid = self._counted(side, 0)
        self._plies += 1
        return self._gone_over(line, 1 - side)

    def __deepcopy__(self, memo: object) -> Self:
        twin = super().__deepcopy__(memo)
        twin._lay_out()
        row = self.row
        if isinstance(row, MirrorRow):
            twin.row = MirrorRow(twin, row.line, row.side, row.terminated, row.choice)
        twin._draw(row.state.sequence)
        return twin

    def _lay_out(self) -> None:
        """Make new boards, and all windows on them."""
        width, length = self._digits + 1, self._length
        self._blank = bytes(2 * length * width), (bytes(width - 1) + b"\1") * 2 * length
        # Python changes an element of a bytearray faster than one of an array.
        self._zero, self._one = map(bytearray, self._blank)
        boards = (np.frombuffer(each, np.int8).reshape(-1, width) for each in (self._zero, self._one))
        self.windows = [[board[at : at + length] for at in range(length + 1)] for board in boards]

    def _draw(self, sequence: tuple[int, ...]) -> None:
        self._zero[:], self._one[:] = self._blank
        self.first = self._length  # the same room before it as after it
        for place, number in enumerate(sequence):
            at = (self.first + place) * (self._digits + 1) + number - 1
            self._zero[at] = self._one[at] = 1

    def _go_to(self, state: State, plies: int, invalid: tuple[int, int]) -> Row:
        self._plies, self._invalid = plies, invalid
        self._draw(state.sequence)
        return self._gone_over(bytes(state.sequence), state.side)

    def _gone_over(self, line: bytes, side: int) -> Row:
        # The ends alone rule out most sequences as palindromes.
        won = line[:1] == line[-1:] and len(line) >= self._shortest and line == line[::-1]
        goes_on = not won and self._plies < self.limit
        self.moves = self.every_move if goes_on else {}
        self.row = row = MirrorRow(self, line, side, won, goes_on)
        return row
