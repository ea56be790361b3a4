"""The documentation is run: its Python as doctests, its commands as commands, its game as a game."""

import doctest
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import perfectplay as pp
from tests.conftest import ROOT, Run
from tests.extras import left_out
from tests.terminal.terminals import drawn

ALL_PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
PAGES = [page for page in ALL_PAGES if not left_out(page.relative_to(ROOT))]
ADD_A_GAME = ROOT / "docs" / "add-a-game.md"
EXAMPLE = ROOT / "examples" / "tic_tac_toe.py"


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_sessions_in_the_docs_are_true(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(EXAMPLE, tmp_path)
    shutil.copytree(EXAMPLE.parent, tmp_path / "examples")  # as in a clone
    monkeypatch.chdir(tmp_path)
    session = "".join(block for block in blocks(page, "python") if block.startswith(">>>"))
    test = doctest.DocTestParser().get_doctest(session, {}, page.name, str(page), 0)
    said: list[str] = []
    failed, _ = doctest.DocTestRunner(verbose=False).run(test, out=said.append)
    assert not failed, "".join(said)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_in_the_docs_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text("utf-8")):
        assert (page.parent / target).exists(), target


def test_commands_in_the_docs_run(run: Run, tmp_path: Path) -> None:
    shutil.copy(EXAMPLE, tmp_path)
    shutil.copytree(EXAMPLE.parent, tmp_path / "examples")  # as in a clone
    record = tmp_path / "FILE"
    match = pp.Match(pp.load("bit-flip"))
    match.play("4")
    record.write_text(f"{match.record()}\n")
    seen = 0
    for page in PAGES:
        for line in "".join(blocks(page, "sh")).splitlines():
            words = shlex.split(line, comments=True)
            if words[:1] == ["perfectplay"] and "|" not in words and words[-1] != "GAME":
                done = run(*words[1:], cwd=tmp_path)
                assert done.returncode == 0, (line, done.stderr)
                seen += 1
    assert seen > 10


def test_the_transcript_in_the_readme_is_what_is_printed(run: Run) -> None:
    [transcript] = blocks(ROOT / "README.md", "console")
    command, _, expected = transcript.partition("\n")
    assert command == r"$ printf 'left\nright\n' | perfectplay play dual-direction"
    done = run("play", "dual-direction", typed="left\nright\n")
    assert drawn(done.stdout) == expected


def test_the_readme_opens_with_the_two_commands() -> None:
    assert re.match(
        r"# perfectplay\n\n(?:.+\n)+\n```sh\nmake play .*\nmake test .*\n```\n",
        (ROOT / "README.md").read_text(),
    )


def test_the_page_on_adding_a_game_writes_the_example(tmp_path: Path) -> None:
    parts = [block for block in blocks(ADD_A_GAME, "python") if not block.startswith(">>>")]
    text = "\n".join(parts).removeprefix("# tic_tac_toe.py\n")
    assert text == EXAMPLE.read_text()


def test_a_file_put_among_the_games_is_found_and_plays(tmp_path: Path) -> None:
    package = tmp_path / "perfectplay"
    shutil.copytree(Path(pp.__file__).parent, package)
    shutil.copy(EXAMPLE, package / "games")
    check = (
        "import perfectplay as pp; assert 'tic-tac-toe' in pp.names();"
        "game = pp.load('tic-tac-toe'); pp.check_game(game); print(pp.__file__, game.spec)"
    )
    done = subprocess.run(
        [sys.executable, "-c", check], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout == f"{package / '__init__.py'} tic-tac-toe\n"


def test_a_game_of_another_package_is_found_by_its_entry_point(tmp_path: Path) -> None:
    shutil.copy(EXAMPLE, tmp_path / "other_tic_tac_toe.py")
    info = tmp_path / "other-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: other\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[perfectplay.games]\ntic-tac-toe = other_tic_tac_toe:TicTacToe\n")
    check = (
        f"import sys; sys.path.append({str(tmp_path)!r});"
        "import perfectplay as pp; assert 'tic-tac-toe' in pp.names(); print(pp.load('tic-tac-toe').spec)"
    )
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout == "tic-tac-toe\n"
