"""The documentation is run: its Python as doctests, its commands as commands, its game as a game."""

import ast
import doctest
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import FunctionType

import pytest

import perfectplay as pp
from tests.conftest import ROOT, Run
from tests.extras import left_out
from tests.terminal.terminals import drawn
from tools import BESIDE, SOURCES, environments, foreign_table, module_map, options_table
from tools.mutants import read_explained
from tools.public_api import names_of, public_names
from tools.solving_picture import PICTURE, draw

ALL_PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
SITE_PAGES = sorted((ROOT / "site").glob("*.md"))
"""The pages that only the site has."""
MATHEMATICS = sorted((ROOT / "src").glob("perfectplay/games/*/mathematics.md"))
"""Why each game is worth what it is, as the page of the game on the site says."""
PAGES = [page for page in ALL_PAGES if not left_out(page.relative_to(ROOT))]
ADD_A_GAME = ROOT / "docs" / "add-a-game.md"
EXAMPLE = ROOT / "examples" / "tic_tac_toe.py"
ARCHITECTURE = ROOT / "docs" / "architecture.md"
PACKAGE = ROOT / "src" / "perfectplay"


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize(
    "page", [*PAGES, *SITE_PAGES, *MATHEMATICS], ids=lambda page: f"{page.parent.name}/{page.name}"
)
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


@pytest.mark.parametrize("page", ALL_PAGES, ids=lambda page: page.name)
def test_pages_are_plain_markdown_that_can_be_read_without_the_site(page: Path) -> None:
    assert re.findall(r"^(?:```+|~~~+|:::+)\{.*|\{[\w:-]+\}`.*", page.read_text("utf-8"), re.MULTILINE) == []


GENERATED = {"crosstable.md", "modules.md"}
"""Pages that programs write."""
HAND_WRITTEN = [page for page in ALL_PAGES if page.parent == ROOT / "docs" and page.name not in GENERATED]
TABLES = re.compile(
    f"{options_table.TABLE.pattern}|{foreign_table.TABLE.pattern}|{environments.START}.*?{environments.END}"
    "|<!-- results -->.*?<!-- end -->",
    re.MULTILINE | re.DOTALL,
)
"""The generated tables on the other pages."""


STUDIES = sorted((ROOT / "docs" / "studies").glob("*.md"))
"""What studies found. Nobody needs them to use the program, so their words do not count below."""


@pytest.mark.parametrize("page", [*HAND_WRITTEN, *STUDIES], ids=lambda page: page.name)
def test_a_page_begins_with_what_its_reader_can_do_after_it(page: Path) -> None:
    assert re.match(r"# .+\n\nAfter this page you ", page.read_text("utf-8"))


def test_the_docs_stay_short() -> None:
    words = {page.name: len(TABLES.sub("", page.read_text("utf-8")).split()) for page in HAND_WRITTEN}
    assert sum(words.values()) <= 32_000, words


FRONT_ENDS = ("cli", "evals", "online", "tables", "terminal", "web", "workers")


def test_front_ends_keep_their_limits_where_the_architecture_says() -> None:
    homes = [*(PACKAGE / name for name in FRONT_ENDS), *SOURCES[1:], ROOT / "site" / "python"]
    limit = re.compile(r"^_?(MOST|LARGEST|LONGEST|SHORTEST|SMALLEST)(_[A-Z_]+)?(, |: | = )", re.MULTILINE)
    files = [path for home in homes for path in home.rglob("*.py") if path.name != "limits.py"]
    assert len(files) > 100
    assert [path for path in files if limit.search(path.read_text("utf-8"))] == []


def test_no_paragraph_is_written_twice() -> None:
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", *HAND_WRITTEN]
    found = [part for page in pages for part in re.split(r"\n{2,}", page.read_text("utf-8"))]
    twice = [part for part, count in Counter(found).items() if count > 1 and len(part.split()) > 20]
    assert twice == []


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


