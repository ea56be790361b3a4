"""The words of Mirror Match, as its rulebook prints them."""

from perfectplay.core.dialogue import UNREADABLE, Dialogue, Forfeit, Lines, Prompt
from perfectplay.core.errors import ParseError
from perfectplay.core.formatting import quote
from perfectplay.core.game import Action, Outcome, Refusal
from perfectplay.games.mirror_match.rules import MirrorMatch, State


class MirrorMatchDialogue(Dialogue[State]):
    game: MirrorMatch

    def greeting(self, state: State) -> Lines:
        chosen = "Type pass to give up your turn by choice."
        return ("Welcome to Mirror Match!", *((chosen,) if self.game.forfeit == "move" else ()))

    def question(self, state: State) -> Prompt:
        lines = (f"[{self.mover(state)}'s Turn]", f"Current Sequence: {_join(state)}")
        numbers = f"1-{self.game.digits}" if self.game.digits > 1 else "1"
        return Prompt(lines, f"Choose a number ({numbers}): ")

    def ask(self, state: State, answers: Lines) -> Prompt | Action | Forfeit | Refusal:
        if not answers:
            return self.question(state)
        if self.game.forfeit == "move" and answers[0].strip().casefold() == "pass":
            return 2 * self.game.digits
        if self.game.number(answers[0]) is None:
            return Forfeit(f"{quote(answers[0])} is not a number from 1 to {self.game.digits}.")
        if len(answers) == 1:
            return Prompt((), "Place at the (B)eginning or (E)nd? ")
        try:
            return self.game.parse_action(state, " ".join(answers))
        except ParseError:
            return Refusal(UNREADABLE, f"{quote(answers[1])} is not a place. Allowed: B or E.")

    def answers(self, state: State, action: Action) -> Lines:
        return tuple(self.game.action_text(state, action).split())

    def phrase(self, state: State, action: Action) -> str:
        return " then ".join(self.answers(state, action))

    def confirm(self, before: State, action: Action, after: State) -> Lines:
        if action == 2 * self.game.digits:
            return (f"{self.mover(before)} passes.",)
        updated = f"Updated Sequence: {_join(after)}"
        if self.game.outcome(after) is None:
            return (updated, "No palindrome formed.")
        return (updated, f"Palindrome formed: {_join(after)}")

    def forfeit(self, state: State) -> Lines:
        return (f"Invalid number. {self.mover(state)} forfeits the turn.",)

    def farewell(self, state: State, outcome: Outcome) -> Lines:
        assert outcome.winner is not None  # the rules have no ties
        return (f"{self.game.side_names[outcome.winner]} wins!",)

    def board(self, state: State) -> Lines:
        return (f"Current Sequence: {_join(state)}",)


def _join(state: State) -> str:
    return " ".join(map(str, state.sequence))
