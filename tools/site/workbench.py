"""The workbench: its page, the bundle with the editor, and the files that it offers.

The frame in which game files run is part of the bundle. The policy of the page allows its script by its hash.
"""

import base64
import hashlib
import inspect
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

from perfectplay.core.game import Game
from perfectplay.games.registry import game_class, names
from tab.game_file import parts_beside
from tools import ROOT

SITE = ROOT / "site"
SOURCE = SITE / "workbench"
ESBUILD = SITE / "node_modules" / ".bin" / "esbuild"
COPIED = ("workbench.css", "panels.css")
EXAMPLE, SKELETON = ROOT / "examples" / "tic_tac_toe.py", SOURCE / "skeleton.py"


def build(out: Path) -> None:
    """Add the folder `workbench` to a site."""
    folder = out / "workbench"
    (folder / "files").mkdir(parents=True, exist_ok=True)
    script = bundle("frame.js", "iife")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    frame = (SOURCE / "frame.html").read_text("utf-8").replace("HASH", digest).replace("SCRIPT", script)
    parts = {"FRAME": frame, "RUNNER": bundle("runner.js", "iife")}
    page = (SOURCE / "index.html").read_text("utf-8").replace("HASH", digest)
    (folder / "index.html").write_text(page, "utf-8")
    # The engine is that of the other pages: what one of them has fetched, the others need not fetch again.
    script = bundle("workbench.js", "esm", "--external:../app/*", *_define(parts))
    (folder / "workbench.js").write_text(script, "utf-8")
    for name in COPIED:
        shutil.copyfile(SOURCE / name, folder / name)
    for name, text in files().items():
        (folder / "files" / name).write_text(text, "utf-8")


def _define(parts: dict[str, str]) -> list[str]:
    return [f"--define:{name}={json.dumps(text)}" for name, text in parts.items()]


def bundle(name: str, form: str, *options: str) -> str:
    """A script with everything that it imports, minified. The same sources give the same text."""
    command = [
        str(ESBUILD),
        str(SOURCE / name),
        "--bundle",
        "--minify",
        f"--format={form}",
        "--target=es2022",
    ]
    done = subprocess.run(
        [*command, "--legal-comments=none", "--log-level=warning", *options],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{name} was not bundled:\n{done.stderr}")
    return done.stdout.strip()


def files() -> dict[str, str]:
    """The files that the workbench offers, by name, and `files.json` that lists them."""
    example = EXAMPLE.read_text("utf-8")
    found = {EXAMPLE.name: (_title(example), example)}
    for name in names():
        kind = game_class(name)
        path = Path(inspect.getfile(kind)).resolve()
        if path.is_relative_to(ROOT):  # games of other packages are not part of the site
            found[f"{name.replace('-', '_')}.py"] = (kind.title, one_file(kind))
    found[SKELETON.name] = ("An empty game", SKELETON.read_text("utf-8"))
    listed = [{"file": name, "title": title} for name, (title, _) in found.items()]
    return {name: text for name, (_, text) in found.items()} | {"files.json": json.dumps(listed)}


def one_file(kind: type[Game[Any]]) -> str:
    """The file in which a game is written, with methods for what a copy would not find beside it."""
    lines = Path(inspect.getfile(kind)).read_text("utf-8").splitlines(keepends=True)
    source, first = inspect.getsourcelines(kind)
    end = first - 1 + len(source)
    for name, part in parts_beside(kind).items():
        lines[end - 1] += (
            f"\n    def {name}(self):\n        from {part.__module__} import {part.__name__}\n\n"
            f"        return {part.__name__}(self)\n"
        )
    return "".join(lines)


def _title(source: str) -> str:
    found = re.search(r'^    title = "(.+)"$', source, re.MULTILINE)
    assert found is not None
    return found[1]
