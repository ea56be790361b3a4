"""The site, built once for all tests and served as plain files under a path."""

import fcntl
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.conftest import ROOT
from tests.web.browsers import Person
from tests.web.pages.conftest import chromium as chromium  # a fixture is found by its name
from tests.web.pages.tables import People, gathered
from tools.site.serve import serve_folder

UNDER = "some/sub/path"
"""Where the site is served: nothing on it may rely on being at the root of a host."""


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site, built by the first of the processes that run tests; the others wait for it."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent  # the processes have folders of their own in it
    out, log = shared / "docs-site", shared / "docs-site.log"
    with (shared / "docs-site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not log.exists():
            done = subprocess.run(
                # Relative, as `make site` names its folder.
                [sys.executable, "-m", "tools.site", os.path.relpath(out, ROOT)],
                cwd=ROOT,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
                timeout=280,
            )
            log.write_text(f"{done.returncode}\n{done.stdout}")
    code, _, said = log.read_text().partition("\n")
    assert code == "0", f"the site was not built:\n{said}"
    return out


@pytest.fixture(scope="session")
def address(built: Path) -> Iterator[str]:
    """Where the site is, with a slash at the end."""
    with serve_folder(built, UNDER) as found:
        yield found


@pytest.fixture
def visitors(chromium: Browser, address: str) -> Iterator[People]:
    """Gives someone with a browser profile of their own, whose addresses are relative to the site's."""
    with gathered(partial(Person, chromium, address)) as known:
        yield known
