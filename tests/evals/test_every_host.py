"""The same answers give the same measures in every host, and so does what goes wrong.

Inspect, MCP and episodes run here. The packages of verifiers and OpenEnv run in environments of their own, whose
pins exclude ours: their programs are started there, and get the same texts over loopback. `make test-packages`
makes these environments and runs this with them.
"""

import atexit
import json
import os
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any, NoReturn
from urllib.request import urlopen

import pytest

from perfectplay.core.errors import PerfectplayError
from perfectplay.evals.answers import read_marked
from perfectplay.evals.episode import Episode
from perfectplay.evals.limits import MOST_TEXT
from perfectplay.evals.samples import Sample
from perfectplay_mcp.tools import GameTools
from tests.evals.agents import LISTED, by_text, reference
from tests.evals.servers import chat_server
from tests.extras import ROOT

pytestmark = [
    # What Inspect and its libraries warn about is not ours to change.
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

EXPECTED = Path(__file__).with_name("expected_counts.json")
"""The counts of each game, written by `python -m tests.evals.test_every_host`."""
STARTED_IN = dict(os.environ)
"""What programs of other environments see: verifiers keeps what it installs in the user's folder."""
GAMES = 3
"""Games in each seat."""
SETUP = {name: getattr(LISTED, name) for name in ("game", "opponent", "attempts", "moves", "seed")}

Agent = Callable[[str], str]
Counts = list[dict[str, Any]]
"""The counts of the games of a host: by number and, within it, by seat."""


def as_data(counts: object) -> dict[str, Any]:
    """Counts as every host gives them."""
    found: dict[str, Any] = json.loads(json.dumps(asdict(counts)))  # type: ignore[call-overload]
    return found


def plain(agent: Agent, setup: Mapping[str, Any], games: int, folder: Path) -> Counts:
    assert agent is by_text
    return [as_data(play.counts) for play in reference(games=games)]


def episode(agent: Agent, setup: Mapping[str, Any], games: int, folder: Path) -> Counts:
    found = []
    for number in range(games):
        for seat in (1, 2):
            made = Episode()
            made.reset(**setup, seat=seat, number=number)
            assert made.play is not None
            while made.play.question is not None:
                text = agent(made.play.question.text)
                move = read_marked(text)
                if move is None:  # a turn without a call of the tool
                    made.play.answer(text)
                else:
                    made.move(move)
            found.append(as_data(made.play.counts))
            assert made.get_reward() == made.play.counts.luck_free
    return found


def inspect(agent: Agent, setup: Mapping[str, Any], games: int, folder: Path) -> Counts:
    pytest.importorskip("inspect_ai", reason="the extra evals is not installed")
    from perfectplay.evals.inspect_tasks import play
    from tests.evals.test_inspect_tasks import mock, rows, run

    log = run(play(**setup, games=games), mock(agent), folder)
    return [as_data(row.counts) for row in sorted(rows(log), key=lambda row: (row.number, row.seat))]


def mcp(agent: Agent, setup: Mapping[str, Any], games: int, folder: Path) -> Counts:
    pytest.importorskip("mcp", reason="the extra mcp is not installed")
    import anyio
    from mcp import Client

    from perfectplay_mcp.server import GameServer
    from tests.mcp.test_server import called

    kept: list[list[Sample]] = []

    async def talk() -> None:
        async with Client(GameServer(GameTools(kept.append))) as client:
            for number in range(games):
                for seat in (1, 2):
                    shown = await called(client, "new_game", **setup, seat=seat, number=number)
                    while shown["question"] is not None:
                        text = agent(shown["question"])
                        shown = await called(client, "move", table=shown["table"], answer=text)

    anyio.run(talk)
    return [as_data(row.counts) for row in kept[-1]]


def environment(name: str) -> Path:
    """The programs of the environment of a package."""
    found = ROOT / f".venv-{name}" / "bin"
    if not (found.parent / "done").exists():
        leave = pytest.fail if os.environ.get("PERFECTPLAY_PACKAGES") else pytest.skip
        leave(f"perfectplay-{name} is not installed: make test-packages")
    return found


def evaluate(
    folder: Path, address: str, setup: Mapping[str, Any], games: int
) -> "subprocess.CompletedProcess[str]":
    """Run vf-eval against a server: what it came to, and where it writes."""
    options = {f"--env.taskset.{name}": str(value) for name, value in {**setup, "games": games}.items()}
    server = {"--client.base-url": address, "--client.api-key-var": "SCRIPTED_KEY", "-m": "scripted"}
    where = {"--output-dir": str(folder)}
    words = [word for pair in {**options, **server, **where}.items() for word in pair]
    command = [
        str(environment("verifiers") / "vf-eval"),
        "perfectplay-verifiers",
        "--no-push",
        "--no-rich",
        *words,
    ]
    env = {**STARTED_IN, "SCRIPTED_KEY": "none"}
    return subprocess.run(command, env=env, text=True, capture_output=True, timeout=300)


def verifiers(agent: Agent, setup: Mapping[str, Any], games: int, folder: Path) -> Counts:
    with chat_server(says=agent) as address:
        done = evaluate(folder, address, setup, games)
    assert done.returncode == 0, done.stderr
    found = {}
    for trace in read_traces(folder):
        data = trace["task"]["data"]
        counts = trace["info"]["perfectplay"]["counts"]
        assert trace["rewards"]["exact"]["score"] == pytest.approx(kept_share(counts))
        found[data["number"], data["seat"]] = counts
    return [found[key] for key in sorted(found)]


def read_traces(folder: Path) -> list[Any]:
    [written] = folder.glob("*/traces.jsonl")
    episodes = [json.loads(line) for line in written.read_text().splitlines()]
    return [trace for each in episodes for trace in each.get("traces", [each])]


def kept_share(counts: Mapping[str, Any]) -> float:
    if counts["decisions"]:
        return float(counts["kept"] / counts["decisions"])
    return float(counts["result"] not in ("forfeit", "error"))


@cache
def server_port() -> int:
    """The port of the server of OpenEnv, which runs until the tests are over."""
    programs = environment("openenv")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen([programs / "server", "--port", str(port)], stderr=subprocess.DEVNULL)
    atexit.register(server.wait)
    atexit.register(server.terminate)  # what is registered last is called first
    deadline = time.monotonic() + 200
    while server.poll() is None and time.monotonic() < deadline:
        with suppress(OSError):
            urlopen(f"http://127.0.0.1:{port}/health", timeout=5).close()
            break
        time.sleep(0.1)
    return int(port)


@contextmanager
def connected() -> Iterator[Callable[..., Any]]:
    """A client of the server of OpenEnv: it sends a message, and gives the data of the reply."""
    client = pytest.importorskip("websockets.sync.client", reason="the extra web is not installed")
    with client.connect(f"ws://127.0.0.1:{server_port()}/ws") as channel:

        def send(kind: str, **data: object) -> Any:
            channel.send(json.dumps({"type": kind, **({"data": data} if data else {})}))
            return json.loads(channel.recv(timeout=60))["data"]

        yield send


def openenv(agent: Agent, setup: Mapping[str, Any], games: int, folder: Path) -> Counts:
    found = []
    with connected() as send:
        for number in range(games):
            for seat in (1, 2):
                shown = send("reset", **setup, seat=seat, number=number)["observation"]
                while shown["question"] is not None:
                    shown = send("step", text=agent(shown["question"]))["observation"]
                found.append(send("state")["counts"])
    return found


HOSTS = (plain, inspect, mcp, episode, verifiers, openenv)
CLIENTS = HOSTS[1:]
every_host = pytest.mark.parametrize("host", CLIENTS, ids=lambda host: str(host.__name__))


@pytest.mark.parametrize("host", HOSTS, ids=lambda host: str(host.__name__))
def test_the_same_answers_are_counted_the_same_game_by_game(host: Any, tmp_path: Path) -> None:
    expected = json.loads(EXPECTED.read_text())
    assert len(expected) == 2 * GAMES
    assert {each["result"] for each in expected} >= {"win", "loss"}
    assert sum(each["answers"]["silent"] + each["answers"]["illegal"] for each in expected) > 1
    for place, counts in enumerate(host(by_text, SETUP, GAMES, tmp_path)):
        assert counts == expected.pop(0), f"game {place // 2}, seat {place % 2 + 1}"
    assert not expected


@every_host
def test_an_answer_of_a_megabyte_is_not_read(host: Any, tmp_path: Path) -> None:
    def agent(text: str) -> str:
        return "x" * 1_000_000 + "\nMove: 4"

    setup = {**SETUP, "attempts": 1}
    for counts in host(agent, setup, 1, tmp_path):
        assert (counts["answers"]["silent"], sum(counts["answers"].values())) == (1, 1)
        assert counts["result"] == "forfeit"


def refuse(host: Any, tmp_path: Path) -> str:
    """What a host says to options that name a game that is too large."""
    setup = {**SETUP, "game": "bit-flip:bits=5000"}
    if host is verifiers:
        done = evaluate(tmp_path, "http://127.0.0.1:9/v1", setup, 1)
        assert done.returncode != 0
        return str(next(line for line in done.stderr.splitlines() if "too large" in line))
    if host is openenv:
        with connected() as send:
            refused = str(send("reset", **setup)["message"])
            assert send("reset", **SETUP)["observation"]["question"]  # and goes on
        return refused
    if host is mcp:
        host = GameTools().new_game
        with pytest.raises(PerfectplayError) as error:
            host(**setup)
        return str(error.value)
    try:
        host(by_text, setup, 1, tmp_path)
    except (Exception, AssertionError) as error:  # noqa: BLE001 a host's own
        return str(error)
    pytest.fail("it was played")


@every_host
def test_a_wrong_option_is_refused_in_one_line(host: Any, tmp_path: Path) -> None:
    said = refuse(host, tmp_path)
    assert "bits=5000 is too large to play here" in said.replace('"', "")
    assert "\n" not in said


@pytest.mark.parametrize("host", [inspect, verifiers], ids=["inspect", "verifiers"])
def test_a_model_server_that_dies_is_an_error_that_counts(host: Any, tmp_path: Path) -> None:
    if host is inspect:

        def dies(text: str) -> NoReturn:
            raise ConnectionError("the server is gone")

        found = inspect(dies, SETUP, 1, tmp_path)
    else:
        with chat_server("always") as address:
            done = evaluate(tmp_path, address, SETUP, 1)
        assert done.returncode == 0, done.stderr
        traces = read_traces(tmp_path)
        assert [trace["rewards"] for trace in traces] == [{}, {}]
        found = [trace["info"]["perfectplay"]["counts"] for trace in traces]
    assert [(counts["result"], counts["errors"], counts["answers"]["legal"]) for counts in found] == [
        ("error", 1, 0)
    ] * 2


def test_a_client_that_leaves_has_earned_nothing() -> None:
    left = Episode()
    left.reset(**SETUP)
    assert left.get_reward() == 0
    with connected() as send:
        assert send("reset", **SETUP)["reward"] == 0


@pytest.mark.parametrize("host", ["mcp", "openenv"])
def test_a_request_that_comes_twice_changes_nothing(host: str) -> None:
    if host == "openenv":
        with connected() as send:
            shown = send("reset", **SETUP, reward="luck_free")
            once = send("step", text="Move: 4", turn=shown["observation"]["turn"])
            assert send("step", text="Move: 4", turn=1) == once
            assert once["observation"]["turn"] == 2
            assert (
                "turn=9: must be a whole number from 1 to 2"
                in send("step", text="Move: 4", turn=9)["message"]
            )
            while not once["done"]:
                once = send("step", text="Move: 99", turn=once["observation"]["turn"])
            assert send("step", text="Move: 99", turn=once["observation"]["turn"]) == once
            assert send("step", text="Move: 99")["message"] == "the game is over"
        return
    tools = GameTools()
    shown = tools.new_game(**SETUP)
    table = str(shown["table"])
    assert shown["turn"] == 1
    once = tools.move(table, "Move: 4", 1)
    assert tools.move(table, "Move: 4", 1) == once
    assert once["turn"] == 2
    with pytest.raises(PerfectplayError, match="turn=9: must be a whole number from 1 to 2"):
        tools.move(table, "Move: 4", 9)
    while once["result"] is None:
        turn = once["turn"]
        assert isinstance(turn, int)
        once = tools.move(table, "Move: 99", turn)
    assert tools.move(table, "Move: 99", turn) == once
    with pytest.raises(PerfectplayError, match="the game is over"):
        tools.move(table, "Move: 99")


def test_the_longest_answer_is_read() -> None:
    assert read_marked("Move: 4".rjust(MOST_TEXT)) == "4"
    assert read_marked("Move: 4".rjust(MOST_TEXT + 1)) is None


if __name__ == "__main__":
    EXPECTED.write_text("[\n" + ",\n".join(map(json.dumps, plain(by_text, SETUP, GAMES, ROOT))) + "\n]\n")
