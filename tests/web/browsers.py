"""People with a browser each: Chromium, driven through Playwright."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Dialog,
    Locator,
    Page,
    ViewportSize,
    expect,
    sync_playwright,
)

PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")

PATIENCE = 30_000
"""Milliseconds after which something that was waited for is said not to come."""
MOST_TABS = 100
WIDE: ViewportSize = {"width": 1200, "height": 760}
PHONE: ViewportSize = {"width": 360, "height": 740}

MOVES = ":is(#board, #controls) "
"""Where the moves of a table are."""

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def program() -> str | None:
    """Where Chromium is installed, if it is."""
    return next((found for name in PROGRAMS if (found := shutil.which(name))), None)


@contextmanager
def started(*arguments: str) -> Iterator[Browser]:
    """A browser, with `arguments` besides the usual ones; each `Person` has a profile of its own in it."""
    with sync_playwright() as playwright:
        expect.set_options(timeout=PATIENCE)
        browser = playwright.chromium.launch(executable_path=program(), args=[*ARGUMENTS, *arguments])
        try:
            yield browser
        finally:
            browser.close()


SETTLED = """
() => Promise.all(document.getAnimations()
  .filter(each => each.effect.getComputedTiming().endTime < Infinity)
  .map(each => each.finished.catch(() => null)))
