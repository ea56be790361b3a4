"""The pages in a real browser: whole games by pointer and keyboard, and what a person may need besides."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from playwright.sync_api import APIResponse, Browser, FloatRect, Page, Route, WebSocketRoute, expect

import perfectplay as pp
from perfectplay.core.record import read_records
from tests.extras import leave_out
from tests.web.browsers import PHONE, Person, program, started
from tests.web.servers import Server

if program() is None:
    leave_out("Chromium", "chromium")

MANY = ("--tables-per-minute", "10000", "--requests-per-second", "10000")

LINES = {
    "bit-flip:bits=7": ("2", "0", "6", "4"),
    "dual-direction:positions=7": ("right", "left", "left", "left", "left"),
    "inversion-race:cells=7": ("left", "right", "right", "right", "left", "left", "left", "left", "left"),
    "mirror-match:digits=3": ("1 B", "1 E", "2 B", "2 E"),
    "race-to-the-center": ("1", "1", "2", "1", "1", "2", "1", "1"),
}
"""A whole game of each kind."""

People = Callable[..., Person]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with started() as browser:
        yield browser


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One whose players are gone for good as soon as they are gone."""
    data = tmp_path_factory.mktemp("server") / "data"
    with Server("--data", str(data), "--away-seconds", "0", *MANY) as running:
        yield running


@pytest.fixture
def people(chromium: Browser, server: Server) -> Iterator[People]:
    """Gives someone with a browser of their own; in the end nobody's browser may have complained."""
    known: list[Person] = []

    def person(name: str, **profile: Any) -> Person:
        known.append(Person(chromium, server.address, name, **profile))
        return known[-1]

    yield person
    for each in known:
        each.context.close()
    assert [complaint for each in known for complaint in each.complaints] == []


def seated(people: People, spec: str, **profile: Any) -> tuple[Person, Person]:
    """Ann, who moves first, and Bob, at a table."""
    ann, bob = people("Ann", **profile), people("Bob")
    bob.join(ann.make(spec))
    ann.to_move()
    return ann, bob


def finished(server: Server, spec: str, moves: tuple[str, ...]) -> str:
    """The address of a table with a game that was played without any page."""
    ann, bob = server.person(), server.person()
    made = ann.make(spec, name="Ann")
    assert bob.join(made).status_code == 200
    table = made["table"]["id"]
    for number, text in enumerate(moves, start=3):
        mover = (ann, bob)[ann.get(f"/api/tables/{table}").json()["position"]["seat"]]
        assert mover.act(table, number, "move", text).status_code == 200
    return f"/t/{table}"


def play(people: tuple[Person, Person], moves: tuple[str, ...]) -> None:
    """Click moves by turns; both see each before the next."""
    first = 0 if people[0].offered() else 1
    for ply, text in enumerate(moves):
        people[(first + ply) % 2].play(text)
        for each in people:
            expect(each.listed()).to_have_count(ply + 1)


# A whole game


def invitation(ann: Person, spec: str, by_keyboard: bool) -> str:
    """Make a table on the home page, with the first seat, and take its link."""
    name, _, settings = spec.partition(":")
    values = [pair.split("=") for pair in settings.split(",") if pair]
    card, page = f'[aria-labelledby="game-{name}"]', ann.page
    page.goto("/")
    if by_keyboard:
        ann.tab_to("#name")
        page.keyboard.type(ann.name)
        ann.tab_to(f"{card} .settings summary")
        page.keyboard.press("Enter")
        for parameter, value in values:
            ann.tab_to(f"#{name}-{parameter}")
            page.keyboard.type(value)
        ann.tab_to(f"#{name}-seat")
        page.keyboard.press("f")  # first
        ann.tab_to(f'[data-share="{name}"]', key="Shift+Tab")
        page.keyboard.press("Enter")
    else:
        page.get_by_label("Your name").fill(ann.name)
        page.locator(f"{card} .settings summary").click()
        for parameter, value in values:
            page.locator(f"#{name}-{parameter}").fill(value)
        page.locator(f"#{name}-seat").select_option("first")
        page.locator(f'[data-share="{name}"]').click()
    ann.connected()
    link = page.get_by_label("Send this link").input_value()
    assert link.startswith(page.url.replace("/t/", "/join/"))
    return link


@pytest.mark.parametrize("by_keyboard", [False, True], ids=["pointer", "keyboard"])
@pytest.mark.parametrize("spec", LINES)
def test_two_people_play_a_whole_game_and_a_third_watches(
    people: People, spec: str, by_keyboard: bool
) -> None:
    ann, eve = people("Ann"), people("Eve")
    bob = people("Bob", viewport=PHONE, has_touch=not by_keyboard)
    link = invitation(ann, spec, by_keyboard)
    if by_keyboard:
        bob.page.goto(link)
        expect(bob.page.locator("#name")).to_be_focused()
        bob.page.keyboard.type("Bob")
        bob.page.keyboard.press("Enter")
        bob.page.wait_for_url("**/t/*")
        bob.connected()
    else:
        bob.sit_down(link)
    eve.open(ann.page.url)
    for each in (ann, bob, eve):
        expect(each.page.locator("#watching")).to_have_text("1 watching")

    game: pp.Game[Any] = pp.load(spec)
    state, moves = game.initial(), LINES[spec]
    for ply, text in enumerate(moves, start=1):
        mover, waiter = (ann, bob) if game.side_to_move(state) == 0 else (bob, ann)
        mover.to_move()
        expect(waiter.page.locator("#status")).to_have_text(f"{mover.name} to move.")
        expect(eve.page.locator("#status")).to_have_text(f"{mover.name} to move.")
        assert mover.offered() == {game.action_text(state, action) for action in game.legal_actions(state)}
        assert waiter.offered() == eve.offered() == set()
        if ply == len(moves) // 2:
            for each in (mover, waiter, eve):
                board = each.board()
                each.page.reload()
                each.connected()
                each.sees(board)
        if by_keyboard:
            mover.play_by_keyboard(text)
        else:
            mover.play(text)
        state = game.play(state, game.parse_action(state, text))
        for each in (ann, bob, eve):
            expect(each.listed()).to_have_text(moves[:ply])
        expect(waiter.told()).to_contain_text(f"{mover.name} played {text}.")
        expect(mover.told()).to_contain_text(f"You played {text}.")

    outcome = game.outcome(state)
    assert outcome is not None
    assert outcome.winner is not None
    for each, words in ((ann, "You have"), (bob, "You have"), (eve, "")):
        winner = (ann, bob)[outcome.winner]
        who = words if each is winner else f"{winner.name} has"
        expect(each.page.locator("#status")).to_have_text(f"{who} won: {outcome.reason}.")
        expect(each.told()).to_contain_text(f"{who} won: {outcome.reason}.")
        expect(each.page.locator(f'[data-seat="{outcome.winner}"] .score')).to_have_text("1")
        expect(each.page.locator(f'[data-seat="{1 - outcome.winner}"] .score')).to_have_text("0")
        assert each.offered() == set()
    assert eve.page.locator("main").get_by_role("button", name="Rematch").count() == 0

    press = Person.press_by_keyboard if by_keyboard else Person.press
    press(ann, "Rematch")
    expect(bob.told()).to_have_text("Ann asks to play again with roles swapped.")
    press(bob, "Accept")
    bob.to_move()
    for each in (ann, bob, eve):
        expect(each.listed()).to_have_count(0)
        expect(each.page.locator(f'[data-seat="{outcome.winner}"] .score')).to_have_text("1")
        expect(each.page.get_by_role("link", name="game 1")).to_be_visible()


