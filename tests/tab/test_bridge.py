"""Requests of pages, answered without a server."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from perfectplay.audit.report import as_dict, audit
from perfectplay.games.registry import load, names
from tab import bridge, tables
from tools.site.engine import TAB, find_needed, list_imports, write_package


def ask(request: str, **given: Any) -> Any:
    reply = json.loads(bridge.answer(json.dumps({"id": 7, "ask": request, "with": given})))
    assert reply.pop("id") == 7
    return reply["answer"] if "answer" in reply else reply["problem"]


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("engine") / "perfectplay.zip"
    write_package(path)
    return path


def test_everything_that_a_tab_gets_needs_the_standard_library_alone(package: Path) -> None:
    with ZipFile(package) as files:
        modules = [name.removesuffix(".py").replace("/", ".") for name in files.namelist() if ".py" in name]
    # Without site-packages and without the source tree: only the zip and the standard library are there.
    script = (
        f"import importlib, sys; sys.path.insert(0, {str(package)!r})\n"
        f"for name in {modules}: importlib.import_module(name.removesuffix('.__init__'))\n"
        "from tab.bridge import answer\n"
        "from perfectplay import Game, Match\n"  # as game files do
        'print(answer(\'{"id":1,"ask":"tables.games"}\'))'
    )
    told = subprocess.run(
        [sys.executable, "-I", "-S", "-c", script], capture_output=True, text=True, check=False, timeout=60
    )
    assert told.stderr == ""
    assert json.loads(told.stdout)["answer"] == json.loads(json.dumps(tables.games()))


def test_a_tab_imports_no_library_and_names_no_single_game() -> None:
    own = set(TAB.glob("*.py"))
    used = {
        (file in own, name) for file in find_needed() if file.suffix == ".py" for name in list_imports(file)
    }
    tops = {name.partition(".")[0] for _, name in used} - sys.stdlib_module_names
    assert tops == {"perfectplay", "tab", "orjson"}  # orjson only where it is installed
    assert not {
        name
        for mine, name in used
        if mine and name.startswith("perfectplay.games.") and "registry" not in name
    }


def test_a_tab_gets_only_what_it_needs_and_always_the_same(package: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.zip"
    write_package(again)
    assert again.read_bytes() == package.read_bytes()
    with ZipFile(package) as files:
        found = set(files.namelist())
    assert "perfectplay/games/bit_flip/rulebook.md" in found
    assert not {name for name in found if "program" in name or "/terminal/" in name or "schemas" in name}


def test_every_opponent_that_needs_no_process_is_offered() -> None:
    assert [each["spec"] for each in ask("tables.opponents")] == ["mcts", "perfect", "random", "search"]


@pytest.mark.parametrize(
    ("request_", "given", "error"),
    [
        ("nobody.asked", {}, "missing"),
        ("tables.nothing", {}, "missing"),
        ("bridge.answer", {"text": "{}"}, "missing"),
        ("tables.rules", {"name": "chess"}, "missing"),
        ("study.board", {"game": "bit-flip:bits=0"}, "invalid"),
        ("study.board", {"game": "bit-flip", "moves": ["1"], "ply": 2}, "invalid"),
        ("study.audit", {"game": "./own.py"}, "invalid"),
    ],
)
def test_a_problem_is_a_word_and_a_sentence(request_: str, given: dict[str, Any], error: str) -> None:
    problem = ask(request_, **given)
    assert problem["error"] == error
    assert "\n" not in problem["text"]


def test_a_game_that_is_too_large_gets_one_clear_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("perfectplay.workers.worker.MOST_POSITIONS", 20)
    problem = ask("study.board", game="inversion-race:cells=9")
    said = "inversion-race:cells=9 has more than 20 positions, too many to solve in a browser tab"
    assert problem == {"error": "large", "text": said}


@pytest.mark.parametrize("name", [name for name in names() if name != "mirror-match"])
def test_an_audit_is_the_one_of_the_command(name: str) -> None:
    assert ask("study.audit", game=name)["data"] == json.loads(json.dumps(as_dict(audit(load(name)))))
