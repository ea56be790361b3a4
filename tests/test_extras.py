"""Without an extra or a program, its tests are skipped with a line that says so; if all are required, the run fails."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from perfectplay.core.errors import install_command
from tests.conftest import ROOT
from tests.extras import EXTRAS

INSTALLED = {
    "a browser driver": ("playwright",),
    "an API fuzzer": ("hypothesis_graphql",),
    "cluster": ("ray",),
    "evals": ("inspect_ai",),
    "jax": ("jax", "pgx"),
    "mcp": ("mcp",),
    "notebook": ("anywidget",),
    "openspiel": ("open_spiel", "pyspiel"),
    "parquet": ("pyarrow",),
    "site": ("sphinx",),
    "tui": ("textual",),
    "web": ("fastapi", "psycopg", "sqlalchemy", "starlette", "uvicorn", "websockets"),
}
"""What each extra installs and nothing else does."""

COLLECT = """
import sys
import pytest

sys.modules.update(dict.fromkeys(sys.argv[1].split(",")))  # None: as if it were not installed
sys.exit(pytest.main(["--collect-only", "-p", "no:cacheprovider", "-o", "addopts=--doctest-modules -q", *sys.argv[2:]]))
"""


def collected(hidden: tuple[str, ...], *paths: str, asked: str = "") -> "subprocess.CompletedProcess[str]":
    """Collect the tests as if some packages were not installed."""
    return subprocess.run(
        [sys.executable, "-c", COLLECT, ",".join(hidden), *paths],
        cwd=ROOT,
        env={**os.environ, "PERFECTPLAY_EXTRAS": asked},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_without_extras_everything_else_is_collected_and_a_line_names_what_is_not() -> None:
    done = collected(tuple(name for names in INSTALLED.values() for name in names))
    assert done.returncode == 0, done.stdout
    for extra in EXTRAS:
        paths = ", ".join(extra.paths)
        line = f"left out without {extra.name}: {paths}; install it with: make test EXTRAS=all"
        assert line in done.stdout.splitlines()
        assert not [found for found in done.stdout.splitlines() if found.startswith(extra.paths)]
    assert "tests/core/test_match.py::" in done.stdout
    assert "src/perfectplay/simulate/batch.py::" in done.stdout


def test_what_a_newcomer_tests_needs_no_other_extra() -> None:
    hidden = [name for extra, names in INSTALLED.items() if extra not in ("tui", "web") for name in names]
    done = collected((*hidden, "axe_playwright_python"), "tests/tab", "tests/web")
    assert done.returncode == 0, done.stdout
    assert "tests/web/test_table.py::" in done.stdout


def test_a_missing_extra_fails_the_run_where_all_are_asked_for() -> None:
    done = collected(INSTALLED["parquet"], "tests/coach", asked="all")
    assert done.returncode not in (0, pytest.ExitCode.NO_TESTS_COLLECTED)
    assert re.search(r"RuntimeError: not installed: .*\bparquet\b", done.stdout + done.stderr)


SHELLS = "word_breaks or is_valid_in_its_shell"


def test_a_missing_program_is_named_in_one_line(tmp_path: Path) -> None:
    # No shell stands beside this Python: it is that of a virtual environment.
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-k", SHELLS, "tests/test_cli.py"],
        cwd=ROOT,
        env={**os.environ, "PATH": str(tmp_path), "PERFECTPLAY_EXTRAS": ""},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout
    said = [line for line in done.stdout.splitlines() if "is not installed" in line]
    assert said == [
        f"left out in tests/test_cli.py: {shell} is not installed: apt-get install {shell}"
        for shell in ("bash", "fish", "zsh")
    ]


@pytest.mark.parametrize(
    ("library", "extra", "command"),
    [
        ("jax", "jax", "train bit-flip"),
        ("fastapi", "perfectplay-server", "serve"),
        ("mcp", "perfectplay-mcp", "mcp"),
        ("numpy", "rl", "dataset bit-flip --out table"),
        ("numpy", "rl", "solve bit-flip --on numpy"),
        ("numpy", "rl", "solve bit-flip --save table"),
    ],
)
def test_a_command_names_what_it_needs(library: str, extra: str, command: str, tmp_path: Path) -> None:
    script = "import sys; sys.modules[sys.argv.pop(1)] = None; from perfectplay.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", script, library, *command.split()],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    said = f"perfectplay: {library} is not installed; add it with: {install_command(extra)}\n"
    assert (done.returncode, done.stderr) == (2, said)


@pytest.mark.parametrize("path", [path for extra in EXTRAS for path in extra.paths])
def test_what_an_extra_leaves_out_is_there(path: str) -> None:
    assert (ROOT / path).exists()
