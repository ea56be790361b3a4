"""Collections: records that survive anything, pages, and an index."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from perfectplay.core.errors import ParseError
from perfectplay.terminal.console import Console
from perfectplay_foreign.audit import Report
from perfectplay_foreign.collections.collection import (
    ResultsFile,
    audit_collection,
    audit_member,
    describe_limits,
    expand_names,
    run_here,
    use_pool,
)
from perfectplay_foreign.commands.audit_env import show_collection
from perfectplay_foreign.records import AuditRecord, Found, empty_record
from perfectplay_foreign.report import page_name, write_index
from perfectplay_foreign.sandbox.client import ForkServer
from perfectplay_foreign.sandbox.request import AuditOptions
from tests.conftest import Run

ENVS = Path(__file__).parents[1] / "envs"
NAMES = [
    str(ENVS / f"{name}.py")
    for name in ("sound", "crash", "dead_end", "import_fails", "random_step", "killed")
]
SETTINGS = AuditOptions(moves=500)


def lasting(records: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Records without what differs in every run."""
    return [dict(record) for record in records]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    return lasting(audit_collection(NAMES, tmp_path_factory.mktemp("plain"), SETTINGS))


def read(folder: Path) -> list[dict[str, Any]]:
    lines = (folder / "results.jsonl").read_text().splitlines()
    return sorted(
        lasting([json.loads(line) for line in lines]), key=lambda record: NAMES.index(record["env"])
    )


def test_a_record_has_everything_that_was_promised(undisturbed: list[dict[str, Any]]) -> None:
    by_name = {Path(each["env"]).stem: each for each in undisturbed}
    wanted = {"env", "findings", "value", "positions", "moves", "whole", "layers"}
    assert all(wanted <= each.keys() for each in undisturbed)
    assert by_name["sound"]["value"] == {"kind": "win", "plies": 3}
    assert (by_name["sound"]["positions"], by_name["sound"]["moves"], by_name["sound"]["whole"]) == (
        12,
        30,
        True,
    )
    [crash] = [each for each in by_name["crash"]["findings"] if each["code"] == "crash"]
    assert {"code", "severity", "text", "seed", "witness"} <= crash.keys()
    assert by_name["killed"]["findings"][0]["code"] == "killed"
    assert [each["dropped"] for each in undisturbed] == [[]] * len(NAMES)


def test_a_pool_gives_the_same_records(tmp_path: Path, undisturbed: list[dict[str, Any]]) -> None:
    assert lasting(audit_collection(NAMES, tmp_path, SETTINGS, use_pool(2))) == undisturbed
    assert read(tmp_path) == undisturbed


def test_there_is_a_page_for_each_and_an_index_with_filters(tmp_path: Path, server: ForkServer) -> None:
    audit_collection(NAMES[:3], tmp_path, SETTINGS)
    shown = (tmp_path / "index.html").read_text()
    assert "<script" not in shown
    assert "main:has(#f-crash:checked) tbody tr:not(.f-crash) { display: none; }" in shown
    assert shown.count('<tr class="') == 3
    assert '<svg role="img" aria-label="How many environments have each finding"' in shown
    for name in NAMES[:3]:
        assert f'href="games/{page_name(name)}"' in shown
    page = (tmp_path / "games" / page_name(NAMES[1])).read_text()
    assert "Move by move" in page
    assert "IndexError: off the board (crash.py, line " in page
    assert '<a href="../index.html">All environments</a>' in page


def test_the_index_says_the_worst_and_counts_nothing_unfinished_as_sound() -> None:
    records = [empty_record("a.py"), empty_record("a.py"), empty_record("a.py", "no such <game>")]
    records[0]["findings"].append(Found("dead-end", "problem", "").record())
    records[1]["findings"].append(Found("dead-end", "note", "").record())
    shown = write_index(records)
    assert "<p>1 have no problem." in shown
    assert "no problem (1)" in shown
    assert "could not be finished (1)" in shown
    assert "<legend>Problems</legend>" in shown
    assert "<legend>Notes</legend>" not in shown
    assert '<tr class="v-unknown unfinished">' in shown
    assert "no such &lt;game&gt;" in shown


KILLED_AFTER = """
import os, signal, sys
from perfectplay.cli import main
from perfectplay_foreign.collections.collection import ResultsFile

left, add = int(sys.argv.pop(1)), ResultsFile.add

def add_or_die(results, audited):
    global left
    add(results, audited)
    left -= 1
    if not left:
        os.killpg(0, signal.SIGKILL)

ResultsFile.add = add_or_die
main()
"""
"""The command, killed with all its processes once it has written so many records."""


def test_a_run_that_was_killed_goes_on_where_it_stopped(
    tmp_path: Path, undisturbed: list[dict[str, Any]]
) -> None:
    arguments = ["audit-env", *NAMES, "--out", str(tmp_path), "--moves", "500"]
    results = tmp_path / "results.jsonl"
    before = b""
    for more, workers in (("1", "1"), ("1", "2"), ("2", "2")):
        command = [sys.executable, "-c", KILLED_AFTER, more, *arguments, "--workers", workers]
        killed = subprocess.run(command, start_new_session=True, check=False)
        assert killed.returncode == -signal.SIGKILL
        found = results.read_bytes()
        assert found.startswith(before)
        assert found.count(b"\n") == before.count(b"\n") + int(more)
        before = found
        with results.open("ab") as file:  # as if the last write had been cut off
            file.write(b'{"env": "half a rec')
    command = [sys.executable, "-m", "perfectplay", *arguments]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0
    assert results.read_bytes().startswith(before)
    assert read(tmp_path) == undisturbed