def test_games_go_on_when_the_server_was_killed_in_the_middle(chromium: Browser, tmp_path: Path) -> None:
    """A move that is made while it is away arrives once."""
    options = ("--data", str(tmp_path / "data"), *MANY)
    tables: list[tuple[Person, Person, tuple[str, ...], int]] = []
    with Server(*options) as server:
        for spec, moves in LINES.items():
            ann, bob = (Person(chromium, server.address, name) for name in ("Ann", "Bob"))
            bob.join(ann.make(spec))
            half = len(moves) // 2
            play((ann, bob), moves[:half])
            tables.append((ann, bob, moves, half))
    for ann, bob, moves, half in tables:
        mover, waiter = (ann, bob) if half % 2 == 0 else (bob, ann)
        expect(waiter.page.locator("#connection")).to_have_text("Reconnecting…")
        expect(mover.page.locator("#connection")).to_have_text("Reconnecting…")
        mover.play(moves[half])
        expect(mover.page.locator("#status")).to_have_text(
            "Your move will be sent when the connection is back."
        )
    with Server(*options, "--port", server.address.rpartition(":")[2]):
        for ann, bob, moves, half in tables:
            for each in (ann, bob):
                each.connected()
                expect(each.listed()).to_have_text(moves[: half + 1])
            for ply, text in enumerate(moves[half + 1 :], start=half + 1):
                (ann, bob)[ply % 2].play(text)
            for each in (ann, bob):
                expect(each.listed()).to_have_text(moves)
                expect(each.page.locator("#status")).to_contain_text(" won: ")
        for ann, bob, *_ in tables:
            complaints = ann.complaints + bob.complaints
            assert [text for text in complaints if "ERR_CONNECTION_REFUSED" not in text] == []
            ann.context.close()
            bob.context.close()


# What else can be done at a table


def test_a_move_is_taken_back_only_if_the_other_agrees(people: People) -> None:
    ann, bob = seated(people, "bit-flip:bits=7")
    assert ann.page.get_by_role("button", name="Take back").count() == 0
    play((ann, bob), ("0",))
    board = ann.board()
    ann.press("Take back")
    expect(ann.page.locator("#offers")).to_have_text("You asked to take back a move. Waiting for an answer.")
    expect(bob.page.locator("#offers")).to_contain_text("Ann asks to take back a move.")
    expect(bob.told()).to_have_text("Ann asks to take back a move.")
    bob.press("Decline")
    expect(ann.told()).to_have_text("Bob declined the request to take back a move.")
    for each, words in ((ann, "Bob declined"), (bob, "You declined")):
        expect(each.page.locator("#offers")).to_have_text(f"{words} the request to take back a move.")
    ann.sees(board)
    ann.press("Take back")
    expect(bob.page.locator("#offers")).to_have_text("Ann asks to take back a move.AcceptDecline")
    bob.press("Accept")
    expect(ann.told()).to_have_text("Bob accepted the request to take back a move. It is your turn.")
    for each in (ann, bob):
        expect(each.listed()).to_have_count(0)
    play((ann, bob), ("3", "0"))


def test_a_game_is_abandoned_by_agreement(people: People) -> None:
    ann, bob = seated(people, "dual-direction")
    ann.press("Abandon")
    expect(bob.page.locator("#offers")).to_contain_text("Ann asks to abandon the game.")
    bob.press("Accept")
    for each in (ann, bob):
        expect(each.page.locator("#status")).to_have_text("Unfinished: abandoned by agreement.")
        expect(each.page.locator(".score")).to_have_text(["0", "0"])
        assert each.offered() == set()
        expect(each.page.get_by_role("link", name="Study this game")).to_be_visible()
    bob.press("Rematch")
    ann.press("Accept")
    bob.to_move()


def test_abandoning_a_game_against_the_computer_asks_once_more(people: People) -> None:
    """It agrees to everything, so that this would end the game at once."""
    ann = people("Ann")
    ann.make("bit-flip", opponent="level:1")
    ann.to_move()
    ann.press("Abandon")
    dialog = ann.page.get_by_role("dialog")
    expect(dialog).to_contain_text("It ends at once.")
    ann.press("Play on", "dialog")
    expect(dialog).to_have_count(0)
    expect(ann.page.get_by_role("button", name="Abandon")).to_be_focused()
    ann.to_move()
    ann.press("Abandon")
    ann.press("Abandon", "dialog")
    expect(ann.page.locator("#status")).to_have_text("Unfinished: abandoned by agreement.")


