"""Leaves out the tests of missing extras, starts the longest files first, and saves processor time."""

import gc
import os
from collections import defaultdict
from pathlib import Path

import pytest

from tests.extras import left_out, missing

ROOT = Path(__file__).parent

# Thousands of tests and all modules stay to the end: looking through them again and again for garbage
# would take a tenth of all the time.
gc.disable()

# What the tests compile runs for a few steps only: optimizing it would take longer than it saves.
os.environ.setdefault("JAX_DISABLE_MOST_OPTIMIZATIONS", "1")

# Started first, longest first: one of them begun last would keep one process busy while the others are done.
# The first one builds the site, and the next two do not wait for it.
LONGEST = (
    "site/test_play.py",
    "web/pages/test_everyone.py",
    "adapters/test_pgx.py",
    "site/test_docs_site.py",
    "site/test_workbench.py",
    "site/test_drafts.py",
    "site/test_start.py",
    "simulate/test_jax.py",
    "test_docs.py",
    "web/pages/test_look.py",
    "web/pages/test_home.py",
    "web/pages/test_visits.py",
    "solver/test_tablebase.py",
    "audit/test_audit.py",
    "web/pages/test_games.py",
    "site/test_offline.py",
    "learning/test_jax_measure.py",
    "evals/test_gg_bench_sound.py",
    "foreign/test_findings.py",
    "terminal/fullscreen/test_play.py",
    "evals/test_inspect_tasks.py",
    "foreign/test_sandbox.py",
    "evals/test_suite.py",
    "web/test_fuzz.py",
    "terminal/fullscreen/test_layout.py",
    "core/test_properties.py",
    "learning/test_training.py",
    "web/test_postgres.py",
    "web/test_faults.py",
    "web/pages/test_table.py",
    "test_saves.py",
    "test_cli.py",
)


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    inside = collection_path.is_relative_to(ROOT)
    return True if inside and left_out(collection_path.relative_to(ROOT)) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    places = {ROOT / "tests" / name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.path, len(places)))


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    files_by_reason = defaultdict[str, set[str]](set)
    for report in terminalreporter.stats.get("skipped", ()):
        files_by_reason[report.longrepr[2].removeprefix("Skipped: ")].add(report.nodeid.partition("::")[0])
    for reason, files in sorted(files_by_reason.items()):
        terminalreporter.write_line(f"left out in {', '.join(sorted(files))}: {reason}")
    for extra in missing():
        paths = ", ".join(extra.paths)
        terminalreporter.write_line(
            f"left out without {extra.name}: {paths}; install it with: make test EXTRAS=all"
        )
