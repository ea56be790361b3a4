"""The puzzles of a day, printed."""

import json
import shlex
from collections.abc import Sequence
from datetime import date
from typing import Any

from perfectplay.coach.puzzles import Attempt, Puzzle, day_of, puzzles
from perfectplay.core.errors import ParseError
from perfectplay.terminal.console import JOINED, Console


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
    tried = [each.attempt(moves) for each in found]
    blocks = [_lines(console, each, attempt, answer) for each, attempt in zip(found, tried, strict=True)]
    if not answer and not tried[0].solved:
        again = moves if tried[0].right else ()  # after a wrong move the puzzle starts again
        blocks.append(_how_to_go_on(name, found[0].game.name, day, again))
    for number, block in enumerate(blocks):
        console.say(*([""] if number else []), *block)


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


def _lines(console: Console, puzzle: Puzzle, attempt: Attempt, answer: bool) -> list[str]:
    game = puzzle.game
    dialogue = game.dialogue()
    dialogue.width = console.width
    lines = [f"{game.title}: {game.spec}, {puzzle.day.isoformat()}"]
    if attempt.words:
        lines += ["Solved." if attempt.solved else "Right so far." if attempt.right else "Wrong."]
        lines += attempt.words
    if not attempt.solved:
        shown = attempt.match if attempt.right else puzzle.attempt(()).match
        lines += [*dialogue.board(shown.state), puzzle.question, f"Moves: {_whole(shown.legal())}"]
    if answer:
        lines.append(f"Answer: {_whole(puzzle.answer)}")
    return lines


def _whole(moves: Sequence[str]) -> str:
    """Moves in a line that may be broken between them, and not within one."""
    return ", ".join(move.replace(" ", JOINED) for move in moves)


def _how_to_go_on(name: str | None, example: str, day: str | None, moves: Sequence[str]) -> list[str]:
    """The commands to answer and to see the answer, with an `example` where no game was named."""
    on = [] if day is None else ["--date", day]
    tried = [word for move in moves for word in ("--try", move)]
    same = shlex.join(["perfectplay", "puzzle", example, *on, *tried])
    seen = shlex.join(["perfectplay", "puzzle", *([] if name is None else [name]), *on, "--answer"])
    return [
        f'To answer{"" if name else ", for example"}: {same} --try "MOVE"',
        f"To see the {'answer' if name else 'answers'}: {seen}",
        f"To read the rules: perfectplay rules {name or 'GAME'}",
    ]
