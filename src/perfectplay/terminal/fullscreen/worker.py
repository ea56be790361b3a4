"""What would keep keys waiting, in a process of its own: moves of computer players, and exact answers.

Started as a program, this reads a request per line and writes an answer per line, both JSON. It speaks
as the worker of the web server does, but is asked by the person at this machine: nothing is forbidden.
"""

import json
import os
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from datetime import date
from queue import SimpleQueue
from threading import Thread
from typing import Any

from perfectplay.coach.coach import Coach, describe_value, suggest
from perfectplay.core.errors import ForfeitError, PerfectplayError
from perfectplay.core.match import Match
from perfectplay.core.outcome import Side
from perfectplay.core.record import read_records
from perfectplay.games.registry import game_file_error, load_any
from perfectplay.players.registry import load_computer
from perfectplay.solver.oracle_cache import oracle_for
from perfectplay.terminal.journal_file import of_game

JsonRequest = Mapping[str, Any]
JsonAnswer = Mapping[str, object]


def answer(request: JsonRequest) -> JsonAnswer:
    """The answer to one request; `error` in it says why the request failed."""
    try:
        if request["do"] == "start":  # everything is loaded by now
            return {}
        record = read_records(request["record"])[0]
        return TASKS[request["do"]](Match.replay(record, load_any(record.spec)), request)
    except PerfectplayError as error:
        return {"error": str(error)}
    except MemoryError:
        return {"error": "this game is too large for the memory of this machine"}
    except Exception as error:  # noqa: BLE001 of a game file, whose author sits at this keyboard
        found = game_file_error(error)
        return {"error": str(found or f"{type(error).__name__}: {error}")}


def _coach(match: Match[Any]) -> Coach[Any]:
    return Coach(oracle_for(match.game))


def _prepare(match: Match[Any], request: JsonRequest) -> JsonAnswer:
    load_computer(request["player"]).prepare(match.game)
    return {}


def _choose(match: Match[Any], request: JsonRequest) -> JsonAnswer:
    try:
        return {"action": load_computer(request["player"]).move(match)}
    except ForfeitError as error:
        return {"forfeit": str(error)}


def _advise(match: Match[Any], request: JsonRequest) -> JsonAnswer:
    """What every move of a position is worth, a good one, the reason for it and how play would continue."""
    coach, ply = _coach(match), request["ply"]
    oracle, state = coach.oracle, match.positions[ply]
    # After a resignation the position could still be played.
    ended = match.result is not None and ply == match.plies and match.last.kind != "resign"
    if ended or match.game.outcome(state) is not None:
        over = "The game is over in this position."
        return {"verdict": over, "hint": over, "why": [over], "values": [], "best": [], "line": []}
    return {
        "verdict": describe_value(oracle.value_at(match, ply)),
        "hint": coach.hint(state),
        "why": coach.why(state),
        "values": [(move.action, move.value) for move in oracle.moves(state)],
        "best": [suggest(oracle, state)],
        "line": oracle.line(state),
    }


def _explain(match: Match[Any], request: JsonRequest) -> JsonAnswer:
    return {"why": _coach(match).why_move(match.state, request["action"])}


def _review(match: Match[Any], request: JsonRequest) -> JsonAnswer:
    """How well a game was played: the coach's words, and the points of its chart."""
    coach, record = _coach(match), match.record()
    chart = coach.oracle.regret(record).chart
    found: dict[str, object] = {"lines": coach.review(record, request.get("names")), "chart": chart}
    if request.get("people"):
        people: dict[Side, str] = {int(side): spec for side, spec in request["people"]}  # type: ignore[misc]
        day = date.fromisoformat(request["day"])
        found["journal"] = str(of_game(match, coach.oracle, people, day))
    return found


TASKS = {
    "prepare": _prepare,
    "choose": _choose,
    "advise": _advise,
    "explain": _explain,
    "review": _review,
}


def _end(*_: object) -> None:
    raise SystemExit(1)


def _read(requests: "SimpleQueue[str]") -> None:
    for line in sys.stdin:
        requests.put(line)
    # Whoever asked is gone. Thinking ends too, and so do programs that play.
    os.kill(os.getpid(), signal.SIGTERM)


def main() -> None:
    """Answer requests until there are no more."""
    signal.signal(signal.SIGTERM, _end)
    # The screen belongs to whoever asks.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
    requests: SimpleQueue[str] = SimpleQueue()
    Thread(target=_read, args=(requests,), daemon=True).start()
    while True:
        found = answer(json.loads(requests.get()))
        sys.stdout.write(json.dumps(found, ensure_ascii=False) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    with suppress(KeyboardInterrupt, BrokenPipeError):
        main()
