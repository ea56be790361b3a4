"""The pages to play and study on: those of the server, with a few files that ask Python instead."""

import json
import re
import shutil
from functools import partial
from pathlib import Path
from typing import Any

from perfectplay.core.match import Match
from perfectplay.games.registry import load, names
from perfectplay.players.registry import load_computer
from perfectplay.tables.validation import computer_name
from perfectplay.web.pages import STATIC, with_menu
from tab.tables import games, make, opponents
from tools import ROOT

APP = ROOT / "site" / "app"
PAGES = {
    "index.html": APP / "index.html",
    "table.html": STATIC / "table.html",
    "study.html": STATIC / "study.html",
    "games.html": STATIC / "games.html",
    **{name: STATIC / name for name in ("puzzles.html", "exercises.html", "progress.html")},
}
LEFT_OUT = ("service-worker.js", "offline.js", "join.js", "move.js")
"""Scripts that only a server needs."""
ADDRESSES = {
    '"/"': '"index.html"',
    '"/games"': '"games.html"',
    '"/study"': '"study.html"',
    '"/puzzles"': '"puzzles.html"',
    '"/exercises"': '"exercises.html"',
    '"/progress"': '"progress.html"',
    '"/manifest.webmanifest"': '"../manifest.webmanifest"',
    '"/static/table.js"': '"enter_table.js"',
    '"/static/study.js"': '"enter_study.js"',
}
"""Where things are on a server, and where in the folder of these pages."""
MORE = """      <a href="../workbench/index.html">Workbench</a>
      <a href="../index.html">Documentation</a>
"""
"""What the menu of these pages has besides."""
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; font-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; "
    "base-uri 'none'; form-action 'none'"
)
"""What these pages may load: their own files, and nothing else."""
REFERRER = '<meta name="referrer" content="no-referrer">\n'


def build(out: Path) -> None:
    """Add the folder `app` and the manifest to a site."""
    folder = out / "app"
    folder.mkdir(parents=True, exist_ok=True)
    scripts = [file for file in STATIC.glob("*.js") if file.name not in LEFT_OUT]
    others = [file for end in ("*.css", "*.png", "*.svg", "*.woff2", "*.txt") for file in STATIC.glob(end)]
    own = [file for end in ("*.js", "*.css") for file in APP.glob(end)]
    for file in (*scripts, *others, *own):  # what a server has too is replaced
        shutil.copyfile(file, folder / file.name)
    colors = folder / "colors.css"
    colors.write_text(with_a_choice(colors.read_text(encoding="utf-8")), encoding="utf-8")
    for name, page in PAGES.items():
        path = "/" if name == "index.html" else f"/{page.stem}"
        (folder / name).write_text(frame(page.read_text(encoding="utf-8"), path), encoding="utf-8")
    known = {"games": games(), "opponents": opponents(), "starts": starts(), "computers": computers()}
    (folder / "games.json").write_text(json.dumps(known, ensure_ascii=False), encoding="utf-8")
    (out / "manifest.webmanifest").write_text(json.dumps(_manifest(), indent=2), encoding="utf-8")


def starts() -> dict[str, Any]:
    """A new table of each game and preset, and after each first move, to show before Python has started."""
    found = {}
    for game in [*names(), *(preset.spec for name in names() for preset in load(name).texts().presets)]:
        first = partial(make, table_id="", seed=0, game=game, opponent=None, seat=0)
        after = {move: {"table": first(moves=[move])["table"]} for move in Match(load(game)).legal()}
        found[game] = {"table": first()["table"], "after": after}
    return found


def computers() -> dict[str, str]:
    """What the computer players that a page offers are called at a table."""
    levels = {f"level:{level}" for game in games() for level in game["levels"]}
    specs = sorted({"learned", "level", *levels, *(each["spec"] for each in opponents())})
    return {spec: computer_name(load_computer(spec).spec) for spec in specs}


def with_a_choice(colors: str) -> str:
    """The colors of the pages, light or dark as theme.js says: by default as the system has it."""
    found = re.search(r"@media \(prefers-color-scheme: dark\) \{\s*:root (\{.*?\})\s*\}", colors, re.DOTALL)
    assert found is not None
    system = found[0].replace(":root", ':root:not([data-theme="light"])')
    schemes = "".join(
        f':root[data-theme="{each}"] {{ color-scheme: {each}; }}\n' for each in ("light", "dark")
    )
    # Paper is white, whatever was chosen for the screen.
    chosen = f'@media screen {{\n{schemes}\n:root[data-theme="dark"] {found[1]}\n}}'
    return colors.replace(found[0], f"{system}\n\n{chosen}")


def frame(page: str, path: str) -> str:
    """A page in the frame that all pages share, with addresses relative to its folder."""
    frame = (STATIC / "frame.html").read_text(encoding="utf-8")
    policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
    page = with_menu(page, path).replace("    </nav>\n", f"{MORE}    </nav>\n", 1)
    whole = frame.replace("<!-- page -->\n", page).replace(
        '<meta name="viewport"', f'{policy}{REFERRER}<meta name="viewport"', 1
    )
    whole = whole.replace("</title>", '</title>\n<script src="theme.js"></script>', 1)
    whole = whole.replace("<body", '<link rel="stylesheet" href="app.css">\n<body', 1)  # above all others
    # Exercises are kept in one browser: elsewhere there would be none.
    if 'class="at-table"' in whole and path != "/exercises":
        whole = whole.replace("<body", '<script type="module" src="embed.js"></script>\n<body', 1)
    whole = "".join(line for line in whole.splitlines(keepends=True) if 'data-needs="server"' not in line)
    if "games.js" in whole:  # lists what the browser keeps
        whole = whole.replace('<body class="home">', '<body class="home" data-python="later">')
    for server, here in ADDRESSES.items():
        whole = whole.replace(server, here)
    return re.sub(r'"/static/', '"', whole)


def _manifest() -> dict[str, object]:
    """What a browser needs to install the site; addresses are relative to the site's root."""
    manifest = json.loads((STATIC / "manifest.webmanifest").read_text(encoding="utf-8"))
    icons = [{**icon, "src": icon["src"].replace("/static/", "app/")} for icon in manifest["icons"]]
    return {**manifest, "id": "app/index.html", "start_url": "app/index.html", "scope": "./", "icons": icons}
