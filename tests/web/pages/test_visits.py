"""The first visit, people who meet, one's own games, a seat on another device, notices, and no connection."""

import re
from threading import Event
from typing import Any

import pytest
from playwright.sync_api import Route, WebSocketRoute, expect

from tests.web.browsers import PHONE
from tests.web.pages.tables import People, finished, frozen, play, seated
from tests.web.servers import Server
from tests.web.whole_games import LINES


def test_the_first_move_is_made_on_the_home_page(people: People) -> None:
    """At the first visit it leads into a guided game, later into an ordinary one."""
    ann = people("Ann")
    ann.page.goto("/")
    expect(ann.page.locator("#hero-text")).to_contain_text("New here?")
    ann.page.locator('#hero-board [data-move="4"]').click()
    ann.page.wait_for_url("**/t/*#guide")
    expect(ann.listed().first).to_have_text("4")
    ann.to_move()
    words = ann.page.locator("#guide .guide-words")
    expect(words).to_contain_text("The computer answered")
    shown = words.inner_text()
    ann.page.locator("#board [data-move]").first.click()
    expect(words).not_to_have_text(shown)
    settled = ann.page.locator("#status:is(.yours, .verdict)")
    expect(settled).to_be_visible()
    while ann.page.locator("#status.yours").count():
        plies = ann.listed().count()
        ann.page.locator("#board [data-move]").first.click()
        expect(ann.listed()).not_to_have_count(plies)
        expect(settled).to_be_visible()
    expect(words).to_contain_text("whole game")
    expect(ann.page.locator("#note")).to_contain_text("The lead")  # now it is known whether she went wrong
    expect(words).to_contain_text(f"Press “{ann.page.locator('#ending a').first.inner_text()}”")
    ann.press("Close the guide")
    expect(ann.page.locator("#guide")).to_be_hidden()
    ann.page.goto("/")
    expect(ann.page.locator("#hero-text")).not_to_contain_text("New here?")
    ann.page.locator('#hero-board [data-move="4"]').click()
    ann.page.wait_for_url("**/t/*")
    ann.connected()
    expect(ann.page.locator("#guide")).to_be_hidden()
    expect(ann.page.locator("#seat-top")).to_contain_text("Computer (level 5)")


def test_on_a_phone_people_and_ones_own_games_are_seen_at_once(people: People) -> None:
    ann, bob, cy = people("Ann", viewport=PHONE), people("Bob"), people("Cy the Waiting")
    for _ in range(2):
        bob.join(ann.make("race-to-the-center"))
    cy.make("bit-flip", public=True, opponent="level:1")
    watching = cy.another_page()
    watching.goto(cy.page.url)
    expect(watching.locator("#connection")).to_have_text("Connected")
    cy.make("inversion-race:cells=15", public=True)
    listed = cy.context.request.get("/api/tables").json()
    listed = {kind: [each for each in briefs if cy.name in each["names"]] for kind, briefs in listed.items()}
    ann.page.route("**/api/tables", lambda route: route.fulfill(json=listed))  # not those of other tests
    ann.page.goto("/")
    waiting = ann.page.locator("#open a", has_text="Cy the Waiting")
    for place in (
        ann.page.locator("#hero-board svg"),
        ann.page.get_by_role("button", name="Play anyone now"),
        ann.page.locator("#seats a").nth(1),
        waiting,
        ann.page.locator("#running a", has_text="Cy the Waiting"),
    ):
        expect(place).to_be_in_viewport(ratio=1)
    expect(waiting).to_contain_text("Inversion Race, cells 15")
    cut = "all => all.filter(each => each.scrollWidth > each.clientWidth || each.scrollHeight > each.clientHeight)"
    rows = ann.page.locator(".people .table-list a > *")
    expect(rows).to_have_count(12)  # two games of her own, who waits, and who plays: three texts each
    assert rows.evaluate_all(f"all => ({cut})(all).map(each => each.textContent)") == []
    expect(ann.page.locator("main")).not_to_contain_text("inversion-race:")  # specs are for typing
    assert ann.width() <= PHONE["width"]
    expect(ann.page).to_have_title("(2) Your turn · perfectplay")
    expect(ann.page.locator("#puzzle-list a")).to_have_count(len(LINES))
    assert ann.page.evaluate("document.documentElement.scrollHeight") <= 2200


