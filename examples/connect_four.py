"""Connect Four in one file, on a board of any size: the plain rules, and the same rules on arrays."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from perfectplay import (
    ArrayRules,
    Cell,
    Control,
    Dialogue,
    Game,
    Outcome,
    ParseError,
    Refusal,
    Side,
    View,
    other,
    parameter,
)

State = tuple[str, Side]
"""The squares, column by column from the bottom, each X, O or a dot; and the side to move."""


@dataclass(frozen=True)
class ConnectFour(Game[State]):
    """Drop a stone into a column. Four of your own in a row, a column or a diagonal win."""

    name = "connect-four"
    title = "Connect Four"
    outcome_reasons = ("a line", "board full")
    refusal_names = ("full",)

    columns: int = parameter(7, "how many columns the board has", least=1, most=20)
    rows: int = parameter(6, "how many rows the board has", least=1, most=20)
    line: int = parameter(4, "how many in a row win", least=2, most=20)

    @property
    def side_names(self) -> tuple[str, str]:
        return ("X", "O")

    @property
    def num_actions(self) -> int:
        return self.columns

    def initial(self) -> State:
        return "." * (self.columns * self.rows), 0

    def side_to_move(self, state: State) -> Side:
        return state[1]

    def legal_actions(self, state: State) -> tuple[int, ...]:
        if self.outcome(state) is not None:
            return ()
        squares, rows = state[0], self.rows
        return tuple([column for column in range(self.columns) if squares[column * rows + rows - 1] == "."])

    def apply(self, state: State, action: int) -> State:
        squares, side = state
        place = squares.index(".", action * self.rows)
        return f"{squares[:place]}{'XO'[side]}{squares[place + 1 :]}", other(side)

    @cached_property
    def _lines(self) -> tuple[tuple[int, ...], ...]:
        """The squares of every line that wins."""
        found = []
        for column in range(self.columns):
            for row in range(self.rows):
                for right, up in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    ends = column + right * (self.line - 1), row + up * (self.line - 1)
                    if 0 <= ends[0] < self.columns and 0 <= ends[1] < self.rows:
                        squares = ((column + right * i) * self.rows + row + up * i for i in range(self.line))
                        found.append(tuple(squares))
        return tuple(found)

    def outcome(self, state: State) -> Outcome | None:
        squares, side = state
        mark = "XO"[other(side)]  # only the side that has just moved can have made a line
        for line in self._lines:
            for place in line:
                if squares[place] != mark:
                    break
            else:
                return Outcome(other(side), "a line")
        return None if "." in squares else Outcome(None, "board full")

    def prohibition(self, state: State, action: int) -> Refusal:
        return Refusal("full", f"Column {action + 1} is full.")

    def action_text(self, state: State, action: int) -> str:
        return str(action + 1)

    def state_text(self, state: State) -> str:
        squares, side = state
        columns = [squares[i : i + self.rows] for i in range(0, len(squares), self.rows)]
        return f"{'/'.join(columns)} {'XO'[side]}"

    def parse_state(self, text: str) -> State:
        column = rf"(?=[XO.]{{{self.rows}}}[/ ])[XO]*\.*"  # stones lie below empty squares
        if not re.fullmatch(rf"{column}(/{column}){{{self.columns - 1}}} [XO]", text):
            raise ParseError(
                f"{text!r} is not a position: write {self.columns} columns of {self.rows} squares from the"
                " bottom, each X, O or dot, with slashes between them, then X or O to move"
            )
        return text[:-2].replace("/", ""), 0 if text[-1] == "X" else 1

    def canonical(self, state: State) -> State:
        """The board or its mirror image, whichever comes first."""
        squares, side = state
        columns = [squares[i : i + self.rows] for i in range(0, len(squares), self.rows)]
        return min(squares, "".join(reversed(columns))), side

    def view(self, state: State) -> View:
        squares, legal = state[0], self.legal_actions(state)
        rows = tuple(
            tuple(self._cell(squares, column, row, legal) for column in range(self.columns))
            for row in reversed(range(self.rows))
        )
        controls = tuple(Control(str(action + 1), action) for action in legal)
        aims = (f"Get {self.line} X in a row.", f"Get {self.line} O in a row.")
        return View(rows, controls, sides=(("X",), ("O",)), aims=aims)

    def _cell(self, squares: str, column: int, row: int, legal: tuple[int, ...]) -> Cell:
        square = squares[column * self.rows + row]
        if square != ".":
            return Cell(str(column + 1), (square,))
        return Cell(str(column + 1), action=column if column in legal else None)

    def dialogue(self) -> "ConnectFourDialogue":
        return ConnectFourDialogue(self)

    def array_rules(self) -> "ConnectFourOnArrays | None":
        rules = ConnectFourOnArrays(self)
        return rules if rules.bits <= 64 else None


class ConnectFourDialogue(Dialogue[State]):
    """The words of any game, and a board with the numbers of its columns above."""

    def board(self, state: State) -> tuple[str, ...]:
        rows = self.game.view(state).rows
        lines = [
            [cell.label for cell in rows[0]],
            *(["".join(cell.pieces) or "." for cell in row] for row in rows),
        ]
        return tuple(" ".join(text.ljust(len(rows[0][-1].label)) for text in line).rstrip() for line in lines)


class ConnectFourOnArrays(ArrayRules[State]):
    """A column is a group of bits, one more than it has squares, and the lowest is at its bottom.

    A bit stands for a stone of the side to move. The highest bit of a column marks its first free square.
    """

    layered = True  # every move adds a stone

    game: ConnectFour

    def __init__(self, game: ConnectFour) -> None:
        super().__init__(game)
        self.high = game.rows + 1
        self.bits = game.columns * self.high
        self.bottom = sum(1 << column * self.high for column in range(game.columns))
        self.board = self.bottom * ((1 << game.rows) - 1)

    def code(self, state: State) -> int:
        squares, side = state
        code, rows = 0, self.game.rows
        for column in range(self.game.columns):
            stones = squares[column * rows : (column + 1) * rows].rstrip(".")
            own = sum(1 << row for row, stone in enumerate(stones) if stone == "XO"[side])
            code |= (own | 1 << len(stones)) << column * self.high
        return code

    def state(self, code: int) -> State:
        columns = [code >> i * self.high & (1 << self.high) - 1 for i in range(self.game.columns)]
        side: Side = 1 if sum(column.bit_length() - 1 for column in columns) % 2 else 0
        own, others = "XO"[side], "XO"[other(side)]
        stones = ["".join(own if i == "1" else others for i in f"{column:b}"[:0:-1]) for column in columns]
        return "".join(each.ljust(self.game.rows, ".") for each in stones), side

    def look(self, xp: Any, codes: Any) -> tuple[Any, Sequence[tuple[Any, Any]]]:
        filled = codes
        shift = 1
        while shift < self.high:  # every bit below the highest of its column
            filled = filled | filled >> shift & self._lowest(self.high - shift)
            shift *= 2
        filled = filled >> 1 & self.board
        free = filled + self.bottom
        others = filled ^ codes ^ free  # the stones of the side that has just moved
        lost = xp.zeros(codes.shape, bool)
        for step in (1, self.high - 1, self.high, self.high + 1):
            line = others
            for i in range(1, self.game.line):
                line = line & others >> i * step
            lost = lost | (line != 0)
        full = filled == self.board
        ends = xp.where(lost, self.LOST, xp.where(full, self.TIED, self.GOES_ON))
        moves = []
        for column in range(self.game.columns):
            dropped = free & self._lowest(self.game.rows) & (1 << self.high) - 1 << column * self.high
            moves.append(((others | free) + dropped, (dropped != 0) & ~lost))
        return ends, moves

    def images(self, xp: Any, codes: Any) -> Sequence[Any]:
        one = (1 << self.high) - 1
        last = self.game.columns - 1
        mirrored = xp.zeros_like(codes)
        for column in range(self.game.columns):
            moved = (codes >> column * self.high & one) << (last - column) * self.high
            mirrored = mirrored | moved
        return (mirrored,)

    def _lowest(self, count: int) -> int:
        """The lowest bits of every column."""
        return self.bottom * ((1 << count) - 1)
