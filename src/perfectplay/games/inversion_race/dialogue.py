"""The words of Inversion Race, as its rulebook prints them."""

from perfectplay.core.dialogue import Dialogue, Lines, Prompt
from perfectplay.core.formatting import join_words
from perfectplay.core.game import Action, Outcome
from perfectplay.games.inversion_race.rules import LEFT, PASS_TURN, RIGHT, InversionRace, State
from perfectplay.render.text import draw_view


class InversionRaceDialogue(Dialogue[State]):
    game: InversionRace
    question_draws = False

    def greeting(self, state: State) -> Lines:
        return ("Welcome to Inversion Race!", "", *self.board(state))

    def question(self, state: State) -> Prompt:
        name = self.mover(state)
        here = state.b if state.side else state.a
        lines = [
            f"{name} (Marker '{name[-1]}') is at cell {here}.",
            f"Your goal is cell {self.game.goal(state)}.",
            "",
            "Available moves:",
        ]
        allowed, refused = [], []
        for number, action in enumerate((LEFT, RIGHT), start=1):
            direction = self.game.action_text(state, action)
            refusal = self.game.refusal(state, action)
            if refusal is None:
                allowed.append(number)
                cell = self.game.landing(state, action)
                verb = "Jump" if "leap" in self.game.events(state, action) else "Move"
                lines.append(f"{number}. {verb} {direction} to cell {cell}")
            else:
                refused.append(refusal.text)
                cell = here + (1 if action else -1)
                why = "occupied" if refusal.rule == "occupied" else "off the board"
                lines.append(f"{number}. Move {direction} to cell {cell} ({why})")
        return Prompt((*lines, "", *refused), f"Enter your choice ({join_words(allowed)}): ")

    def list_allowed(self, state: State) -> str:
        texts = [(each, self.game.action_text(state, each)) for each in self.game.legal_actions(state)]
        return f"Allowed: {join_words([f'{each + 1} ({text})' for each, text in texts])}."

    def answers(self, state: State, action: Action) -> Lines:
        return (str(action + 1),)

    def confirm(self, before: State, action: Action, after: State) -> Lines:
        name = self.mover(before)
        if action == PASS_TURN:
            return (f"{name} has no legal moves and must pass.",)
        line = f"{name} moves to cell {after.b if before.side else after.a}."
        if "inversion" not in self.game.events(before, action):
            return (line,)
        return (line, f"Inversion! The goal is now cell {self.game.goal(after)}.", *self.board(after))

    def farewell(self, state: State, outcome: Outcome) -> Lines:
        assert outcome.winner is not None  # the rules have no ties
        winner = self.game.side_names[outcome.winner]
        return (f"{winner} reaches cell {self.game.goal(state)} and wins the game!",)

    def board(self, state: State) -> Lines:
        return draw_view(("Cells:   ", "Markers: "), self.game.view(state), self.width)
