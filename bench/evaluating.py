"""What measuring an agent costs besides the agent: our own work, inside Inspect and over MCP."""

import subprocess
import sys
from importlib.util import find_spec
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import anyio

from bench import BenchRow
from perfectplay.evals.play import Play
from perfectplay.evals.setup import Setup

BOUNDS = {"bit-flip": 2.0, "mirror-match": 7.0}
"""Milliseconds per move of a model."""
INSPECT, ENTRY_POINT, MCP = 60.0, 20.0, 15.0
GAMES = 40


def rows() -> list[BenchRow]:
    found = [_row(f"evals: a move of a model in {spec}", _moves(spec), most) for spec, most in BOUNDS.items()]
    if find_spec("inspect_ai") is not None:
        found.append(_row("evals: a call inside Inspect", _inspect(), INSPECT))
        found.append(_row("evals: Inspect's entry point", _entry_point(), ENTRY_POINT))
    if find_spec("mcp") is not None:
        found.append(_row("evals: a call over MCP in memory", _mcp(), MCP))
    return found


def _row(what: str, milliseconds: float, most: float) -> BenchRow:
    return BenchRow(what, f"{milliseconds:.1f} ms", f"under {most:g} ms", milliseconds < most, "")


def _text(question: str) -> str:
    """A random move among those listed."""
    legal = question.partition("Legal moves: ")[2].splitlines()[0].split(", ")
    return f"Move: {Random(question).choice(legal)}"


def _moves(spec: str) -> float:
    setup = Setup(spec, "level:3", moves="listed", plies_limit=20)
    Play(setup, seat=0)  # solves the game
    turns, start = 0, perf_counter()
    for number in range(GAMES):
        play = Play(setup, seat=0, number=number)
        while play.question is not None:
            play.answer(_text(play.question.text))
        turns += len(play.texts)
    return 1000 * (perf_counter() - start) / turns


def _inspect() -> float:
    from inspect_ai import eval as inspect_eval
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    from perfectplay.evals.inspect_tasks import play

    calls = 0

    def outputs(messages: list[Any], *_: object) -> ModelOutput:
        nonlocal calls
        calls += 1
        output = ModelOutput.from_content("mockllm/model", _text(messages[-1].text))
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    model = get_model("mockllm/model", custom_outputs=outputs, memoize=False)
    with TemporaryDirectory() as folder:
        options: dict[str, Any] = {"model": model, "log_dir": folder, "display": "none"}
        inspect_eval(play("bit-flip", games=1, moves="listed"), **options)
        calls, start = 0, perf_counter()
        inspect_eval(play("bit-flip", games=GAMES, moves="listed"), **options)
        return 1000 * (perf_counter() - start) / calls


def _entry_point() -> float:
    check = (
        "import sys, time, inspect_ai, inspect_ai.dataset, inspect_ai.model\n"
        "import inspect_ai.scorer, inspect_ai.solver\n"
        "start = time.perf_counter(); import perfectplay.evals.inspect_tasks\n"
        "print(1000 * (time.perf_counter() - start)); assert 'perfectplay.core' not in sys.modules"
    )
    times = []
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
        times.append(float(done.stdout))
    return min(times)


def _mcp() -> float:
    from mcp import Client

    from perfectplay_mcp.server import GameServer
    from perfectplay_mcp.tools import GameTools

    async def talk() -> float:
        async with Client(GameServer(GameTools())) as client:
            options: dict[str, Any] = {"game": "bit-flip", "moves": "listed"}
            await client.call_tool("new_game", options)
            calls, start = 0, perf_counter()
            for number in range(GAMES):
                shown = (await client.call_tool("new_game", {**options, "number": number})).structured_content
                calls += 1
                while shown["question"] is not None:
                    said = {"table": shown["table"], "answer": _text(shown["question"])}
                    shown = (await client.call_tool("move", said)).structured_content
                    calls += 1
            return 1000 * (perf_counter() - start) / calls

    return anyio.run(talk)