def test_on_a_phone_an_invitation_is_answered_without_scrolling(people: People) -> None:
    """Also where the board has a single empty cell."""
    ann, bob = people("Ann"), people("Bob", viewport=PHONE)
    bob.page.goto(ann.make("mirror-match"))
    expect(bob.page.locator(".picture svg")).to_be_visible()
    expect(bob.page.get_by_role("button", name="Sit down")).to_be_in_viewport(ratio=1)


def test_cards_are_equal_and_show_their_game(people: People) -> None:
    ann = people("Ann", viewport={"width": 1280, "height": 800})
    ann.page.goto("/")
    cards = ann.page.locator("article")
    expect(cards).to_have_count(len(LINES))
    boxes = cards.evaluate_all("all => all.map(each => each.getBoundingClientRect().toJSON())")
    assert len({box["top"] for box in boxes}) == 2
    assert len({(box["top"], box["bottom"]) for box in boxes}) == 2
    assert len({round(box["width"]) for box in boxes}) == 1
    for card in cards.all():
        expect(card.locator(".picture .piece")).not_to_have_count(0)
    expect(ann.page.locator(".puzzle")).to_have_count(2)
    leapfrog = ann.page.locator('[aria-labelledby="game-inversion-race"] .preset').first
    expect(leapfrog.locator("small")).to_contain_text("moves")
    leapfrog.locator("b").click()
    ann.page.locator('[data-share="inversion-race"]').click()
    ann.connected()
    expect(ann.page.locator("#spec")).not_to_have_text("by the rulebook")


def test_two_who_play_anyone_meet(people: People) -> None:
    ann, bob, eve = people("Ann"), people("Bob"), people("Eve")
    for person in (ann, bob):
        person.page.goto("/")
        person.page.get_by_label("Your name").fill(person.name)
    ann.page.locator('[data-anyone="dual-direction"]').click()
    ann.connected()
    frozen(eve.page)
    eve.page.goto("/")
    row = eve.page.locator("#open a", has_text="Dual Direction")
    expect(row).to_have_count(1)
    address = ann.page.url
    ann.page.goto("/")  # she leaves, and is no longer listed
    eve.page.clock.fast_forward(5_000)
    expect(row).to_have_count(0)
    ann.open(address)
    bob.page.locator('[data-anyone="dual-direction"]').click()
    bob.page.wait_for_url(address)
    expect(ann.page.locator("#status")).not_to_have_text("Waiting for an opponent.")
    expect(bob.page.locator("#seat-top")).to_contain_text("Ann")


def test_who_plays_anyone_gets_what_the_card_has(people: People) -> None:
    ann = people("Ann")
    ann.page.goto("/")
    card = ann.page.locator('[aria-labelledby="game-bit-flip"]')
    card.locator(".at-table summary").click()
    card.locator("#bit-flip-seat").select_option("second")
    card.locator("#bit-flip-clock").select_option(index=1)
    with ann.page.expect_request("**/api/play") as asked:
        card.get_by_role("button", name="Play anyone").click()
    ann.connected()
    body: Any = asked.value.post_data_json
    assert body["seat"] == 1
    assert body["clock"]
    table = ann.context.request.get(f"/api/tables/{ann.page.url.rpartition('/')[2]}").json()
    assert table["seat"] == 1
    assert table["clock"]["seconds"] == body["clock"]["seconds"]


