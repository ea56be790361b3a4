"""Programs for those who work on the package, run from its folder: `python -m tools.golden`."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
