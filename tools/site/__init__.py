"""Builds the site: `python -m tools.site FOLDER`. Each module with a function `build` is a step."""

import sys

from tools import ROOT

sys.path.insert(0, str(ROOT / "site" / "python"))
