"""The puzzle of the day on the board: one move keeps the value, and every other is refuted."""

from typing import Any, ClassVar

from textual.binding import Binding, BindingType

from perfectplay.coach.puzzles import Puzzle
from perfectplay.core.game import Action
from perfectplay.core.match import Match
from perfectplay.core.outcome import Side
from perfectplay.terminal.fullscreen.screens.board_screen import BoardScreen

SOLVED = "Solved. q leaves."
SHOWN = "This is the answer. u starts again, q leaves."
WRONG = "Wrong. u tries again, b shows the answer, q leaves."


class PuzzleScreen(BoardScreen):
    """One person, who finds the moves of one side; the replies are made at once."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("u", "again", "Again", tooltip="Start the puzzle again"),
        Binding("b", "answer", "Answer", tooltip="Show the answer"),
        Binding("q", "leave", "Leave"),
    ]

    def __init__(self, puzzle: Puzzle) -> None:
        super().__init__()
        self.puzzle = puzzle
        self.tried: tuple[str, ...] = ()
        self.attempt = puzzle.attempt(())
        self._shown = False
        """Whether the answer was shown."""

    @property
    def match(self) -> Match[Any]:
        return self.attempt.match

    def heading(self) -> list[str]:
        return [f"Puzzle · {self.match.game.title}", self.puzzle.difficulty, self.puzzle.day.isoformat()]

    def waiting(self) -> str:
        return SHOWN if self._shown else SOLVED if self.attempt.solved else WRONG

    def idle(self) -> str:
        return self.waiting()

    def on_mount(self) -> None:
        self.call_after_refresh(self._try, ())

    def play(self, action: Action) -> None:
        self._try((*self.tried, self.match.game.action_text(self.match.state, action)))

    def forfeit(self, text: str, line: str) -> None:
        self.say(f"{text} In a puzzle, no turn is lost: choose again.")

    def viewpoint(self, state: Any) -> Side:
        return self.match.game.side_to_move(self.puzzle.state)

    def _try(self, moves: tuple[str, ...]) -> None:
        self.tried, self.attempt = moves, self.puzzle.attempt(moves)
        self.say(*(self.attempt.words or (self.puzzle.question,)))
        if self.attempt.right and not self.attempt.solved:
            self.asking.ask()
        else:
            self.asking.stop()
        self.show_move()

    def action_again(self) -> None:
        self._shown = False
        self._try(())

    def action_answer(self) -> None:
        self._shown = True
        self._try(self.puzzle.answer[::2])