def test_all_ones_games_are_there(people: People, server: Server) -> None:
    ann, bob = people("Ann"), people("Bob")
    bob.join(ann.make("bit-flip:bits=3"))
    play((ann, bob), ("0", "2"))
    expect(ann.page.locator("#status.verdict")).to_have_text("You lost")
    for _ in range(13):
        assert ann.context.request.post("/api/tables", data={"game": "bit-flip", "seat": 0}).status == 201
    ann.page.goto("/games")
    games = ann.page.locator("#all li")
    expect(games).to_have_count(12)
    ann.press("Show older games")
    expect(games).to_have_count(14)
    expect(ann.page.locator("#more button")).to_have_count(0)
    last = games.nth(13)
    expect(games.nth(12).locator("a")).to_be_focused()
    expect(last).to_contain_text(re.compile(r"Bit Flip.*against Bob.*You lost\..*\d{4}"))
    expect(last.locator(".piece.side-0")).to_have_count(1)
    expect(last.locator(".piece.side-1")).to_have_count(1)
    last.locator("a").click()
    ann.page.wait_for_url("**/g/1")
    eve = people("Eve")
    eve.page.goto("/games")
    expect(eve.page.locator("#all")).to_contain_text("You have not played yet.")
    # Another's game is not among them, but its picture is one to send.
    assert eve.page.request.get(f"/picture{finished(server, 'bit-flip:bits=1', ('0',))[2:]}/1/1.png").ok


def test_a_seat_moves_to_a_phone(people: People) -> None:
    ann, bob = seated(people, "bit-flip:bits=5")
    phone = people("Phone", viewport=PHONE)
    lines: list[WebSocketRoute] = []
    cut = Event()

    def stand(route: WebSocketRoute) -> None:
        if cut.is_set():
            route.close()
        else:
            route.connect_to_server()
            lines.append(route)

    ann.page.route_web_socket(re.compile("/socket"), stand)
    ann.page.reload()
    ann.press("Move to another device")
    link = ann.page.get_by_label("or open this link there").input_value()
    code = ann.page.locator(".code").inner_text()
    assert link.endswith(f"/move#{code}")
    expect(ann.page.locator("#transfer .near")).to_contain_text("This link works only on this machine.")
    phone.page.goto(link)
    phone.press("Continue here")
    phone.page.wait_for_url("**/t/*")
    phone.play("2")
    expect(ann.page.locator("#offers")).to_have_text(
        "Your seat has moved to another device. Here you can watch."
    )
    expect(ann.page.locator("#transfer")).to_be_empty()
    expect(ann.page.locator(".you")).to_have_count(0)

    # The seat comes back, to another tab; the first one hears of it.
    bob.play("0")
    phone.press("Move to another device")
    back = ann.another_page()
    back.goto(phone.page.get_by_label("or open this link there").input_value())
    back.get_by_role("button", name="Continue here").click()
    back.wait_for_url("**/t/*")
    expect(ann.page.locator("#offers")).to_be_empty()
    expect(ann.told()).to_have_text("You have your seat on this device now.")
    expect(phone.page.locator("#offers")).to_contain_text("Your seat has moved")

    # It moves away while the first tab is not connected.
    cut.set()
    for line in lines:
        line.close()
    expect(ann.page.locator("#connection")).to_have_text("Reconnecting…")
    back.get_by_role("button", name="Move to another device").click()
    phone.page.goto(back.get_by_label("or open this link there").input_value())
    phone.press("Continue here")
    phone.page.wait_for_url("**/t/*")
    expect(ann.page.locator("#offers")).to_be_empty()
    cut.clear()
    expect(ann.page.locator("#offers")).to_contain_text("Your seat has moved")
    phone.play("4")
    for each in (ann, bob):
        expect(each.listed()).to_have_text(["2", "0", "4"])
    thief = people("Thief")
    thief.pardoned.append("403")
    thief.page.goto("/move#%")
    expect(thief.page.get_by_label("Code")).to_be_focused()
    thief.page.get_by_label("Code").fill(code.lower())
    thief.press("Continue here")
    expect(thief.page.locator("#complaint")).to_contain_text("This code is not valid; it works once")


SPY = """
window.notices = [];
window.Notification = class {
  static permission = "default";
  static async requestPermission() { return (this.permission = "granted"); }
  constructor(title, options) { window.notices.push([title, options.body]); }
};
"""