def test_resigning_asks_once_more(people: People) -> None:
    ann, bob = seated(people, "inversion-race")
    ann.press("Resign")
    dialog = ann.page.get_by_role("dialog")
    expect(dialog).to_contain_text("Give up this game?")
    expect(dialog.get_by_role("button", name="Play on")).to_be_focused()
    bob.press("Abandon")  # what happens meanwhile draws the buttons anew
    expect(ann.page.locator("#offers")).to_contain_text("Bob asks")
    ann.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(ann.page.get_by_role("button", name="Resign")).to_be_focused()
    ann.to_move()
    ann.press("Resign")
    ann.press("Play on", "dialog")
    expect(dialog).to_have_count(0)
    play((ann, bob), ("left",))  # nothing was given up
    ann.press("Resign")
    ann.press("Resign", "dialog")
    expect(bob.page.locator("#status")).to_contain_text("You have won")
    expect(bob.told()).to_contain_text("Ann resigned.")
    expect(ann.page.locator("#status")).to_contain_text("Bob has won")


def test_what_is_no_number_of_mirror_match_costs_the_turn_after_a_warning(people: People) -> None:
    ann, bob = seated(people, "mirror-match")
    field = ann.page.get_by_label("Or type a number")
    expect(ann.page.locator("#typed-help")).to_have_text(
        "Then choose a button. Anything else costs you the turn."
    )
    field.fill("12")
    ann.press("End", ".typed")
    dialog = ann.page.get_by_role("dialog")
    expect(dialog).to_contain_text("“12” is not a number from 1 to 9. Sending it costs you the turn.")
    ann.press("Go back", "dialog")
    expect(field).to_have_value("12")
    ann.to_move()
    ann.press("End", ".typed")
    ann.press("Send it anyway", "dialog")
    bob.to_move()
    expect(bob.told()).to_contain_text("Ann lost the turn: “12 E” is not valid.")
    for each in (ann, bob):
        expect(each.listed()).to_have_text(["lost turn"])
    bob.page.get_by_label("Or type a number").fill("7")
    bob.page.keyboard.press("Enter")
    expect(bob.page.locator(".typed").get_by_role("button", name="Beginning")).to_be_focused()
    bob.page.keyboard.press("Tab")
    bob.page.keyboard.press("Enter")  # a number on offer is sent without a question
    ann.to_move()
    expect(ann.listed()).to_have_text(["lost turn", "7 E"])


def test_a_player_who_is_gone_can_be_left(people: People) -> None:
    ann, bob = seated(people, "bit-flip")
    assert ann.page.get_by_role("button", name="Close the table").count() == 0
    link = ann.page.url.replace("/t/", "/join/") + "/x"
    bob.page.goto("/")
    expect(ann.page.locator('[data-seat="1"] .presence')).to_contain_text("not connected")
    ann.press("Close the table")
    expect(ann.page.get_by_role("dialog")).to_contain_text("The game stays unfinished.")
    ann.press("Close the table", "dialog")
    expect(ann.page.locator("#status")).to_contain_text("The table is closed")
    expect(ann.page.locator(".score")).to_have_text(["0", "0"])
    late = people("Late")
    late.page.goto(link)
    expect(late.page.locator("#invitation")).to_have_text("This table is closed.")


def frozen(page: Page) -> None:
    """Stop the clock of a page that is still empty: from here on only fast_forward makes time pass."""
    page.clock.install(time=0)
    page.clock.pause_at(3600)


def test_only_who_is_gone_for_long_can_be_left(people: People) -> None:
    ann, bob = people("Ann"), people("Bob")

    def patient(route: Route) -> None:  # as if the server asked for a minute
        answer = route.fetch()
        route.fulfill(response=answer, json={**answer.json(), "away_limit": 59.5})

    ann.page.route(re.compile(r"/api/tables/[^/]+$"), patient)
    frozen(ann.page)
    link = ann.make("bit-flip")
    close = ann.page.get_by_role("button", name="Close the table")
    expect(close).to_be_visible()  # nobody has come yet
    bob.join(link)
    ann.to_move()
    expect(close).to_have_count(0)
    bob.page.goto("/")
    seconds = ann.page.locator('[data-seat="1"] .presence')
    expect(seconds).to_have_text("not connected for 0 s")
    ann.page.get_by_role("button", name="Resign").focus()
    ann.page.clock.fast_forward(59_000)
    expect(seconds).to_have_text("not connected for 59 s")
    expect(close).to_have_count(0)
    ann.page.clock.fast_forward(1_000)
    expect(seconds).to_have_text("not connected for 60 s")
    expect(close).to_be_visible()
    expect(ann.told()).to_have_text("Bob has left. You can close the table now.")
    expect(ann.page.get_by_role("button", name="Resign")).to_be_focused()
    ann.press("Close the table")
    ann.press("Close the table", "dialog")
    expect(ann.page.locator("#status")).to_contain_text("The table is closed")
    expect(close).to_have_count(0)


def test_what_cannot_be_chosen_is_explained(people: People) -> None:
    ann, bob = seated(people, "bit-flip:bits=7", has_touch=True)
    eve = people("Eve")
    eve.open(ann.page.url)
    cell = [each.page.locator('#board [data-label="1"]') for each in (ann, bob, eve)]
    said = [each.page.locator("#complaint") for each in (ann, bob, eve)]
    cell[1].click()
    expect(said[1]).to_have_text("Ann to move.")
    play((ann, bob), ("0",))
    expect(said[1]).to_be_hidden()  # something has happened
    cell[0].tap()
    expect(said[0]).to_have_text("Bob to move.")
    cell[1].click()
    expect(said[1]).to_have_text("Bit 1 is next to bit 0, already 1.")
    cell[2].click()
    expect(said[2]).to_be_hidden()  # who watches has nothing to choose
    bob.page.locator("[data-step=first]").click()
    expect(said[1]).to_be_hidden()
    cell[1].click()
    expect(said[1]).to_have_text("You are looking at an earlier position. Return to the game to move.")
    bob.press("Return to the game")
    expect(said[1]).to_be_hidden()
    bob.press("Resign")
    bob.press("Resign", "dialog")
    expect(ann.page.locator("#status")).to_contain_text("You have won")
    cell[0].tap()
    expect(said[0]).to_have_text("The game is over.")


