"""An audit that could not be finished is not a clean one: it says what was visited, and exits with 3."""

import re
import sys
from dataclasses import replace
from itertools import count
from pathlib import Path
from time import monotonic
from types import SimpleNamespace

import pytest

from perfectplay.terminal.console import Console
from perfectplay_foreign.audit import audit_environment
from perfectplay_foreign.collections.collection import audit_collection
from perfectplay_foreign.commands.audit_env import show_environment
from perfectplay_foreign.commands.fail_on import parse_fail_on
from perfectplay_foreign.sandbox.client import ForkServer
from perfectplay_foreign.sandbox.job import SandboxJob
from perfectplay_foreign.sandbox.request import JobRequest
from tests.foreign.hostile import SETTINGS

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is complete only on Linux")

GAME = """
import os, time

class Env:
    calls = 0

    def reset(self, seed=None):
        self.made, self.current_player = [], 0
        return 0, {}

    def valid_moves(self):
        return list(range(60))

    def step(self, action):
        if action not in range(60) or len(self.made) == 3:
            raise ValueError("no such move")
        TROUBLE
        self.made = [*self.made, action]
        self.current_player ^= 1
        over = len(self.made) == 3
        return 0, float(over), over, False, {}

    def render(self):
        return str(self.made)
"""
TROUBLE = {
    "waits": ("time.sleep(0.02)", "time ran out"),
    "dies-once": (
        "Env.calls += 1; Env.calls > 900 and os._exit(1)",
        "a call ends the process, but not when the same moves were played again",
    ),
    "large": ("self.large = str(action) * 200_000", "memory ran out"),
}


@pytest.fixture(params=TROUBLE)
def troubled(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, str]:
    lines, said = TROUBLE[request.param]
    path = tmp_path / f"{request.param}.py"
    path.write_text(GAME.replace("TROUBLE", lines))
    return path, said


def test_an_audit_that_is_cut_short_says_so(
    troubled: tuple[Path, str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path, said = troubled
    options = replace(SETTINGS, seconds=4)
    console = Console(None, sys.stdout)
    fails = parse_fail_on("problem")
    code = show_environment(console, str(path), options, as_json=False, html=None, fails=fails, known=set())
    shown = " ".join(capsys.readouterr().out.split())
    assert code == 3
    found = re.search(
        r"could not be finished: (.*?)\. ([\d,]+) positions and ([\d,]+) moves were visited", shown
    )
    assert found is not None, shown
    assert found[1] == said


def test_the_index_says_it_beside_what_was_found(tmp_path: Path) -> None:
    path = tmp_path / "large.py"
    path.write_text(GAME.replace("TROUBLE", TROUBLE["large"][0]).replace(" or len(self.made) == 3", ""))
    [record] = audit_collection([str(path)], tmp_path / "out", SETTINGS)
    assert "plays-on" in [each["code"] for each in record["findings"]]
    shown = (tmp_path / "out" / "index.html").read_text()
    assert "plays-on" in shown
    assert "; memory ran out</td>" in shown


def test_a_process_that_ends_at_another_start_is_found_with_its_seed(
    tmp_path: Path, server: ForkServer
) -> None:
    path = tmp_path / "elsewhere.py"
    text = GAME.replace("self.made, ", "self.seed = seed; self.made, ", 1)
    path.write_text(text.replace("TROUBLE", "self.seed == 6 and os._exit(1)"))
    record = audit_environment(str(path), replace(SETTINGS, moves=500), server).record
    [killed] = record["findings"]
    assert (killed["code"], killed["seed"], len(killed["witness"])) == ("killed", 6, 1)
    assert record["error"] is None


@pytest.mark.parametrize(
    ("trouble", "error"),
    [
        (
            "self.made == [30] and action == 5 and os.write(3, bytes([55, 10]))",
            "the answer is garbled (no tag)",
        ),
        (
            "Env.calls += 1; Env.calls > 15_000 and replayed() and os._exit(1)",
            "a call ends the process, but not",
        ),
    ],
)
def test_what_was_found_before_the_deeper_look_stands_once(
    trouble: str, error: str, tmp_path: Path, server: ForkServer
) -> None:
    path = tmp_path / "deep.py"
    asks = "import traceback\n\ndef replayed():\n    return any(each.name == 'replay' for each in traceback.extract_stack())\n"
    path.write_text(asks + GAME.replace("TROUBLE", trouble))
    shallow = audit_environment(str(path), replace(SETTINGS, moves=500), server).record
    deep = audit_environment(str(path), replace(SETTINGS, moves=500, deepen=20_000), server).record
    codes = [each["code"] for each in deep["findings"]]
    assert shallow["error"] is None
    assert {each["code"] for each in shallow["findings"]} <= set(codes)
    assert len(set(codes)) == len(codes)
    assert deep["positions"] == shallow["positions"] > 0
    assert str(deep["error"]).startswith(error)


def test_the_start_of_a_server_is_not_the_time_of_a_job(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    imported = tmp_path / "imported"
    touch = f"from contextlib import suppress\nwith suppress(OSError):\n    open({str(imported)!r}, 'w')\n"
    (tmp_path / "gymnasium.py").write_text(f"{touch}raise ImportError\n")
    path = tmp_path / "env.py"
    path.write_text(GAME.replace("TROUBLE", "pass"))
    monkeypatch.syspath_prepend(str(tmp_path))

    def clock() -> float:
        """The import takes half a minute."""
        return monotonic() + 30 * imported.exists()

    monkeypatch.setattr("perfectplay_foreign.sandbox.job.time", SimpleNamespace(monotonic=clock))
    with ForkServer() as server:
        record = audit_environment(str(path), replace(SETTINGS, seconds=2, moves=20), server).record
    assert imported.exists()
    assert record["moves"] >= 20


def test_what_ends_the_deeper_look_is_told_beside_the_rest(tmp_path: Path, server: ForkServer) -> None:
    path = tmp_path / "deep.py"
    path.write_text(GAME.replace("TROUBLE", "self.made == [30] and action == 5 and os._exit(1)"))
    shallow = audit_environment(str(path), replace(SETTINGS, moves=500), server).record
    deep = audit_environment(str(path), replace(SETTINGS, moves=500, deepen=20_000), server).record
    assert shallow["error"] is None
    assert [each["code"] for each in deep["findings"]] == [
        "killed",
        *(each["code"] for each in shallow["findings"]),
    ]


@pytest.mark.parametrize(("seldom", "codes"), [(3, ["killed"]), (99, [])])
def test_what_ends_a_process_only_by_chance_is_tried_several_times(
    seldom: int, codes: list[str], tmp_path: Path, server: ForkServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, tries, run = tmp_path / "seldom.py", count(1), server.run
    path.write_text(GAME.replace("TROUBLE", "os._exit(1)"))

    def unlucky(request: JobRequest) -> SandboxJob:
        job = run(request)
        if request.steps is not None and next(tries) < seldom:
            job.ended = ""
        return job

    monkeypatch.setattr(server, "run", unlucky)
    record = audit_environment(str(path), SETTINGS, server).record
    assert [each["code"] for each in record["findings"]] == codes
    assert (record["error"] is None) == bool(codes)