def imported(source: str) -> Iterator[tuple[str, str | None]]:
    """What a source imports from the package: the module and a name, None for the module itself."""
    for node in ast.walk(ast.parse(source)):
        found: list[tuple[str, str | None]] = []
        if isinstance(node, ast.Import):
            found = [(alias.name, None) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found = [(node.module or "", alias.name) for alias in node.names]
        yield from (each for each in found if each[0].split(".")[0] in {source.name for source in SOURCES})


def private_imports(source: str) -> list[str]:
    """The imports that docs/python.md does not call public."""
    public = public_names() | public_names("foreign.md")
    found = []
    for module, name in imported(source):
        if name is None or f"{module}.{name}" in public:
            allowed = (module if name is None else f"{module}.{name}") in public
        else:
            names = public.get(module, set())
            allowed = name in (import_module(module).__all__ if names is None else names)
        if not allowed:
            found.append(module if name is None else f"{module}.{name}")
    return found


EXAMPLES = sorted(each for each in (ROOT / "examples").glob("*.py") if not left_out(each.relative_to(ROOT)))
STUDIES = sorted((ROOT / "studies" / "gg_bench").glob("*.py"))


def source_of(path: Path) -> str:
    """A program, or all Python on a page."""
    if path.suffix != ".md":
        return path.read_text("utf-8")
    written = blocks(path, "python")
    examples = doctest.DocTestParser().get_examples("".join(written))
    plain = [block for block in written if not block.startswith(">>>")]
    return "\n".join([*(example.source for example in examples), *plain])


@pytest.mark.parametrize("path", [*PAGES, *EXAMPLES, *STUDIES], ids=lambda path: path.name)
def test_docs_examples_and_studies_import_the_public_api_alone(path: Path) -> None:
    assert private_imports(source_of(path)) == []


def test_a_private_import_is_noticed() -> None:
    source = (
        "import perfectplay.core.match\n"
        "from perfectplay import Match, _HOMES\n"
        "from perfectplay.adapters import openspiel, settings\n"
        "from perfectplay.players.registry import load_player, load_players\n"
        "from perfectplay.simulate import BatchedGame, batch\n"
    )
    assert private_imports(source) == [
        "perfectplay.core.match",
        "perfectplay._HOMES",
        "perfectplay.adapters.settings",
        "perfectplay.players.registry.load_players",
        "perfectplay.simulate.batch",
    ]


def is_left_out(module: str) -> bool:
    """Whether a module needs an extra that is not installed."""
    top, *parts = module.split(".")
    [source] = (source for source in SOURCES if source.name == top)
    path = source.relative_to(ROOT).joinpath(*parts)
    return left_out(path) or left_out(path.with_suffix(".py"))


def test_every_public_name_exists() -> None:
    seen = 0
    for module, names in public_names().items():
        if is_left_out(module):
            continue
        home = import_module(module)
        for name in names_of(module, names):
            assert hasattr(home, name), (module, name)
            seen += 1
    assert seen > len(pp.__all__)


def test_every_public_class_and_function_has_an_example_that_is_run() -> None:
    # Pages that need an extra count as well: where everything is installed, they are run.
    used = {each for path in [*ALL_PAGES, *EXAMPLES] for each in imported(source_of(path))}
    missing = []
    for module, names in public_names().items():
        if is_left_out(module):
            continue
        for name in names_of(module, names):
            found = getattr(import_module(module), name)
            parts = [found, *vars(found).values()] if isinstance(found, type) else [found]
            shown = any(">>>" in (getattr(part, "__doc__", None) or "") for part in parts)
            is_error = isinstance(found, type) and issubclass(found, Exception)
            if isinstance(found, type | FunctionType) and not is_error and not shown:
                missing.append((module, name))
    assert [each for each in missing if each not in used] == []


SHARED = {
    *("State", "Number", "Array"),  # the same thing in several places
    *("GameEnv", "Observation", "RenderMode", "Step", "Board"),  # what each library calls its own
    "Store",
}
"""The classes and types that more than one module defines. Every other name means one thing."""


def test_a_name_means_one_thing() -> None:
    homes: dict[str, set[Path]] = {}
    for path in (path for source in SOURCES for path in source.rglob("*.py")):
        for node in ast.parse(path.read_text("utf-8")).body:
            names = [node.name] if isinstance(node, ast.ClassDef) else []
            if isinstance(node, ast.Assign):
                names = [each.id for each in node.targets if isinstance(each, ast.Name)]
            for name in names:
                if re.match("[A-Z][a-z]", name):
                    homes.setdefault(name, set()).add(path)
    assert {name for name, paths in homes.items() if len(paths) > 1} == SHARED


BRITISH = re.compile(
    r"\b\w*(?:neighbour|colour|behaviour|favour|honour|centre[sd]?\b|defence|licence\b|travell|labell(?!edby)|modell|signall|"
    r"analys(?:e[sd]?|ing)\b|grey\b|organis|recognis|normalis|optimis|minimis|maximis|initialis|serialis|summaris|penalis)\w*",
    re.I,
)


def test_spelling_is_american() -> None:
    folders = [
        ROOT / folder for folder in ("src", "packages", "docs", "site", "tools", "tests", "examples", "bench")
    ]
    kinds = {".py", ".md", ".js", ".css", ".html", ".toml"}
    found = [
        (path.name, word)
        for path in [ROOT / "README.md", *(path for folder in folders for path in folder.rglob("*.*"))]
        if path.suffix in kinds and "node_modules" not in path.parts and path.name != "test_docs.py"
        for word in BRITISH.findall(path.read_text("utf-8"))
    ]
    assert found == []


def test_the_map_of_modules_is_what_their_docstrings_say() -> None:
    assert module_map.PAGE.read_text("utf-8") == module_map.page()
    unsaid = [
        file
        for source in SOURCES
        for file in source.rglob("*.py")
        if file.name != "__init__.py" and not module_map.summarize(file)
    ]
    assert unsaid == []


def test_the_page_on_architecture_names_every_package() -> None:
    named = set(re.findall(r"`(\w+(?:/|\.py))`", ARCHITECTURE.read_text("utf-8")))
    packages = {f"{each.parent.name}/" for each in PACKAGE.glob("*/__init__.py")}
    assert packages | {each.name for each in PACKAGE.glob("[a-z]*.py")} <= named


def test_the_picture_of_the_architecture_has_the_layers_that_are_checked() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    [layers] = [contract["layers"] for contract in contracts if contract["type"] == "layers"]
    rows: dict[int, set[str]] = {}
    picture = ARCHITECTURE.with_suffix(".svg").read_text("utf-8")
    for height, name in re.findall(r'class="name" x="[\d.]+" y="(\d+)">(\w+)<', picture):
        rows.setdefault(int(height), set()).add(f"perfectplay.{name}")
    outside = {"perfectplay.site", *(name.replace("-", ".") for name in BESIDE)}
    assert set.union(*rows.values()) >= outside
    drawn_layers = [rows[height] - outside for height in sorted(rows)]
    assert drawn_layers == [set(layer.split(" | ")) for layer in layers if "__main__" not in layer]


def test_each_hop_of_the_walks_exists() -> None:
    _, _, walks = ARCHITECTURE.read_text("utf-8").partition("## Four walks")
    walks = walks.partition("## Decisions")[0]
    hops = re.findall(r"`([\w/]+\.(?:py|js)): ([\w.#]+)`", walks)
    homes = {source.name: source.parent for source in SOURCES[1:]}
    for file, function in hops:
        source = (homes.get(file.partition("/")[0], PACKAGE) / file).read_text("utf-8")
        name = function.split(".")[-1]
        define = rf"\b(def|class) {name}\b" if file.endswith(".py") else rf"(function |^  (async )?){name}\("
        assert re.search(define, source, re.MULTILINE), (file, function)
        owner = function.rpartition(".")[0]
        assert not owner or re.search(rf"class {owner}\b", source), (file, function)
    assert len(hops) > 25


def test_unnoticed_changes_are_explained_of_functions_that_exist() -> None:
    places = [place.split() for place in read_explained()]
    for file, function in places:
        body = ast.parse((PACKAGE / file).read_text("utf-8")).body
        owner, _, name = function.rpartition(".")
        if owner:
            [found] = [node for node in body if isinstance(node, ast.ClassDef) and node.name == owner]
            body = found.body
        assert name in {node.name for node in body if isinstance(node, ast.FunctionDef)}, (file, function)
    assert len(places) > 30


def test_the_picture_of_large_games_shows_its_numbers() -> None:
    assert PICTURE.read_text("utf-8") == draw()
