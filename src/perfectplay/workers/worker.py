"""Slow work in a separate process: choosing moves, and exact answers about positions.

Started as a program, this reads a request per line and writes an answer per line, both JSON.
"""

import json
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Any, cast

from perfectplay.coach.coach import Coach, describe_value, reply
from perfectplay.coach.puzzles import day_of
from perfectplay.core.errors import PerfectplayError
from perfectplay.core.game import Game
from perfectplay.core.match import Match
from perfectplay.core.outcome import Side
from perfectplay.core.record import Record, read_records
from perfectplay.solver.errors import TooLargeError
from perfectplay.solver.oracle import Oracle
from perfectplay.solver.oracle_cache import oracle_for
from perfectplay.tables.encoding import dumps
from perfectplay.tables.limits import MOST_MEMORY, MOST_POSITIONS, most_plies
from perfectplay.tables.position_serializers import is_end, serialize_moves, serialize_position
from perfectplay.tables.validation import is_solved_for, load_small_game, validate_opponent
from perfectplay.workers import practice
from perfectplay.workers.mistakes import mistakes

if TYPE_CHECKING:
    from perfectplay.tables.schemas import ChartPointSchema, StudySchema


def solve_bounded(game: Game[Any]) -> Oracle[Any]:
    """The oracle of a game; TooLargeError if it has too many positions."""
    return oracle_for(game, MOST_POSITIONS)


def choose(record: Record, player: str) -> str:
    """The move of a computer player after the moves of a record; the same every time."""
    match = Match.replay(record, load_small_game(record.spec))
    chooser = validate_opponent(player, match.game)
    if is_solved_for(chooser):
        solve_bounded(match.game)
    return match.game.action_text(match.state, chooser.move(match))


def study(match: Match[Any], record: Record, ply: int | None, *, number: int) -> "StudySchema":
    """The exact value of every move of a position, by default the last, and a review of the game so far."""
    game = match.game
    ply = _check_ply(match, ply)
    oracle = solve_bounded(game)
    coach = Coach(oracle)
    state = match.positions[ply]
    value = oracle.value_at(match, ply)
    best = set(oracle.best(state))
    regret = oracle.regret(record)
    over = is_end(match, ply)
    swapped = record.place.swapped
    return {
        "position": serialize_position(match, ply, number=number, swapped=swapped, ended=over),
        "side_names": game.side_names,
        "played": serialize_moves(match, swapped=swapped),
        "value": {
            "kind": value.kind,
            "plies": value.plies,
            "text": "The game is over in this position." if over else describe_value(value),
        },
        "moves": [
            {
                "action": move.action,
                "text": move.text,
                "kind": move.value.kind,
                "plies": move.value.plies,
                "best": move.action in best,
                "words": reply(oracle, state, move.action),
            }
            for move in (() if over else oracle.moves(state))
        ],
        "why": [] if over else [coach.hint(state), *coach.why(state)],
        "accuracy": list(regret.accuracy),
        "marks": [
            {"ply": each.ply, "text": each.text, "mark": each.mark, "kept": each.kept}
            for each in regret.plies
        ],
        "chart": [cast("ChartPointSchema", point._asdict()) for point in regret.chart],
        "review": list(coach.review(record)),
    }


def _check_ply(match: Match[Any], ply: int | None) -> int:
    ply = match.plies if ply is None else ply
    if ply > match.plies:
        raise PerfectplayError(f"ply={ply}: must be from 0 to {match.plies}")
    return ply


def answer(request: dict[str, Any]) -> Mapping[str, object]:
    """The answer to one request; `error` in it says why the request failed."""
    try:
        return _answer(request)
    except TooLargeError as error:
        # The advice in the error itself is for the command line.
        text = f"{error.spec} has more than {error.limit:,} positions, too many for this server to solve"
        return {"error": text}
    except PerfectplayError as error:
        return {"error": str(error)}
    except (MemoryError, RecursionError):
        oracle_for.clear()
        return {"error": "this game is too large for this server"}


def _answer(request: dict[str, Any]) -> Mapping[str, object]:
    task = request["do"]
    if task == "puzzles":
        return {"answer": practice.REQUESTS[request["ask"]](**request["with"])}
    if task == "check":
        solve_bounded(load_small_game(request["game"]))
        return {}
    if task == "solo":
        game = load_small_game(request["game"])
        match = Match(game, max_plies=most_plies(game))
        for move in request["moves"]:
            match.play(move)
        if "player" in request:
            solve_bounded(game)
            return mistakes(game, match.positions[_check_ply(match, request["ply"])], request["player"])
        record = match.record()
    else:
        record = read_records(request["record"])[0]
        if task == "choose":
            begun = monotonic()
            return {"text": choose(record, request["player"]), "seconds": monotonic() - begun}
        match = Match.replay(record, load_small_game(record.spec))
        if task == "journal":
            people: dict[Side, str] = {request["side"]: request["opponent"]}
            return practice.of_game(match, solve_bounded(match.game), people, day_of(request["day"]))
    return study(match, record, request["ply"], number=request["number"])


def limit_memory() -> None:
    """Bound the memory of this process. Files that are mapped do not count: table bases may be larger."""
    with suppress(ImportError):  # where memory cannot be limited, time still is
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))


def main() -> None:
    """Answer requests until there are no more."""
    limit_memory()
    seconds, alarm = int(sys.argv[1]), getattr(signal, "alarm", int)
    for line in sys.stdin:
        # The server ends this process after `seconds`; the alarm is for when the server itself has ended.
        alarm(seconds + 5)
        sys.stdout.buffer.write(dumps(answer(json.loads(line))) + b"\n")
        sys.stdout.flush()
        alarm(0)


if __name__ == "__main__":
    with suppress(KeyboardInterrupt, BrokenPipeError):
        main()
