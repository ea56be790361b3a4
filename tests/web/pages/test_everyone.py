"""Small screens, long names, dark pages, less motion, accessibility and the security policy."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.browsers import PHONE, Person
from tests.web.pages.tables import People, finished, play, seated
from tests.web.servers import Server
from tests.web.whole_games import LINES

UNSEEN = {
    "rows": [
        [
            {"label": label, "pieces": [], "action": 3 * y + x, "text": label, "why": None}
            if piece == " "
            else {
                "label": label,
                "pieces": [piece],
                "action": None,
                "text": None,
                "why": f"{piece} stands there",
            }
            for x, piece in enumerate(row)
            for label in [f"{'abc'[x]}{3 - y}"]
        ]
        for y, row in enumerate(("X O", " X ", "  O"))
    ],
    "controls": [
        {"label": "pass", "action": 9, "text": "pass", "group": "Turn", "adds": None},
        {"label": "left", "action": 10, "text": "turn left", "group": "Board", "adds": None},
        {"label": "right", "action": 11, "text": "turn right", "group": "Board", "adds": None},
    ],
    "captions": ["X has two", "O has two", "three in a row wins"],
    "on_board": ["three in a row wins"],
    "links": [],
    "aims": ["", ""],
    "note": "",
    "sides": [["X"], ["O"]],
    "hollow": [],
    "text_field": None,
}
"""A position of a game that is none of ours, on a board of three rows."""


def test_a_board_needs_nothing_of_a_game(people: People) -> None:
    page = people("Eve").page
    page.goto("/study")
    expect(page.locator("#last")).to_have_text("Start position.")
    page.evaluate(
        """async view => {
          const { Board } = await import("/static/board.js");
          window.said = [];
          const place = document.createElement("section");
          place.id = "unseen";
          document.querySelector("main").prepend(place);
          const board = new Board(place, text => said.push(text), cell => said.push(cell.why));
          board.show(view, {playable: true, legal: ["resize"], changed: [8], label: "Board"});
        }""",
        UNSEEN,
    )
    place = page.locator("#unseen")
    cells = place.locator("[data-cell]")
    assert cells.evaluate_all("cells => cells.map(cell => cell.getAttribute('aria-label'))") == [
        *("a3: X", "b3, empty, legal move", "c3: O"),
        *("a2, empty, legal move", "b2: X", "c2, empty, legal move"),
        *("a1, empty, legal move", "b1, empty, legal move", "c1: O, last move"),
    ]
    corners = cells.locator(".ground").evaluate_all(
        "all => all.map(each => [each.x, each.y].map(at => at.baseVal.value))"
    )
    xs, ys = sorted({x for x, _ in corners}), sorted({y for _, y in corners})
    assert corners == [[x, y] for y in ys for x in xs]  # three rows of three, in reading order
    assert len(xs) == len(ys) == 3
    pieces = place.locator(".piece")
    assert pieces.evaluate_all("all => all.map(each => each.getAttribute('class'))") == [
        *("piece side-0", "piece side-1", "piece side-0", "piece side-1"),
    ]
    expect(place.get_by_role("group").filter(has=page.locator("button"))).to_have_count(3)
    for group, labels in (("Turn", ["pass"]), ("Board", ["left", "right"]), ("Moves", ["resize"])):
        buttons = place.locator(".control-group").and_(page.get_by_role("group", name=group, exact=True))
        expect(buttons.get_by_role("button")).to_have_text(labels)
    expect(place.get_by_role("listitem")).to_have_text(["X has two", "O has two"])

    place.locator('[data-label="b3"]').click()
    place.locator('[data-label="b2"]').click()
    place.get_by_role("button", name="Board left").click()
    assert page.evaluate("said") == ["b3", "X stands there", "turn left"]
    place.locator('[data-label="b3"]').focus()
    path = []
    for key in (
        "ArrowRight",
        "ArrowDown",
        "ArrowRight",
        "ArrowUp",
        "ArrowUp",
        "ArrowLeft",
        "End",
        "ArrowRight",
    ):
        page.keyboard.press(key)
        path.append(page.evaluate("document.activeElement.dataset.move"))
    assert path == ["a2", "a1", "b1", "a2", "b3", "resize", "resize", "b3"]
    page.keyboard.press("Enter")
    assert page.evaluate("said").pop() == "b3"


LONG = ("W" * 40, "Ω" * 40)


SPILT = """
names => {
  const spilt = [];
  const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (!names.some(name => node.data.includes(name)) || !node.parentElement.checkVisibility()) continue;
    let box = node.parentElement;
    while (getComputedStyle(box).display === "inline") box = box.parentElement;
    const [{left, right}, range] = [box.getBoundingClientRect(), document.createRange()];
    range.selectNodeContents(node);
    const over = [...range.getClientRects()].some(each => each.right > right + 1 || each.left < left - 1);
    if (over || right > innerWidth) spilt.push(node.data);
  }
  return spilt;
}
"""
"""The texts with names in them that reach out of the boxes they stand in."""


@pytest.mark.parametrize("profile", [{"viewport": PHONE}, {}], ids=["phone", "wide"])
def test_long_names_stay_where_they_belong(people: People, profile: dict[str, Any]) -> None:
    ann, bob = (people(name, **profile) for name in LONG)
    link = ann.make("bit-flip:bits=7", public=True)

    def check(person: Person, *places: str) -> None:
        for place in places:
            expect(person.page.locator(place).first).to_contain_text(re.compile("|".join(LONG)))
        assert person.page.evaluate(SPILT, LONG) == []
        assert person.page.viewport_size is not None
        assert person.width() <= person.page.viewport_size["width"]

    bob.page.goto("/")
    check(bob, "#open")
    bob.page.goto(link)
    check(bob, "#invitation")
    bob.join(link)
    play((ann, bob), ("0",))
    bob.press("Abandon")
    check(ann, "#status", "#offers")
    ann.press("Decline")
    check(bob, "#last", "#offers")
    ann.page.goto("/")
    check(ann, "#seats", "#running")
    ann.page.goto("/games")
    check(ann, "#all")
    bob.press("Resign")
    bob.press("Resign", "dialog")
    expect(bob.page.locator("#status")).to_have_text("You lost")
    bob.page.goto(f"{bob.page.url}/g/1")
    check(bob, "#people", "#accuracy th")


COMPUTERS = """
document => [...document.querySelectorAll("main *")]
  .flatMap(element => [...element.childNodes])
  .filter(node => node.nodeType === Node.TEXT_NODE && node.data.includes("Computer (") && node.parentElement.checkVisibility())
  .map(node => {
    const [at, range] = [node.data.indexOf("Computer ("), document.createRange()];
    range.setStart(node, at);
    range.setEnd(node, at + "Computer".length);
    return range.getClientRects().length;
  })
