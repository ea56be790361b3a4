"""The built wheel: every file is in it, each game plays, each page loads, the command works.

`make wheel-test` runs this file against the installed wheel. What the code does is tested on the source.
"""

import re
from pathlib import Path

import pytest

import perfectplay as pp
from perfectplay.web.http.pages import PAGES
from tests.conftest import ROOT, Run
from tests.web.servers import client

SOURCE = ROOT / "src" / "perfectplay"
INSTALLED = Path(pp.__file__).parent


def files(folder: Path) -> set[str]:
    """The files of a package, without what Python compiles."""
    found = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(folder).as_posix() for path in found}


def test_every_file_is_in_the_wheel() -> None:
    assert not INSTALLED.is_relative_to(ROOT / "src")
    assert files(INSTALLED) == files(SOURCE)


def test_the_command_works(run: Run) -> None:
    assert run("--version").stdout == f"perfectplay {pp.__version__}\n"


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
