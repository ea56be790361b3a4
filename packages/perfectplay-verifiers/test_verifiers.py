"""Runs the hub's own programs on the games, against a scripted model of known strength on loopback."""

import json
import os
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest
from perfectplay_verifiers import GameConfig, GameTaskset

from perfectplay.evals.play import Play
from perfectplay.evals.setup import MODEL, Setup
from tests.evals.agents import asked, by_text
from tests.evals.servers import chat_server

EXAMPLE = Path(__file__).with_name("example-rollouts.jsonl")
GAMES = 2
OPTIONS = {"games": GAMES, "moves": "listed", "attempts": 2, "seed": 7}


def run(program: str, *arguments: object) -> "subprocess.CompletedProcess[str]":
    command = [Path(sys.executable).parent / program, "perfectplay-verifiers", *arguments, "--no-rich"]
    environment = {**os.environ, "SCRIPTED_KEY": "none"}
    return subprocess.run([*map(str, command)], env=environment, text=True, capture_output=True, timeout=300)


def evaluate(folder: Path, *arguments: object, **options: object) -> list[dict[str, object]]:
    """The traces of a whole evaluation."""
    named = [text for name, value in options.items() for text in (f"--env.taskset.{name}", value)]
    with chat_server() as address:
        client = ["--client.base-url", address, "--client.api-key-var", "SCRIPTED_KEY"]
        done = run(
            "vf-eval", "-m", "scripted", "--no-push", "--output-dir", folder, *client, *named, *arguments
        )
    assert done.returncode == 0, done.stderr
    [written] = folder.glob("*/traces.jsonl")
    episodes = [json.loads(line) for line in written.read_text().splitlines()]
    return [trace for each in episodes for trace in each.get("traces", [each])]


def test_gold_and_noop_pass(tmp_path: Path) -> None:
    done = run("vf-validate", "--runtime.type", "subprocess", "--taskset.games", 2, "-o", tmp_path)
    assert done.returncode == 0, done.stderr
    [written] = tmp_path.rglob("summary.json")
    checks = json.loads(written.read_text())["checks"]
    assert checks["gold"]["valid"] == checks["noop"]["valid"] == 4


def by_text_alone(setup: Setup, seat: int, number: int = 0) -> Play:
    """The game of the scripted model in plain Python."""
    play = Play(setup, seat=1 if seat else 0, number=number)
    while play.question is not None:
        play.answer(by_text(asked(play)))
    return play


def test_the_kept_example_is_what_its_games_come_to() -> None:
    setup = Setup("bit-flip", attempts=2, moves="listed", memory="chat")
    rows = [json.loads(line) for line in EXAMPLE.read_text().splitlines()]
    assert len(rows) == 5 * 3
    for place, row in enumerate(rows):
        number, seat = divmod(place // 3, 2)
        counts = by_text_alone(setup, seat, number).counts
        rates, answers = counts.rates(), {name: times for name, times in counts.answers.items() if times}
        assert row["task"] == f"bit-flip game {number + 1}, seat {seat + 1}"
        assert (row["result"], row["answers"]) == (counts.result, answers)
        assert (row["reward"], row["metrics"]["points"]) == (round(rates["kept"], 3), rates["points"])


def test_in_self_play_each_seat_is_counted(tmp_path: Path) -> None:
    setup = Setup("bit-flip:bits=9", MODEL, attempts=2, moves="listed", seed=7, memory="chat")
    traces = evaluate(tmp_path, **{**OPTIONS, "games": 1}, game=setup.game, opponent=MODEL)
    found = {}
    for seat in (0, 1):
        play = by_text_alone(setup, seat)
        assert play.counts.decisions  # a seat that is never asked has no conversation
        found[seat] = json.loads(json.dumps(asdict(play.counts)))
    assert {each["task"]["data"]["seat"]: each["info"]["perfectplay"]["counts"] for each in traces} == found  # type: ignore[index]


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("opponent", "program:true", "it would run a program"),
        ("game", "./game.py", "a game file is not allowed here"),
        ("game", "bit-flip:bits=5000", "too large to play here"),
        ("attempts", 0, "a whole number, at least 1"),
        ("reward", "fun", "'kept' or 'luck_free'"),
    ],
)
def test_wrong_options_are_refused(name: str, value: object, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        next(GameTaskset(GameConfig.model_validate({name: value})).load())
