"""Hostile environments: nothing written, nothing sent, no process left, no run lost."""

import json
import os
import shutil
import subprocess
import sys
import tracemalloc
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

import perfectplay
import perfectplay_foreign
from perfectplay_foreign.audit import audit_environment
from perfectplay_foreign.load import find_needed_files
from perfectplay_foreign.sandbox.client import ForkServer, require_sandbox
from perfectplay_foreign.sandbox.job import NoSandboxError
from perfectplay_foreign.sandbox.request import AuditOptions, JobRequest
from tests.conftest import ROOT
from tests.foreign.hostile import HOSTILE, SETTINGS, SLOW, SOUND, check_found, run_hostile

linux = pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is complete only on Linux")


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
        "import json, sys; from pathlib import Path; from tests.foreign.hostile import run_hostile;"
        f" print(json.dumps(run_hostile(Path(sys.argv[1]), {names!r})))"
    )
    with TemporaryDirectory() as folder:  # pytest keeps its own folders closed to others
        os.chmod(folder, 0o777)
        path = _copied(Path(folder))
        done = subprocess.run(
            [python, "-W", "ignore", "-c", script, folder],
            user=65534,
            group=65534,
            extra_groups=[],
            env={"PYTHONPATH": str(path), "HOME": folder, "PYTHONDONTWRITEBYTECODE": "1"},
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


def _copied(folder: Path) -> Path:
    """A copy of what the sandbox needs, for a user who may not enter the folder that the tests are in."""
    copy = folder / "copy"
    for init in map(Path, (perfectplay.__file__, perfectplay_foreign.__file__)):
        shutil.copytree(init.parent, copy / init.parent.name)
    shutil.copytree(ROOT / "tests" / "foreign" / "envs", copy / "tests" / "foreign" / "envs")
    for name in ("__init__.py", "foreign/__init__.py", "foreign/hostile.py"):  # or another package is "tests"
        shutil.copy(ROOT / "tests" / name, copy / "tests" / name)
    for name in (
        "numpy",
        "gymnasium",
        "landlockpy",
        "farama_notifications",
        "cloudpickle",
        "typing_extensions",
    ):
        spec = find_spec(name)
        assert spec is not None
        assert spec.origin is not None
        package = Path(spec.origin)
        if package.name == "__init__.py":
            shutil.copytree(package.parent, copy / name)
        else:
            shutil.copy(package, copy)
        libraries = package.parent.parent / f"{name}.libs"
        if libraries.exists():
            shutil.copytree(libraries, copy / libraries.name)
    return copy


@linux
def test_an_environment_reads_only_what_imports_need(tmp_path: Path, server: ForkServer) -> None:
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


@linux
@pytest.mark.parametrize("linked", ["notes.py", "notes"])
def test_a_link_beside_a_file_leads_nowhere(linked: str, tmp_path: Path, server: ForkServer) -> None:
    secret, folder = tmp_path / "secret", tmp_path / "envs"
    folder.mkdir()
    if linked == "notes":  # a package, which may be read as a whole
        secret.mkdir()
        (secret / "__init__.py").write_text("hunter2 is the password\n")
    else:
        secret.write_text("hunter2 is the password\n")
    (folder / linked).symlink_to(Path("..") / "secret")
    (folder / "env.py").write_text("import notes\n")
    record = audit_environment(str(folder / "env.py"), SETTINGS, server).record
    [found] = record["findings"]
    assert found["code"] == "import-fails"
    assert "PermissionError" in found["text"]


@linux
def test_nor_does_a_link_that_has_the_name_of_a_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "secret").mkdir()
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "env").symlink_to(Path("..") / "secret")
    (tmp_path / "here" / "env.py").touch()
    monkeypatch.chdir(tmp_path / "here")
    assert find_needed_files("env:Env") == [tmp_path / "here" / "env.py"]


@linux
def test_modules_beside_a_file_may_be_imported(tmp_path: Path, server: ForkServer) -> None:
    (tmp_path / "stones.py").write_text(
        "import importlib\nCOUNT = importlib.import_module('rules.count').COUNT\n"
    )
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "__init__.py").touch()
    (tmp_path / "rules" / "count.py").write_text("COUNT = 3\n")
    (tmp_path / "alias.py").symlink_to("stones.py")
    text = SOUND.read_text().replace("stones = 7", "from alias import COUNT\n    stones = COUNT")
    (tmp_path / "env.py").write_text(text)
    record = audit_environment(str(tmp_path / "env.py"), SETTINGS, server).record
    assert (record["error"], record["whole"]) == (None, True)


def test_a_large_file_beside_an_environment_costs_it_nothing(tmp_path: Path) -> None:
    (tmp_path / "env.py").write_text("import random\n")
    (tmp_path / "random.py").write_text("x = [" + "1," * 500_000 + "]\n")
    tracemalloc.start()
    try:
        found = find_needed_files(str(tmp_path / "env.py"))
        assert tracemalloc.get_traced_memory()[1] < 16 << 20
    finally:
        tracemalloc.stop()
    assert found == [tmp_path / "env.py", tmp_path / "random.py"]


@linux
def test_foreign_files_are_read_inside() -> None:
    script = (
        "import socket\nfrom perfectplay_foreign.sandbox.layers import confine\n"
        "def files():\n"
        "    try:\n        socket.socket()\n"
        "    except PermissionError:\n        print('inside', flush=True)\n"
        "    return []\n"
        "confine(files, seconds=10, memory=None)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.stdout == "inside\n", done.stderr


@linux
def test_the_server_imports_nothing_from_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    canary = tmp_path / "canary"
    for name in ("gymnasium", "numpy", "json"):
        (tmp_path / f"{name}.py").write_text(f"open({str(canary)!r}, 'w').close()\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))  # as `python -m perfectplay` does
    with ForkServer() as server:
        record = audit_environment(str(SOUND), SETTINGS, server).record
    assert record["value"] == {"kind": "win", "plies": 3}
    assert not canary.exists()


def test_without_a_layer_somebody_has_to_trust_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("perfectplay_foreign.sandbox.client.available", lambda: ("rlimits",))
    sound = str(SOUND)
    with pytest.raises(NoSandboxError, match="lacks network-namespace, landlock and seccomp here"):
        require_sandbox(sound, trust=False)
    require_sandbox(sound, trust=True)


def test_where_nothing_can_be_forked_a_sentence_says_so() -> None:
    # A stand-in for Windows: modules and calls that it does not have are not there.
    script = (
        "import os, sys; sys.modules.update(fcntl=None, resource=None); del os.fork;"
        " from perfectplay.cli.app import main; main()"
    )
    sound = str(SOUND)
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
    sound = str(SOUND)
    sys.path.insert(0, str(tmp_path))
    try:
        with ForkServer() as server:
            with pytest.raises(NoSandboxError, match="lacks landlock here"):
                server.run(JobRequest(sound, SETTINGS))
            job = server.run(JobRequest(sound, AuditOptions(trust=True, moves=100)))
        advice = "; --trust runs the environment anyway"
        for command, expected in (["audit-env", sound], advice), (["solve", f"env:{sound}"], ""):
            done = subprocess.run(
                [sys.executable, "-m", "perfectplay", *command],
                capture_output=True,
                text=True,
                check=False,
                env={**os.environ, "PYTHONPATH": str(tmp_path)},
            )
            said = f"perfectplay: the sandbox lacks landlock here{expected}\n"
            assert (done.returncode, done.stderr) == (2, said)
    finally:
        sys.path.remove(str(tmp_path))
    assert job.layers == ("rlimits", "network-namespace", "seccomp")
    assert job.examined is not None
