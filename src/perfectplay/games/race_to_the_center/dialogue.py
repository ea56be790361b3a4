"""The words of Race to the Center, as its rulebook prints them."""

from perfectplay.core.dialogue import Dialogue, Lines, Prompt
from perfectplay.core.formatting import join_words
from perfectplay.core.game import Action, Outcome
from perfectplay.games.race_to_the_center.rules import RaceToTheCenter, State
from perfectplay.render.text import draw_view


class RaceToTheCenterDialogue(Dialogue[State]):
    game: RaceToTheCenter
    question_draws = False

    def greeting(self, state: State) -> Lines:
        return (
            "Welcome to Race to the Center!",
            f"Player 1 starts at position {state.one}.",
            f"Player 2 starts at position {state.two}.",
            f"First to reach position {self.game.center} wins.",
        )

    def question(self, state: State) -> Prompt:
        place, longest = state.two if state.side else state.one, self.game.longest
        prompt = f"Move {join_words(range(1, longest + 1))} position{'s' if longest > 1 else ''}? "
        return Prompt((), f"{self.mover(state)}'s turn. You are at position {place}. {prompt}")

    def confirm(self, before: State, action: Action, after: State) -> Lines:
        place = after.two if before.side else after.one
        lines = (f"{self.mover(before)} moves to position {place}.",)
        if after.one == self.game.center and self.game.outcome(after) is None:
            return (*lines, "Player 1 has reached the center.")
        return lines

    def farewell(self, state: State, outcome: Outcome) -> Lines:
        assert outcome.winner is not None  # the rules have no ties
        return (f"{self.game.side_names[outcome.winner]} has reached the center and wins the game!",)

    def board(self, state: State) -> Lines:
        return draw_view(("Positions: ", "Markers:   "), self.game.view(state), self.width, narrowest=2)
