"""Programs for developers of the package, run from the repository root: `python -m tools.golden`."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