@pytest.mark.parametrize(
    ("spec", "moves", "words"),
    [
        ("dual-direction", (), "You cannot choose 1 now. Choose a cell with a dot."),
        ("mirror-match", ("4 B", "5 E"), "You cannot choose 1 now. Choose a button."),
    ],
)
def test_a_cell_that_no_move_leads_to_is_explained(
    people: People, spec: str, moves: tuple[str, ...], words: str
) -> None:
    ann, bob = seated(people, spec)
    play((ann, bob), moves)
    ann.to_move()
    ann.page.locator('#board [data-label="1"]').click()
    expect(ann.page.get_by_role("alert")).to_have_text(words)


def test_who_comes_back_is_shown_as_here(people: People) -> None:
    ann, bob = seated(people, "bit-flip")
    state = ann.page.locator('[data-seat="1"] .presence')
    table = bob.page.url
    bob.page.goto("/")
    expect(state).to_contain_text("not connected")
    bob.open(table)
    expect(state).to_have_text("here")


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
    expect(bob.page.locator("#status")).to_contain_text("Ann has won")
    ((route, answer),) = late
    assert answer.json()["status"] == "running"
    deaf = False
    release()
    expect(ann.page.locator("#status")).to_have_text("You have won: resignation.")
    route.fulfill(response=answer)
    expect(ann.page.get_by_role("alert")).to_have_text(
        "Something else happened first. Check the table and try again."
    )
    expect(ann.page.locator("#status")).to_have_text("You have won: resignation.")


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
            route.send('{"type":"present","present":[true,false],"away":[null,null],"watching":7}')
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


BOXES = """
selector => [...document.querySelectorAll(selector)].map(each => {
  const { x, y, width, height } = each.getBoundingClientRect();
  return [x, y, width, height];
})
"""
"""Where things are on the screen."""


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

    cells, buttons = "#board svg, #board .ground", "#board button, #actions button"
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
    expect(ann.page.locator("#status")).to_contain_text("You have won")
    arrived("the end")
    bob.press("Rematch")
    expect(ann.page.locator("#offers button")).to_have_count(2)
    arrived("another offer")
    assert moved == []


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


def test_the_last_and_the_legal_moves_are_said_and_drawn(people: People) -> None:
    """In words and in shapes, not by colour alone."""
    ann, bob = seated(people, "bit-flip:bits=4")
    play((ann, bob), ("0",))
    bob.to_move()
    assert bob.board() == ["0: 1, last move", "1: 0", "2: 0, legal move", "3: 0, legal move"]
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
    eve.sees(["1: 3", "2: 3", "3: 4, last move"])
    eve.page.locator("[data-step=previous]").click()
    eve.sees(["1: 3, last move", "2: 3"])
    assert [each for each in asked if each] == [table, f"{table}/games/1/positions/2"]


def test_the_study_page_asks_for_a_game_and_each_position_once(people: People, server: Server) -> None:
    eve = people("Eve")
    asked: list[str] = []
    eve.page.on("request", lambda request: asked.append(request.url.partition("/api/tables/")[2]))
    path = finished(server, "bit-flip:bits=3", ("0", "2"))
    eve.page.goto(f"{path}/g/1")
    eve.sees(["0: 1", "1: 0", "2: 1, last move"])
    eve.page.locator("[data-step=previous]").click()
    eve.sees(["0: 1, last move", "1: 0", "2: 0, win in 1, best"])
    eve.page.locator("[data-step=next]").click()
    eve.sees(["0: 1", "1: 0", "2: 1, last move"])
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


@pytest.mark.parametrize("clipboard", [True, False], ids=["clipboard", "no clipboard"])
def test_links_are_copied(people: People, clipboard: bool) -> None:
    ann = people("Ann", permissions=["clipboard-read", "clipboard-write"])
    if not clipboard:  # as on a page without https
        ann.page.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    link = ann.make("bit-flip")
    ann.press("Copy link")
    expect(ann.told()).to_have_text("Link copied.")
    expect(ann.page.locator("#share button")).to_have_text("Copied")
    reader = ann.another_page()
    reader.goto("/")
    reader.bring_to_front()
    assert reader.evaluate("navigator.clipboard.readText()").endswith(link)


def test_a_link_that_leads_nobody_here_says_so(people: People) -> None:
    ann = people("Ann")
    ann.make("bit-flip")
    expect(ann.page.locator("#share .near")).to_contain_text("This link works only on this machine.")
    names = ["127.0.0.1", "localhost", "[::1]", "127.0.0.1.example.org", "192.168.1.5", "games.example.org"]
    local = ann.page.evaluate(
        "async names => { const { isLocal } = await import('/static/words.js'); return names.map(isLocal); }",
        names,
    )
    assert local == [True, True, True, False, False, False]


def test_a_record_is_downloaded(people: People, server: Server) -> None:
    eve = people("Eve")
    eve.open(finished(server, "bit-flip:bits=7", LINES["bit-flip:bits=7"]))
    with eve.page.expect_download() as downloading:
        eve.page.get_by_role("link", name="Download the record").click()
    (record,) = read_records(Path(downloading.value.path()).read_text())
    assert tuple(move.text for move in record.moves) == LINES["bit-flip:bits=7"]
    expect(eve.page.get_by_label("Link to this game")).to_have_value(f"{eve.page.url}/g/1")


# Rules


