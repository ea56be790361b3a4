"""Which tests belong to each extra. Without the extra they are skipped, and the run says so."""

import os
import shutil
from functools import cache
from importlib.util import find_spec
from pathlib import Path, PurePath
from typing import NamedTuple, NoReturn

import pytest

ROOT = Path(__file__).resolve().parents[1]


class Extra(NamedTuple):
    """An extra of the package, a module that it installs, and the files and folders that need it."""

    name: str
    module: str
    paths: tuple[str, ...]
    program: str | None = None
    """A program that it needs besides."""
    folder: str = "."
    """A folder that it needs besides, as seen from the root of the project."""

    @property
    def installed(self) -> bool:
        found = find_spec(self.module) is not None and (ROOT / self.folder).is_dir()
        return found and (self.program is None or shutil.which(self.program) is not None)


EXTRAS = (
    Extra(
        "a browser driver",
        "playwright",
        (
            "tests/notebook",
            "tests/site",
            "tests/web/browsers.py",
            "tests/web/pages",
        ),
    ),
    Extra(
        "evals",
        "inspect_ai",
        (
            "src/perfectplay/evals/inspect_tasks.py",
            "tests/evals/test_inspect_tasks.py",
            "tests/evals/test_suite.py",
            "tests/evals/test_gg_bench_sound.py",
            "tests/test_validation.py",
        ),
    ),
    Extra(
        "jax",
        "pgx",
        (
            "docs/jax.md",
            "docs/learning.md",
            "examples/train_alphazero.py",
            "src/perfectplay/adapters/pgx.py",
            "src/perfectplay/games/bit_flip/jax_kernel.py",
            "src/perfectplay/games/mirror_match/jax_kernel.py",
            "src/perfectplay/learning",
            "src/perfectplay/simulate/jax_tables",
            "tests/adapters/pgx_checks.py",
            "src/perfectplay/solver/tablebase/jax_engine.py",
            "tests/solver/test_array_rules_jax.py",
            "tests/adapters/test_pgx.py",
            "tests/foreign/test_pgx.py",
            "src/perfectplay/terminal/commands/train.py",
            "tests/terminal/test_train.py",
            "tests/learning",
            "tests/simulate/test_jax.py",
        ),
    ),
    Extra("an API fuzzer", "hypothesis_graphql", ("tests/web/test_fuzz.py",)),  # comes with schemathesis
    Extra("cluster", "ray", ("tests/foreign/collections/test_cluster.py",)),
    Extra(
        "mcp",
        "mcp",
        (
            "docs/mcp.md",
            "packages/perfectplay-mcp/src/perfectplay_mcp/server.py",
            "tests/mcp",
            "tests/test_validation.py",
        ),
    ),
    Extra("notebook", "anywidget", ("docs/notebooks.md", "packages/perfectplay-notebook", "tests/notebook")),
    Extra(
        "openspiel",
        "pyspiel",
        (
            "docs/openspiel.md",
            "src/perfectplay/adapters/openspiel.py",
            "tests/adapters/test_openspiel.py",
            "tests/foreign/test_openspiel.py",
        ),
    ),
    Extra(
        "parquet",
        "pyarrow",
        (
            "docs/arena.md",
            "docs/evaluate-a-bot.md",
            "docs/read-a-report.md",
            "tests/evals/test_samples.py",
            "tests/evals/test_arena.py",
            "tests/evals/test_episode.py",
            "tests/evals/test_formats.py",
            "tests/evals/test_report.py",
            "tests/evals/test_seats.py",
            "tests/evals/test_verify.py",
            "tests/test_validation.py",
            "tests/simulate/test_parquet.py",
        ),
    ),
    Extra("site", "sphinx", ("tests/site",), "node", "site/node_modules"),
    Extra(
        "tui",
        "textual",
        (
            "src/perfectplay/terminal/fullscreen",
            "tests/terminal/fullscreen",
            "tests/terminal/online/test_full_screen.py",
            "tests/terminal/online/test_hosting.py",
            "tools/terminal_pictures.py",
        ),
    ),
    Extra(
        "web",
        "fastapi",
        (
            "packages/perfectplay-server",
            "src/perfectplay/online",
            "src/perfectplay/render/png.py",
            "src/perfectplay/tables",
            "src/perfectplay/terminal/line/async_console.py",
            "src/perfectplay/terminal/fullscreen/screens/online.py",
            "src/perfectplay/terminal/line/online.py",
            "src/perfectplay/terminal/online_display.py",
            "src/perfectplay/workers",
            "tests/tab/test_tables.py",
            "tests/terminal/online",
            "tests/web",
            "tests/wheel_smoke.py",
        ),
    ),
)


ALL = os.environ.get("PERFECTPLAY_EXTRAS") == "all"
"""Whether nothing may be left out."""


def tries(count: int) -> int:
    """How many examples to make up for a property: `count` where all is tested, else a fifth of that."""
    return count if ALL else count // 5


def leave_out(program: str, package: str) -> NoReturn:
    """Leave out a test, or a whole file, that needs a program which is not installed."""
    text = f"{program} is not installed: apt-get install {package}"
    if ALL:
        pytest.fail(text)
    pytest.skip(text, allow_module_level=True)


@cache
def missing() -> list[Extra]:
    """The extras that are not installed; an error if all are asked for."""
    found = [extra for extra in EXTRAS if not extra.installed]
    if found and ALL:
        raise RuntimeError(f"not installed: {', '.join(extra.name for extra in found)}")
    return found


def left_out(path: PurePath) -> bool:
    """Whether a file or folder, as seen from the root of the project, needs an extra that is not installed."""
    return not _left_out_paths().isdisjoint((path, *path.parents))


@cache
def _left_out_paths() -> frozenset[PurePath]:
    return frozenset(PurePath(needed) for extra in missing() for needed in extra.paths)
