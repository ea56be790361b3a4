"""What the tests of foreign environments share."""

from collections.abc import Iterator

import pytest

from perfectplay_foreign.sandbox.client import ForkServer

collect_ignore = ["envs"]  # files that are examined, not imported


@pytest.fixture(scope="session")
def server() -> Iterator[ForkServer]:
    with ForkServer() as server:
        yield server