@pytest.mark.parametrize("place", ["home", "join", "table"])
def test_the_rules_are_at_hand(people: People, place: str) -> None:
    ann, bob = people("Ann"), people("Bob")
    link = ann.make("inversion-race")
    page = (bob if place == "join" else ann).page
    if place != "table":
        page.goto("/" if place == "home" else link)
    box = page.locator("details.rules", has_text="Rules of Inversion Race")
    box.locator("summary").click()
    # What the rulebook marks is marked, lists in lists too, and no mark is left over.
    expect(box.locator("li strong").first).to_have_text("IR-1")
    assert box.locator("li li code").first.inner_text() == "crossing"
    headings = box.locator("h3" if place == "home" else "h2").all_inner_texts()
    assert headings == ["Rules", "How unclear places are read", "Parameters"]
    assert not re.search(r"\*\*|`|##|^- ", box.inner_text(), re.MULTILINE)
    assert (bob if place == "join" else ann).flaws() == []


# Home


def test_home_shows_every_game_and_its_tables(people: People) -> None:
    ann, bob = people("Hanna"), people("Hugo")  # nobody else at this server is called that
    ann.make("race-to-the-center", public=True)
    page = bob.page
    page.goto("/")
    expect(page.locator("article h2")).to_have_count(len(LINES))
    expect(page.locator("article svg")).to_have_count(len(LINES))
    page.get_by_label("Your name").fill("Hugo")
    place = page.locator("#open a", has_text="Race to the Center").filter(
        has_text="Hanna is waiting for an opponent"
    )
    place.click()
    page.get_by_role("button", name="Sit down").click()
    page.wait_for_url("**/t/*")
    bob.connected()
    play((ann, bob), ("1",))
    eve = people("Eve")
    eve.page.goto("/")
    expect(eve.page.get_by_role("img", name="Race to the Center, a game in progress")).to_be_visible()
    eve.page.get_by_role("link", name="Live: Hanna and Hugo").click()
    expect(eve.listed()).to_have_text(["1"])


@pytest.mark.parametrize("opened", [True, False], ids=["open", "closed"])
def test_a_complaint_stands_by_the_setting_it_is_about(people: People, opened: bool) -> None:
    """On a phone too, where the head of the page is far above."""
    ann = people("Ann", viewport=PHONE)
    ann.pardoned.append("status of 400")
    page, box = ann.page, ann.page.locator("#complaint")
    page.goto("/")
    card = page.locator('[aria-labelledby="game-race-to-the-center"]')
    card.locator(".settings summary").click()
    field = card.locator("#race-to-the-center-positions")
    field.fill("1")
    if not opened:
        card.locator(".settings summary").click()
    card.get_by_role("button", name="Play a friend").click()
    expect(box).to_contain_text("Positions=1: ")
    expect(box).to_be_in_viewport(ratio=0.9)
    expect(field).to_be_in_viewport(ratio=0.9)
    expect(field).to_be_focused()
    # What is about no setting stands by the buttons.
    field.fill("")
    page.get_by_label("Your name").fill("You")
    card.get_by_role("button", name="Play a friend").click()
    expect(box).to_contain_text("Name: is reserved; pages call you that")
    expect(box).to_be_in_viewport(ratio=0.9)


@pytest.mark.parametrize("listed", [False, True])
def test_a_table_for_a_friend_is_listed_if_one_likes(people: People, listed: bool) -> None:
    ann, eve = people(f"Friend {listed}"), people("Eve")
    ann.page.goto("/")
    ann.page.get_by_label("Your name").fill(ann.name)
    card = ann.page.locator('[aria-labelledby="game-bit-flip"]')
    card.get_by_text("Settings").click()
    box = card.get_by_label("list it here so that anyone can join")
    expect(box).not_to_be_checked()
    box.set_checked(listed)
    card.get_by_role("button", name="Play a friend").click()
    ann.connected()
    expect(ann.page.locator("#share small:not(.near)")).to_have_text(
        "It is also listed on the home page. The first person to sit down gets the other seat."
        if listed
        else "The first person to sit down gets the other seat. Others can watch at this page's address."
    )
    eve.page.goto("/")
    expect(eve.page.locator("#open li")).not_to_have_count(0)
    expect(eve.page.locator("#open a", has_text=ann.name)).to_have_count(int(listed))


def test_home_shows_ones_own_games(people: People) -> None:
    ann, bob = people("Ann"), people("Bob")
    frozen(ann.page)
    ann.page.goto("/")
    expect(ann.page.locator("article svg")).to_have_count(len(LINES))
    expect(ann.page.locator("#own")).to_be_hidden()
    for spec in ("bit-flip:bits=1", "bit-flip:bits=2", "bit-flip:bits=3", "bit-flip:bits=4"):
        link = ann.make(spec)
        if spec == "bit-flip:bits=4":
            ann.press("Close the table")
            ann.press("Close the table", "dialog")
            expect(ann.page.locator("#status")).to_contain_text("closed")
        else:
            bob.join(link)
            ann.press("Resign")
            ann.press("Resign", "dialog")
            expect(ann.page.locator("#status")).to_contain_text("won")
    bob.join(ann.make("race-to-the-center"))
    ann.play("1")
    expect(ann.listed()).to_have_count(1)
    table = bob.page.url
    ann.make("dual-direction", seat=1)
    rows = ann.page.locator("#seats a")
    ann.page.goto("/")
    over = ["Bit Flipclosed", "Bit Flipagainst Bobover", "Bit Flipagainst Bobover"]
    expect(rows).to_have_text(
        ["Dual Directionwaiting for an opponent", "Race to the Centeragainst BobBob to move", *over]
    )
    expect(rows.locator("strong")).to_have_count(0)
    expect(ann.page.locator("#running li")).not_to_have_count(0)  # all has been asked for once
    rows.nth(1).focus()
    bob.play("1")
    expect(bob.listed()).to_have_count(2)
    ann.page.clock.fast_forward(5_000)
    expect(rows).to_have_text(
        ["Race to the Centeragainst Bobyour turn", "Dual Directionwaiting for an opponent", *over]
    )
    expect(rows.locator("strong")).to_have_text(["your turn"])
    expect(rows.first).to_be_focused()
    ann.page.keyboard.press("Enter")
    ann.page.wait_for_url(table)
    ann.to_move()


