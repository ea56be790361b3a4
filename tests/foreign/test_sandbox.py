"""Hostile environments: nothing written, nothing sent, no process left, no run lost."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep

import pytest

from perfectplay.foreign import sandbox
from perfectplay.foreign.audit import audit_environment
from perfectplay.foreign.client import NoSandboxError, Server, Settings, require_sandbox
from tests.conftest import ROOT
from tests.foreign.hostile import HOSTILE, source

SETTINGS = Settings(hang=0.15, memory=100 << 20, moves=2_000)
SLOW = ("loop", "loop-in-c", "stubborn-loop", "sleeps", "clears-timer", "floods-socket")
"""Those that have to be waited for."""
UNSTEADY = ("floods-socket", "threads")
"""Those that reach now one limit, now another: what is found may be dropped when it is tried again."""
EXPECTED = {
    "exits": "killed",
    "exits-hard": "killed",
    "kills-itself": "killed",
    "crashes-in-c": "killed",
    "closes-socket": "killed",
    "memory": "memory",
    "memory-slowly": "memory",
    "lies": "",
    "floods-output": "",
    "kills-all": "",
    **dict.fromkeys(SLOW, "hang"),
    **dict.fromkeys(UNSTEADY, ("hang", "killed", "crash")),
}
"""What is found, where it is not that the harm is refused: a crash."""
linux = pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is complete only on Linux")


@contextmanager
def watched(folder: Path) -> Iterator[tuple[Path, int]]:
    """A file that nobody may touch, and a port that nobody may reach."""
    (folder / "private").mkdir()
    canary = folder / "private" / "canary"
    canary.write_text("safe")
    canary.chmod(0o644)
    before = canary.stat()
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        socket.socket(type=socket.SOCK_DGRAM) as datagrams,
    ):
        port = listener.getsockname()[1]
        datagrams.bind(("127.0.0.1", port))
        yield canary, port
        for sock in (listener, datagrams):
            sock.setblocking(False)
        with pytest.raises(BlockingIOError):
            listener.accept()
        with pytest.raises(BlockingIOError):
            datagrams.recv(1)
    after = canary.stat()
    assert canary.read_text() == "safe"
    assert (after.st_mode, after.st_mtime_ns, after.st_ctime_ns) == (
        before.st_mode,
        before.st_mtime_ns,
        before.st_ctime_ns,
    )
    assert [each.name for each in canary.parent.iterdir()] == ["canary"]
    assert not Path("/tmp/perfectplay-hostile").exists()


def children(pid: int) -> list[int]:
    """The processes that a process has started and that still run."""
    found = []
    for each in Path("/proc").glob("[0-9]*"):
        try:
            fields = (each / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid and fields[0] != "Z":
            found.append(int(each.name))
    return found


def run_hostile(folder: Path, names: list[str]) -> dict[str, list[str]]:
    """Audit hostile environments, one after another, with one server; returns what was found."""
    found = {}
    others = set(children(os.getpid()))  # of other tests in this process
    with watched(folder) as (canary, port), Server() as server:
        for name in names:
            path = folder / f"{name}.py"
            path.write_text(source(name, str(canary), port, os.getpid()))
            record = audit_environment(str(path), SETTINGS, server).record
            assert record["layers"] == list(sandbox.LAYERS) or record["error"], record
            found[name] = [each["code"] for each in record["findings"]] + [record["error"] or ""]
            if name in UNSTEADY:
                found[name] += record["dropped"]
        [process] = set(children(os.getpid())) - others
        deadline = monotonic() + 30  # the last one has answered, and may still be ending
        while children(process) and monotonic() < deadline:
            sleep(0.01)
        assert children(process) == []
        sound = Path(__file__).parent / "envs" / "sound.py"
        assert audit_environment(str(sound), SETTINGS, server).record["value"] == {"kind": "win", "plies": 3}
    assert set(children(os.getpid())) <= others
    return found


def check_found(found: dict[str, list[str]]) -> None:
    for name, codes in found.items():
        wanted = EXPECTED.get(name, "crash")
        wanted = (wanted,) if isinstance(wanted, str) else wanted
        assert any(word in code for word in wanted for code in codes), (name, codes)
    assert "garbled" in found["lies"][-1]


@linux
def test_a_hostile_environment_does_no_harm(tmp_path: Path) -> None:
    assert len(HOSTILE) >= 25
    check_found(run_hostile(tmp_path, list(HOSTILE)))


@linux
def test_nor_does_it_as_an_ordinary_user() -> None:
    if os.geteuid() != 0:
        pytest.skip("the other test runs as an ordinary user already")
    python = next(
        (each for each in (sys.executable, f"/usr/bin/python3.{sys.version_info[1]}") if _usable(each)), None
    )
    if python is None:
        pytest.skip("no interpreter here can be run by an ordinary user")
    names = [name for name in HOSTILE if name not in SLOW]
    script = (
        "import json, sys; from pathlib import Path; from tests.foreign.test_sandbox import run_hostile;"
        f" print(json.dumps(run_hostile(Path(sys.argv[1]), {names!r})))"
    )
    path = os.pathsep.join(
        [str(ROOT), str(ROOT / "src"), *(each for each in sys.path if "site-packages" in each)]
    )
    with TemporaryDirectory() as folder:  # pytest keeps its own folders closed to others
        os.chmod(folder, 0o777)
        done = subprocess.run(
            [python, "-W", "ignore", "-c", script, folder],
            user=65534,
            group=65534,
            extra_groups=[],
            env={"PYTHONPATH": path, "HOME": folder, "PYTHONDONTWRITEBYTECODE": "1"},
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
            timeout=250,
        )
    assert done.returncode == 0, done.stderr[-3000:]
    check_found(json.loads(done.stdout))


def _usable(python: str) -> bool:
    try:
        tried = subprocess.run([python, "-c", ""], user=65534, group=65534, extra_groups=[], check=False)
    except OSError:
        return False
    return tried.returncode == 0


@linux
def test_an_environment_reads_only_what_imports_need(tmp_path: Path, server: Server) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "beside.py").write_text("STONES = 3\n")
    env = tmp_path / "env.py"
    env.write_text(
        "from beside import STONES\nfrom pathlib import Path\n"
        "class Env:\n"
        "    def reset(self, seed=None):\n        self.current_player = 0\n        return STONES, {}\n"
        "    def valid_moves(self):\n        return [0]\n"
        f"    def step(self, move):\n        return open({str(tmp_path / 'secret.txt')!r}).read(), 1, True, False, {{}}\n"
    )
    [crash] = [
        each
        for each in audit_environment(str(env), SETTINGS, server).record["findings"]
        if each["code"] == "crash"
    ]
    assert "PermissionError" in crash["text"]


def test_without_a_layer_somebody_has_to_trust_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("perfectplay.foreign.client.available", lambda: ("rlimits",))
    sound = str(Path(__file__).parent / "envs" / "sound.py")
    with pytest.raises(NoSandboxError, match="lacks network-namespace, landlock and seccomp here; --trust"):
        require_sandbox(sound, trust=False)
    require_sandbox(sound, trust=True)


def test_where_nothing_can_be_forked_a_sentence_says_so() -> None:
    # A stand-in for Windows: modules and calls that it does not have are not there.
    script = (
        "import os, sys; sys.modules.update(fcntl=None, resource=None); del os.fork;"
        " from perfectplay.cli.app import main; main()"
    )
    sound = str(Path(__file__).parent / "envs" / "sound.py")
    for more in ([], ["--trust"]):
        done = subprocess.run(
            [sys.executable, "-c", script, "audit-env", sound, *more],
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stdout) == (3, "")
        assert done.stderr.startswith(
            "perfectplay: the sandbox lacks rlimits, network-namespace, landlock and seccomp here, and"
        )
        assert done.stderr.count("\n") == 1


@linux
def test_a_sandboxed_job_refuses_to_run_if_a_layer_fails(tmp_path: Path) -> None:
    # A stand-in for a kernel without Landlock: the module is not there.
    (tmp_path / "landlockpy.py").write_text("raise ImportError\n")
    sound = str(Path(__file__).parent / "envs" / "sound.py")
    sys.path.insert(0, str(tmp_path))
    try:
        with Server() as server:
            with pytest.raises(NoSandboxError, match="lacks landlock here"):
                server.run(sound, SETTINGS)
            answer = server.run(sound, Settings(trust=True, moves=100))
    finally:
        sys.path.remove(str(tmp_path))
    assert answer.layers == ("rlimits", "network-namespace", "seccomp")
    assert answer.done is not None
