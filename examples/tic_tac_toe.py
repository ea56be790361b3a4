"""Tic-tac-toe in one file: the game of docs/add-a-game.md."""

import re
from dataclasses import dataclass

from perfectplay import Cell, Game, Outcome, ParseError, Refusal, Side, View, other

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

State = tuple[str, Side]
"""The nine squares, row by row, each X, O or a dot; and the side to move."""


@dataclass(frozen=True)
class TicTacToe(Game[State]):
    """Three of your own in a row, a column or a diagonal win."""

    name = "tic-tac-toe"
    title = "Tic-Tac-Toe"
    outcome_reasons = ("three in a row", "board full")
    refusal_names = ("taken",)

    @property
    def side_names(self) -> tuple[str, str]:
        return ("X", "O")

    @property
    def num_actions(self) -> int:
        return 9

    def initial(self) -> State:
        return ".........", 0

    def side_to_move(self, state: State) -> Side:
        return state[1]

    def legal_actions(self, state: State) -> tuple[int, ...]:
        if self.outcome(state) is not None:
            return ()
        return tuple([i for i, square in enumerate(state[0]) if square == "."])

    def apply(self, state: State, action: int) -> State:
        squares, side = state
        return f"{squares[:action]}{'XO'[side]}{squares[action + 1 :]}", other(side)

    def outcome(self, state: State) -> Outcome | None:
        squares, side = state
        mark = "XO"[other(side)]  # only the side that has just moved can have made a line
        for a, b, c in LINES:
            if mark == squares[a] == squares[b] == squares[c]:
                return Outcome(other(side), "three in a row")
        return None if "." in squares else Outcome(None, "board full")

    def prohibition(self, state: State, action: int) -> Refusal:
        return Refusal("taken", f"Square {action + 1} is taken.")

    def action_text(self, state: State, action: int) -> str:
        return str(action + 1)

    def state_text(self, state: State) -> str:
        squares, side = state
        return f"{squares} {'XO'[side]}"

    def parse_state(self, text: str) -> State:
        if not re.fullmatch(r"[XO.]{9} [XO]", text):
            raise ParseError(f"{text!r} is not a position: write nine of X, O and dot, then X or O to move")
        return text[:9], 0 if text[10] == "X" else 1

    def view(self, state: State) -> View:
        legal = self.legal_actions(state)
        cells = [
            Cell(str(i + 1), () if square == "." else (square,), i if i in legal else None)
            for i, square in enumerate(state[0])
        ]
        rows = (tuple(cells[0:3]), tuple(cells[3:6]), tuple(cells[6:9]))
        aims = ("Get three X in a row.", "Get three O in a row.")
        return View(rows, sides=(("X",), ("O",)), aims=aims)
