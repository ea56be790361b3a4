"""Exercises from your own games on the board, one after the other."""

from collections.abc import Sequence
from datetime import date
from typing import Any, ClassVar

from textual.binding import Binding, BindingType

from perfectplay.coach.exercises import Exercise
from perfectplay.core.errors import PerfectplayError
from perfectplay.core.formatting import join_words
from perfectplay.core.game import Action
from perfectplay.core.match import Match
from perfectplay.core.outcome import Side
from perfectplay.terminal import journal_file
from perfectplay.terminal.fullscreen.screens.board_screen import BoardScreen


class ExerciseScreen(BoardScreen):
    """Finds a better move than in the game. The first answer to each counts for when it comes back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("u", "again", "Again", tooltip="Try this exercise again"),
        Binding("b", "answer", "Answer", tooltip="Show what solves it"),
        Binding("n", "next", "Next", tooltip="The next exercise"),
        Binding("q", "leave", "Leave"),
    ]

    def __init__(self, exercises: Sequence[Exercise], today: date) -> None:
        """There must be at least one. Raises PerfectplayError if one cannot be shown."""
        super().__init__()
        self.exercises = exercises
        self.today = today
        self.number = 0
        self.oracle = journal_file.oracle_of(exercises[0])
        self._match = self._begin()
        self._answered = False
        """Whether the first answer to this exercise was given."""
        self._status = ""

    @property
    def match(self) -> Match[Any]:
        return self._match

    @property
    def exercise(self) -> Exercise:
        """The one on the board."""
        return self.exercises[self.number]

    def _begin(self) -> Match[Any]:
        game = self.oracle.game
        return Match(game, start=game.parse_state(self.exercise.position))

    def heading(self) -> list[str]:
        count = f"{self.number + 1} of {len(self.exercises)}" if len(self.exercises) > 1 else ""
        return [f"Exercise · {self.match.game.title}", count, "from your own game"]

    def why_not(self, action: str) -> str:
        last = self.number + 1 == len(self.exercises)
        return "This was the last exercise; q leaves." if action == "next" and last else ""

    def waiting(self) -> str:
        return f"{self._status} {self.why_not('next') or 'n shows the next one, q leaves.'}"

    def idle(self) -> str:
        return self.waiting()

    def viewpoint(self, state: Any) -> Side:
        return self.match.game.side_to_move(self.match.positions[0])

    def on_mount(self) -> None:
        self.call_after_refresh(self.action_again)

    def play(self, action: Action) -> None:
        match = self.match
        answer = self.exercise.answer(match.game.action_text(match.state, action), self.oracle)
        self._record(solved=answer.solved)
        match.play(action)
        self._status = "Right." if answer.solved else "Wrong: u tries again, b shows the answer."
        self._end(*answer.words, *(self.exercise.led_to(self.oracle) if answer.solved else ()))

    def forfeit(self, text: str, line: str) -> None:
        self.say(f"{text} In an exercise, no turn is lost: choose again.")

    def _record(self, *, solved: bool) -> None:
        if not self._answered:
            self._answered = True
            journal_file.change(lambda kept: kept.add_trial(self.exercise, self.today, solved=solved))

    def _end(self, *lines: str) -> None:
        self.asking.stop()
        self.say(*lines)
        self.show_move()

    def action_again(self) -> None:
        self._match = self._begin()
        self.say(self.exercise.question(self.oracle))
        self.asking.ask()
        self.show_move()

    def action_answer(self) -> None:
        self._record(solved=False)
        self._match = self._begin()
        self._status = "This is the answer."
        moves = join_words(self.exercise.solutions(self.oracle))
        self._end(f"Solved by {moves}.", *self.exercise.led_to(self.oracle))

    def action_next(self) -> None:
        try:
            self.oracle = journal_file.oracle_of(self.exercises[self.number + 1])
        except PerfectplayError as error:
            return self.say(f"The next exercise cannot be shown: {error}.")
        self.number += 1
        self._answered = False
        self.action_again()
