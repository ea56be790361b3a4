"""The service worker, which knows all files that a visitor needs offline. The last step of a build."""

import json
from hashlib import sha256
from pathlib import Path

from tools import ROOT

FOLDERS = ("app", "engine", "workbench")
"""What works offline after the first visit; pages of the documentation do once they were visited."""
SOURCE = ROOT / "site" / "app" / "service-worker.js"
NO_FILES = "const FILES = {};"
NO_RELEASE = '"perfectplay-0"'


def build(out: Path) -> None:
    """Add the service worker to a site, and the name of this release to whatever uses its cache."""
    # At the root, it is in charge of everything.
    (out / "app" / SOURCE.name).unlink(missing_ok=True)
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
    return {file.relative_to(out).as_posix(): sha256(file.read_bytes()).hexdigest() for file in files}
