"""A browser and a server for the tests of the pages."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.extras import leave_out
from tests.web.browsers import Person, program, started
from tests.web.pages.tables import MANY, People
from tests.web.servers import Server


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    if program() is None:
        leave_out("Chromium", "chromium")
    with started() as browser:
        yield browser


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One at which clocks and the patience of players may be as short as a test wants."""
    data = tmp_path_factory.mktemp("server") / "data"
    short = "from perfectplay.web import admission\nadmission.SHORTEST_AWAY = admission.SHORTEST_MOVE = 0"
    with Server("--data", str(data), *MANY, before=short) as running:
        yield running


@pytest.fixture
def people(chromium: Browser, server: Server) -> Iterator[People]:
    """Gives someone with a browser of their own; in the end nobody's browser may have complained."""
    known: list[Person] = []

    def person(name: str, **profile: Any) -> Person:
        known.append(Person(chromium, server.address, name, **profile))
        return known[-1]

    yield person
    for each in known:
        each.context.close()
    assert [complaint for each in known for complaint in each.complaints] == []