def test_a_turn_is_noticed_elsewhere(people: People) -> None:
    ann, bob = people("Ann"), people("Bob")
    ann.page.add_init_script(SPY)
    link = ann.make("bit-flip:bits=5")
    button = ann.page.get_by_role("button", name="Notice on my turn")
    expect(button).to_have_attribute("aria-pressed", "false")
    assert ann.page.evaluate("Notification.permission") == "default"  # nobody is asked before a click
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    bob.join(link)
    ann.play("0")
    expect(bob.listed()).to_have_count(1)
    assert ann.page.evaluate("notices") == []  # she sees the page
    ann.page.evaluate("Object.defineProperty(document, 'visibilityState', {get: () => 'hidden'})")
    bob.play("2")
    expect(ann.page).to_have_title(re.compile("^Your turn · Bit Flip"))
    ann.page.wait_for_function("notices.length === 1")
    assert ann.page.evaluate("notices[0]") == ["Your turn · Bit Flip", "Bob is waiting."]
    eve = people("Eve")  # who only watches is asked nothing
    eve.open(ann.page.url)
    expect(eve.page.locator("#notice button")).to_have_count(0)


def test_without_a_connection_a_page_says_so(people: People) -> None:
    ann = people("Ann", service_workers="allow")
    ann.pardoned.append("ERR_INTERNET_DISCONNECTED")
    ann.page.goto("/")
    ann.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    ann.page.wait_for_function("navigator.serviceWorker.controller !== null")
    ann.context.set_offline(True)
    ann.page.goto("/games")
    expect(ann.page.get_by_role("heading", name="You are offline")).to_be_visible()
    assert ann.page.evaluate("getComputedStyle(document.querySelector('.primary')).minHeight") == "44px"
    ann.context.set_offline(False)
    expect(ann.page.get_by_role("heading", name="Your games")).to_be_visible()  # by itself


def test_the_pages_can_be_installed(people: People) -> None:
    ann = people("Ann", service_workers="allow")
    ann.page.goto("/")
    found = ann.context.new_cdp_session(ann.page).send("Page.getAppManifest")
    assert found["errors"] == []
    for size in ("icon-192.png", "icon-512.png", "icon-maskable.png", "icon.svg"):
        assert f"/static/{size}" in found["data"]
        assert ann.page.request.get(f"/static/{size}").ok


BUSY = {"error": "busy", "text": "the server is too busy"}


@pytest.mark.parametrize(
    ("address", "shows"),
    [
        ("/", "article.game #bit-flip-level"),
        ("/games", "#all li a"),
        ("/study?game=bit-flip:bits=3", "#values table"),
        ("{open}", "#sit"),
        ("{over}", "#note:text('The lead changed on move 1')"),
        ("{over}/g/1", "#accuracy table"),
        ("{over}/g/1#mistake", "#last:text('Start position.')"),
        ("{puzzle}", "#puzzle h2"),
    ],
)
def test_a_page_that_is_refused_once_asks_again(
    people: People, server: Server, address: str, shows: str
) -> None:
    eve = people("Eve")
    eve.pardoned.append("503")
    page, refused = eve.page, set[str]()
    eve.make("mirror-match", opponent="perfect")
    made = server.person().make("bit-flip")
    addresses = {
        "open": f"/join/{made['table']['id']}/{made['join']}",
        "over": finished(server, "bit-flip:bits=3", ("0", "2")),
        "puzzle": page.url,
    }

    def once(route: Route) -> None:
        if route.request.url in refused:
            route.continue_()
        else:
            refused.add(route.request.url)
            route.fulfill(status=503, headers={"Retry-After": "1"}, json=BUSY)

    page.route(re.compile("/api/(?!tables$|seats$)"), once)
    page.goto("/offline")
    page.goto(address.format(**addresses))
    expect(page.locator(shows).first).to_be_visible()
    expect(page.locator("#complaint")).to_be_hidden()
    assert refused
