"""Programs for developers of the package, run from the repository root: `python -m tools.golden`."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BESIDE = {
    name: ROOT / "packages" / name
    for name in ("perfectplay-foreign", "perfectplay-mcp", "perfectplay-notebook", "perfectplay-server")
}
"""The folders of the packages that a clone has besides: they are built on ours, and come with it."""
SOURCES = (
    ROOT / "src" / "perfectplay",
    *(folder / "src" / name.replace("-", "_") for name, folder in BESIDE.items()),
)
"""The sources of all packages that a clone installs; each folder has the name that Python imports."""
