"""The pages in a real browser: whole games by pointer and keyboard, and what a person may need besides."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

import perfectplay as pp
from perfectplay.core.record import read_records
from tests.browsers import PHONE, Person, program, started
from tests.extras import leave_out
from tests.web_servers import Server

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
        ann.tab_to(f"{card} summary")
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
        page.locator(f"{card} summary").click()
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
        expect(waiter.page.locator("#status")).to_have_text(f"{mover.name} is to move.")
        expect(eve.page.locator("#status")).to_have_text(f"{mover.name} is to move.")
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
    expect(bob.told()).to_have_text("Ann offers to play again with the sides exchanged.")
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
            "Your move is sent as soon as the connection is back."
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
    expect(ann.page.locator("#offers")).to_have_text(
        "You offered to take back a move. Waiting for an answer."
    )
    expect(bob.page.locator("#offers")).to_contain_text("Ann offers to take back a move.")
    expect(bob.told()).to_have_text("Ann offers to take back a move.")
    bob.press("Decline")
    expect(ann.told()).to_have_text("Bob declined to take back a move.")
    ann.sees(board)
    ann.press("Take back")
    bob.press("Accept")
    expect(ann.told()).to_have_text("Bob agreed to take back a move. It is your turn.")
    for each in (ann, bob):
        expect(each.listed()).to_have_count(0)
    play((ann, bob), ("3", "0"))


def test_a_game_is_abandoned_by_agreement(people: People) -> None:
    ann, bob = seated(people, "dual-direction")
    ann.press("Abandon")
    expect(bob.page.locator("#offers")).to_contain_text("Ann offers to abandon the game.")
    bob.press("Accept")
    for each in (ann, bob):
        expect(each.page.locator("#status")).to_contain_text("The table is closed")
        expect(each.page.locator(".score")).to_have_text(["0", "0"])
        assert each.offered() == set()
        expect(each.page.get_by_role("link", name="Study this game")).to_be_visible()


def test_resigning_asks_once_more(people: People) -> None:
    ann, bob = seated(people, "inversion-race")
    ann.press("Resign")
    dialog = ann.page.get_by_role("dialog")
    expect(dialog).to_contain_text("Give this game up?")
    expect(dialog.get_by_role("button", name="Play on")).to_be_focused()
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
    field.fill("12")
    ann.press("End", ".typed")
    dialog = ann.page.get_by_role("dialog")
    expect(dialog).to_contain_text("“12” is no number from 1 to 9. Sending it costs you the turn.")
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
    bob.page.goto("/")
    expect(ann.page.locator('[data-seat="1"] .presence')).to_contain_text("not connected")
    ann.press("Close the table")
    expect(ann.page.get_by_role("dialog")).to_contain_text("The game stays unfinished.")
    ann.press("Close the table", "dialog")
    expect(ann.page.locator("#status")).to_contain_text("The table is closed")
    expect(ann.page.locator(".score")).to_have_text(["0", "0"])


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
    expect(bob.page.locator("#offers")).to_contain_text("You offered")
    ann.play("3")
    bob.to_move()
    release()
    for each in (ann, bob):
        expect(each.listed()).to_have_text(["3"])
    expect(ann.page.locator("#complaint")).to_be_hidden()


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


def test_looking_back(people: People) -> None:
    ann, bob = seated(people, "bit-flip:bits=7")
    boards = [ann.board()]
    play((ann, bob), ("0", "2"))
    ann.to_move()
    now = ann.board()
    ann.page.locator("[data-step=first]").click()
    expect(ann.page.locator("#status")).to_have_text("Looking back: the start of 2.")
    assert ann.offered() == set()  # what is over cannot be played
    ann.sees([label.removesuffix(", legal move") for label in boards[0]])
    ann.page.locator("[data-step=next]").click()
    expect(ann.page.locator("#status")).to_have_text("Looking back: after move 1 of 2.")
    expect(ann.told()).to_have_text("Position after 1. Ann: 0.")
    ann.page.keyboard.press("End")
    ann.to_move()
    ann.sees(now)
    ann.page.get_by_role("button", name=re.compile(r"^1\. ")).click()
    expect(ann.page.locator("#status")).to_have_text("Looking back: after move 1 of 2.")
    ann.page.keyboard.press("ArrowLeft")
    expect(ann.page.locator("#status")).to_have_text("Looking back: the start of 2.")


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


@pytest.mark.parametrize("clipboard", [True, False], ids=["clipboard", "no clipboard"])
def test_links_are_copied(people: People, clipboard: bool) -> None:
    ann = people("Ann", permissions=["clipboard-read", "clipboard-write"])
    if not clipboard:  # as on a page without https
        ann.page.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    link = ann.make("bit-flip")
    ann.press("Copy link")
    expect(ann.told()).to_have_text("The link was copied.")
    expect(ann.page.locator("#share button")).to_have_text("Copied")
    reader = ann.another_page()
    reader.goto("/")
    reader.bring_to_front()
    assert reader.evaluate("navigator.clipboard.readText()").endswith(link)


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
    ann.make("race-to-the-center")
    page = bob.page
    page.goto("/")
    expect(page.locator("article h2")).to_have_count(len(LINES))
    expect(page.locator("article svg")).to_have_count(len(LINES))
    page.get_by_label("Your name").fill("Hugo")
    place = page.locator("#open a", has_text="Race to the Center").filter(has_text="Hanna waits for someone")
    place.click()
    page.get_by_role("button", name="Sit down").click()
    page.wait_for_url("**/t/*")
    bob.connected()
    play((ann, bob), ("1",))
    eve = people("Eve")
    eve.page.goto("/")
    expect(eve.page.get_by_role("img", name="Race to the Center, being played now")).to_be_visible()
    eve.page.get_by_role("link", name="Live: Hanna and Hugo").click()
    expect(eve.listed()).to_have_text(["1"])


@pytest.mark.parametrize("spec", LINES)
def test_one_click_plays_the_computer(people: People, spec: str) -> None:
    ann = people("Ann")
    name = spec.partition(":")[0]
    ann.page.goto("/")
    ann.page.locator(f"#{name}-level").select_option("level 2")
    ann.page.locator(f'[data-play="{name}"]').click()
    ann.to_move()
    expect(ann.page.locator("#players")).to_contain_text("Computer, level 2")
    plies = ann.listed().count()
    assert plies in {0, 1}
    ann.page.locator("#board [data-move]:not(:disabled)").first.click()
    expect(ann.listed()).to_have_count(plies + 2)


def test_what_people_type_is_shown_as_text(people: People) -> None:
    name = "<img src=x onerror=alert(1)><b>Ann</b>"
    ann, bob = people(name), people("<script>alert(2)</script>")
    link = ann.make("bit-flip")
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
        ["Player 1", "0 %", "Player 2", "nothing to lose"]
    )
    expect(page.get_by_role("button", name="1. Player 1: 0, threw away the win")).to_be_visible()
    page.locator("[data-step=first]").click()
    eve.sees(["0: 0, loss in 2", "1: 0, win in 1, best", "2: 0, loss in 2"])
    expect(page.locator("#values tbody th")).to_have_text(["0 (played)", "1", "2"])
    expect(page.locator("#status")).to_have_text("Player 1 to move: win in 1 with best play.")
    page.get_by_role("button", name="Play on from here against perfect").click()
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
    page.get_by_role("button", name="Play on from here against perfect").click()
    page.wait_for_url("**/t/*")
    eve.to_move()
    expect(eve.listed()).to_have_text(["2"])
    eve.play("0")
    expect(page.locator("#status")).to_have_text("You have won: last flip.")


def test_a_game_for_the_study_board_is_chosen(people: People) -> None:
    page = people("Eve").page
    page.goto("/study")
    page.get_by_label("game", exact=True).select_option("Dual Direction")
    page.locator("#choose summary").click()
    page.locator("#study-positions").fill("5")
    page.get_by_role("button", name="Set up the board").click()
    page.wait_for_url("**/study?game=dual-direction*")
    expect(page.locator("#board [data-cell]")).to_have_count(5)


# For everyone


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
        bob.join(ann.make(spec.partition(":")[0]))
        play((ann, bob), LINES[spec][:2])
        ann.to_move()
        yield spec, ann
    eve.page.goto("/")
    expect(eve.page.locator("#running a")).not_to_have_count(0)
    expect(eve.page.locator("article svg")).to_have_count(len(LINES))
    for summary in eve.page.locator("summary").all():
        summary.click()
    yield "home", eve
    table = finished(server, "bit-flip:bits=7", LINES["bit-flip:bits=7"])
    eve.page.goto(f"{table}/g/1")
    expect(eve.page.locator("#review li")).not_to_have_count(0)
    yield "the study of a game", eve
    eve.page.goto("/study?game=inversion-race&moves=left,right")
    expect(eve.page.locator("#values table")).to_be_visible()
    yield "a study board", eve
    eve.pardoned.append("404")
    eve.page.goto("/t/nothere")
    expect(eve.page.get_by_role("heading", name="There is no such table")).to_be_visible()
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
    expect(late.page.locator("#invitation")).to_contain_text("taken")
    cookies = ann.context.cookies()
    assert [(cookie["httpOnly"], cookie["sameSite"]) for cookie in cookies] == [(True, "Lax")]
    assert all(json.dumps(cookie["value"])[1:-1] not in ann.page.content() for cookie in cookies)
