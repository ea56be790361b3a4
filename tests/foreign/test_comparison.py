"""The comparison of checkers in the documentation is what they see."""

import subprocess
import sys

from tests.conftest import ROOT


def test_the_table_of_checkers_is_true() -> None:
    # A process of its own, because it forks one for each check.
    command = [sys.executable, "-W", "ignore", "-m", "tests.foreign.comparison"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=200)
    assert done.returncode == 0, done.stderr
    assert done.stdout in (ROOT / "docs" / "foreign.md").read_text("utf-8"), (
        "python -m tools.foreign_table rewrites it"
    )
