"""Playing and studying on the site: the server's pages, with Python in the tab in place of the server."""

import json
import re
from datetime import datetime, timedelta
from pathlib import Path
from urllib.parse import quote, urlsplit
from xml.etree.ElementTree import fromstring

from playwright.sync_api import FilePayload, Page, Route, expect

from perfectplay.audit.report import as_dict, audit
from perfectplay.core.match import Match
from perfectplay.core.record import read_records
from perfectplay.games.registry import load, names
from tests.web.browsers import PHONE, WIDE, Person
from tests.web.pages.tables import People
from tests.web.whole_games import LINES


def ready(person: Person) -> None:
    """Wait until Python has started."""
    expect(person.page.locator("#connection")).to_have_text("Ready")


def for_everyone(person: Person, page: str) -> None:
    """Axe finds nothing wrong with a page on a phone in the dark and on a wide screen, which it is on from then on.

    The tests of the whole site find out here which pages of the app are looked at.
    """
    assert urlsplit(person.page.url).path.endswith(f"/app/{page}")
    person.page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    person.page.set_viewport_size(PHONE)
    assert person.flaws() == []
    assert person.width() == PHONE["width"]
    person.page.emulate_media(color_scheme="light", reduced_motion="no-preference")
    person.page.set_viewport_size(WIDE)
    assert person.flaws() == []
    assert person.width() <= WIDE["width"]
    heights = person.page.locator(".menu a").evaluate_all("all => all.map(each => each.offsetHeight)")
    assert set(heights) == {44}  # none is torn apart


def alone(person: Person) -> None:
    """Give each page a Python of its own, as where the browser has no shared workers: its files can be held back."""
    person.context.add_init_script("delete globalThis.SharedWorker")


def downloaded(page: Page) -> str:
    with page.expect_download() as download:
        page.get_by_text("Download the record").click()
    return Path(download.value.path()).read_text(encoding="utf-8")


def pictures(page: Page) -> list[bytes]:
    """What the buttons that save a picture save: SVG, and PNG."""
    found = []
    for kind in ("SVG", "PNG"):
        with page.expect_download() as download:
            page.get_by_role("button", name=f"Save a picture ({kind})").click()
        found.append(Path(download.value.path()).read_bytes())
    return found


def game_file(text: str) -> FilePayload:
    return {"name": "game.txt", "mimeType": "text/plain", "buffer": text.encode()}


def test_a_newcomer_plays_the_computer_at_once_and_loses_nothing(visitors: People) -> None:
    ann = visitors("Ann")
    ann.page.goto("app/index.html")
    expect(ann.page.locator('#hero-board [data-move="2"]')).to_be_visible()
    for_everyone(ann, "index.html")
    ann.page.locator('#hero-board [data-move="2"]').click()
    expect(ann.listed()).to_have_count(2)  # within the 30 seconds that a test waits
    ann.to_move()
    for seat in ("#seat-top", "#seat-bottom"):
        expect(ann.page.locator(seat)).not_to_contain_text(re.compile("ready|here"))
    ann.press("Hint")
    expect(ann.page.locator("#hint")).to_contain_text(re.compile(r"in \d+ moves? (with|against) best play"))
    move = sorted(ann.offered())[0]
    ann.play(move)
    expect(ann.listed()).to_have_count(4)
    moves, board = ann.listed().all_text_contents(), ann.board()
    for_everyone(ann, "table.html")

    ann.page.reload()
    expect(ann.listed()).to_have_text(moves)
    ann.sees(board)
    ready(ann)
    assert "Player 1: assisted" in downloaded(ann.page)
    ann.page.goto("app/games.html")
    expect(ann.page.locator("#all li")).to_have_count(1)
    ends = "card => [card, card.querySelector('button')].map(each => each.getBoundingClientRect().bottom)"
    card, button = ann.page.locator("#all li").evaluate(ends)
    assert button <= card
    for_everyone(ann, "games.html")
    ann.press("Delete")
    ann.press("Delete", inside="dialog")
    expect(ann.page.locator("#all li")).to_have_count(0)
    ann.page.reload()
    expect(ann.page.locator("#all .none")).to_be_visible()
    for_everyone(ann, "games.html")


REFUSING = """
postMessage({ ready: true });
onmessage = ({ data }) => {
  const problem = { error: "spec", text: "bits=0: must be a whole number, at least 1" };
  postMessage({ reply: JSON.stringify({ id: JSON.parse(data).id, problem }) });
};
"""
"""A worker that says what Python says of Bit Flip without bits."""


