"""Whole games in Firefox ESR, by pointer and by keyboard.

`make test-firefox` runs this file, in an environment of its own; the other tests of the pages use Chromium.
"""

import shutil
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.web.browsers import PATIENCE, Person
from tests.web.pages.tables import People, gathered
from tests.web.pages.test_games import test_two_people_play_a_whole_game_and_a_third_watches
from tests.web.servers import Server

__all__ = ["test_two_people_play_a_whole_game_and_a_third_watches"]


@pytest.fixture(scope="session")
def firefox() -> Iterator[Mapping[str, Browser]]:
    """A Firefox for each name: a window that is not in front ignores Enter, and one process has one in front."""
    with sync_playwright() as playwright:
        expect.set_options(timeout=PATIENCE)
        # Playwright's own channel for a Firefox that Mozilla released: without it, it wants a patched one.
        program = shutil.which("firefox-esr")
        started: defaultdict[str, Browser] = defaultdict(
            partial(playwright.firefox.launch, channel="moz-firefox", executable_path=program)
        )
        yield started
        for browser in started.values():
            browser.close()


@pytest.fixture
def people(firefox: Mapping[str, Browser], server: Server) -> Iterator[People]:
    def person(name: str, **profile: Any) -> Person:
        # In this channel a tap does nothing: everyone has a mouse.
        return Person(firefox[name], server.address, name, **{**profile, "has_touch": False})

    with gathered(person) as known:
        yield known
