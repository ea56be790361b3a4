"""Runs every step of the site's build, in the order of STEPS."""

import importlib
import shutil
import sys
from pathlib import Path

# The documentation comes first, because it empties and fills the folder that the others add to.
STEPS = ("docs", "wheel", "engine", "pages", "workbench", "previews", "offline")


def build(out: Path) -> None:
    """Builds the whole site into a folder, which is emptied first."""
    out = out.resolve()  # pages are compared with what they load, by whole paths
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    for step in STEPS:
        importlib.import_module(f"tools.site.{step}").build(out)


if __name__ == "__main__":
    build(Path(sys.argv[1]))
