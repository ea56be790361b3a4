"""Getting the package from the site: its install page says commands that work."""

import _imp
import shlex
import subprocess
import sys
import tomllib
from importlib.metadata import distribution
from pathlib import Path
from zipfile import ZipFile

import pytest
from playwright.sync_api import expect

from tests.conftest import ROOT
from tests.web.pages.tables import People
from tools import BESIDE
from tools.site.wheel import WHEEL, WHEELS, fill

INSTALL = (ROOT / "docs" / "install.md").read_text("utf-8")


def test_the_command_on_the_page_installs_what_the_site_runs(visitors: People, tmp_path: Path) -> None:
    ann = visitors("Ann")
    ann.page.goto("index.html")
    ann.page.get_by_role("main").get_by_role("link", name="Install").click()
    expect(ann.page.get_by_role("heading", level=1)).to_contain_text("Install")
    lines = ann.page.locator("pre.install").inner_text().splitlines()
    [command] = [line for line in lines if "[web]" in line]
    done = subprocess.run(
        [sys.executable, "-m", *shlex.split(command), "--no-deps", "--quiet", "--target", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    [metadata] = tmp_path.glob("perfectplay-*.dist-info")
    [found] = list(distribution("perfectplay").discover(path=[str(tmp_path)]))
    assert metadata.name == f"perfectplay-{found.version}.dist-info"
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert [line.split("'")[1].split(" @")[0] for line in lines] == [
        "perfectplay",
        *(f"perfectplay[{each}]" for each in extras if each not in ("mcp", "notebook")),
        *BESIDE,
    ]


def test_the_wheel_has_the_modules_that_the_tab_runs(built: Path) -> None:
    wheel, engine = ZipFile(built / WHEEL), ZipFile(built / "engine" / "perfectplay.zip")
    compiled = [name for name in engine.namelist() if name.endswith(".pyc")]
    assert compiled
    for name, beside in WHEELS.items():
        assert f"{name.replace('-', '_')}/__init__.py" in ZipFile(built / beside).namelist()
    for name in compiled:
        # A compiled module begins with the number of its Python, flags, and the hash of its source.
        head = engine.read(name)[:16]
        own = ROOT / "site" / "python" / name[:-1]  # what only the site has is in no wheel
        source = own.read_bytes() if name.startswith("tab/") else wheel.read(name[:-1])
        assert head[8:] == _imp.source_hash(int.from_bytes(head[:4], "little"), source), name
    assert "packages/" not in (built / "service-worker.js").read_text()  # players need not fetch it


@pytest.mark.parametrize(
    ("settings", "cloned"), [({}, False), ({"REPOSITORY": "https://example.org/games.git"}, True)]
)
def test_clones_are_spoken_of_only_where_there_is_something_to_clone(
    settings: dict[str, str], cloned: bool
) -> None:
    page = fill(INSTALL, {**settings, "SITE_URL": "https://example.org/x/"})
    assert ("clone" in page) is cloned
    assert ("git clone https://example.org/games.git perfectplay\n" in page) is cloned
    assert f"https://example.org/x/{WHEEL}" in page
    assert "<!--" not in page


def test_no_page_promises_what_no_index_has(built: Path) -> None:
    promising = ("pip install perfectplay", "pip install 'perfectplay[", 'pip install "perfectplay[')
    pages = [*built.rglob("*.html"), *built.rglob("*.js")]
    assert pages
    for page in pages:
        text = page.read_text("utf-8").replace("&#39;", "'").replace("&quot;", '"')
        assert [each for each in promising if each in text and "/packages/" not in text] == [], page
        assert "In a clone" not in text, page