"""
"""In how many lines each "Computer" of a name stands."""


@pytest.mark.parametrize("profile", [{"viewport": PHONE}, {}], ids=["phone", "wide"])
def test_the_name_of_a_computer_is_not_torn_apart(people: People, profile: dict[str, Any]) -> None:
    ann = people(LONG[0], **profile)
    ann.make("race-to-the-center", opponent="level:10", public=True)
    watcher = ann.another_page()  # so that the table is listed while Ann looks at another page
    watcher.goto(ann.page.url)
    for places in (1, 2):  # the table, and home: among one's own and in the list
        if places > 1:
            ann.page.goto("/")
            expect(ann.page.locator("#running a", has_text="Computer (level 10)")).not_to_have_count(0)
        lines = ann.page.evaluate(f"({COMPUTERS})(document)")
        assert len(lines) >= places
        assert set(lines) == {1}


def test_on_a_phone_the_board_comes_soon(people: People) -> None:
    ann, _ = seated(people, "race-to-the-center", viewport=PHONE)

    def boxes(*selectors: str) -> list[dict[str, float]]:
        """Where parts of the page are, all at the same moment."""
        rects = "all => all.map(each => document.querySelector(each).getBoundingClientRect().toJSON())"
        found: list[dict[str, float]] = ann.page.evaluate(rects, selectors)
        return found

    title, spec, board, rules = boxes("#title", "#spec", "#board", "#rules")
    assert title["y"] + title["height"] <= spec["y"]
    whole = "all => all.every(each => each.scrollWidth <= each.clientWidth)"
    assert ann.page.locator("#title, #spec").evaluate_all(whole)  # nothing is cut off
    assert board["y"] < PHONE["height"] / 3
    assert rules["y"] > board["y"] + board["height"]
    ann.tab_to("#controls [data-move]")  # and the keyboard goes the way that is seen
    ann.tab_to("#moves button")
    ann.tab_to("#rules summary")
    ann.page.set_viewport_size({"width": 1200, "height": 760})
    above, board, below, moves, rules = boxes("#seat-top", "#board", "#seat-bottom", "#record", "#rules")
    assert above["y"] + above["height"] <= board["y"]
    assert board["y"] + board["height"] <= below["y"]
    assert board["x"] + board["width"] <= moves["x"] == rules["x"]
    ann.page.set_viewport_size({"width": 768, "height": 1024})
    moves, rules, transfer = boxes("#record", "#rules", "#transfer")
    assert moves["y"] == rules["y"]
    assert transfer["x"] >= rules["x"]  # beside the moves too, and not below them
    assert transfer["y"] < moves["y"] + moves["height"]


@pytest.mark.parametrize("spec", ["inversion-race", "mirror-match"])
def test_on_a_phone_on_its_side_all_that_is_played_with_is_seen(people: People, spec: str) -> None:
    ann = people("Ann", viewport={"width": 844, "height": 390})
    ann.make(spec, opponent="level:1")
    ann.to_move()
    ann.page.evaluate("scrollTo(0, 0)")
    for place in ("#seat-top", "#seat-bottom", "#board svg", "#status", "#actions button"):
        expect(ann.page.locator(place).first).to_be_in_viewport(ratio=0.9)
    for button in ann.page.locator("#controls .control").all():
        expect(button).to_be_in_viewport(ratio=1)


def test_on_a_phone_on_its_side_a_long_row_and_a_clock_leave_room_for_all_buttons(people: People) -> None:
    ann = people("Ann", viewport={"width": 844, "height": 390})
    bob, clock = people("Bob"), {"per": "game", "seconds": 300, "increment": 5}
    bob.join(ann.make("mirror-match", clock=clock))
    play((ann, bob), ("1 E", "2 E", "3 E", "4 E", "5 E", "6 E", "7 E", "8 E", "9 E", "1 E"))
    ann.to_move()
    ann.page.evaluate("scrollTo(0, 0)")
    expect(ann.page.locator("#title")).to_be_in_viewport(ratio=1)
    expect(ann.page.locator("#actions button")).to_have_count(3)
    for button in ann.page.locator("#controls .control, #actions button").all():
        expect(button).to_be_in_viewport(ratio=1)


UNCOVERED = """
document.querySelector("#seat-bottom").getBoundingClientRect().bottom
  <= document.querySelector("#hand").getBoundingClientRect().top
