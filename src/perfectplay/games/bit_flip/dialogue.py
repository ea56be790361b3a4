"""The words of Bit Flip, as its rulebook prints them."""

from perfectplay.core.dialogue import Dialogue, Lines, Prompt
from perfectplay.core.game import Action, Outcome, other
from perfectplay.games.bit_flip.rules import State
from perfectplay.render.text import draw_track


class BitFlipDialogue(Dialogue[State]):
    question_draws = False

    def greeting(self, state: State) -> Lines:
        return (
            "Welcome to Bit Flip!",
            "",
            f"Starting game with {self.game.num_actions} bits.",
            f"{self.mover(state)}, you will go first.",
            "",
            *self.board(state),
        )

    def question(self, state: State) -> Prompt:
        available = ", ".join(str(action) for action in self.game.legal_actions(state))
        lines = (f"{self.mover(state)}'s turn.", f"Available positions to flip: {available}")
        return Prompt(lines, "Enter the position of the bit you want to flip: ")

    def confirm(self, before: State, action: Action, after: State) -> Lines:
        return ("", f"You flipped bit at position {action}.", "", "Updated Bits:", *self.board(after))

    def farewell(self, state: State, outcome: Outcome) -> Lines:
        names = self.game.side_names
        return (
            "",
            f"{names[state.side]} has no valid moves and must pass.",
            f"{names[other(state.side)]} wins as they were the last to perform a valid move.",
        )

    def board(self, state: State) -> Lines:
        cells = self.game.view(state).rows[0]
        labels = [f"[{cell.label}]" for cell in cells]
        bits = [f"[{''.join(cell.pieces):>{len(cell.label)}}]" for cell in cells]
        return draw_track(("Positions: ", "Bits:      "), labels, bits, self.width)
