"""The words of Dual Direction, as its rulebook prints them."""

from perfectplay.core.dialogue import Dialogue, Lines, Prompt
from perfectplay.core.game import Action, Outcome
from perfectplay.games.dual_direction.rules import State
from perfectplay.render.text import draw_view


class DualDirectionDialogue(Dialogue[State]):
    question_draws = False

    def greeting(self, state: State) -> Lines:
        goals = self.game.view(state).captions
        return ("Welcome to Dual Direction!", "", *goals, f"Starting Position: {state.position}")

    def question(self, state: State) -> Prompt:
        lines = (f"{self.mover(state)}'s turn.", f"Current Position: {state.position}")
        return Prompt(lines, "Enter your move (left/right): ")

    def confirm(self, before: State, action: Action, after: State) -> Lines:
        return (f"Moved {self.game.action_text(before, action)} to position {after.position}.",)

    def farewell(self, state: State, outcome: Outcome) -> Lines:
        assert outcome.winner is not None  # each end of the line belongs to a player
        winner = self.game.side_names[outcome.winner]
        if outcome.reason == "goal":
            return ("", f"{winner} has reached their goal and wins the game!")
        return ("", f"{winner}'s goal is reached: {winner} wins the game!")

    def board(self, state: State) -> Lines:
        return draw_view(("Number Line: ", ""), self.game.view(state), self.width)
