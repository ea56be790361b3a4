"""The puzzles of the day, for pages: in a worker of a server, and in a tab."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from perfectplay.coach.coach import say_move
from perfectplay.coach.puzzles import Attempt, day_of, puzzle, puzzles
from perfectplay.core.walks import move_texts
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
