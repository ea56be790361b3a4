"""Python for the browser: Pyodide's files, and a zip of what a tab needs of the package.

The zip has the modules that `site/python/tab` imports, directly or not. The zip is the same
for the same sources, byte for byte. Its modules are compiled, which saves a tab a second of its start.
"""

import ast
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from tools import ROOT

PYODIDE = ROOT / "site" / "node_modules" / "pyodide"
FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
LIBRARY = "python_stdlib.zip"
ENCODINGS = re.compile(
    r"encodings/(cp(?!437|1252)|iso8859_(?!1\.|15\.)|mac_|koi8_|hp_roman8|kz1048|palmos|ptcp154|tis_620)"
)
"""The tables of old encodings in the standard library, 270 kB that no page reads. `zipfile` needs cp437."""
PACKAGE, TAB = ROOT / "src" / "perfectplay", ROOT / "site" / "python" / "tab"
DISCOVERED = ("games", "players", "coach", "audit/findings", "render/notebook.py")
"""Modules, and folders of modules, that are found by their names rather than imported."""
LEFT_OUT = ("players/program", "solver/tablebase")
"""What cannot work in a tab: it starts processes, or needs NumPy."""
DATA = (".json", ".md", ".toml")
"""Files that the code reads, besides itself."""


def build(out: Path) -> None:
    """Add the folder `engine` to a site."""
    folder = out / "engine"
    folder.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        shutil.copyfile(PYODIDE / name, folder / name)
    with ZipFile(PYODIDE / LIBRARY) as whole, ZipFile(folder / LIBRARY, "w") as kept:
        for entry in whole.infolist():
            if not ENCODINGS.match(entry.filename):
                kept.writestr(entry, whole.read(entry), compresslevel=9)
    lock = json.loads((PYODIDE / "pyodide-lock.json").read_text(encoding="utf-8"))
    # Pyodide needs a list of packages that it can load; here there is only ours.
    (folder / "pyodide-lock.json").write_text(
        json.dumps({"info": lock["info"], "packages": {}}), encoding="utf-8"
    )
    sources = out / "sources.zip"
    write_package(sources)
    compiler = [
        "node",
        str(ROOT / "tools" / "site" / "compile.mjs"),
        str(sources),
        str(folder / "perfectplay.zip"),
    ]
    subprocess.run(compiler, check=True)
    sources.unlink()


def write_package(path: Path) -> None:
    """Write the zip with the modules that a tab needs."""
    with ZipFile(path, "w", ZIP_DEFLATED, compresslevel=9) as package:
        for file in sorted(find_needed()):
            home = next(each.parent for each in (PACKAGE, TAB) if file.is_relative_to(each))
            entry = ZipInfo(file.relative_to(home).as_posix(), (1980, 1, 1, 0, 0, 0))
            entry.compress_type = ZIP_DEFLATED
            package.writestr(entry, file.read_bytes())


def find_needed() -> set[Path]:
    """The files of the package that a tab needs."""
    places = [TAB, *(PACKAGE / name for name in DISCOVERED)]
    waiting = [file for place in places for file in (place, *place.rglob("*")) if _is_used(file)]
    found: set[Path] = set()
    while waiting:
        file = waiting.pop()
        if file in found:
            continue
        found.add(file)
        waiting += [folder / "__init__.py" for folder in file.parents if (folder / "__init__.py").is_file()]
        if file.suffix == ".py":
            waiting += [each for name in list_imports(file) for each in _files_of(name) if _is_used(each)]
    return found


def _is_used(file: Path) -> bool:
    path = file.relative_to(PACKAGE).as_posix() if file.is_relative_to(PACKAGE) else ""
    arrays = "kernel.py" in path or "/kernel/" in path
    return file.suffix in (".py", *DATA) and not path.startswith(LEFT_OUT) and not arrays


def list_imports(file: Path) -> Iterator[str]:
    """The names that a module imports when it runs, wherever it does so."""
    waiting: list[ast.AST] = [ast.parse(file.read_text(encoding="utf-8"))]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            waiting += node.orelse
            continue
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names)
        waiting += ast.iter_child_nodes(node)


def _files_of(name: str) -> Iterator[Path]:
    top, *parts = name.split(".")
    path = {"perfectplay": PACKAGE, "tab": TAB}.get(top, ROOT / "elsewhere").joinpath(*parts)
    yield from (file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file())