def test_a_setting_that_is_not_allowed_is_refused_in_sentences(visitors: People) -> None:
    ann = visitors("Ann")
    alone(ann)
    ann.page.route(
        "**/app/worker.js", lambda route: route.fulfill(body=REFUSING, content_type="text/javascript")
    )
    ann.page.goto("app/table.html?game=bit-flip:bits=0")
    said = ann.page.locator("main p", has_text="Bits must be a whole number, at least 1. You entered “0”.")
    expect(ann.page.locator("#title")).to_have_text("The game could not be set up")
    expect(said).to_be_visible()
    ann.page.goto("app/table.html?game=bit-flip&seat=7")
    wrong = "Seat must be 0 for the first player, 1 for the second, or nothing for either. You entered “7”."
    expect(ann.page.locator("main p", has_text=wrong)).to_be_visible()
    link = ann.page.evaluate("import('./links.js').then(({ pack }) => pack('a record'))")
    ann.page.goto(f"app/study.html#record={link}")
    expect(ann.page.locator("#title")).to_have_text("The game could not be opened")
    expect(said).to_be_visible()


def test_on_a_phone_a_hint_is_seen_at_once(visitors: People) -> None:
    ann = visitors("Ann", viewport=PHONE)
    ann.page.goto("app/table.html?game=mirror-match")
    ready(ann)
    ann.press("Hint")
    hint = ann.page.locator("#hint")
    expect(hint).to_be_visible()
    seen = """async each => {
      await new Promise(requestAnimationFrame);
      const { left, top, bottom, width } = each.getBoundingClientRect();
      const ends = [top + 5, bottom - 5].map(y => document.elementFromPoint(left + width / 2, y));
      return ends.every(end => each.contains(end));
    }"""
    assert hint.evaluate(seen)  # from its first line to its last


def test_a_hint_may_be_asked_for_while_python_starts(visitors: People) -> None:
    ann = visitors("Ann")
    alone(ann)
    ann.page.goto("app/table.html?game=bit-flip")
    ready(ann)
    held: list[Route] = []
    ann.page.route("**/app/worker.js", lambda route: held.append(route))
    with ann.page.expect_request("**/app/worker.js"):
        ann.page.reload()
    ann.press("Hint")
    status = ann.page.locator("#status")
    expect(status).to_have_text("Your hint comes as soon as Python has started.")
    ann.press("Resign")
    ann.press("Resign", inside="dialog")
    expect(ann.page.locator("#complaint")).to_have_text("Your last action is still being processed.")
    expect(status).to_have_text("Your hint comes as soon as Python has started.")
    held[0].continue_()
    expect(ann.page.locator("#hint")).to_contain_text("A good move:")
    expect(status).to_have_text("It is your turn.")


def test_whole_games_by_pointer_and_keyboard_travel_as_records_and_links(visitors: People) -> None:
    ann, bob = visitors("Ann"), visitors("Bob")
    for spec, moves in LINES.items():
        ann.page.goto(f"app/table.html?game={quote(spec)}&opponent=")
        ready(ann)
        for ply, text in enumerate(moves):
            (ann.play_by_keyboard if ply % 2 else ann.play)(text)
            expect(ann.listed()).to_have_count(ply + 1)
        expect(ann.page.locator("#status.verdict")).to_be_visible()
        text = downloaded(ann.page)
        [record] = read_records(text)
        assert [move.text for move in record.moves] == list(moves)
        assert f"{Match.replay(record, load(spec)).record()}\n" == text
    board = ann.board()
    svg, png = pictures(ann.page)
    words = "".join(each.text or "" for each in fromstring(svg).iter("{http://www.w3.org/2000/svg}text"))
    assert re.search(r"\w+ against \w+.* won\. ", words), words
    assert png.startswith(b"\x89PNG")

    # The last game, as a link in another profile, and as a file.
    link = ann.page.get_by_label("Link to this game").input_value()
    assert "?" not in link
    bob.page.goto(link)
    expect(bob.listed()).to_have_count(len(moves))
    bob.sees(board)
    assert downloaded(bob.page) == text
    bob.page.goto("app/index.html")
    bob.page.get_by_label("Open a record").set_input_files(game_file("nonsense"))
    expect(bob.page.locator("#complaint")).to_contain_text("This is not the record of a game")
    bob.page.get_by_label("Open a record").set_input_files(game_file(text))
    expect(bob.listed()).to_have_count(len(moves))
    assert downloaded(bob.page) == text
    bob.page.goto("app/games.html")
    expect(bob.page.locator("#all li")).to_have_count(1)  # the same game is kept once


