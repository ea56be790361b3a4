"""The pictures of the built site in docs/, retaken by `python -m tools.site_pictures FOLDER`."""

import sys
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.web.browsers import PHONE, Person, started
from tools import ROOT
from tools.site.serve import serve_folder


def _take(person: Person, name: str, whole: bool = False) -> None:
    picture = ROOT / "docs" / f"site-{name}.png"
    person.page.screenshot(path=picture, full_page=whole, animations="disabled")


def _take_all(browser: Browser, address: str) -> None:
    ann = Person(browser, address, "Ann")
    ann.page.goto("app/table.html?game=bit-flip:bits=12&opponent=perfect&move=4")
    expect(ann.listed()).to_have_count(2)
    ann.press("Hint")
    expect(ann.page.locator("#hint")).to_be_visible()
    _take(ann, "table")
    ann.page.goto("app/study.html#game=dual-direction&moves=left,right,right")
    expect(ann.page.locator("#values table")).to_be_visible()
    ann.page.get_by_text("Audit of these rules").click()
    expect(ann.page.locator(".finding").first).to_be_visible()
    _take(ann, "study", whole=True)
    ann.page.goto("app/puzzles.html#2026-01-05")
    ann.page.locator('#board [data-move="1"]').click()
    expect(ann.page.locator("#verdict .wrong")).to_be_visible()
    _take(ann, "puzzles")
    bob = Person(browser, address, "Bob", viewport=PHONE, color_scheme="dark")
    bob.page.goto("app/index.html")
    expect(bob.page.locator(".card.game")).not_to_have_count(0)
    _take(bob, "home-phone")


def main() -> None:
    """Take all pictures."""
    with serve_folder(Path(sys.argv[1])) as address, started() as browser:
        _take_all(browser, address)


if __name__ == "__main__":
    main()