@pytest.mark.parametrize("spec", LINES)
def test_one_click_plays_the_computer(people: People, spec: str) -> None:
    ann = people("Ann")
    name = spec.partition(":")[0]
    ann.page.goto("/")
    ann.page.locator(f"#{name}-level").select_option("level 2")
    ann.page.locator(f'[data-play="{name}"]').click()
    ann.to_move()
    expect(ann.page.locator("#players")).to_contain_text("Computer, level 2")
    eve = people("Eve")
    eve.page.goto("/")
    table = ann.page.url.rpartition("/")[2]
    expect(eve.page.locator(f'#running a[href="/t/{table}"]')).to_have_count(1)
    plies = ann.listed().count()
    assert plies in {0, 1}
    ann.page.locator("#board [data-move]:not(:disabled)").first.click()
    expect(ann.listed()).to_have_count(plies + 2)


def test_what_people_type_is_shown_as_text(people: People) -> None:
    name = "<img src=x onerror=alert(1)><b>Ann</b>"
    ann, bob = people(name), people("<script>alert(2)</script>")
    link = ann.make("bit-flip", public=True)
    eve = people("Eve")
    eve.page.goto("/")
    expect(eve.page.locator("#open a", has_text=name)).to_have_count(1)
    eve.page.goto(link)
    expect(eve.page.locator("#invitation")).to_contain_text(f"{name} invites you")
    bob.sit_down(link)
    for each in (ann, bob):
        expect(each.page.locator("#players b")).to_have_text(
            [bob.name, name] if each is ann else [name, bob.name]
        )
    play((ann, bob), ("0",))
    expect(bob.told()).to_contain_text(f"{name} played 0.")
    assert bob.page.locator("main img, main script, b b").count() == 0


# Study


def test_a_finished_game_is_studied_and_played_on(people: People, server: Server) -> None:
    eve = people("Eve")
    page = eve.page
    page.goto(finished(server, "bit-flip:bits=3", ("0", "2")))
    page.get_by_role("link", name="Study this game").click()
    page.wait_for_url("**/g/1*")
    expect(page.locator("#review li")).not_to_have_count(0)
    expect(page.locator("#accuracy").locator("th, td")).to_have_text(
        ["Ann (Player 1)", "0 %", "Bob (Player 2)", "nothing to lose"]
    )
    expect(page.locator("#people")).to_have_text("Ann against Bob")
    expect(page.get_by_role("button", name="1. Player 1: 0, threw away the win")).to_be_visible()
    page.locator("[data-step=first]").click()
    eve.sees(["0: 0, loss in 2", "1: 0, win in 1, best", "2: 0, loss in 2"])
    expect(page.locator("#values tbody th")).to_have_text(["0 (played)", "1", "2"])
    expect(page.locator("#status")).to_have_text("Player 1 to move: win in 1 with best play.")
    page.get_by_role("button", name="Play on from here against perfect play").click()
    page.wait_for_url(lambda address: "/g/" not in address)
    eve.to_move()
    table = page.url
    eve.pardoned.append("403")
    page.goto("/study?game=bit-flip")  # not while one has a seat at a running game
    expect(page.get_by_role("alert")).to_contain_text("You have a seat at a running game")
    assert page.locator("#values table").count() == 0
    page.get_by_role("link", name="Go to that game").click()
    eve.to_move()
    assert page.url == table
    eve.play("1")
    expect(page.locator("#status")).to_have_text("You have won: last flip.")


def test_any_position_is_studied_on_a_board_of_ones_own(people: People) -> None:
    eve = people("Eve")
    page = eve.page
    page.goto("/study?game=bit-flip:bits=3")
    values = [
        "0: 0, legal move, loss in 2",
        "1: 0, legal move, win in 1, best",
        "2: 0, legal move, loss in 2",
    ]
    eve.sees(values)
    page.locator('[data-move="0"]').click()
    expect(page.locator("#last")).to_have_text("After 1. Player 1: 0.")
    expect(eve.told()).to_have_text("After 1. Player 1: 0. Player 2 to move: win in 1 with best play.")
    assert page.url.endswith("moves=0")
    page.reload()
    expect(page.locator("#last")).to_have_text("After 1. Player 1: 0.")
    page.locator("[data-step=previous]").click()
    eve.sees(values)
    page.locator('[data-move="1"]').click()
    expect(page.locator("#status")).to_contain_text("Player 1 wins")
    expect(eve.listed()).to_have_text(["1"])
    page.get_by_role("button", name="Clear the board").click()
    eve.sees(values)
    page.locator('[data-move="2"]').click()
    expect(page.locator("#last")).to_have_text("After 1. Player 1: 2.")
    page.get_by_role("button", name="Play on from here against perfect play").click()
    page.wait_for_url("**/t/*")
    eve.to_move()
    expect(eve.listed()).to_have_text(["2"])
    eve.play("0")
    expect(page.locator("#status")).to_have_text("You have won: last flip.")


