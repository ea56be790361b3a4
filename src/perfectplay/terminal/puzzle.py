"""The puzzles of a day, printed."""

import json
from collections.abc import Sequence
from datetime import date
from typing import Any

from perfectplay.coach.puzzles import Attempt, Puzzle, day_of, puzzles
from perfectplay.core.errors import ParseError
from perfectplay.terminal.console import Console


def show_puzzles(
    console: Console, name: str | None, day: str | None, moves: Sequence[str], *, answer: bool, as_json: bool
) -> None:
    """Print the puzzle of a game, or of every game, and what became of the moves that were tried."""
    if moves and name is None:
        raise ParseError("--try needs the name of a game: perfectplay puzzle GAME --try MOVE")
    when = date.today() if day is None else day_of(day)
    found = puzzles(when, name)
    if as_json:
        facts = [puzzle_facts(each, each.attempt(moves)) for each in found]
        return console.say(json.dumps(facts[0] if name is not None else facts))
    for number, each in enumerate(found):
        console.say(*([""] if number else []), *_lines(console, each, moves, answer))


def puzzle_facts(puzzle: Puzzle, attempt: Attempt) -> dict[str, Any]:
    """A puzzle and an attempt at it, as data for JSON."""
    game = puzzle.game
    return {
        "date": puzzle.day.isoformat(),
        "game": game.spec,
        "position": game.state_text(puzzle.state),
        "question": puzzle.question,
        "value": puzzle.value.kind,
        "plies": puzzle.value.plies,
        "moves": list(puzzle.attempt(()).match.legal()),
        "answer": list(puzzle.answer),
        "right": attempt.right if attempt.words else None,
        "solved": attempt.solved,
        "words": list(attempt.words),
    }


def _lines(console: Console, puzzle: Puzzle, moves: Sequence[str], answer: bool) -> list[str]:
    game = puzzle.game
    dialogue = game.dialogue()
    dialogue.width = console.width
    attempt = puzzle.attempt(moves)
    lines = [f"{game.title}: {game.spec}, {puzzle.day.isoformat()}"]
    if attempt.words:
        lines += ["Solved." if attempt.solved else "Right so far." if attempt.right else "Wrong."]
        lines += attempt.words
    if not attempt.solved:
        position = attempt.match.state if attempt.right else puzzle.state
        lines += [*dialogue.board(position), puzzle.question]
    if answer:
        lines.append(f"Answer: {', '.join(puzzle.answer)}")
    return lines
