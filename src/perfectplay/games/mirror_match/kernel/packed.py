"""Mirror Match in batches, on packed numbers.

A sequence is stored as two integers: read forwards and read backwards. With nine digits these are the
decimal numbers: 4-5-5 is 455 and 554. Adding a digit at either end costs each a multiplication or an
addition, and a sequence is a palindrome exactly if the two are equal. Their 64 bits bound its length.
"""

from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.core.value import KINDS
from perfectplay.games.mirror_match.rules import MirrorMatch, State
from perfectplay.simulate.kernel import (
    ActionArray,
    Bits,
    Games,
    Kernel,
    Labels,
    Shown,
    draw_below,
    draw_marked,
    fill_rewards,
)
from perfectplay.simulate.observation import Observer
from perfectplay.simulate.table import NO_DISTANCE, rank_values

CHUNK = 4096
"""Digits are looked up several at a time, in a table with at most this many rows."""

_LOSS, _ENDLESS, _WIN = (KINDS.index(kind) for kind in ("loss", "endless", "win"))


class MirrorKernel(Kernel):
    """Represents `n` games as four arrays of shape `(n,)`: forwards, backwards, length, side to move."""

    def __init__(self, game: MirrorMatch, observer: Observer[State]) -> None:
        self._game = game
        self.observer = observer
        base, length = game.digits + 1, observer.board[0]
        self._base = np.uint64(base)
        self._powers = np.array([base**power % 2**64 for power in range(length + 1)], np.uint64)
        self._together = max(1, int(log(CHUNK, base)))
        self._drawn = _drawings(game.digits, self._together) if base <= CHUNK else None
        self._numbers = np.arange(1, base, dtype=np.uint64)
        self._first = np.int8(0 if game.first == "1" else 1)

    def start(self, size: int) -> Games:
        return (
            np.zeros(size, np.uint64),
            np.zeros(size, np.uint64),
            np.zeros(size, np.int64),
            np.full(size, self._first),
        )

    def step(
        self, games: Games, restart: NDArray[np.bool_] | None, actions: ActionArray, after: Games
    ) -> None:
        forwards, backwards, length, side = games
        over = self._is_won(games)
        if restart is not None:
            over |= restart
        digits = self._game.digits
        first, passed = actions < digits, actions == 2 * digits
        number = (actions - np.where(first, -1, digits - 1)).astype(np.uint64)
        base, power = self._base, self._powers[length]
        longer = forwards + number * power, forwards * base + number
        mirrored = backwards * base + number, backwards + number * power
        stays = passed | over
        np.copyto(after[0], np.where(stays, forwards, np.where(first, *longer)))
        np.copyto(after[1], np.where(stays, backwards, np.where(first, *mirrored)))
        np.copyto(after[2], length + ~stays)
        np.copyto(after[3], 1 - side)
        for new, old in zip(after, (0, 0, 0, self._first), strict=True):
            new[over] = old

    def choose(self, games: Games, bits: Bits, best: bool) -> ActionArray:
        if best:
            return draw_marked(self.label(games).best, bits)
        return draw_below(self._game.num_actions, bits)

    def show(self, games: Games, shown: Shown) -> None:
        _, backwards, _, side = games
        won = self._is_won(games)
        records = shown.records
        records["terminated"] = won
        records["side"] = side
        records["legal"] = ~won[:, None]
        # Read backwards, the first number is the lowest digit; zeros follow the last.
        planes, together = records["observation"], self._together
        chunk = np.uint64((self._game.digits + 1) ** together)
        rest, turn = backwards, side.astype(np.uint64) * chunk
        for at in range(0, self.observer.board[0], together):
            more = rest // chunk
            if self._drawn is None:  # one number at a time: there are too many for a table
                planes[:, at, :-1] = _column(rest - more * chunk) == self._numbers
                planes[:, at, -1] = side
            else:
                drawn = self._drawn[rest - more * chunk + turn]
                planes[:, at : at + together] = drawn[:, : self.observer.board[0] - at]
            rest = more
        # Only the side that has just moved can have made a palindrome.
        fill_rewards(shown, won, side)

    def label(self, games: Games) -> Labels:
        forwards, backwards, length, _ = games
        base, power = self._base, self._powers[np.maximum(length - 1, 0)]
        middle = forwards % power, backwards // base  # without the first number
        early = forwards // base, backwards % power  # without the last number
        first, last = backwards % base, forwards % base
        palindrome, is_open = forwards == backwards, (middle[0] == middle[1]) | (early[0] == early[1])
        value, distance = self._worth(palindrome, is_open, length)
        # Whether each number makes a palindrome at the beginning or at the end, or prepares one.
        numbers = self._numbers
        closes = np.concatenate((_closes(early, last, numbers), _closes(middle, first, numbers)), axis=1)
        closes |= (length == 0)[:, None]
        opens = np.concatenate(
            (
                _column(early[0]) + _column(power) * numbers == _column(early[1]) * base + numbers,
                _column(middle[0]) * base + numbers == _column(middle[1]) + _column(power) * numbers,
            ),
            axis=1,
        )
        opens |= palindrome[:, None]
        worth = _rank(*self._worth(closes, opens, _column(length + 1)))
        if self._game.forfeit == "move":
            worth = np.concatenate((worth, _column(_rank(value, distance))), axis=1)
        best = worth == worth.max(axis=1, keepdims=True)
        best[self._is_won(games)] = False
        return Labels(value.astype(np.int8), distance.astype(np.int32), best)

    def state(self, games: Games, number: int) -> State:
        rest, side = int(games[1][number]), games[3][number]
        sequence = []
        while rest:
            rest, last = divmod(rest, int(self._base))
            sequence.append(last)
        return State(tuple(sequence), 1 if side else 0)

    def _is_won(self, games: Games) -> NDArray[np.bool_]:
        forwards, backwards, length, _ = games
        won: NDArray[np.bool_] = (forwards == backwards) & (length >= self._game.shortest)
        return won

    def _worth(
        self, palindrome: NDArray[np.bool_], is_open: NDArray[np.bool_], length: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The value and distance of sequences to the side to move, by the game's theory."""
        game = self._game
        missing = game.shortest - length
        odd = missing % 2 == 1
        cases: list[tuple[NDArray[Any], int, NDArray[Any] | int]] = [
            (palindrome & (missing <= 0), _LOSS, 0),
            (is_open & (missing <= 1), _WIN, 1),
            ((missing <= 0) | (game.forfeit == "move"), _ENDLESS, NO_DISTANCE),
            (odd & is_open, _WIN, missing),
            (odd & palindrome, _LOSS, missing + 1),
            (~odd & palindrome, _LOSS, missing),
            (~odd & is_open, _WIN, missing + 1),
        ]
        when, kinds, plies = zip(*cases, strict=True)
        return np.select(when, kinds, _ENDLESS), np.select(when, plies, NO_DISTANCE)


def _drawings(digits: int, together: int) -> NDArray[np.bool_]:
    """The planes of every row of `together` digits: first with side 0 to move, then with side 1."""
    rows = np.arange((digits + 1) ** together)
    planes = np.zeros((2, len(rows), together, digits + 1), np.bool_)
    for place in range(together):
        digit = rows // (digits + 1) ** place % (digits + 1)
        planes[:, :, place, :digits] = digit[:, None] == np.arange(1, digits + 1)
    planes[1, ..., digits] = True
    return planes.reshape(-1, together, digits + 1)


def _column(array: NDArray[Any]) -> NDArray[Any]:
    return array[:, None]


def _closes(
    rest: tuple[NDArray[np.uint64], NDArray[np.uint64]], end: NDArray[np.uint64], numbers: NDArray[np.uint64]
) -> NDArray[np.bool_]:
    """Mark the numbers that make a palindrome: they equal the other end, and the rest is a palindrome."""
    closing: NDArray[np.bool_] = _column(rest[0] == rest[1]) & (_column(end) == numbers)
    return closing


def _rank(kind: NDArray[np.int64], plies: NDArray[np.int64]) -> NDArray[np.int64]:
    """Rank positions of this value as left to the opponent: best is a loss for them, and soon."""
    return rank_values(np.select([kind == _LOSS, kind == _WIN], [_WIN, _LOSS], kind), plies)
