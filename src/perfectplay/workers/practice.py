"""What people practise with on pages: the puzzles of the day, and exercises from a finished game."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

from perfectplay.coach.coach import say_move
from perfectplay.coach.exercises import Exercise
from perfectplay.coach.puzzles import Attempt, day_of, puzzle, puzzles
from perfectplay.core.match import Match
from perfectplay.core.outcome import Side
from perfectplay.core.walks import move_texts
from perfectplay.solver.oracle import Oracle
from perfectplay.strength.journal import Journal
from perfectplay.tables.encoding import JsonObject
from perfectplay.tables.position_serializers import serialize_position

if TYPE_CHECKING:
    from perfectplay.tables.position_schemas import PositionSchema


def day(date: str) -> list[JsonObject]:
    """The puzzles of a day, one for each game."""
    return [
        {
            "name": each.game.name,
            "spec": each.game.spec,
            "title": each.game.title,
            "sides": list(each.game.side_names),
            "question": each.question,
            "difficulty": each.difficulty,
            "moves": move_texts(each.game, each.moves),
            **_board(each.attempt(())),
        }
        for each in puzzles(day_of(date))
    ]


def attempt(date: str, game: str, moves: Sequence[str]) -> JsonObject:
    """What becomes of the solver's moves: whether they are right, the coach's words, and the reply."""
    return _serialize_attempt(puzzle(game, day_of(date)).attempt(moves))


def answer(date: str, game: str) -> JsonObject:
    """The answer: its moves and the replies to them, and what the coach says about the first."""
    found = puzzle(game, day_of(date))
    mine = found.answer[::2]
    names, side = found.game.side_names, found.game.side_to_move(found.state)
    solved = found.attempt(mine)
    states = solved.match.positions[len(found.moves) :]
    moves = [say_move(found.game, state, move) for state, move in zip(states, found.line, strict=False)]
    line = [f"{names[(side + number) % 2]}: {move}" for number, move in enumerate(moves)]
    return {**_serialize_attempt(solved), "words": found.attempt(mine[:1]).words, "line": line}


def _serialize_attempt(found: Attempt) -> JsonObject:
    return {"right": found.right, "solved": found.solved, "words": found.words, **_board(found)}


def _board(found: Attempt) -> JsonObject:
    match = found.match
    position: PositionSchema = serialize_position(match, match.plies, number=1)
    return {"position": position, "owners": match.cell_owners()}


REQUESTS: dict[str, Callable[..., Any]] = {"day": day, "attempt": attempt, "answer": answer}


def of_game(match: Match[Any], oracle: Oracle[Any], people: Mapping[Side, str], day: date) -> JsonObject:
    """The journal of one game; `people` are the sides played by whoever asks, with their opponents."""
    found = Journal.of_game(match, oracle, people, day)
    return {
        "games": [each.as_dict() for each in found.games],
        "exercises": [_serialize_exercise(each, match, oracle) for each in found.exercises],
    }


def _serialize_exercise(exercise: Exercise, match: Match[Any], oracle: Oracle[Any]) -> JsonObject:
    game = match.game
    ply = match.positions.index(game.parse_state(exercise.position))
    before: Match[Any] = Match(game, start=match.positions[0])
    for entry in [entry for entry in match.history if entry.is_ply][:ply]:
        before.forfeit() if entry.action is None else before.play(entry.action)
    return {
        **exercise.as_dict(),
        **exercise.describe(oracle),
        "sides": game.side_names,
        "board": serialize_position(match, ply, number=1, ended=False),
        "owners": before.cell_owners(),
    }