"""
"""Waits for the animations of a page that come to an end."""


class Person:
    """Someone with a browser profile and one page, at a server.

    `complaints` has what the browser itself complained of: scripts that failed, requests that were
    refused, things that the Content-Security-Policy forbids. Those with words in `pardoned` are left out.
    """

    def __init__(self, browser: Browser, address: str, name: str, **profile: Any) -> None:
        self.name = name
        self.touches = bool(profile.get("has_touch"))
        self.complaints: list[str] = []
        # Only where a test is about it does a page have a service worker: it answers what a test may want to.
        self.pardoned = ["Service Worker registration blocked"]
        # Motion has tests of its own, and drawing it takes much of the time of the others.
        usual = {"viewport": WIDE, "service_workers": "block", "reduced_motion": "reduce"}
        self.context = browser.new_context(base_url=address, **{**usual, **profile})
        self.context.set_default_timeout(PATIENCE)
        self.page = self.another_page()

    def another_page(self) -> Page:
        """One more page of the same profile."""
        page = self.context.new_page()
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", self._asked)
        return page

    def _asked(self, dialog: Dialog) -> None:
        # No page of ours asks in this way: it would be a script that someone has brought in.
        self.complaints.append(dialog.message)
        dialog.dismiss()

    def _heard(self, message: ConsoleMessage) -> None:
        expected = any(words in message.text for words in self.pardoned)
        if message.type in {"error", "warning"} and not expected:
            self.complaints.append(message.text)

    def make(self, game: str, **wishes: Any) -> str:
        """Make a table without the home page, and go to it; the link for the other seat."""
        wanted = {"game": game, "seat": 0, "name": self.name, **wishes}
        answer = self.context.request.post("/api/tables", data=wanted)
        assert answer.status == 201, answer.text()
        made = answer.json()
        self.open(f"/t/{made['table']['id']}")
        return f"/join/{made['table']['id']}/{made['join']}"

    def open(self, address: str) -> None:
        """Go to a table, and wait until it is connected."""
        self.page.goto(address)
        self.connected()

    def connected(self) -> None:
        expect(self.page.locator("#connection")).to_have_text("Connected")

    def sit_down(self, link: str) -> None:
        """Take the seat that a link is for."""
        self.page.goto(link)
        self.page.get_by_label("Your name").fill(self.name)
        self.page.get_by_role("button", name="Sit down").click()
        self.page.wait_for_url("**/t/*")
        self.connected()

    def join(self, link: str) -> None:
        """Take the seat that a link is for without the page of the link, and go to the table."""
        _, _, table, code = link.split("/")
        answer = self.context.request.post(
            f"/api/tables/{table}/join", data={"code": code, "name": self.name}
        )
        assert answer.status == 200, answer.text()
        self.open(f"/t/{table}")

    def press(self, name: str, inside: str = "main") -> None:
        """Press the button of that name."""
        self.page.locator(inside).get_by_role("button", name=name, exact=True).click()

    def to_move(self) -> None:
        expect(self.page.locator("#status.yours")).to_have_text("It is your turn.")

    def play(self, text: str) -> None:
        """Click or tap a move; where a cell and a button play it, the cell."""
        self.to_move()
        targets = [self._target(text)]
        if targets[0].count() == 0:  # what to add is picked first, then where
            targets = [self.page.locator(f'[data-moves*="{text}"]').first, *targets]
        for target in targets:
            if self.touches:
                target.tap()
            else:
                target.click()

    def _target(self, text: str) -> Locator:
        """What plays a move: a cell, a place beside the cells or a button."""
        return self.page.locator(f'{MOVES}[data-move="{text}"]:not(:disabled)')

    def offered(self) -> set[str]:
        """The moves that can be chosen now."""
        found: list[str] = self.page.locator(
            f"{MOVES}:is([data-move], [data-moves]):not(:disabled)"
        ).evaluate_all(
            "targets => targets.flatMap(each => each.dataset.move ?? each.dataset.moves.split(','))"
        )
        return set(found)

    def play_by_keyboard(self, text: str) -> None:
        """Reach a move with Tab and the arrow keys, and play it with Enter."""
        self.to_move()
        if not self.holds("#board, #board *, #controls *"):
            self.tab_to(f"{MOVES}:is([data-move], [data-moves])")
        for _ in range(60):
            if self.holds(f'[data-move="{text}"]'):
                self.page.keyboard.press("Enter")
                return
            if self.holds(f'[aria-pressed=false][data-moves*="{text}"]'):
                self.page.keyboard.press("Enter")
            else:
                self.page.keyboard.press("ArrowRight")
        raise AssertionError(f"the arrow keys do not lead to {text}")

    def press_by_keyboard(self, name: str) -> None:
        """Reach the button of that name with Tab, and press it with Enter."""
        button = self.page.locator("main").get_by_role("button", name=name, exact=True)
        expect(button).to_be_enabled()
        for _ in range(MOST_TABS):
            if self.page.evaluate("document.activeElement.textContent") == name:
                self.page.keyboard.press("Enter")
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not lead to {name}")

    def tab_to(self, selector: str, key: str = "Tab") -> None:
        """Press Tab until something has the focus."""
        for _ in range(MOST_TABS):
            if self.holds(selector):
                return
            self.page.keyboard.press(key)
        raise AssertionError(f"{key} does not lead to {selector}")

    def holds(self, selector: str) -> bool:
        """Whether the focus is on it."""
        found: bool = self.page.evaluate("wanted => document.activeElement.matches(wanted)", selector)
        return found

    def told(self) -> Locator:
        """What a screen reader was told last."""
        return self.page.locator("#announcer[aria-live=polite]")

    def listed(self) -> Locator:
        """The moves in the list."""
        return self.page.locator("#moves .text")

    def board(self) -> list[str]:
        """What a screen reader finds on the board, cell by cell."""
        found: list[str] = self.page.locator("#board [data-cell]").evaluate_all(
            "cells => cells.map(cell => cell.getAttribute('aria-label'))"
        )
        return found

    def sees(self, board: list[str]) -> None:
        """Wait for a board."""
        self.page.wait_for_function(
            """board => [...document.querySelectorAll("#board [data-cell]")]
            .map(cell => cell.getAttribute("aria-label")).join("\\n") === board.join("\\n")""",
            arg=board,
        )

    def flaws(self, without: str = "", by_eye: bool = True) -> list[str]:
        """What axe finds wrong with the page, or with all but a part of it, once what fades in is there.

        Contrast and the size of buttons can be left out: they take more time than all the rest.
        """
        self.page.evaluate(SETTLED)
        # The pages have no audio or video that axe would have to load first.
        options = {
            "resultTypes": ["violations"],
            "rules": {rule: {"enabled": by_eye} for rule in ("color-contrast", "target-size")},
            "preload": False,
        }
        context = {"exclude": [[without]]} if without else None
        found = Axe().run(self.page, context, options).response["violations"]
        nodes = [(each["id"], node) for each in found for node in each["nodes"]]
        return [f"{rule}: {node['html']} {node['failureSummary']}" for rule, node in nodes]

    def width(self) -> int:
        """How wide the page is in all, seen or not."""
        found: int = self.page.evaluate("document.documentElement.scrollWidth")
        return found