def test_every_audit_is_that_of_the_command_finding_by_finding(visitors: People) -> None:
    ann = visitors("Ann")
    ann.page.goto("app/study.html#game=bit-flip&moves=4")
    expect(ann.page.locator("#last")).to_have_text("After 1 move. Player 1: 4.")
    for_everyone(ann, "study.html")
    ann.page.get_by_text("Audit of these rules").click()
    for name in names():
        ann.page.locator("#study-game").select_option(name)
        found = as_dict(audit(load(name)))["findings"]
        shown = ann.page.locator(f'.findings[data-spec="{name}"] .finding')
        expect(shown).to_have_count(len(found), timeout=120_000)  # milliseconds; Mirror Match takes long
        told = shown.evaluate_all("all => all.map(each => JSON.parse(each.dataset.finding))")
        assert told == json.loads(json.dumps(found)), name
        for each, finding in enumerate(found):
            words = re.sub(r"\bplies\b", "moves", finding["text"])  # people count moves
            expect(shown.nth(each).locator(".finding-text")).to_have_text(re.sub(r"\bply\b", "move", words))


def test_a_position_travels_behind_the_hash(visitors: People) -> None:
    ann = visitors("Ann")
    alone(ann)
    held: list[Route] = []
    ann.context.route("**/perfectplay.zip", lambda route: held.append(route))
    with ann.context.expect_event("request", lambda request: request.url.endswith("/perfectplay.zip")):
        ann.page.goto("app/study.html#game=bit-flip%3Abits%3D5&moves=0")
    expect(ann.page.locator("#status")).to_have_text("Starting Python…")
    held[0].continue_()
    expect(ann.page.locator("#values table")).to_be_visible()
    ann.page.locator('#board [data-move="4"]').click()
    expect(ann.page.locator("#last")).to_have_text("After 2 moves. Player 2: 4.")
    chart = ann.page.get_by_role("slider", name="Chart of the game")
    expect(chart).to_have_attribute("aria-valuetext", "2. Player 2: 4. Player 1 wins in 1 move, a mistake.")
    assert ann.page.url.endswith("app/study.html#game=bit-flip%3Abits%3D5&moves=0%2C4")
    ann.page.keyboard.press("Tab")
    ann.tab_to(".skip", "Shift+Tab")
    ann.page.keyboard.press("Enter")
    assert ann.page.url.endswith("moves=0%2C4")
    ann.page.go_back()
    expect(ann.page.locator("#last")).to_have_text("After 1 move. Player 1: 0.")

    # Whoever copies the address of an earlier position sends that position, and the moves after it.
    ann.page.go_forward()
    expect(ann.page.locator("#last")).to_have_text("After 2 moves. Player 2: 4.")
    ann.listed().first.click()
    expect(ann.page.locator("#last")).to_have_text("After 1 move. Player 1: 0.")
    assert ann.page.url.endswith("moves=0%2C4&ply=1")
    another = ann.another_page()
    another.goto(ann.page.url)
    expect(another.locator("#last")).to_have_text("After 1 move. Player 1: 0.")
    expect(another.locator("#moves .text")).to_have_text(["0", "4"])


def test_the_address_of_a_game_elsewhere_says_what_can_be_sent_instead(visitors: People) -> None:
    ann, bob = visitors("Ann"), visitors("Bob")
    ann.page.goto("app/table.html?game=bit-flip")
    ready(ann)
    ann.play("4")
    expect(ann.listed()).to_have_count(2)
    moves = ann.listed().all_text_contents()
    for page in ("table", "study"):
        bob.page.goto(
            ann.page.url.replace("table.html", f"{page}.html") + ("&g=1" if page == "study" else "")
        )
        expect(bob.page.locator("#title")).to_have_text("This game is in another browser")
        expect(bob.page.locator("main")).to_contain_text("“Link to this game”")
        expect(bob.page.get_by_text("Not connected")).not_to_be_visible()
    bob.page.goto(ann.page.get_by_label("Link to this game").input_value())
    expect(bob.listed()).to_have_text(moves)


def test_a_record_that_starts_in_the_middle_is_studied_from_there(visitors: People) -> None:
    opening = Match(load("bit-flip"))
    for move in ("1", "4"):
        opening.play(move)
    match = Match(load("bit-flip"), start=opening.state)
    match.play("9")
    ann = visitors("Ann")
    ann.page.goto("app/index.html")
    ann.page.get_by_label("Open a record").set_input_files(game_file(f"{match.record()}\n"))
    expect(ann.listed()).to_have_text(["9"])
    expect(ann.page.locator("#values table")).to_be_visible()
    board, said = ann.board(), ann.page.locator("#status").text_content()
    ann.page.get_by_role("link", name="Open on a study board").click()
    expect(ann.page.locator("#title")).to_have_text("Bit Flip, study board")
    expect(ann.page.locator("#status")).to_have_text(said or "")
    assert [cell.split(",")[0] for cell in ann.board()] == [cell.split(",")[0] for cell in board]
    assert "start=" in ann.page.url
    expect(ann.page.get_by_role("button", name="Continue from here")).to_have_count(0)


