"""Leaves out the tests of missing extras, with a line for each, and lets JAX compile quickly."""

import os
from pathlib import Path

import pytest

from tests.extras import left_out, missing

ROOT = Path(__file__).parent

# What the tests compile runs for a few steps only: optimizing it would take longer than it saves.
os.environ.setdefault("JAX_DISABLE_MOST_OPTIMIZATIONS", "1")


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    inside = collection_path.is_relative_to(ROOT)
    return True if inside and left_out(collection_path.relative_to(ROOT)) else None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for extra in missing():
        paths = ", ".join(extra.paths)
        terminalreporter.write_line(
            f"left out without {extra.name}: {paths}; install it with: make test EXTRAS=all"
        )
