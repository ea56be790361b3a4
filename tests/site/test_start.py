"""How Python starts in the tab: what is shown meanwhile, once for all pages, and where the browser keeps nothing."""

import re
from typing import Any

from playwright.sync_api import Browser, Route, expect

from perfectplay.games.registry import names
from tests.site.test_play import alone, ready
from tests.web.pages.tables import People

NOTHING_KEPT = """
const refused = () => new DOMException("Access is denied for this document.", "SecurityError");
for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(window, name, { get() { throw refused(); } });
IDBFactory.prototype.open = () => {
  const request = new EventTarget();
  setTimeout(() => request.dispatchEvent(new Event("error")));
  return request;
};
CacheStorage.prototype.open = LockManager.prototype.request = async () => { throw refused(); };
"""
"""What Chromium does in a frame on another site if someone has blocked third-party cookies."""


def test_the_first_move_is_shown_at_once_and_answered_when_python_is_there(visitors: People) -> None:
    ann = visitors("Ann")
    alone(ann)
    held: list[Route] = []
    ann.context.route("**/perfectplay.zip", lambda route: held.append(route))
    ann.page.goto("app/index.html")
    ann.page.locator('#hero-board [data-move="2"]').click()
    for _ in range(2):
        expect(ann.listed()).to_have_text(["2"])
        assert "last move" in ann.board()[2]
        expect(ann.page.locator("#seat-top")).to_contain_text("Computer (level 1)")
        expect(ann.page.locator(".arriving")).to_contain_text("Python")
        ann.page.reload()  # nothing is lost by that
    for route in held:
        route.continue_()
    ann.context.unroute_all()
    ann.page.reload()
    expect(ann.listed()).to_have_count(2)
    expect(ann.page.locator(".arriving")).to_be_hidden()
    assert "t=" in ann.page.url
    ann.page.goto("app/games.html")
    expect(ann.page.locator("#all li")).to_have_count(1)


def test_a_move_that_is_made_while_python_starts_is_kept(visitors: People) -> None:
    ann = visitors("Ann")
    alone(ann)
    held: list[Route] = []
    ann.context.route("**/perfectplay.zip", lambda route: held.append(route))
    with ann.context.expect_event("request", lambda request: request.url.endswith("/perfectplay.zip")):
        ann.page.goto("app/table.html?game=bit-flip")
    ann.page.locator('#board [data-move="4"]').click()
    expect(ann.page.locator("#status")).to_have_text("Your move is played as soon as Python has started.")
    bar = ann.page.get_by_role("progressbar", name="Loading Python")
    expect(bar).to_be_visible()
    held[0].continue_()
    expect(ann.listed()).to_have_count(2)
    assert ann.listed().first.text_content() == "4"
    expect(bar).to_be_hidden()


BEGIN = """
async wish => {
  const { begin, get } = await import("./api.js");
  const { id, made } = await begin(wish);
  return [await get(`/api/tables/${id}`), (await made).table];
}
"""


def test_what_is_shown_before_python_has_started_is_what_it_says_then(visitors: People) -> None:
    ann = visitors("Ann")
    ann.page.goto("app/games.html")
    wishes: list[dict[str, Any]] = [
        {"game": game, "seat": seat, "opponent": opponent, "name": "Ann", "moves": []}
        for game in names()
        for seat in (0, 1)
        for opponent in (None, "level:3", "perfect")
    ]
    first = {"game": "bit-flip", "seat": 0, "opponent": "level:1", "name": "", "moves": ["2"]}
    for wish in (*wishes, first):
        shown, made = ann.page.evaluate(BEGIN, wish)
        assert shown == made, wish


def test_a_study_board_is_shown_at_once_and_takes_a_move(visitors: People) -> None:
    ann = visitors("Ann")
    alone(ann)
    held: list[Route] = []
    ann.context.route("**/perfectplay.zip", lambda route: held.append(route))
    with ann.context.expect_event("request", lambda request: request.url.endswith("/perfectplay.zip")):
        ann.page.goto("app/study.html#game=bit-flip%3Abits%3D16&moves=3")
    expect(ann.page.locator("#last")).to_have_text("After 1 move. Player 1: 3.")
    assert len(ann.board()) == 16
    ann.page.locator('#board [data-move="7"]').click()
    expect(ann.page.get_by_role("progressbar", name="Loading Python")).to_be_visible()
    held[0].continue_()
    expect(ann.page.locator("#last")).to_have_text("After 2 moves. Player 2: 7.")
    expect(ann.page.locator("#values table")).to_be_visible()


def test_pages_share_one_python(visitors: People, chromium: Browser) -> None:
    ann = visitors("Ann")
    session = chromium.new_browser_cdp_session()

    def pythons() -> list[str]:
        found = session.send("Target.getTargets")["targetInfos"]
        return [each["targetId"] for each in found if each["type"] == "shared_worker"]

    ann.page.goto("app/index.html")
    ann.page.locator('#hero-board [data-move="2"]').click()
    ready(ann)
    first = pythons()
    assert len(first) == 1
    ann.page.goto("app/study.html#game=bit-flip&moves=4")
    expect(ann.page.locator("#values table")).to_be_visible()
    another = ann.another_page()
    another.goto("app/table.html?game=dual-direction")
    expect(another.locator("#connection")).to_have_text("Ready")
    assert pythons() == first
    assert ann.page.workers == another.workers == []


def test_a_browser_that_keeps_nothing_plays_in_memory_and_says_so(visitors: People) -> None:
    ann = visitors("Ann")
    ann.context.add_init_script(NOTHING_KEPT)
    ann.page.goto("app/table.html?game=bit-flip")
    said = ann.page.locator(".unkept")
    expect(said).to_have_text(
        "This browser keeps nothing for this page: your games are lost when you close it."
    )
    ready(ann)
    ann.play("4")
    expect(ann.listed()).to_have_count(2)
    moves = ann.listed().all_text_contents()
    ann.press("Resign")
    ann.press("Resign", inside="dialog")
    ann.page.get_by_role("link", name=re.compile("Study this game|Where did I go wrong")).click()
    expect(ann.page.locator("#values table, #review h2").first).to_be_visible()
    expect(ann.listed()).to_have_text(moves)
    expect(said).to_be_visible()
    ann.page.goto("app/index.html")
    ann.page.locator('#hero-board [data-move="2"]').click()
    expect(ann.listed()).to_have_count(2)
    ann.page.goto("app/games.html")
    expect(ann.page.locator("#all li")).to_have_count(2)
