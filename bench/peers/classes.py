"""The five games with their default parameters as Gymnasium environments, each as a straightforward class.

They show the same arrays as ours: the board with a plane for each kind of piece, and planes for what the
board does not show. The position is a few numbers, a list or a NumPy array. Every step computes the legal
actions before the move, to check the action, and after it, for the mask. It returns a new observation and a
new mask. The reward is the mover's. The rules themselves are in the rulebook.md of each game.
"""

from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete, MultiBinary
from numpy.typing import NDArray

Array = NDArray[np.int8]
Info = dict[str, Array]
Step = tuple[Array, float, bool, bool, Info]


class BitFlip(gymnasium.Env[Array, Any]):
    BITS = 10

    def __init__(self) -> None:
        self.observation_space = MultiBinary([self.BITS, 2])
        self.action_space = Discrete(self.BITS)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, Info]:
        super().reset(seed=seed)
        self.bits = [0] * self.BITS
        self.board = np.zeros((self.BITS, 2), np.int8)
        self.board[:, 0] = 1
        return self.board.copy(), {"action_mask": np.ones(self.BITS, np.int8)}

    def step(self, action: int) -> Step:
        if not self._is_legal(action):
            raise ValueError(f"bit {action} cannot be flipped")
        self.bits[action] = 1
        self.board[action] = (0, 1)
        mask = np.array([self._is_legal(i) for i in range(self.BITS)], np.int8)
        terminated = not mask.any()
        reward = 1.0 if terminated else 0.0
        return self.board.copy(), reward, terminated, False, {"action_mask": mask}

    def _is_legal(self, i: int) -> bool:
        bits, last = self.bits, self.BITS - 1
        if not 0 <= i <= last or bits[i]:
            return False
        return not (i > 0 and bits[i - 1]) and not (i < last and bits[i + 1])


class DualDirection(gymnasium.Env[Array, Any]):
    POSITIONS = 11
    BOTH = np.ones(2, np.int8)
    NEITHER = np.zeros(2, np.int8)

    def __init__(self) -> None:
        self.observation_space = MultiBinary([self.POSITIONS, 1])
        self.action_space = Discrete(2)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, Info]:
        super().reset(seed=seed)
        self.position = (self.POSITIONS + 1) // 2
        self.side = 0
        return self._observation(), {"action_mask": self.BOTH.copy()}

    def step(self, action: int) -> Step:
        if not 1 < self.position < self.POSITIONS or action not in (0, 1):
            raise ValueError(f"{action} is not a legal move")
        mover = self.side
        self.position += 1 if action == 1 else -1
        self.side = 1 - mover
        if 1 < self.position < self.POSITIONS:
            return self._observation(), 0.0, False, False, {"action_mask": self.BOTH.copy()}
        winner = 0 if self.position == 1 else 1
        reward = 1.0 if winner == mover else -1.0
        return self._observation(), reward, True, False, {"action_mask": self.NEITHER.copy()}

    def _observation(self) -> Array:
        observation = np.zeros((self.POSITIONS, 1), np.int8)
        observation[self.position - 1, 0] = 1
        return observation


