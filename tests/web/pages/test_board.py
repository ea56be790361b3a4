"""The board: what it shows, and that nothing moves it."""

import re
from threading import Event
from typing import Any

import pytest
from playwright.sync_api import Route, WebSocketRoute, expect

from tests.web.browsers import PHONE
from tests.web.pages.tables import People, finished, play, seated
from tests.web.servers import Server
from tests.web.whole_games import LINES

BOXES = """
selector => [...document.querySelectorAll(selector)].map(each => {
  const { x, y, width, height } = each.getBoundingClientRect();
  return [x + scrollX, y + scrollY, width, height];
})
"""
"""Where things are on the page, wherever it is scrolled to."""


@pytest.mark.parametrize("viewport", [{"width": 1280, "height": 760}, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("spec", ["bit-flip:bits=12", "race-to-the-center"])
def test_nothing_that_arrives_moves_the_board(people: People, spec: str, viewport: Any) -> None:
    """A click that was meant for a cell or a button must not land on what has just come."""
    ann, bob, eve = people("Ann", viewport=viewport), people("Bob " * 9), people("Eve")
    lines: list[WebSocketRoute] = []
    cut = Event()

    def stand(route: WebSocketRoute) -> None:
        if cut.is_set():
            route.close()
        else:
            route.connect_to_server()
            lines.append(route)

    def boxes(selector: str) -> Any:
        return ann.page.evaluate(BOXES, selector)

    cells, buttons = "#board svg, #board .ground", "#controls button, #actions button"
    ann.page.route_web_socket(re.compile("/socket"), stand)
    link = ann.make(spec)
    places, moved = boxes(cells), []
    assert len(places) > 2

    def arrived(what: str) -> None:
        if boxes(cells) != places:
            moved.append(what)

    bob.join(link)
    ann.to_move()
    arrived("the other player")
    play((ann, bob), ("1", "3") if spec.startswith("bit") else ("1", "1"))
    ann.to_move()
    arrived("a move")
    controls = boxes(buttons)
    eve.open(ann.page.url)
    expect(ann.page.locator("#watching")).to_have_text("1 watching")
    arrived("someone who watches")
    ann.page.locator("#board .cell:not(.playable)").first.click()
    expect(ann.page.locator("#complaint")).to_be_visible()
    arrived("a refusal")
    for what in ("Take back", "Abandon"):
        bob.press(what)
    expect(ann.page.locator("#offers button")).to_have_count(4)
    arrived("an offer")
    assert boxes(buttons) == controls
    bob.page.goto("/")
    expect(ann.page.locator('[data-seat="1"] .presence')).to_contain_text("not connected for")
    arrived("word that the other is gone")
    cut.set()
    for line in lines:
        line.close()
    expect(ann.page.locator("#connection")).to_have_text("Reconnecting…")
    arrived("word that the connection is lost")
    cut.clear()
    ann.connected()
    for left in (2, 0):
        ann.page.locator("#offers").get_by_role("button", name="Decline").first.click()
        expect(ann.page.locator("#offers button")).to_have_count(left)
    expect(ann.page.locator("#offers")).to_contain_text("You declined")
    arrived("an answer")
    bob.open(ann.page.url)
    bob.press("Resign")
    bob.press("Resign", "dialog")
    expect(ann.page.locator("#status")).to_have_text("You won")
    arrived("the end")
    bob.press("Rematch")
    expect(ann.page.locator("#offers button")).to_have_count(1)
    arrived("another offer")
    assert moved == []


def test_looking_back_is_told_with_where_a_move_led(people: People) -> None:
    ann, bob = seated(people, "dual-direction")
    play((ann, bob), ("left", "left"))
    ann.to_move()
    ann.page.locator("[data-step=first]").click()
    ann.page.locator("[data-step=next]").click()
    expect(ann.told()).to_have_text("Position after 1. Ann: left, to 5.")


def test_looking_back(people: People) -> None:
    ann, bob = seated(people, "bit-flip:bits=7")
    boards = [ann.board()]
    play((ann, bob), ("0", "2"))
    ann.to_move()
    now = ann.board()
    ann.page.locator("[data-step=first]").click()
    expect(ann.page.locator("#status")).to_have_text("Looking back: before move 1 of 2. It is your turn.")
    assert ann.offered() == set()  # what is over cannot be played
    ann.sees([label.removesuffix(", legal move") for label in boards[0]])
    ann.page.locator("[data-step=next]").click()
    expect(ann.page.locator("#status")).to_have_text("Looking back: after move 1 of 2. It is your turn.")
    expect(ann.told()).to_have_text("Position after 1. Ann: 0.")
    ann.page.keyboard.press("End")
    ann.to_move()
    ann.sees(now)
    bob.page.get_by_role("button", name=re.compile(r"^1\. ")).click()
    expect(bob.page.locator("#status")).to_have_text("Looking back: after move 1 of 2.")
    bob.page.keyboard.press("ArrowLeft")
    expect(bob.page.locator("#status")).to_have_text("Looking back: before move 1 of 2.")
    bob.press("Return to the game")
    expect(bob.page.locator("#status")).to_have_text("Ann to move.")
    expect(bob.page.locator("#board")).to_be_focused()
    expect(bob.page.get_by_role("button", name="Return to the game")).to_have_count(0)


def test_steps_are_counted_while_positions_are_on_their_way(people: People, server: Server) -> None:
    eve = people("Eve")
    eve.pardoned.append("ERR_FAILED")
    page, held = eve.page, list[Route]()
    eve.open(finished(server, "bit-flip:bits=7", LINES["bit-flip:bits=7"]))
    expect(page.locator("#note")).to_contain_text(
        "The lead"
    )  # after which nothing is drawn but what is asked for
    shown = page.locator("#moves [aria-current]")

    def answer(route: Route) -> None:
        held.append(route)
        if route.request.url.endswith("/0"):
            route.abort()
        elif route.request.url.endswith("/1"):
            for each in reversed(held):  # the last one comes first
                each.continue_()

    page.route("**/positions/*", answer)
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    expect(page.locator("#status")).to_have_text("Looking back: after move 1 of 4.")
    expect(shown).to_have_attribute("data-ply", "1")
    eve.sees(["0: 0", "1: 0, closed", "2: 1 by Ann, last move", "3: 0, closed", "4: 0", "5: 0", "6: 0"])

    # One that is lost leaves everything as it is.
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("alert")).to_contain_text("cannot be reached")
    expect(shown).to_have_attribute("data-ply", "1")
    page.keyboard.press("ArrowRight")
    expect(shown).to_have_attribute("data-ply", "2")


def test_the_last_and_the_legal_moves_are_said_and_drawn(people: People) -> None:
    """In words and in shapes, not by color alone."""
    ann, bob = seated(people, "bit-flip:bits=4")
    play((ann, bob), ("0",))
    bob.to_move()
    assert bob.board() == ["0: 1 by Ann, last move", "1: 0, closed", "2: 0, legal move", "3: 0, legal move"]
    cells = bob.page.locator("#board [data-cell]")
    assert [cells.nth(i).locator(".last").count() for i in range(4)] == [1, 0, 0, 0]
    assert [cells.nth(i).locator(".hint").count() for i in range(4)] == [0, 0, 1, 1]
    expect(bob.page.locator("#last")).to_have_text("Last: Ann played 0.")


def test_the_last_move_is_marked_without_another_request(people: People, server: Server) -> None:
    """Also where the board looks the same whichever end the number was added to."""
    eve = people("Eve")
    asked: list[str] = []
    eve.page.on("request", lambda request: asked.append(request.url.partition("/api/tables/")[2]))
    path = finished(server, "mirror-match:shortest=4", ("3 E", "3 B", "4 E"))
    table = path.removeprefix("/t/")
    eve.open(path)
    eve.sees(["1: 3 by Bob", "2: 3 by Ann", "3: 4 by Ann, last move"])
    eve.page.locator("[data-step=previous]").click()
    eve.sees(["1: 3 by Bob, last move", "2: 3 by Ann"])
    assert [each for each in asked if each] == [table, f"{table}/games/1/positions/2"]


def test_the_study_page_asks_for_a_game_and_each_position_once(people: People, server: Server) -> None:
    eve = people("Eve")
    asked: list[str] = []
    eve.page.on("request", lambda request: asked.append(request.url.partition("/api/tables/")[2]))
    path = finished(server, "bit-flip:bits=3", ("0", "2"))
    eve.page.goto(f"{path}/g/1")
    eve.sees(["0: 1 by Ann", "1: 0, closed", "2: 1 by Bob, last move"])
    eve.page.locator("[data-step=previous]").click()
    eve.sees(["0: 1 by Ann, last move", "1: 0, closed", "2: 0, wins in 1 move, best"])
    eve.page.locator("[data-step=next]").click()
    eve.sees(["0: 1 by Ann", "1: 0, closed", "2: 1 by Bob, last move"])
    game = f"{path.removeprefix('/t/')}/games/1"
    assert [each for each in asked if each] == [game, f"{game}/study/2", f"{game}/study/1"]


@pytest.mark.parametrize(
    ("spec", "pieces"),
    [
        ("bit-flip:bits=2", ["hollow", "hollow"]),
        ("dual-direction", ["nobody"]),
        ("inversion-race", ["side-0", "side-1"]),
        ("race-to-the-center", ["side-0", "side-1"]),
    ],
)
def test_pieces_look_as_the_server_says(people: People, spec: str, pieces: list[str]) -> None:
    page = people("Eve").page
    page.goto(f"/study?game={spec}")
    expect(page.locator("#board .piece")).to_have_class([f"piece {kind}" for kind in pieces])