def test_a_board_of_ones_own_goes_back_with_the_browser(people: People) -> None:
    eve = people("Eve")
    page = eve.page
    page.goto("/study?game=bit-flip:bits=7")
    expect(page.locator("#last")).to_have_text("Start position.")
    expect(page.locator("#review li")).to_have_count(0)  # nothing has been played
    for ply, text in enumerate(("0", "2", "4"), start=1):
        page.locator(f'[data-move="{text}"]').click()
        expect(page.locator("#last")).to_contain_text(f"After {ply}. ")
    expect(page.locator("#review li")).not_to_have_count(0)
    page.go_back()
    expect(page.locator("#last")).to_have_text("After 2. Player 2: 2.")
    expect(eve.listed()).to_have_text(["0", "2"])
    assert page.url.endswith("moves=0%2C2")
    page.locator("[data-step=previous]").click()
    expect(page.locator("#last")).to_have_text("After 1. Player 1: 0.")
    page.locator('[data-move="5"]').click()
    expect(eve.listed()).to_have_text(["0", "5"])
    page.go_back()  # to what was looked at before
    expect(eve.listed()).to_have_text(["0", "2"])
    expect(page.locator("#last")).to_have_text("After 1. Player 1: 0.")
    page.go_forward()
    expect(eve.listed()).to_have_text(["0", "5"])
    expect(page.locator("#last")).to_have_text("After 2. Player 2: 5.")
    page.locator('#board [data-label="1"]').click()
    expect(page.get_by_role("alert")).to_have_text("Bit 1 is next to bit 0, already 1.")
    page.goto("/study?game=dual-direction")
    page.locator('#board [data-label="1"]').click()
    expect(page.get_by_role("alert")).to_have_text("You cannot choose 1 now. Choose a cell with a value.")
    page.goto("/study?game=bit-flip:bits=1&moves=0")
    page.locator('#board [data-label="0"]').click()
    expect(page.get_by_role("alert")).to_have_text("The game is over in this position.")


def test_a_move_that_cannot_be_studied_is_not_made(people: People) -> None:
    eve = people("Eve")
    eve.pardoned.append("503")
    page = eve.page
    page.goto("/study?game=bit-flip:bits=7")
    expect(page.locator("#last")).to_have_text("Start position.")
    page.route("**/api/study", lambda route: route.fulfill(status=503, json={"error": "busy", "text": "no"}))
    page.locator('[data-move="0"]').click()
    expect(page.get_by_role("alert")).to_have_text("No.")
    page.unroute("**/api/study")
    page.locator('[data-move="2"]').click()
    expect(page.locator("#last")).to_have_text("After 1. Player 1: 2.")
    expect(eve.listed()).to_have_text(["2"])


def test_a_game_that_may_not_be_studied_can_be_looked_at(people: People) -> None:
    ann, bob = seated(people, "bit-flip:bits=7")
    play((ann, bob), ("0", "2"))
    eve = people("Eve")
    eve.pardoned.append("409")
    refusal = {"error": "running", "text": "this game is still being played"}
    eve.page.route("**/study/*", lambda route: route.fulfill(status=409, json=refusal))
    eve.page.goto(f"{ann.page.url}/g/1")
    expect(eve.page.get_by_role("alert")).to_have_text("This game is still being played.")
    expect(eve.page.locator("#status")).to_have_text("Player 1 to move.")
    expect(eve.listed()).to_have_text(["0", "2"])
    assert eve.board() == [label.replace(", legal move", "") for label in ann.board()]
    expect(eve.page.locator("#people")).to_have_text("Ann against Bob")
    assert eve.page.locator("#actions button, #values *").count() == 0


@pytest.mark.parametrize(
    ("spec", "second"), [("bit-flip:bits=7", ["Ann", "Bob"]), ("race-to-the-center", ["Bob", "Ann"])]
)
def test_the_names_go_with_the_sides(people: People, server: Server, spec: str, second: list[str]) -> None:
    """In the second game they are exchanged where the rules fix which side starts."""
    ann, bob = server.person(), server.person()
    made = ann.make(spec, name="Ann")
    bob.join(made)
    table = made["table"]["id"]
    for number, (who, kind, text) in enumerate(
        [
            (ann, "move", "1"),
            (bob, "resign", ""),
            (ann, "offer", "rematch"),
            (bob, "accept", "rematch"),
            (bob, "move", "1"),
            (ann, "resign", ""),
        ],
        start=3,
    ):
        assert who.act(table, number, kind, text).status_code == 200
    page = people("Eve").page
    for game, names in ((1, ["Ann", "Bob"]), (2, second)):
        page.goto(f"/t/{table}/g/{game}")
        expect(page.locator("#people")).to_have_text(" against ".join(names))
        expect(page.locator("#accuracy th")).to_have_text(
            [f"{names[0]} (Player 1)", f"{names[1]} (Player 2)"]
        )


@pytest.mark.parametrize("game", ["abc", "0", "99", "99999999999999"])
def test_there_is_no_such_game(people: People, server: Server, game: str) -> None:
    eve = people("Eve")
    eve.pardoned.append("404")
    eve.page.goto(f"{finished(server, 'bit-flip:bits=1', ('0',))}/g/{game}")
    expect(eve.page.get_by_role("heading", name="Game not found")).to_be_visible()
    expect(eve.page.locator("#complaint")).to_be_hidden()
    eve.page.get_by_role("link", name="Go to the games").click()
    expect(eve.page.locator("article svg")).to_have_count(len(LINES))


def test_an_address_that_leads_nowhere(people: People) -> None:
    eve = people("Eve")
    eve.page.goto("/static/missing.html")
    expect(eve.page.get_by_role("heading", name="Page not found")).to_be_visible()
    eve.page.get_by_role("link", name="Go to the games").click()
    expect(eve.page.locator("article svg")).to_have_count(len(LINES))


def test_no_list_of_moves_ends_in_the_middle_of_a_line(people: People) -> None:
    eve = people("Eve")
    eve.page.goto("/study?game=dual-direction&moves=" + ",".join(["left", "right"] * 20))
    expect(eve.page.locator("#moves li")).to_have_count(40)
    boxes = eve.page.locator("#values, #values :not(.unseen)").evaluate_all(
        "all => all.filter(box => box.clientHeight && box.scrollHeight > box.clientHeight + 1).length"
    )
    assert boxes == 0
    tops = "list => [list.clientHeight, list.querySelector('li').offsetHeight]"
    inside, line = eve.page.locator("#moves .moves").evaluate(tops)
    assert inside % line == 0


