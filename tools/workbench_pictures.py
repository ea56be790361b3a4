"""The pictures of the workbench in docs/, retaken by `python -m tools.workbench_pictures FOLDER`."""

import sys
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.web.browsers import Person, started
from tools import ROOT
from tools.site.serve import serve_folder

DOCS = ROOT / "docs"
WINDOW = {"width": 1280, "height": 860}


def _take_all(browser: Browser, address: str) -> None:
    page = Person(browser, address, "Ann", viewport=WINDOW).page
    page.goto("workbench/index.html#tic_tac_toe.py")
    expect(page.locator("#values .outlook")).to_be_visible()
    page.locator("#show-values").check()
    for move in ("5", "1"):
        page.locator(f'#board [data-move="{move}"]').click()
    expect(page.locator("#turn")).to_contain_text("X to move: ties in 7 moves")
    page.screenshot(path=DOCS / "workbench.png", animations="disabled")

    page.goto("workbench/index.html#dual_direction.py")
    finding = page.locator(".finding", has_text="wins-only-by-blunder")
    finding.get_by_role("button").click()
    expect(page.locator(".witness svg")).to_be_visible()
    finding.screenshot(path=DOCS / "workbench-finding.png", animations="disabled")

    page.goto("workbench/index.html#bit_flip.py")
    page.locator("#sweep-to").fill("12")
    page.locator(".sweep-form button").click()
    expect(page.locator("#rows tbody tr")).to_have_count(12)
    page.locator("#parameters").screenshot(path=DOCS / "workbench-sweep.png", animations="disabled")


def main() -> None:
    """Take all pictures."""
    with serve_folder(Path(sys.argv[1])) as address, started() as browser:
        _take_all(browser, address)


if __name__ == "__main__":
    main()
