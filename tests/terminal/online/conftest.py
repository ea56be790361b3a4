"""A server for the tests of the online terminal."""

from collections.abc import Iterator

import pytest

from tests.terminal.online.opponents import GENEROUS
from tests.web.servers import Server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server("--data", str(tmp_path_factory.mktemp("tables")), *GENEROUS) as found:
        yield found
