"""What the tests of foreign environments share."""

from collections.abc import Iterator

import pytest

from perfectplay.foreign.sandbox.client import Server

collect_ignore = ["envs"]  # files that are examined, not imported


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with Server() as server:
        yield server
