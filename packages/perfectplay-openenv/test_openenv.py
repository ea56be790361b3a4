"""Plays whole games through the server of OpenEnv and its own client protocol, and runs its validators."""

import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from openenv.core.client_types import StepResult
from openenv.core.env_client import EnvClient
from perfectplay_openenv import GameAction, GameEnvironment, GameObservation, GameState

from tests.evals.agents import LISTED, by_text, reference

PACKAGE = Path(__file__).parent
BIN = Path(sys.executable).parent
GAME = {"game": LISTED.game, "opponent": LISTED.opponent, "attempts": 2, "moves": "listed"}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A server that is up."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [BIN / "server", "--port", str(port)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    deadline = time.monotonic() + 120
    while True:
        with suppress(OSError):
            urlopen(f"http://127.0.0.1:{port}/health", timeout=5).close()
            break
        assert server.poll() is None, server.stdout.read() if server.stdout else ""
        assert time.monotonic() < deadline
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.communicate()


class Client(EnvClient[GameAction, GameObservation, GameState]):
    """The client that authors write for an environment."""

    def _step_payload(self, action: GameAction) -> dict[str, object]:
        return {"text": action.text}

    def _parse_result(self, payload: dict[str, object]) -> StepResult[GameObservation]:
        shown = GameObservation.model_validate(payload["observation"])
        return StepResult(observation=shown, reward=payload.get("reward"), done=bool(payload["done"]))

    def _parse_state(self, payload: dict[str, object]) -> GameState:
        return GameState.model_validate(payload)


def test_the_client_that_authors_write_plays_a_game(address: str) -> None:
    [expected, *_] = reference(games=1)
    with Client(base_url=address).sync() as client:
        shown = client.reset(**GAME, seed=7, reward="luck_free")
        while shown.observation.question is not None:
            shown = client.step(GameAction(text=by_text(shown.observation.question)))
        assert client.state().counts == json.loads(json.dumps(asdict(expected.counts)))
        assert (shown.done, shown.reward) == (True, expected.counts.rates()["luck_free"])


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"opponent": "program:true"}, "it would run a program"),
        ({"game": "./game.py"}, "a game file is not allowed here"),
        ({"game": "bit-flip:bits=5000"}, "too large to play here"),
        ({"gam": "bit-flip"}, "did you mean game"),
        ({"seat": 3}, "seat=3: must be 1 or 2"),
        ({"number": -1}, "number=-1: must be a whole number"),
        ({"reward": "fun"}, "kept, points or luck_free"),
    ],
)
def test_wrong_options_are_refused_in_one_line(options: dict[str, object], reason: str, address: str) -> None:
    data = json.dumps(options).encode()
    request = Request(f"{address}/reset", data, {"Content-Type": "application/json"})
    with pytest.raises(HTTPError) as refused:
        urlopen(request)
    with refused.value as answer:
        assert (answer.code, reason in json.loads(answer.read())["detail"]) == (422, True)
    with pytest.raises(ValueError, match=reason.split(":", maxsplit=1)[0]):
        GameEnvironment().reset(**options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("path", "body", "reason"),
    [
        ("reset", b"{", "body.1: json decode error"),
        ("reset", b'{"seed": NaN}', "body.seed: input should be a finite number"),
        ("reset", b"[" * 100_000, "There was an error parsing the body"),
        ("step", b'{"action": {"text": NaN}}', "text: input should be a valid string"),
        (
            "step",
            b'{"action": {"txt": "Move: 4"}}',
            "text: field required; txt: extra inputs are not permitted",
        ),
    ],
)
def test_rubbish_is_refused_in_one_line(path: str, body: bytes, reason: str, address: str) -> None:
    request = Request(f"{address}/{path}", body, {"Content-Type": "application/json"})
    with pytest.raises(HTTPError) as refused:
        urlopen(request)
    with refused.value as answer:
        assert 400 <= answer.code < 500
        assert json.loads(answer.read())["detail"] == reason


def test_the_validators_pass(address: str) -> None:
    for arguments in ((str(PACKAGE), "--level", "static", "--skip-build"), ("--url", address)):
        done = subprocess.run([BIN / "openenv", "validate", *arguments], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout
        assert "Verdict: PASS" in done.stdout
