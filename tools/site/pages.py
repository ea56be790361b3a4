"""The pages to play and study on: those of the server, with a few files that ask Python instead."""

import json
import re
import shutil
from pathlib import Path

from perfectplay.browser.tables import games, opponents
from tools import ROOT

STATIC = ROOT / "src" / "perfectplay" / "web" / "static"
APP = ROOT / "site" / "app"
PUZZLES = ROOT / "site" / "puzzles"
PAGES = {
    "index.html": APP / "index.html",
    "table.html": STATIC / "table.html",
    "study.html": STATIC / "study.html",
    "games.html": STATIC / "games.html",
    "puzzles.html": PUZZLES / "puzzles.html",
}
LEFT_OUT = ("service-worker.js", "offline.js", "join.js", "move.js")
"""Scripts that only a server needs."""
ADDRESSES = {
    '"/"': '"index.html"',
    '"/games"': '"games.html"',
    '"/study"': '"study.html"',
    '"/manifest.webmanifest"': '"../manifest.webmanifest"',
    '"/static/table.js"': '"enter_table.js"',
    '"/static/study.js"': '"enter_study.js"',
}
"""Where things are on a server, and where in the folder of these pages."""
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'"
)
"""What these pages may load: their own files, and nothing else."""


def build(out: Path) -> None:
    """Add the folder `app` and the manifest to a site."""
    folder = out / "app"
    folder.mkdir(parents=True, exist_ok=True)
    scripts = [file for file in STATIC.glob("*.js") if file.name not in LEFT_OUT]
    others = [file for end in ("*.css", "*.png", "*.svg") for file in STATIC.glob(end)]
    own = [file for place in (APP, PUZZLES) for end in ("*.js", "*.css") for file in place.glob(end)]
    for file in (*scripts, *others, *own):  # what a server has too is replaced
        shutil.copyfile(file, folder / file.name)
    for name, page in PAGES.items():
        (folder / name).write_text(framed(page.read_text(encoding="utf-8")), encoding="utf-8")
    known = {"games": games(), "opponents": opponents()}
    (folder / "games.json").write_text(json.dumps(known, ensure_ascii=False), encoding="utf-8")
    (out / "manifest.webmanifest").write_text(json.dumps(_manifest(), indent=2), encoding="utf-8")


def framed(page: str) -> str:
    """A page in the frame that all pages share, with addresses relative to its folder."""
    frame = (STATIC / "frame.html").read_text(encoding="utf-8")
    policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
    whole = frame.replace("<!-- page -->\n", page).replace(
        '<meta name="viewport"', f'{policy}<meta name="viewport"', 1
    )
    whole = whole.replace("</title>", '</title>\n<link rel="stylesheet" href="app.css">', 1)
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
