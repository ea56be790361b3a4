"""Leaves out the tests of extras that are not installed, and says so in a line for each."""

from pathlib import Path

import pytest

from tests.extras import left_out, missing

ROOT = Path(__file__).parent


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    path = collection_path.relative_to(ROOT) if collection_path.is_relative_to(ROOT) else collection_path
    return True if left_out(path.as_posix()) else None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for extra in missing():
        files = ", ".join(extra.files)
        terminalreporter.write_line(
            f"left out without {extra.name}: {files}; add it by: make test EXTRAS=all"
        )