def test_a_game_for_the_study_board_is_chosen(people: People) -> None:
    eve = people("Eve")
    page = eve.page
    page.goto("/study")
    chooser = page.get_by_label("game", exact=True)
    chooser.focus()
    chooser.select_option("Dual Direction")
    expect(page.get_by_role("heading", name="Dual Direction, study board")).to_be_visible()
    expect(page.locator("#board [data-cell]")).to_have_count(11)
    expect(chooser).to_be_focused()
    assert page.url.endswith("/study?game=dual-direction")
    page.locator("#choose summary").click()
    page.locator("#study-positions").fill("5")
    page.get_by_role("button", name="Use these settings").click()
    expect(page.locator("#board [data-cell]")).to_have_count(5)
    page.reload()
    expect(page.locator("#board [data-cell]")).to_have_count(5)
    eve.pardoned.append("400")
    page.locator("#choose summary").click()
    page.locator("#study-positions").fill("1")
    page.get_by_role("button", name="Use these settings").click()
    expect(page.get_by_role("alert")).to_contain_text("Positions=1: must be")
    page.locator("#board [data-move=left]").first.click()  # what could be shown is there still
    expect(page.locator("#last")).to_have_text("After 1. Player 1: left.")
    page.go_back()
    expect(page.locator("#last")).to_have_text("Start position.")
    page.go_back()
    expect(page.locator("#board [data-cell]")).to_have_count(11)
    expect(page.locator("#study-positions")).to_have_value("")
    page.go_back()
    expect(chooser).to_have_value("bit-flip")
    expect(page.get_by_role("heading", name="Bit Flip, study board")).to_be_visible()


# For everyone

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
        {"label": "pass", "action": 9, "text": "pass", "group": "Turn"},
        {"label": "left", "action": 10, "text": "turn left", "group": "Board"},
        {"label": "right", "action": 11, "text": "turn right", "group": "Board"},
    ],
    "captions": ["X has two", "O has two"],
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
    expect(ann.page.locator(".live a")).not_to_have_count(0)
    check(ann, "#seats", "#running", ".live a")
    bob.press("Resign")
    bob.press("Resign", "dialog")
    expect(bob.page.locator("#status")).to_contain_text("won")
    bob.page.goto(f"{bob.page.url}/g/1")
    check(bob, "#people", "#accuracy th")


COMMAS = """
document => [...document.querySelectorAll("main *")]
  .flatMap(element => [...element.childNodes])
  .filter(node => node.nodeType === Node.TEXT_NODE && node.data.includes("Computer,") && node.parentElement.checkVisibility())
  .map(node => {
    const [at, range] = [node.data.indexOf("Computer,"), document.createRange()];
    range.setStart(node, at);
    range.setEnd(node, at + "Computer,".length);
    return range.getClientRects().length;
  })
"""
"""In how many lines each "Computer," stands."""


@pytest.mark.parametrize("profile", [{"viewport": PHONE}, {}], ids=["phone", "wide"])
def test_the_name_of_a_computer_is_not_torn_apart(people: People, profile: dict[str, Any]) -> None:
    ann = people(LONG[0], **profile)
    ann.make("race-to-the-center", opponent="level:10", public=True)
    for places in (1, 3):  # the table, and home: among one's own, live, and in the list
        if places > 1:
            ann.page.goto("/")
            expect(ann.page.locator("#running a")).not_to_have_count(0)
            expect(ann.page.locator(".live a")).not_to_have_count(0)
        lines = ann.page.evaluate(f"({COMMAS})(document)")
        assert len(lines) >= places
        assert set(lines) == {1}


def test_on_a_phone_the_board_comes_soon(people: People) -> None:
    ann, _ = seated(people, "race-to-the-center", viewport=PHONE)

    def box(selector: str) -> FloatRect:
        found = ann.page.locator(selector).bounding_box()
        assert found is not None
        return found

    title, spec, board, rules = map(box, ("#title", "#spec", "#board", "#rules"))
    assert title["y"] < spec["y"] + spec["height"] / 2 < title["y"] + title["height"]  # in one line
    assert board["y"] < PHONE["height"] / 3
    assert rules["y"] > board["y"] + board["height"]
    ann.tab_to("#board [data-move]")  # and the keyboard goes the way that is seen
    ann.tab_to("#rules summary")
    ann.tab_to("#moves button")
    ann.page.set_viewport_size({"width": 1200, "height": 760})
    players, rules, board = map(box, ("#players", "#rules", "#board"))
    assert rules["y"] > players["y"] + players["height"]
    assert rules["x"] + rules["width"] <= board["x"]


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
    expect(ann.page.get_by_role("link", name="Study this game")).to_be_visible()
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
    for summary in ann.page.locator("summary").all():
        summary.click()
    yield "home", ann
    eve.page.goto("/static/missing.html")
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
    yield "no table", eve


@pytest.mark.parametrize(
    "profile",
    [{}, {"viewport": PHONE, "color_scheme": "dark", "has_touch": True, "is_mobile": True}],
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
        ann.page.set_viewport_size(size)  # type: ignore[arg-type]
        ann.page.wait_for_function(
            "width => document.documentElement.scrollWidth <= width", arg=size["width"]
        )


@pytest.mark.parametrize(("scheme", "dark"), [("light", False), ("dark", True)])
def test_the_pages_are_as_dark_as_the_browser(people: People, scheme: str, dark: bool) -> None:
    eve = people("Eve", color_scheme=scheme)
    link = people("Ann").make("bit-flip")
    for page in ("/", "/study", link, link.replace("/join/", "/t/").rpartition("/")[0]):
        eve.page.goto(page)
        colours = eve.page.evaluate(
            "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]"
        )
        ground, ink = (sum(map(int, re.findall(r"\d+", colour)[:3])) for colour in colours)
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
    assert eve.page.locator("#actions button, #offers button, #share input").count() == 0
    late = people("Late")
    late.page.goto(bob.page.url.replace("/t/", "/join/") + "/x")
    expect(late.page.locator("#invitation")).to_have_text("Both seats at this table are taken.")
    cookies = ann.context.cookies()
    assert [(cookie["httpOnly"], cookie["sameSite"]) for cookie in cookies] == [(True, "Lax")]
    assert all(json.dumps(cookie["value"])[1:-1] not in ann.page.content() for cookie in cookies)
