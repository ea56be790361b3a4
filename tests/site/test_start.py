"""How Python starts in the tab: what is shown meanwhile, once for all pages, and where the browser keeps nothing."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
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


@contextmanager
def lesson(frames: str) -> Iterator[str]:
    """A page of somebody else with frames of the site; its address is a secret."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(f"<!doctype html><title>Lesson</title><h1>Lesson</h1>{frames}".encode())

        def log_message(self, *_: object) -> None:
            """Requests are not listed."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://localhost:{server.server_port}/secret-lesson"
        finally:
            server.shutdown()


def test_what_is_embedded_works_and_never_tells_where(visitors: People) -> None:
    ann = visitors("Ann")
    codes = []
    for address in ("puzzles.html#2026-03-02/bit-flip", "study.html#game=bit-flip%3Abits%3D5&moves=2"):
        ann.page.goto(f"app/{address}")
        ann.page.get_by_role("button", name="Embed code").click()
        codes.append(ann.page.locator("#embed-code").input_value())
    site = ann.page.url.split("/app/")[0]
    ann.page.goto("about:blank")
    assert f'<iframe src="{site}/app/study.html#game=bit-flip%3Abits%3D5&amp;moves=2"' in codes[1]
    codes.append(
        codes[0].replace("puzzles.html#2026-03-02/bit-flip", "table.html?game=bit-flip:bits=5&opponent=")
    )
    asked: list[tuple[str, str]] = []
    with lesson("".join(codes)) as address:
        bob = visitors("Bob")
        bob.context.on("request", lambda each: asked.append((each.url, each.headers.get("referer", ""))))
        bob.page.goto(address)
        puzzle, study, table = (bob.page.frame_locator("iframe").nth(each) for each in range(3))
        table.locator('#board [data-move="2"]').click(timeout=90_000)
        expect(table.locator("#moves")).to_contain_text("2", timeout=90_000)
        expect(study.locator("#values table")).to_be_visible(timeout=90_000)
        expect(puzzle.locator("#board svg")).to_be_visible(timeout=90_000)
        expect(puzzle.get_by_role("heading", name="Your streak")).to_be_hidden()
        assert [each.evaluate("document.referrer") for each in bob.page.frames[1:]] == ["", "", ""]
    elsewhere = [url for url, _ in asked if not url.startswith((site, address, "blob:", "data:"))]
    assert [each for each in elsewhere if "favicon" not in each] == []
    assert [each for each in asked if "secret" in each[1] or "localhost" in each[1]] == []
    assert [url for url, _ in asked if url.startswith(site)]
