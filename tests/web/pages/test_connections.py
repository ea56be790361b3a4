"""Messages that are late, repeated or lost, and connections that break."""

import re
from collections.abc import Callable
from threading import Event

import pytest
from playwright.sync_api import APIResponse, Page, Route, WebSocketRoute, expect

from tests.web.pages.tables import People, frozen, play, seated


def between(page: Page, to_server: Callable[[str], str], hears: Callable[[str], bool]) -> Callable[[], None]:
    """Stand between a page and its socket; what it does not hear is told when the answer is called."""
    held: list[tuple[WebSocketRoute, str]] = []

    def stand(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def heard(message: str | bytes) -> None:
            text = str(message)
            if hears(text):
                route.send(text)
            else:
                held.append((route, text))

        route.on_message(lambda message: server.send(to_server(str(message))))
        server.on_message(heard)

    def release() -> None:
        for route, text in held:
            route.send(text)
        held.clear()

    page.route_web_socket(re.compile("/socket"), stand)
    return release


def test_a_refused_move_is_explained(people: People) -> None:
    """The page offers only legal moves, so the table has to be asked for another behind its back."""
    ann, bob = people("Ann"), people("Bob")
    between(ann.page, lambda text: text.replace('"text":"5"', '"text":"1"'), lambda text: True)
    bob.join(ann.make("bit-flip:bits=9"))
    play((ann, bob), ("3", "0"))
    ann.play("5")
    expect(ann.page.get_by_role("alert")).to_contain_text("Bit 1 is next to bit 0")
    ann.play("6")
    bob.to_move()
    expect(ann.listed()).to_have_text(["3", "0", "6"])
    expect(ann.page.locator("#complaint")).to_be_hidden()


def test_a_move_goes_through_when_an_offer_comes_first(people: People) -> None:
    """Both act at once: the offer takes the number of the move, which is said again under the next."""
    ann, bob = people("Ann"), people("Bob")
    deaf = False
    release = between(ann.page, lambda text: text, lambda text: not (deaf and '"type":"event"' in text))
    bob.join(ann.make("bit-flip:bits=7"))
    ann.to_move()
    deaf = True
    bob.press("Abandon")
    expect(bob.page.locator("#offers")).to_contain_text("You asked")
    ann.play("3")
    bob.to_move()
    release()
    for each in (ann, bob):
        expect(each.listed()).to_have_text(["3"])
    expect(ann.page.locator("#complaint")).to_be_hidden()


def test_an_answer_that_is_older_than_what_is_known_is_ignored(people: People) -> None:
    """The table is asked for, and before the answer comes, more is told than it knows of."""
    ann, bob = people("Ann"), people("Bob")
    deaf = False
    late: list[tuple[Route, APIResponse]] = []
    release = between(ann.page, lambda text: text, lambda text: not (deaf and '"type":"event"' in text))
    bob.join(ann.make("bit-flip:bits=7"))
    ann.to_move()
    ann.page.route(re.compile(r"/api/tables/[^/]+$"), lambda route: late.append((route, route.fetch())))
    deaf = True
    bob.press("Abandon")
    expect(bob.page.locator("#offers")).to_contain_text("You asked")
    with ann.page.expect_request(re.compile(r"/api/tables/[^/]+$")):
        ann.play("3")  # which comes too late, so that the page asks how the table stands
    bob.press("Resign")
    bob.press("Resign", "dialog")
    expect(bob.page.locator("#status")).to_have_text("You lost")
    ((route, answer),) = late
    assert answer.json()["status"] == "running"
    deaf = False
    release()
    expect(ann.page.locator("#status")).to_have_text("You won")
    route.fulfill(response=answer)
    expect(ann.page.get_by_role("alert")).to_have_text(
        "Something else happened first. Check the table and try again."
    )
    expect(ann.page.locator("#status")).to_have_text("You won")


def test_what_is_told_twice_happens_once(people: People) -> None:
    ann, bob = seated(people, "bit-flip:bits=7")
    eve = people("Eve")

    def stand(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def twice(message: str | bytes) -> None:
            route.send(message)
            route.send(message)

        server.on_message(twice)

    eve.page.route_web_socket(re.compile("/socket"), stand)
    eve.open(ann.page.url)
    play((ann, bob), ("0", "2"))
    expect(eve.told()).to_contain_text("Bob played 2.")
    expect(eve.listed()).to_have_text(["0", "2"])


def test_a_gap_in_what_is_told_is_filled(people: People) -> None:
    ann, bob = seated(people, "bit-flip:bits=7")
    eve = people("Eve")
    between(eve.page, lambda text: text, lambda text: '"number":3' not in text)
    eve.open(ann.page.url)
    play((ann, bob), ("0",))
    expect(eve.listed()).to_have_count(0)
    bob.play("2")
    expect(eve.listed()).to_have_text(["0", "2"])
    assert eve.board() == [label.replace(", legal move", "") for label in ann.board()]


def test_the_seconds_of_absence_go_on(people: People) -> None:
    ann, bob = people("Ann"), people("Bob")
    frozen(ann.page)
    bob.join(ann.make("bit-flip"))
    ann.to_move()
    bob.page.goto("/")
    for past, seconds in ((0, 0), (1_000, 1), (1_000, 2), (30_000, 32)):
        ann.page.clock.fast_forward(past)
        expect(ann.page.locator('[data-seat="1"] .presence')).to_have_text(f"not connected for {seconds} s")


@pytest.mark.parametrize(("before", "within"), [("", 6_000), ("dispatchEvent(new Event('online'))", 2_000)])
def test_a_connection_that_answers_nothing_is_dropped(people: People, before: str, within: int) -> None:
    """After the ping that comes now and then, and sooner after the one that comes when the network is back."""
    ann = people("Ann")
    deaf = False
    between(ann.page, lambda text: text, lambda text: not deaf)
    frozen(ann.page)
    ann.make("bit-flip")
    deaf = True
    if before:
        ann.page.evaluate(before)
    else:
        ann.page.clock.fast_forward(10_000)
    ann.page.clock.fast_forward(within - 100)
    expect(ann.page.locator("#connection")).to_have_text("Connected")
    ann.page.clock.fast_forward(100)
    expect(ann.page.locator("#connection")).to_have_text("Reconnecting…")
    deaf = False
    ann.page.clock.fast_forward(250)
    ann.connected()


@pytest.mark.parametrize("hurried", [True, False], ids=["network is back", "time passes"])
def test_a_connection_that_never_gets_ready_is_tried_again(people: People, hurried: bool) -> None:
    """At once when the network is back, else after five seconds."""
    ann = people("Ann")
    lines: list[WebSocketRoute] = []

    def stand(route: WebSocketRoute) -> None:
        lines.append(route)
        if len(lines) == 2:  # says something, so that it can be waited for, and then nothing more
            route.send('{"type":"present","present":[true,false],"away":[null,null],"watching":7,"ran":0}')
        else:
            route.connect_to_server()

    ann.page.route_web_socket(re.compile("/socket"), stand)
    frozen(ann.page)
    ann.make("bit-flip")
    lines[0].close()
    expect(ann.page.locator("#connection")).to_have_text("Reconnecting…")
    ann.page.clock.fast_forward(250)
    expect(ann.page.locator("#watching")).to_have_text("7 watching")
    if hurried:
        ann.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    else:
        ann.page.clock.fast_forward(4_900)
        ann.page.clock.fast_forward(300)
        ann.page.clock.fast_forward(500)
    ann.connected()
    assert len(lines) == 3


STUCK = """
const Real = WebSocket;
let left = 1;
window.WebSocket = function (address) {
  if (left-- > 0) return Object.assign(new EventTarget(), { readyState: 0, close() {}, send() {} });
  return new Real(address);
};
window.WebSocket.OPEN = Real.OPEN;
"""


def test_a_connection_that_never_opens_is_tried_again(people: People) -> None:
    ann = people("Ann")
    ann.page.add_init_script(STUCK)
    frozen(ann.page)
    made = ann.context.request.post("/api/tables", data={"game": "bit-flip", "seat": 0}).json()
    ann.page.goto(f"/t/{made['table']['id']}")
    expect(ann.page.locator("#connection")).to_have_text("Connecting…")
    expect(ann.page.locator("#share")).to_be_visible()
    ann.page.clock.fast_forward(5_000)
    expect(ann.page.locator("#connection")).to_have_text("Reconnecting…")
    ann.page.clock.fast_forward(250)
    ann.connected()


def test_who_was_cut_off_hears_what_was_missed(people: People) -> None:
    ann, bob = people("Ann"), people("Bob")
    lines: list[WebSocketRoute] = []
    cut = Event()

    def stand(route: WebSocketRoute) -> None:
        if cut.is_set():
            route.close()
        else:
            route.connect_to_server()
            lines.append(route)

    bob.page.route_web_socket(re.compile("/socket"), stand)
    bob.join(ann.make("bit-flip:bits=7"))
    play((ann, bob), ("0",))
    cut.set()
    for line in lines:
        line.close()
    expect(bob.page.locator("#connection")).to_have_text("Reconnecting…")
    answer = bob.context.request.post(  # from another page of the same browser
        f"/api/tables/{bob.page.url.rpartition('/')[2]}/events",
        data={"number": 4, "kind": "move", "text": "2"},
    )
    assert answer.ok
    ann.play("4")
    expect(ann.listed()).to_have_text(["0", "2", "4"])
    expect(bob.listed()).to_have_text(["0"])
    cut.clear()
    expect(bob.listed()).to_have_text(["0", "2", "4"])
    expect(bob.told()).to_contain_text("Ann played 4.")
    bob.play("6")
    expect(ann.listed()).to_have_text(["0", "2", "4", "6"])