def test_a_second_run_repeats_nothing(tmp_path: Path) -> None:
    audit_collection(NAMES[:1], tmp_path, SETTINGS)
    before = (tmp_path / "results.jsonl").read_bytes()

    def never(names: Any, options: AuditOptions) -> Any:
        raise AssertionError(names)

    audit_collection(NAMES[:1], tmp_path, SETTINGS, never)
    assert (tmp_path / "results.jsonl").read_bytes() == before
    with pytest.raises(ParseError, match="records with other limits"):
        audit_collection(NAMES[:1], tmp_path, AuditOptions(moves=7))


def test_two_runs_do_not_write_to_one_folder(tmp_path: Path) -> None:
    with ResultsFile(tmp_path), pytest.raises(ParseError, match="another run is writing"):
        ResultsFile(tmp_path)
    with ResultsFile(tmp_path) as results:
        assert results.read({}) == {}


def test_a_file_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "results.jsonl").write_text("my notes\nmore notes\n")
    with ResultsFile(tmp_path) as results, pytest.raises(ParseError, match="not a file of records"):
        results.read({})
    assert (tmp_path / "results.jsonl").read_text() == "my notes\nmore notes\n"


def test_a_full_disk_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results = ResultsFile(tmp_path)
    record: AuditRecord = {**empty_record("a.py"), "limits": describe_limits(SETTINGS)}
    results.add(Report(record, page="page"))
    before = results.path.read_bytes()
    real, calls = os.write, []

    def full(file: int, data: bytes) -> int:
        calls.append(data)
        if len(calls) == 1:
            return real(file, data[:9])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OSError, match="No space left on device"):
        results.add(Report({**record, "env": "b.py"}, page="page"))
    monkeypatch.undo()
    assert results.path.read_bytes() == before
    with results:
        assert list(results.read(describe_limits(SETTINGS))) == ["a.py"]


def test_the_command_says_so_when_the_disk_is_full(run: Run) -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("there is no /dev/full")
    done = run("audit-env", NAMES[0], "--html", "/dev/full")
    assert done.returncode == 3
    assert "No space left on device" in done.stderr
    done = run("audit-env", NAMES[0], "--out", "/dev/full/folder")  # that is only a bad name
    assert (done.returncode, done.stderr) == (2, "perfectplay: /dev/full/folder: Not a directory\n")


def stopping(error: BaseException) -> Any:
    """Something that takes the place of `audit_collection` and is stopped on its way."""

    def run(*given: Any) -> Any:
        raise error

    return run


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (KeyboardInterrupt(), ""),
        (OSError(28, "No space left on device", "results.jsonl"), "results.jsonl: No space left on device"),
    ],
)
def test_a_run_that_is_stopped_says_how_it_goes_on(
    error: BaseException,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("perfectplay_foreign.commands.audit_env.audit_collection", stopping(error))
    options: dict[str, Any] = {"workers": 1, "on": None, "as_json": False, "fails": None, "known": set()}
    with suppress(KeyboardInterrupt):
        console = Console(None, sys.stdout)
        assert show_collection(console, NAMES[:1], tmp_path, SETTINGS, **options) == 3
        assert said
    lines = [f"perfectplay: {said}"] if said else []
    lines.append("perfectplay: run the same command again to continue")
    assert capsys.readouterr().err.splitlines() == lines


def test_a_closed_pipe_ends_the_command_quietly(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "perfectplay", "audit-env", *NAMES[:2], "--out", str(tmp_path), "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 1
    assert len((tmp_path / "results.jsonl").read_text().splitlines()) == 2


def test_patterns_and_folders_stand_for_files(tmp_path: Path) -> None:
    for name in ("b.py", "a.py", "c.txt"):
        (tmp_path / name).touch()
    files = [str(tmp_path / "a.py"), str(tmp_path / "b.py")]
    assert expand_names([str(tmp_path / "*.py")]) == files
    assert expand_names([str(tmp_path), files[0]]) == files
    with pytest.raises(ParseError, match="no file matches"):
        expand_names([str(tmp_path / "*.rs")])
    (tmp_path / "empty[1]").mkdir()
    with pytest.raises(ParseError, match=r"there is no \.py file in the folder"):
        expand_names([str(tmp_path / "empty[1]")])


def test_a_hopeless_game_is_deepened_only_if_asked(tmp_path: Path) -> None:
    env = tmp_path / "long.py"
    env.write_text(
        "class Env:\n"
        "    def reset(self, seed=None):\n        self.left, self.current_player = 400, 0\n        return 0, {}\n"
        "    def valid_moves(self):\n        return [0, 1]\n"
        "    def step(self, move):\n        self.left -= 1 + move * (self.left > 1)\n"
        "        self.current_player ^= 1\n        over = not self.left\n"
        "        return self.left, float(over), over, False, {}\n"
    )
    with ForkServer() as server:
        shallow = audit_member(str(env), AuditOptions(moves=100), server).record
        deep = audit_member(str(env), AuditOptions(moves=100, deepen=5_000), server).record
    assert (shallow["value"], shallow["whole"]) == (None, False)
    assert deep["whole"]
    assert deep["value"] is not None
    assert deep["value"]["kind"] == "win"


def test_plain_runs_give_outcomes_in_order() -> None:
    assert [each.record["env"] for each in run_here(NAMES[:2], SETTINGS)] == NAMES[:2]