"""


@pytest.mark.parametrize("height", [640, 720, 760])
def test_on_a_phone_no_button_covers_a_name(people: People, height: int) -> None:
    ann, _ = seated(people, "mirror-match", viewport={**PHONE, "height": height})  # has the most buttons
    ann.to_move()
    assert ann.page.evaluate(UNCOVERED)


@pytest.mark.parametrize("height", [640, 740])
def test_on_a_phone_the_guide_leaves_names_uncovered(people: People, height: int) -> None:
    ann = people("Ann", viewport={**PHONE, "height": height})
    ann.make("bit-flip", opponent="level:1")
    table = ann.page.url
    ann.page.goto("/")
    ann.open(f"{table}#guide")
    expect(ann.page.locator("#guide")).to_contain_text("Press a cell with a sign.")
    assert ann.page.evaluate(UNCOVERED)


def person_is_narrow(person: Person) -> bool:
    """Whether the links of the menu are behind a button."""
    visible: bool = person.page.locator(".menu-button").is_visible()
    return visible


def tour(people: People, server: Server, **profile: Any) -> Iterator[tuple[str, Person]]:
    """Every page in every state, each with someone who looks at it."""
    ann, bob = people("Ann", **profile), people("Bob")
    link = ann.make("bit-flip:bits=200")
    yield "a board as large as they come", ann
    link = ann.make("bit-flip")
    yield "a table with a free seat", ann
    eve = people("Eve", **profile)
    eve.page.goto(link)
    expect(eve.page.locator("#sit")).to_be_visible()
    yield "an invitation", eve
    bob.sit_down(link)
    play((ann, bob), ("4",))
    bob.press("Abandon")
    expect(ann.page.locator("#offers button")).to_have_count(2)
    yield "an offer", ann
    ann.press("Resign")
    yield "a question", ann
    ann.press("Resign", "dialog")
    expect(ann.page.get_by_role("link", name="Where did I go wrong?")).to_be_visible()
    yield "the end of a game", ann
    for spec in list(LINES)[1:]:
        bob.join(ann.make(spec.partition(":")[0], public=True))
        play((ann, bob), LINES[spec][:2])
        ann.to_move()
        yield spec, ann
    ann.page.goto("/")
    expect(ann.page.locator("#seats a")).not_to_have_count(0)
    expect(ann.page.locator("#running a")).not_to_have_count(0)
    expect(ann.page.locator("article svg")).to_have_count(len(LINES))
    expect(ann.page.locator("#puzzle-list a")).to_have_count(len(LINES))
    yield "home", ann
    if person_is_narrow(ann):
        for more in ann.page.locator(".more").all():
            more.click()
    for summary in ann.page.locator(".parts summary").all():
        summary.click()
    yield "home with all that can be opened", ann
    if person_is_narrow(ann):
        ann.press("Menu", "header")
        expect(ann.page.locator("#menu")).to_be_visible()
        yield "the menu", ann
    ann.page.goto("/games")
    expect(ann.page.locator("#all a")).not_to_have_count(0)
    yield "one's own games", ann
    ann.page.goto("/puzzles")
    expect(ann.page.locator("#list a")).to_have_count(len(LINES))
    yield "puzzles", ann
    for path, what in (
        ("/progress", "statistics"),
        ("/move", "moving a seat"),
        ("/offline", "no connection"),
    ):
        ann.page.goto(path)
        yield what, ann
    dora = people("Dora", **profile)
    dora.page.goto("/")
    dora.page.locator("#hero-board [data-move]").first.click()
    expect(dora.page.locator("#guide")).to_be_visible()
    dora.press("Move to another device")
    expect(dora.page.locator(".code")).to_be_visible()
    yield "a guided game, and a seat to move", dora
    eve.pardoned.append("404")
    eve.page.goto("/nothing")
    yield "an address that leads nowhere", eve
    table = finished(server, "bit-flip:bits=7", LINES["bit-flip:bits=7"])
    eve.page.goto(f"{table}/g/1")
    expect(eve.page.locator("#review li")).not_to_have_count(0)
    yield "the study of a game", eve
    eve.page.goto("/study?game=inversion-race&moves=left,right")
    expect(eve.page.locator("#values table")).to_be_visible()
    yield "a study board", eve
    eve.pardoned.append("404")
    eve.page.goto("/t/nothere")
    expect(eve.page.get_by_role("heading", name="Table not found")).to_be_visible()
    expect(eve.page.get_by_role("link", name="Go to the games")).to_be_in_viewport()
    expect(eve.page.locator("#connection")).to_be_hidden()  # on a phone it would cover the title
    yield "no table", eve
    eve.page.goto("/join/nothere/code")
    expect(eve.page.get_by_role("heading", name="Table not found")).to_be_visible()
    expect(eve.page.get_by_role("link", name="Go to the games")).to_be_in_viewport()
    yield "an invitation to no table", eve


@pytest.mark.parametrize(
    "profile",
    [
        {"reduced_motion": "no-preference"},
        {"viewport": PHONE, "color_scheme": "dark", "has_touch": True, "is_mobile": True},
    ],
    ids=["wide", "phone in the dark"],
)
def test_every_page_is_for_everyone_and_fits(people: People, server: Server, profile: dict[str, Any]) -> None:
    """Axe finds nothing wrong, and nothing has to be scrolled sideways."""
    flaws = {}
    for what, person in tour(people, server, **profile):
        assert person.page.viewport_size is not None
        wide = person.width() - person.page.viewport_size["width"]
        flaws[what] = person.flaws() + ([f"{wide} pixels too wide"] if wide > 0 else [])
    assert {what: found for what, found in flaws.items() if found} == {}


def test_a_screen_can_be_turned_and_a_window_resized(people: People) -> None:
    ann = people("Ann")
    ann.make("bit-flip:bits=40")
    for size in (
        {"width": 740, "height": 360},
        PHONE,
        {"width": 1920, "height": 1080},
        {"width": 320, "height": 480},
    ):
        ann.page.set_viewport_size(size)
        ann.page.wait_for_function(
            "width => document.documentElement.scrollWidth <= width", arg=size["width"]
        )


@pytest.mark.parametrize(("scheme", "dark"), [("light", False), ("dark", True)])
def test_the_pages_are_as_dark_as_the_browser(people: People, scheme: str, dark: bool) -> None:
    eve = people("Eve", color_scheme=scheme)
    link = people("Ann").make("bit-flip")
    for page in ("/", "/study", link, link.replace("/join/", "/t/").rpartition("/")[0]):
        eve.page.goto(page)
        colors = eve.page.evaluate(
            "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]"
        )
        ground, ink = (sum(map(int, re.findall(r"\d+", color)[:3])) for color in colors)
        assert (ground < ink) == dark


MOVING = """
[...document.querySelectorAll("*")].filter(element => {
  const style = getComputedStyle(element);
  const lasts = text => text.split(",").some(each => parseFloat(each) > 0);
  return lasts(style.transitionDuration) || (style.animationName !== "none" && lasts(style.animationDuration));
}).length
"""


@pytest.mark.parametrize(("motion", "moves"), [("no-preference", True), ("reduce", False)])
def test_nothing_moves_for_who_wants_less_motion(people: People, motion: str, moves: bool) -> None:
    ann = people("Ann", reduced_motion=motion)
    ann.make("bit-flip")
    assert (ann.page.evaluate(MOVING) > 0) == moves


def test_the_policy_forbids_what_the_pages_do_not_need(people: People) -> None:
    """Every other test fails if a page runs into the policy; this one shows that it is there to run into."""
    ann = people("Ann")
    link = ann.make("bit-flip")
    eve = people("Eve")
    for person, address in ((ann, ann.page.url), (eve, "/"), (eve, "/study"), (eve, link)):
        person.pardoned.append("Content Security Policy")
        person.page.goto(address)
        with person.page.expect_console_message(lambda said: "Content Security Policy" in said.text):
            ran = person.page.evaluate(
                """() => {
                  const script = document.createElement("script");
                  script.textContent = "window.ran = true";
                  document.body.append(script);
                  return window.ran === true;
                }"""
            )
        assert not ran


def test_the_address_of_a_table_gives_nobody_a_seat(people: People) -> None:
    ann, bob = seated(people, "bit-flip")
    eve = people("Eve")
    eve.open(ann.page.url)
    expect(eve.page.locator("#status")).to_have_text("Ann to move.")
    expect(eve.page.locator("#actions *, #ending *, #offers button, #share input")).to_have_count(0)
    late = people("Late")
    late.page.goto(bob.page.url.replace("/t/", "/join/") + "/x")
    expect(late.page.locator("#invitation")).to_have_text("Both seats at this table are taken.")
    cookies = ann.context.cookies()
    assert [(cookie["httpOnly"], cookie["sameSite"]) for cookie in cookies] == [(True, "Lax")]
    assert all(json.dumps(cookie["value"])[1:-1] not in ann.page.content() for cookie in cookies)
