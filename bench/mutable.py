"""The five games with their default parameters as mutable environments, the usual way to write them.

Each class has the two methods of a Gymnasium environment: `reset` starts a game, `step` plays a move
in place and returns an observation, the mover's reward, whether the game has ended by its rules or
by a limit, and the mask of the actions that are legal next. The rules themselves are in the
rulebook.md of each game.
"""

from typing import Protocol

Info = dict[str, list[int]]
Step = tuple[list[int], float, bool, bool, Info]


class Environment(Protocol):
    def reset(self) -> tuple[list[int], Info]: ...

    def step(self, action: int) -> Step: ...


class BitFlip:
    BITS = 10

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> tuple[list[int], Info]:
        self.bits = [0] * self.BITS
        self.side = 0
        self.mask = [1] * self.BITS
        return [*self.bits, self.side], {"action_mask": self.mask}

    def step(self, action: int) -> Step:
        if not 0 <= action < self.BITS or not self.mask[action]:
            raise ValueError(f"bit {action} cannot be flipped")
        self.bits[action] = 1
        self.side = 1 - self.side
        self.mask = self._mask()
        terminated = 1 not in self.mask
        reward = 1.0 if terminated else 0.0
        return [*self.bits, self.side], reward, terminated, False, {"action_mask": self.mask}

    def _mask(self) -> list[int]:
        # With a 0 beyond either end every bit has two neighbors.
        row = [0, *self.bits, 0]
        return [0 if row[i] or row[i + 1] or row[i + 2] else 1 for i in range(self.BITS)]


class DualDirection:
    POSITIONS = 11

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> tuple[list[int], Info]:
        self.position = (self.POSITIONS + 1) // 2
        self.side = 0
        self.terminated = False
        return [self.position, self.side], {"action_mask": [1, 1]}

    def step(self, action: int) -> Step:
        if self.terminated or action not in (0, 1):
            raise ValueError(f"{action} is not a legal move")
        mover = self.side
        self.position += 1 if action == 1 else -1
        self.side = 1 - mover
        reward = 0.0
        if self.position == 1 or self.position == self.POSITIONS:
            self.terminated = True
            winner = 0 if self.position == 1 else 1
            reward = 1.0 if winner == mover else -1.0
        mask = [0, 0] if self.terminated else [1, 1]
        return [self.position, self.side], reward, self.terminated, False, {"action_mask": mask}


class InversionRace:
    CELLS = 11
    APART = 3

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> tuple[list[int], Info]:
        self.markers = [self.CELLS // 2, self.CELLS // 2]
        self.inverted = False
        self.side = 0
        self.mask = self._mask()
        return [*self.markers, 0, self.side], {"action_mask": self.mask}

    def step(self, action: int) -> Step:
        if not 0 <= action < 3 or not self.mask[action]:
            raise ValueError(f"{action} is not a legal move")
        mover = self.side
        markers = self.markers
        if action != 2:
            markers[mover] += 1 if action == 1 else -1
        if markers[0] - markers[1] >= self.APART:
            self.inverted = True
        self.side = 1 - mover
        goal = self.CELLS - 1 if self.inverted else 0
        terminated = goal in markers
        reward = 0.0
        if terminated:
            self.mask = [0, 0, 0]
            reward = 1.0 if markers[mover] == goal else -1.0
        else:
            self.mask = self._mask()
        observation = [*markers, int(self.inverted), self.side]
        return observation, reward, terminated, False, {"action_mask": self.mask}

    def _mask(self) -> list[int]:
        here = self.markers[self.side]
        opponent = self.markers[1 - self.side]
        left = 1 if here > 0 and here - 1 != opponent else 0
        right = 1 if here < self.CELLS - 1 and here + 1 != opponent else 0
        return [left, right, 0 if left or right else 1]


class MirrorMatch:
    DIGITS = 9
    SHORTEST = 3

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> tuple[list[int], Info]:
        self.sequence: list[int] = []
        self.side = 0
        self.terminated = False
        return [self.side], {"action_mask": [1] * (2 * self.DIGITS)}

    def step(self, action: int) -> Step:
        if self.terminated or not 0 <= action < 2 * self.DIGITS:
            raise ValueError(f"{action} is not a legal move")
        sequence = self.sequence
        if action < self.DIGITS:
            sequence.insert(0, action + 1)
        else:
            sequence.append(action - self.DIGITS + 1)
        self.side = 1 - self.side
        self.terminated = len(sequence) >= self.SHORTEST and sequence == sequence[::-1]
        reward = 1.0 if self.terminated else 0.0
        mask = [0 if self.terminated else 1] * (2 * self.DIGITS)
        return [*sequence, self.side], reward, self.terminated, False, {"action_mask": mask}


class RaceToTheCenter:
    POSITIONS = 11
    CENTER = 5

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> tuple[list[int], Info]:
        self.one = 0
        self.two = self.POSITIONS - 1
        self.side = 0
        self.mask = [1, 1]
        return [self.one, self.two, self.side], {"action_mask": self.mask}

    def step(self, action: int) -> Step:
        if not 0 <= action < 2 or not self.mask[action]:
            raise ValueError(f"a marker cannot move by {action + 1}")
        mover = self.side
        if mover == 0:
            self.one += action + 1
        else:
            self.two -= action + 1
        self.side = 1 - mover
        terminated = False
        reward = 0.0
        if self.two == self.CENTER:
            terminated = True
            reward = 1.0
        elif self.one == self.CENTER and not (mover == 0 and self.two == self.CENTER + 1):
            terminated = True
            reward = 1.0 if mover == 0 else -1.0
        away = self.CENTER - self.one if self.side == 0 else self.two - self.CENTER
        self.mask = [0, 0] if terminated else [1, 1 if away >= 2 else 0]
        return [self.one, self.two, self.side], reward, terminated, False, {"action_mask": self.mask}
