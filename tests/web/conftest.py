"""What the tests of the server share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.servers import TestClient, client


@pytest.fixture
def server(tmp_path: Path) -> Iterator[TestClient]:
    """The server, asked in this process."""
    with client(tmp_path) as found:
        yield found
