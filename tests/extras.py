"""What the tests of each extra are, so that without it they are left out and said to be."""

import os
from importlib.util import find_spec
from typing import NamedTuple, NoReturn

import pytest


class Extra(NamedTuple):
    """An extra of the package, a module that it installs, and the files that need it."""

    name: str
    module: str
    files: tuple[str, ...]

    @property
    def installed(self) -> bool:
        return find_spec(self.module) is not None


EXTRAS = (
    Extra(
        "jax",
        "pgx",
        (
            "docs/jax.md",
            "src/perfectplay/adapters/pgx.py",
            "src/perfectplay/simulate/jax_tables.py",
            "tests/pgx_checks.py",
            "tests/test_jax.py",
            "tests/test_pgx.py",
        ),
    ),
    Extra(
        "openspiel",
        "pyspiel",
        ("docs/openspiel.md", "src/perfectplay/adapters/openspiel.py", "tests/test_openspiel.py"),
    ),
    Extra("parquet", "pyarrow", ("tests/test_parquet.py",)),
    Extra(
        "web",
        "fastapi",
        (
            "src/perfectplay/terminal/desk.py",
            "src/perfectplay/terminal/online.py",
            "src/perfectplay/web/actions.py",
            "src/perfectplay/web/api.py",
            "src/perfectplay/web/client.py",
            "src/perfectplay/web/clock.py",
            "src/perfectplay/web/computer.py",
            "src/perfectplay/web/database.py",
            "src/perfectplay/web/dependencies.py",
            "src/perfectplay/web/history.py",
            "src/perfectplay/web/hub.py",
            "src/perfectplay/web/identity.py",
            "src/perfectplay/web/listener.py",
            "src/perfectplay/web/lobby.py",
            "src/perfectplay/web/messages.py",
            "src/perfectplay/web/middleware.py",
            "src/perfectplay/web/models.py",
            "src/perfectplay/web/openapi.py",
            "src/perfectplay/web/pages.py",
            "src/perfectplay/web/peers.py",
            "src/perfectplay/web/responses.py",
            "src/perfectplay/web/routes.py",
            "src/perfectplay/web/schema.py",
            "src/perfectplay/web/serve.py",
            "src/perfectplay/web/shapes.py",
            "src/perfectplay/web/sockets.py",
            "src/perfectplay/web/store.py",
            "src/perfectplay/web/study_routes.py",
            "src/perfectplay/web/table_cache.py",
            "src/perfectplay/web/tasks.py",
            "src/perfectplay/web/upkeep.py",
            "src/perfectplay/web/writes.py",
            "tests/api_types.py",
            "tests/browsers.py",
            "tests/screenshots.py",
            "tests/test_online.py",
            "tests/test_web_api.py",
            "tests/test_web_faults.py",
            "tests/test_web_fuzz.py",
            "tests/test_web_hub.py",
            "tests/test_web_page.py",
            "tests/test_web_postgres.py",
            "tests/test_web_store.py",
            "tests/web_servers.py",
        ),
    ),
)


ALL = os.environ.get("PERFECTPLAY_EXTRAS") == "all"
"""Whether nothing may be left out."""


def leave_out(program: str, package: str) -> NoReturn:
    """Leave out a test, or a whole file, that needs a program which is not installed."""
    text = f"{program} is not installed: apt-get install {package}"
    if ALL:
        pytest.fail(text)
    pytest.skip(text, allow_module_level=True)


def missing() -> list[Extra]:
    """The extras that are not installed; an error if all are asked for."""
    found = [extra for extra in EXTRAS if not extra.installed]
    if found and ALL:
        raise RuntimeError(f"not installed: {', '.join(extra.name for extra in found)}")
    return found


def left_out(path: str) -> bool:
    """Whether a file of the project needs an extra that is not there."""
    return any(path in extra.files for extra in missing())
