"""The service worker, which knows all files that a visitor needs offline. The last step of a build."""

import json
import re
from hashlib import sha256
from pathlib import Path

from tools import ROOT

FOLDERS = ("app", "engine", "workbench")
"""What works offline after the first visit."""
PAGES = ("index.html", "docs/workbench.html")
"""Pages of the documentation that do so too, because the app leads there; others do once visited."""
LOADED = re.compile(r'<(?:img|link|script)\b[^>]*? (?:href|src)="([^":?#]+\.(?:css|js|svg))[?"]')
"""What such a page loads, but for screenshots, which weigh more than all the rest."""
SOURCE = ROOT / "site" / "app" / "service-worker.js"
NO_FILES = "const FILES = {};"
NO_RELEASE = '"perfectplay-0"'
NO_SIZES = "const SIZES = {};"


def build(out: Path) -> None:
    """Add the service worker to a site, and the name of this release to whatever uses its cache."""
    # At the root, it is in charge of everything.
    (out / "app" / SOURCE.name).unlink(missing_ok=True)
    sizes = json.dumps({file.name: file.stat().st_size for file in sorted((out / "engine").iterdir())})
    worker = out / "app" / "worker.js"
    worker.write_text(worker.read_text("utf-8").replace(NO_SIZES, f"const SIZES = {sizes};"), "utf-8")
    release = f'"perfectplay-{sha256(json.dumps(_digests(out)).encode()).hexdigest()[:12]}"'
    kept = out / "app" / "kept.js"
    kept.write_text(kept.read_text(encoding="utf-8").replace(NO_RELEASE, release), encoding="utf-8")
    files = json.dumps(_digests(out), indent=1)
    script = SOURCE.read_text(encoding="utf-8").replace(NO_FILES, f"const FILES = {files};")
    (out / SOURCE.name).write_text(script.replace(NO_RELEASE, release), encoding="utf-8")


def _digests(out: Path) -> dict[str, str]:
    """The SHA-256 of every file, by its path in the site."""
    files = [file for folder in FOLDERS for file in sorted((out / folder).rglob("*")) if file.is_file()]
    files.append(out / "manifest.webmanifest")
    for page in (out / name for name in PAGES):
        loaded = {(page.parent / name).resolve() for name in LOADED.findall(page.read_text("utf-8"))}
        files += [page, *sorted(loaded - set(files))]
    return {file.relative_to(out).as_posix(): sha256(file.read_bytes()).hexdigest() for file in files}