def test_an_opened_record_is_seen_to_be_opened_while_python_starts(visitors: People) -> None:
    ann = visitors("Ann")
    alone(ann)
    held: list[Route] = []
    ann.context.route("**/perfectplay.zip", lambda route: held.append(route))
    ann.page.goto("app/index.html")
    bar = ann.page.get_by_role("progressbar", name="Loading Python")
    expect(ann.page.locator('#hero-board [data-move="2"]')).to_be_visible()
    expect(bar).to_be_hidden()  # nobody waits
    match = Match(load("bit-flip"))
    match.play("4")
    ann.page.get_by_label("Open a record").set_input_files(game_file(f"{match.record()}\n"))
    expect(ann.page.get_by_role("status").filter(has_text="Opening game.txt…")).to_be_visible()
    expect(bar).to_be_visible()
    held[0].continue_()
    expect(ann.listed()).to_have_text(["4"])


def test_the_choice_of_colors_holds_on_all_pages(visitors: People) -> None:
    ann = visitors("Ann")
    ann.page.goto("app/puzzles.html")
    background = "getComputedStyle(document.body).backgroundColor"
    light = ann.page.evaluate(background)
    ann.press("Colors: as the system has them", inside="header")
    ann.press("Colors: light", inside="header")
    assert ann.page.evaluate(background) != light
    ann.page.goto("workbench/index.html")
    expect(ann.page.get_by_role("button", name="Colors: dark")).to_be_visible()
    assert ann.page.evaluate(background) != light
    ann.page.goto("index.html")
    expect(ann.page.locator("body")).to_have_attribute("data-theme", "dark")
    ann.page.goto("app/table.html?game=bit-flip")
    ready(ann)
    for_everyone(ann, "table.html")
    ann.page.emulate_media(color_scheme="dark")
    ann.press("Colors: dark", inside="header")
    ann.press("Colors: as the system has them", inside="header")
    assert ann.page.evaluate(background) == light


def test_on_paper_there_is_nothing_to_press(visitors: People) -> None:
    ann = visitors("Ann")
    ann.page.emulate_media(media="print")
    ann.page.goto("app/table.html?game=bit-flip")
    ready(ann)
    expect(ann.page.locator("#board")).to_be_visible()
    pressed = ann.page.locator("button:not(.moves button), nav, #connection, .links")
    expect(pressed.locator("visible=true")).to_have_count(0)
    ann.page.goto("games/bit-flip.html")
    expect(ann.page.get_by_role("heading", name="Who wins")).to_be_visible()
    expect(ann.page.locator(".sidebar-drawer, .toc-drawer, .play").locator("visible=true")).to_have_count(0)


def test_a_lost_game_becomes_an_exercise(visitors: People) -> None:
    """By keyboard, and with the chart of the game; it is due again on the next day."""
    ann = visitors("Ann")
    page, noon = ann.page, datetime.now().replace(hour=12, minute=0)
    page.clock.set_fixed_time(noon)
    page.goto("app/exercises.html")
    expect(page.locator("#status")).to_have_text("No exercises yet.")
    page.goto("app/progress.html")
    expect(page.locator("#histories")).to_contain_text("No games yet.")
    page.goto("app/table.html?game=bit-flip:bits=3&opponent=perfect")
    ann.play_by_keyboard("0")  # only the bit in the middle wins
    expect(page.locator("#status")).to_have_text("You lost")
    table = page.url
    page.get_by_role("link", name="Where did I go wrong?").press("Enter")
    expect(page.locator("#chart .chart-mistake")).to_have_count(1)
    page.goto(table)
    page.get_by_role("link", name="Try the moment again").press("Enter")
    expect(page.locator("#due")).to_have_text("1 due today, 1 in all")
    expect(page.locator("#board [data-move]")).to_have_count(3)
    for_everyone(ann, "exercises.html")
    page.locator('#board [data-move="1"]').press("Enter")
    expect(page.locator("#verdict p").first).to_have_text("Solved.")
    expect(page.locator("#due")).to_have_text("0 due today, 1 in all")
    page.clock.set_fixed_time(noon + timedelta(days=1))
    page.goto("app/index.html")
    page.get_by_role("link", name="1 exercise from your games is due").press("Enter")
    expect(page.locator("#due")).to_have_text("1 due today, 1 in all")
    page.goto("app/progress.html")
    expect(page.locator("#histories")).to_contain_text("Accuracy: 0 of 1 critical moves (0%).")
    for_everyone(ann, "progress.html")
