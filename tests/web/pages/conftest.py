"""A browser and a server for the tests of the pages."""

from collections.abc import Iterator
from functools import partial

import pytest
from playwright.sync_api import Browser

from tests.extras import leave_out
from tests.web.browsers import Person, program, started
from tests.web.pages.tables import MANY, People, gathered
from tests.web.servers import Server

OPTIMIZED_LATE = "--js-flags=--wasm-tiering-budget=100000000"
"""Chromium optimizes only what runs long: a Python that runs for seconds is hardly worth compiling twice."""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    # While Playwright runs, no other test of the same process could start an event loop.
    if program() is None:
        leave_out("Chromium", "chromium")
    with started(OPTIMIZED_LATE) as browser:
        yield browser


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One at which clocks and the patience of players may be as short as a test wants."""
    data = tmp_path_factory.mktemp("server") / "data"
    short = "from perfectplay.tables import limits\nlimits.SHORTEST_AWAY = limits.SHORTEST_MOVE = 0"
    with Server("--data", str(data), *MANY, before=short) as running:
        yield running


@pytest.fixture
def people(chromium: Browser, server: Server) -> Iterator[People]:
    """Gives someone with a browser profile of their own."""
    with gathered(partial(Person, chromium, server.address)) as known:
        yield known
