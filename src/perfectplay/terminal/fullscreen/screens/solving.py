"""Positions to solve on the board: the puzzle of the day, and exercises from your own games."""

from collections.abc import Sequence
from datetime import date
from typing import Any, ClassVar

from textual.binding import Binding, BindingType

from perfectplay.coach.exercises import Exercise
from perfectplay.coach.puzzles import Puzzle
from perfectplay.core.errors import PerfectplayError
from perfectplay.core.formatting import join_words
from perfectplay.core.game import Action
from perfectplay.core.match import Match
from perfectplay.core.outcome import Side
from perfectplay.terminal import journal_file
from perfectplay.terminal.fullscreen.screens.board_screen import BoardScreen


class SolvingScreen(BoardScreen):
    """One person looks for a good move in the position of a match. No turn can be lost."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("u", "again", "Again", tooltip="Start again"),
        Binding("b", "answer", "Answer", tooltip="Show the answer"),
        Binding("q", "leave", "Leave"),
    ]

    def __init__(self, start: Match[Any]) -> None:
        super().__init__()
        self._match = start
        self._solver = start.side
        self._status = ""
        """What is said of the last answer."""

    @property
    def match(self) -> Match[Any]:
        return self._match

    def viewpoint(self, state: Any) -> Side:
        return self._solver

    def describe_wait(self) -> str:
        return self._status

    def idle(self) -> str:
        return self.describe_wait()

    def on_mount(self) -> None:
        self.call_after_refresh(self.run_action, "again")

    def forfeit(self, text: str, line: str) -> None:
        self.say(f"{text} No turn is lost here: choose again.")

    def present(self, match: Match[Any], *lines: str, live: bool = False) -> None:
        """Show a match and say lines; `live` asks for a move in it."""
        self._match = match
        self.say(*lines)
        if live:
            self.asking.ask()
        else:
            self.asking.stop()
        self.show_move()


class PuzzleScreen(SolvingScreen):
    """The puzzle of the day. Replies are made at once, and wrong moves are refuted."""

    def __init__(self, puzzle: Puzzle) -> None:
        super().__init__(puzzle.attempt(()).match)
        self.puzzle = puzzle
        self._tried: tuple[str, ...] = ()

    def heading(self) -> list[str]:
        return [f"Puzzle · {self.match.game.title}", self.puzzle.difficulty, self.puzzle.day.isoformat()]

    def play(self, action: Action) -> None:
        self._try(*self._tried, self.match.game.action_text(self.match.state, action))

    def _try(self, *moves: str) -> None:
        self._tried, found = moves, self.puzzle.attempt(moves)
        wrong = "Wrong. u tries again, b shows the answer, q leaves."
        self._status = "Solved. q leaves." if found.solved else wrong
        words = found.words or (self.puzzle.question,)
        self.present(found.match, *words, live=found.right and not found.solved)

    def action_again(self) -> None:
        self._try()

    def action_answer(self) -> None:
        self._try(*self.puzzle.answer[::2])
        self._status = "This is the answer. u starts again, q leaves."
        self.show_status()


class ExerciseScreen(SolvingScreen):
    """Finds a better move than in the game. The first answer to each counts for when it comes back."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("n", "next", "Next", tooltip="The next exercise")]

    def __init__(self, exercises: Sequence[Exercise], today: date) -> None:
        """There must be at least one. Raises PerfectplayError if one cannot be shown."""
        self.exercises = exercises
        self.today = today
        self._set_up(0)
        super().__init__(self._start())

    def _set_up(self, number: int) -> None:
        self.oracle = journal_file.oracle_of(self.exercises[number])
        self.number = number
        self.exercise = self.exercises[number]
        self._answered = False
        """Whether the first answer to this exercise was given."""

    def _start(self) -> Match[Any]:
        game = self.oracle.game
        return Match(game, start=game.parse_state(self.exercise.position))

    def heading(self) -> list[str]:
        count = f"{self.number + 1} of {len(self.exercises)}" if len(self.exercises) > 1 else ""
        return [f"Exercise · {self.match.game.title}", count, "from your own game"]

    def why_not(self, action: str) -> str:
        last = self.number + 1 == len(self.exercises)
        return "This was the last exercise; q leaves." if action == "next" and last else ""

    def describe_wait(self) -> str:
        return f"{self._status} {self.why_not('next') or 'n shows the next one, q leaves.'}"

    def play(self, action: Action) -> None:
        match = self.match
        answer = self.exercise.answer(match.game.action_text(match.state, action), self.oracle)
        self._record(solved=answer.solved)
        match.play(action)
        self._status = "Right." if answer.solved else "Wrong: u tries again, b shows the answer."
        self.present(match, *answer.words, *(self.exercise.recount(self.oracle) if answer.solved else ()))

    def _record(self, *, solved: bool) -> None:
        if not self._answered:
            self._answered = True
            journal_file.change(lambda kept: kept.add_trial(self.exercise, self.today, solved=solved))

    def action_again(self) -> None:
        match = self._start()
        self._solver = match.side
        self.present(match, self.exercise.question(self.oracle), live=True)

    def action_answer(self) -> None:
        self._record(solved=False)
        self._status = "This is the answer."
        moves = join_words(self.exercise.solutions(self.oracle))
        self.present(self._start(), f"Solved by {moves}.", *self.exercise.recount(self.oracle))

    def action_next(self) -> None:
        try:
            self._set_up(self.number + 1)
        except PerfectplayError as error:
            return self.say(f"The next exercise cannot be shown: {error}.")
        self.action_again()
