"""The built wheels: every file is in them, each game plays, each page loads, the command works.

`make wheel-test` runs this file against the installed wheels. What the code does is tested on the source.
"""

import json
import os
import re
import subprocess
import sys
from importlib.metadata import requires, version
from importlib.util import find_spec
from pathlib import Path

import pytest

import perfectplay as pp
from perfectplay_server.http.pages import PAGES
from tests.conftest import ROOT, Run
from tests.web.servers import client
from tools import BESIDE, SOURCES

INSTALLED = Path(pp.__file__).parent
LIBRARIES = ("click", "markdown_it", "mdurl", "platformdirs", "pygments", "rich")
"""What a base install has besides."""


def init_of(package: str) -> Path:
    """The first file of an installed package, which is not imported: it may need what is not installed."""
    spec = find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin)


def files(folder: Path) -> set[str]:
    """The files of a package, without what Python compiles."""
    found = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(folder).as_posix() for path in found}


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_every_file_is_in_the_wheel(source: Path) -> None:
    installed = init_of(source.name).parent
    assert not installed.is_relative_to(source.parent)
    assert files(installed) == files(source)


def test_the_command_works(run: Run) -> None:
    assert run("--version").stdout == f"perfectplay {pp.__version__}\n"


@pytest.mark.parametrize("name", BESIDE)
def test_a_package_beside_is_of_the_same_version(name: str) -> None:
    [said] = re.findall(r'^__version__ = "(.+)"$', init_of(name.replace("-", "_")).read_text(), re.MULTILINE)
    assert said == version(name) == pp.__version__
    assert [
        each
        for each in requires(name) or ()
        if re.fullmatch(rf"perfectplay(\[\w+\])?=={pp.__version__}", each)
    ]


def test_an_environment_is_audited(run: Run) -> None:
    sound = str(ROOT / "tests" / "foreign" / "envs" / "sound.py")
    assert json.loads(run("audit-env", sound, "--json").stdout)["value"] == {"kind": "win", "plies": 3}


def test_the_base_alone_plays_and_names_the_package_that_a_command_needs(tmp_path: Path) -> None:
    for name in LIBRARIES:
        (tmp_path / name).symlink_to(init_of(name).parent)
    path = os.pathsep.join(map(str, (INSTALLED.parent, tmp_path)))

    def alone(*words: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-S", *words],  # without what else is installed
            env={**os.environ, "PYTHONPATH": path},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )

    assert "wins" in alone("-m", "perfectplay", "solve", "bit-flip").stdout
    said = "{0} is not installed; add it with: pip install {0}\n"
    for command, package in (
        ("audit-env ./env.py", "perfectplay-foreign"),
        ("replay-env ./env.py", "perfectplay-foreign"),
        ("solve env:./env.py", "perfectplay-foreign"),
        ("mcp --oracle", "perfectplay-mcp"),
        ("serve", "perfectplay-server"),
    ):
        done = alone("-m", "perfectplay", *command.split())
        assert (done.returncode, done.stdout, done.stderr) == (2, "", f"perfectplay: {said.format(package)}")
    done = alone("-c", "from perfectplay import check_env")
    assert done.stderr.endswith(said.format("perfectplay-foreign"))
    done = alone("-c", "from perfectplay import measure_policy")
    assert done.stderr.endswith("numpy is not installed; add it with: pip install 'perfectplay[rl]'\n")
    everything = "import pydoc; from perfectplay import *; pydoc.render_doc('perfectplay')"
    assert alone("-c", everything).returncode == 0


@pytest.mark.parametrize("game", pp.names())
def test_a_game_is_played_explained_and_solved(game: str, run: Run) -> None:
    played = run("play", game, "--p1", "random", "--p2", "level:5", "--seed", "1", "--max-plies", "200")
    assert "The record is kept in" in played.stdout
    assert pp.load(game).title in run("rules", game).stdout
    assert run("solve", game, "--json").returncode == 0


def test_every_page_and_all_that_it_loads_is_there(tmp_path: Path) -> None:
    with client(tmp_path) as browser:
        loaded = {f"/static/{name}" for name in files(INSTALLED / "web" / "static")}
        for path in (*PAGES, *loaded):
            answer = browser.get(re.sub(r"\{\w+\}", "1", path))
            assert answer.status_code == 200, path
            named = re.findall(r'(?:src|href)="(/static/[^"]+)"', answer.text)
            assert set(named) <= loaded, path
        assert len(browser.get("/api/games").json()) == len(pp.names())
