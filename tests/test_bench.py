"""Benchmarks start: what they import is in the environment that the Makefile makes for them."""

import ast
import re
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tools import SOURCES

FOLDERS = {
    "bench": ROOT,
    "tests": ROOT,
    "tools": ROOT,
    **{source.name: source.parent for source in SOURCES},
    "tab": ROOT / "site" / "python",
}
"""Where the modules of this project are."""
REQUIREMENTS = {
    "bench": ["bench"],
    "bench.large": ["play", "test"],
    "bench.peers": ["peers"],
    "bench.web": ["play", "web"],
    "bench.web_peer": ["play", "web"],
    "bench.foreign": ["play", "test"],
    "bench.site": ["play", "test", "all", "site"],
}
"""The lists of packages that are installed for each program."""
PACKAGES = {"pyspiel": "open-spiel"}
"""The packages of modules with another name."""


def test_every_benchmark_of_the_makefile_is_tried() -> None:
    run = re.findall(r"/python -m (bench\S*)", (ROOT / "Makefile").read_text())
    assert sorted(run) == sorted(REQUIREMENTS)


@pytest.mark.parametrize("program", REQUIREMENTS)
def test_a_benchmark_imports_nothing_that_its_environment_lacks(program: str) -> None:
    lists = [(ROOT / "requirements" / f"{name}.txt").read_text() for name in REQUIREMENTS[program]]
    installed = {plain(name) for text in lists for name in re.findall(r"^([\w.-]+)==", text, re.MULTILINE)}
    main = f"{program}.__main__" if file_of(f"{program}.__main__") else program
    needed = imported(main, {})
    assert [each for each in sorted(needed) if plain(PACKAGES.get(each[1], each[1])) not in installed] == []


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def file_of(module: str) -> Path | None:
    """The file of a module of this project; None for any other."""
    top = module.partition(".")[0]
    path = FOLDERS.get(top, ROOT / "elsewhere").joinpath(*module.split("."))
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()), None)


def imported(module: str, seen: dict[str, set[tuple[str, str]]]) -> set[tuple[str, str]]:
    """Each package from elsewhere that importing a module needs, with the module that needs it."""
    file = file_of(module)
    assert file is not None, f"there is no module {module}"
    if module not in seen:
        needs = seen[module] = set()
        for each in (*parents(module), *top_level(ast.parse(file.read_text()).body)):
            if file_of(each):
                needs |= imported(each, seen)
            elif (top := each.partition(".")[0]) not in sys.stdlib_module_names:
                needs.add((module, top))
    return seen[module]


def parents(module: str) -> list[str]:
    parts = module.split(".")
    return [".".join(parts[:length]) for length in range(1, len(parts))]


def top_level(body: list[ast.stmt]) -> list[str]:
    """The modules that are imported along with a module: neither those in functions nor those that are tried."""
    found = []
    for each in body:
        if isinstance(each, ast.Import):
            found += [name.name for name in each.names]
        elif isinstance(each, ast.ImportFrom):
            assert each.module is not None
            assert each.level == 0
            inner = [f"{each.module}.{name.name}" for name in each.names]
            found += [each.module, *(name for name in inner if file_of(name))]
    return found


def test_a_pause_of_the_disk_is_not_that_of_the_server(tmp_path: Path) -> None:
    web = pytest.importorskip("bench.web")
    disk = web.Disk(tmp_path)
    disk.probes += [(0.0, 0.002), (1.0, 1.5), (2.0, 2.005)]
    assert disk.subtract_own([(1.6, 0.7), (1.2, 0.1), (2.01, 0.1)]) == pytest.approx([0.2, 0.0, 0.1])
