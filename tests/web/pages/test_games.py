"""Whole games in a browser, by pointer and by keyboard."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

import perfectplay as pp
from tests.web.browsers import PHONE, Person
from tests.web.pages.tables import MANY, People, listed, play
from tests.web.servers import Server
from tests.web.whole_games import LINES


def invitation(ann: Person, spec: str, by_keyboard: bool) -> str:
    """Make a table on the home page, with the first seat, and take its link."""
    name, _, settings = spec.partition(":")
    values = [pair.split("=") for pair in settings.split(",") if pair]
    card, page = f'[aria-labelledby="game-{name}"]', ann.page
    page.goto("/")
    expect(page.locator(card)).to_be_visible()
    if by_keyboard:
        ann.tab_to("#name")
        page.keyboard.type(ann.name)
        if page.locator(f"{card} .preset").count():
            ann.tab_to(f"{card} .preset input")
            while not ann.holds(f'[value="{name}"]:checked'):
                page.keyboard.press("ArrowRight")
        ann.tab_to(f"{card} .at-table summary")
        page.keyboard.press("Enter")
        ann.tab_to(f"#{name}-seat")
        page.keyboard.press("f")  # first
        ann.tab_to(f"{card} .settings summary")
        page.keyboard.press("Enter")
        for parameter in page.locator(f"{card} .settings [data-parameter]").all():
            given = dict(values).get(str(parameter.get_attribute("data-parameter")))
            if given is not None:
                ann.tab_to(f"#{parameter.get_attribute('id')}")
                page.keyboard.type(given)
        ann.tab_to(f'[data-share="{name}"]', key="Shift+Tab")
        page.keyboard.press("Enter")
    else:
        page.get_by_label("Your name").fill(ann.name)
        for kind in ("at-table", "settings"):
            page.locator(f"{card} .{kind} summary").click()
        preset = page.locator(f"{card} .preset", has_text="By the rulebook")
        if preset.count():
            preset.locator("b").click()
        for parameter, value in values:
            page.locator(f"#{name}-{parameter}").fill(value)
        page.locator(f"#{name}-seat").select_option("first")
        page.locator(f'[data-share="{name}"]').click()
    ann.connected()
    link: str = page.get_by_label("Send this link").input_value()
    assert link.startswith(page.url.replace("/t/", "/join/"))
    return link


TYPISTS = {
    "bit-flip": "Ann",
    "dual-direction": "Bob",
    "inversion-race": "Ann",
    "mirror-match": "Ann",  # so that its moves of two steps are made by touch, too
    "race-to-the-center": "Bob",
}


@pytest.mark.parametrize(("spec", "typist"), [(spec, TYPISTS[spec.partition(":")[0]]) for spec in LINES])
def test_two_people_play_a_whole_game_and_a_third_watches(people: People, spec: str, typist: str) -> None:
    """One of them uses the keyboard alone, the other never does."""
    ann, eve = people("Ann"), people("Eve")
    bob = people("Bob", viewport=PHONE, has_touch=typist == "Ann")
    link = invitation(ann, spec, by_keyboard=typist == "Ann")
    if typist == "Bob":
        bob.page.goto(link)
        expect(bob.page.locator("#name")).to_be_focused()
        expect(bob.page.locator("#aim")).to_contain_text("Your goal: ")
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
    led = "" if game.name in ("bit-flip", "mirror-match") else ", to [0-9]+"
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
        if mover.name == typist:
            mover.play_by_keyboard(text)
        else:
            mover.play(text)
        state = game.play(state, game.parse_action(state, text))
        for each in (ann, bob, eve):
            expect(each.listed()).to_have_text(listed(moves[:ply]))
        said = listed(moves[:ply])[-1].strip("←→ ")
        end = " at the (beginning|end)" if said != text and ply > 1 else ""
        heard = re.compile(f"(?:You|{mover.name}) played {re.escape(said)}{end}{led}(, [a-z -]+)?\\.")
        expect(waiter.told()).to_contain_text(heard)
        expect(mover.told()).to_contain_text(heard)

    outcome = game.outcome(state)
    assert outcome is not None
    assert outcome.winner is not None
    winner, loser = (ann, bob)[outcome.winner], (ann, bob)[1 - outcome.winner]
    played = pp.Match(game)
    for text in moves:
        played.play(text)
    mistakes = [each for each in pp.solve(game).regret(played.record()).plies if not each.kept]
    given_away = [each.ply for each in mistakes]
    erred = any(each.side != outcome.winner for each in mistakes)
    turned = f"changed on move {given_away[-1]}: " if given_away else "never changed: "
    for each, verdict in ((winner, "You won"), (loser, "You lost"), (eve, f"{winner.name} won")):
        names = {
            "winner": "you" if each is winner else winner.name,
            "loser": "you" if each is loser else loser.name,
        }
        why = game.texts().endings[outcome.reason].format(**names)
        why = why[0].upper() + why[1:]
        expect(each.page.locator("#status")).to_have_text(verdict)
        expect(each.page.locator("#aim")).to_have_text(why)
        expect(each.told()).to_contain_text(f"{verdict}. {why}")
        expect(each.page.locator("#note")).to_contain_text(f"The lead {turned}")
        expect(each.page.locator("#moves .deciding .text")).to_have_text(
            [listed(moves)[i - 1] for i in given_away[-1:]]
        )
        if given_away:
            each.page.locator(f'#moves [data-ply="{given_away[-1]}"]').click()
            expect(each.page.locator("#board .deciding")).not_to_have_count(0)
            each.press("Last move")
            each.page.locator("#board").focus()  # the Tab key goes on from here
        expect(each.page.locator("#board .deciding")).to_have_count(0)
        expect(each.page.locator(f'[data-seat="{outcome.winner}"] .score')).to_have_text("1")
        expect(each.page.locator(f'[data-seat="{1 - outcome.winner}"] .score')).to_have_text("0")
        assert each.offered() == set()
    assert eve.page.locator("main").get_by_role("button", name="Rematch").count() == 0
    expect(loser.page.locator("#ending a").first).to_have_text(
        "Where did I go wrong?" if erred else "Study this game"
    )

    press = {typist: Person.press_by_keyboard}
    press.get("Ann", Person.press)(ann, "Rematch")
    expect(bob.told()).to_have_text("Ann asks to play again, this time with you going first.")
    press.get("Bob", Person.press)(bob, "Accept the rematch")
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
        for spec in ("dual-direction:positions=7", "mirror-match:digits=3"):  # cells, and moves of two steps
            moves = LINES[spec]
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
                expect(each.listed()).to_have_text(listed(moves[: half + 1]))
            for ply, text in enumerate(moves[half + 1 :], start=half + 1):
                (ann, bob)[ply % 2].play(text)
            for each in (ann, bob):
                expect(each.listed()).to_have_text(listed(moves))
                expect(each.page.locator("#status")).to_have_text(re.compile("You (won|lost)"))
        for ann, bob, *_ in tables:
            for each in (ann, bob):  # they all asked at about the same time, from one address
                expect(each.page.locator("#note")).to_contain_text("The lead")
            complaints = ann.complaints + bob.complaints
            assert [text for text in complaints if "ERR_CONNECTION_REFUSED" not in text] == []
            ann.context.close()
            bob.context.close()