class InversionRace(gymnasium.Env[Array, Any]):
    CELLS = 11
    APART = 3

    def __init__(self) -> None:
        self.observation_space = MultiBinary([self.CELLS, 4])
        self.action_space = Discrete(3)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, Info]:
        super().reset(seed=seed)
        self.markers = [self.CELLS // 2, self.CELLS // 2]
        self.inverted = False
        self.side = 0
        return self._observation(), {"action_mask": self._mask()}

    def step(self, action: int) -> Step:
        if not self._is_legal(action):
            raise ValueError(f"{action} is not a legal move")
        mover, markers = self.side, self.markers
        if action != 2:
            markers[mover] += 1 if action == 1 else -1
        if markers[0] - markers[1] >= self.APART:
            self.inverted = True
        self.side = 1 - mover
        goal = self._goal()
        terminated = goal in markers
        reward = 0.0
        if terminated:
            reward = 1.0 if markers[mover] == goal else -1.0
        return self._observation(), reward, terminated, False, {"action_mask": self._mask()}

    def _goal(self) -> int:
        return self.CELLS - 1 if self.inverted else 0

    def _is_legal(self, action: int) -> bool:
        if self._goal() in self.markers:
            return False
        here, opponent = self.markers[self.side], self.markers[1 - self.side]
        if action == 0:
            return here > 0 and here - 1 != opponent
        if action == 1:
            return here < self.CELLS - 1 and here + 1 != opponent
        return action == 2 and not self._is_legal(0) and not self._is_legal(1)

    def _mask(self) -> Array:
        return np.array([self._is_legal(action) for action in range(3)], np.int8)

    def _observation(self) -> Array:
        observation = np.zeros((self.CELLS, 4), np.int8)
        observation[self.markers[0], 0] = 1
        observation[self.markers[1], 1] = 1
        if self.inverted:
            observation[:, 2] = 1
        if self.side == 1:
            observation[:, 3] = 1
        return observation


class MirrorMatch(gymnasium.Env[Array, Any]):
    DIGITS = 9
    SHORTEST = 3
    LONGEST = 19
    """The longest sequence; longer games are truncated."""
    ALL = np.ones(2 * DIGITS, np.int8)
    NONE = np.zeros(2 * DIGITS, np.int8)
    EMPTY = np.zeros((2, LONGEST, DIGITS + 1), np.int8)
    EMPTY[1, :, -1] = 1

    def __init__(self) -> None:
        self.observation_space = MultiBinary([self.LONGEST, self.DIGITS + 1])
        self.action_space = Discrete(2 * self.DIGITS)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, Info]:
        super().reset(seed=seed)
        self.sequence: list[int] = []  # each number minus one, the index of its plane
        self.side = 0
        self.terminated = False
        return self._observation(), {"action_mask": self.ALL.copy()}

    def step(self, action: int) -> Step:
        sequence = self.sequence
        if self.terminated or len(sequence) >= self.LONGEST or not 0 <= action < 2 * self.DIGITS:
            raise ValueError(f"{action} is not a legal move")
        if action < self.DIGITS:
            sequence.insert(0, action)
        else:
            sequence.append(action - self.DIGITS)
        self.side = 1 - self.side
        self.terminated = len(sequence) >= self.SHORTEST and sequence == sequence[::-1]
        if self.terminated:
            return self._observation(), 1.0, True, False, {"action_mask": self.NONE.copy()}
        truncated = len(sequence) >= self.LONGEST
        return self._observation(), 0.0, False, truncated, {"action_mask": self.ALL.copy()}

    def _observation(self) -> Array:
        observation: Array = self.EMPTY[self.side].copy()
        for place, plane in enumerate(self.sequence):
            observation[place, plane] = 1
        return observation


class RaceToTheCenter(gymnasium.Env[Array, Any]):
    POSITIONS = 11
    CENTER = 5
    BOTH = np.ones(2, np.int8)
    ONE = np.array([1, 0], np.int8)
    NEITHER = np.zeros(2, np.int8)

    def __init__(self) -> None:
        self.observation_space = MultiBinary([self.POSITIONS, 3])
        self.action_space = Discrete(2)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, Info]:
        super().reset(seed=seed)
        self.one = 0
        self.two = self.POSITIONS - 1
        self.side = 0
        self.terminated = False
        return self._observation(), {"action_mask": self._mask().copy()}

    def step(self, action: int) -> Step:
        if not 0 <= action < 2 or not self._mask()[action]:
            raise ValueError(f"a marker cannot move by {action + 1}")
        mover = self.side
        if mover == 0:
            self.one += action + 1
        else:
            self.two -= action + 1
        self.side = 1 - mover
        reward = 0.0
        if self.two == self.CENTER:
            self.terminated = True
            reward = 1.0
        elif self.one == self.CENTER and not (mover == 0 and self.two == self.CENTER + 1):
            self.terminated = True
            reward = 1.0 if mover == 0 else -1.0
        info = {"action_mask": self._mask().copy()}
        return self._observation(), reward, self.terminated, False, info

    def _mask(self) -> Array:
        if self.terminated:
            return self.NEITHER
        away = self.CENTER - self.one if self.side == 0 else self.two - self.CENTER
        return self.BOTH if away >= 2 else self.ONE

    def _observation(self) -> Array:
        observation = np.zeros((self.POSITIONS, 3), np.int8)
        observation[self.one, 0] = 1
        observation[self.two, 1] = 1
        if self.side == 1:
            observation[:, 2] = 1
        return observation
