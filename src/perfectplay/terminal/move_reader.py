"""The questions and answers of one turn, without a screen."""

from typing import Any

from perfectplay.core.dialogue import Dialogue, Forfeit, Lines, Prompt
from perfectplay.core.game import Action, Refusal


class MoveReader:
    """One turn of a person: which question is due, and what an answer leads to."""

    def __init__(self, dialogue: Dialogue[Any], state: Any) -> None:
        self.dialogue = dialogue
        self.state = state
        self.answers: Lines = ()
        """The answers that were accepted so far and do not make a move yet."""
        self._asked: Lines | None = None

    @property
    def is_new(self) -> bool:
        """Whether nothing has been asked yet."""
        return self._asked is None

    def prompt(self) -> Prompt:
        """The question that is due. Its lines come once, not again after a refusal or a command."""
        prompt = self.dialogue.ask(self.state, self.answers)
        assert isinstance(prompt, Prompt)  # an answer that leads to anything else is not kept
        again = self._asked == self.answers
        self._asked = self.answers
        return prompt._replace(lines=()) if again else prompt

    def answer(self, line: str) -> Action | Forfeit | Refusal | None:
        """What a line leads to: a move, a lost turn or a refusal; None if another question follows."""
        answers = (*self.answers, line)
        step = self.dialogue.ask(self.state, answers)
        if not isinstance(step, Prompt):
            return step
        self.answers = answers
        return None

    def reads(self, line: str) -> bool:
        """Whether a line reads as a move, legal or not, or as the beginning of one."""
        return self.dialogue.reads(self.state, (*self.answers, line))

    def take_back(self) -> str:
        """Take back the last answer, and return it."""
        *kept, answer = self.answers
        self._asked = self.answers = tuple(kept)
        return answer
