"""Fixtures for all tests: a separate home folder, and the command as a child process."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

import perfectplay
from tests.extras import tries
from tests.forks import run_forked

Run = Callable[..., "subprocess.CompletedProcess[str]"]

ROOT = Path(__file__).resolve().parents[1]

# Nothing depends on how fast the machine is, and every run tries the same examples, more of them where all is tested.
settings.register_profile("steady", deadline=None, derandomize=True, max_examples=tries(100))
settings.load_profile("steady")

# The run against the wheel is worth nothing if the source tree is imported instead.
_expected = os.environ.get("PERFECTPLAY_FROM")
if _expected and not Path(perfectplay.__file__).resolve().is_relative_to(Path(_expected).resolve()):
    raise RuntimeError(f"perfectplay was imported from {perfectplay.__file__}, not from {_expected}")


@pytest.fixture
def tmp_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new folder. Pytest's own fixture would look through those of all tests before for a free number."""
    return Path(tempfile.mkdtemp(prefix="test-", dir=tmp_path_factory.getbasetemp()))


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home folder; saved games are kept in it."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("PERFECTPLAY_HOME", str(folder / "perfectplay"))
    monkeypatch.setenv("PYTHONIOENCODING", "utf-8")
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    return folder


@pytest.fixture
def run() -> Run:
    """Run `perfectplay` with arguments; `typed` is piped in, line by line."""
    if "MUTANT_UNDER_TEST" in os.environ:
        pytest.skip(
            "a child process would run the source as it is, without the change that `make mutants` tests"
        )

    def run_perfectplay(
        *args: str, typed: str | bytes = "", env: dict[str, str] | None = None, cwd: Path | None = None
    ) -> "subprocess.CompletedProcess[str]":
        keys = typed.encode() if isinstance(typed, str) else typed
        environment = {**os.environ, **(env or {})}
        if not any(name.startswith("PYTHON") for name in env or ()):  # which the start of Python reads
            return run_forked(list(args), keys, environment, str(cwd or ""))
        done = subprocess.run(
            [sys.executable, "-m", "perfectplay", *args],
            input=keys,
            capture_output=True,
            env=environment,
            cwd=cwd,
            check=False,
            timeout=60,
        )
        decoded = (part.decode("utf-8", "replace") for part in (done.stdout, done.stderr))
        return subprocess.CompletedProcess(done.args, done.returncode, *decoded)

    return run_perfectplay
