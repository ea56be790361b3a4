"""The page of the puzzles in Chromium, with Python in the tab."""

from datetime import date
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import expect

import perfectplay as pp
from perfectplay.coach.puzzles import Puzzle, puzzles
from perfectplay.core.walks import move_texts
from tests.web.browsers import PHONE, Person
from tests.web.pages.tables import People

DAY = date(2026, 1, 5)
"""A day with a puzzle that asks for several moves."""


def go(visitor: Person, name: str) -> None:
    """Go to the puzzle of a game, from the list."""
    visitor.page.locator("#list").get_by_role("link", name=name).click()
    expect(visitor.page.locator("#list [aria-current]")).to_contain_text(name)
    expect(visitor.page.locator("#list [aria-current]")).to_be_focused()


def play(visitor: Person, move: str) -> None:
    target = visitor.page.locator(f':is(#board, #controls) [data-move="{move}"]:not(:disabled)').first
    if target.count() == 0:  # what to add is picked first, then where
        visitor.page.locator(f'[data-moves*="{move}"]').first.click()
    target.click()


def solve(visitor: Person, found: Puzzle) -> None:
    go(visitor, found.game.title)
    for number, move in enumerate(found.answer[::2]):
        play(visitor, move)
        last = 2 * number + 1 == len(found.answer)
        expect(visitor.page.locator("#verdict .right")).to_have_text("Solved." if last else "Right. And now?")


def test_the_puzzles_of_a_day_are_solved_by_pointer_and_keyboard(visitors: People) -> None:
    found = puzzles(DAY)
    assert max(len(each.answer) for each in found) > 1
    ann = visitors("Ann")
    ann.page.clock.set_fixed_time(f"{DAY}T12:00:00")
    ann.page.goto("app/puzzles.html")
    expect(ann.page.locator("#list a")).to_have_count(len(pp.names()))
    expect(ann.page.locator("#day")).to_have_text(f"Today, {DAY}")
    assert ann.flaws() == []
    height = ann.page.locator("#board").evaluate("board => board.offsetHeight")

    expect(ann.page.locator("#share")).to_be_hidden()  # nothing to share yet

    first = found[0]
    expect(ann.page.locator("#status")).to_have_text(f"{first.game.title}: {first.question}")
    side = first.game.side_to_move(first.state)
    expect(ann.page.locator("#aim")).to_contain_text(first.game.view(first.state).aims[side])
    expect(ann.page.locator("#sides li")).to_have_text(
        [f"{name}{' (you)' if each == side else ''}" for each, name in enumerate(first.game.side_names)]
    )
    expect(ann.page.get_by_role("link", name="Study this position")).to_have_count(0)  # it gives it away
    wrong = next(move for move in first.attempt(()).match.legal() if move != first.answer[0])
    ann.tab_to("#board [data-move]")
    while not ann.holds(f'[data-move="{wrong}"]'):
        ann.page.keyboard.press("ArrowRight")
    ann.page.keyboard.press("Enter")
    expect(ann.page.locator("#verdict .wrong")).to_have_text("Not this one.")
    expect(ann.told()).to_contain_text("throws away the win")
    assert ann.page.locator("#streak").inner_text() == "0 days"
    expect(ann.page.locator("#share")).to_be_visible()
    assert ann.flaws() == []
    ann.page.keyboard.press("Enter")  # the focus is on the button
    expect(ann.page.locator("#verdict p")).to_have_count(0)
    ann.page.keyboard.press("ArrowRight")
    while not ann.holds(f'[data-move="{first.answer[0]}"]'):
        ann.page.keyboard.press("ArrowRight")
    ann.page.keyboard.press("Enter")
    expect(ann.page.locator("#verdict .right")).to_have_text("Solved.")
    expect(ann.page.locator("#streak")).to_have_text("1 day")
    study = ann.page.get_by_role("link", name="Study this position").get_attribute("href") or ""
    assert parse_qs(urlsplit(study).fragment) == {
        "game": [first.game.spec],
        "moves": [",".join(move_texts(first.game, first.moves))],
    }
    ann.page.get_by_text(f"Rules of {first.game.title}").click()
    expect(ann.page.locator("#rules h2").first).to_be_visible()

    for each in found[1:-1]:
        solve(ann, each)
    go(ann, found[-1].game.title)
    ann.press("Show the answer")
    expect(ann.page.locator("#verdict")).to_contain_text(f": {found[-1].answer[0]}")
    shared = ann.page.locator("#share").input_value().splitlines()
    assert shared[1] == f"◐ {first.game.title}: solved, 2 tries"
    assert shared[2] == f"● {found[1].game.title}"
    assert shared[-3:-1] == [f"○ {found[-1].game.title}: answer shown", "Streak: 1 day"]

    # On the next day the streak goes on; on the day after a missed one it has ended.
    ann.page.clock.set_fixed_time("2026-01-06T08:00:00")
    ann.page.reload()
    expect(ann.page.locator("#list .result").first).to_have_text("solved, 2 tries")
    expect(ann.page.locator("#streak")).to_have_text("1 day")
    ann.page.clock.set_fixed_time("2026-01-07T08:00:00")
    go(ann, first.game.title)
    expect(ann.page.locator("#streak")).to_have_text("0 days")
    # The board has no more room than it needs, although another game was shown before.
    assert ann.page.locator("#board").evaluate("board => board.offsetHeight") == height
    assert ann.complaints == []


def test_a_link_leads_to_a_puzzle_of_an_earlier_day_on_a_phone_in_the_dark(visitors: People) -> None:
    found = puzzles(DAY)[3]
    bob = visitors("Bob", viewport=PHONE, color_scheme="dark", reduced_motion="reduce", has_touch=True)
    bob.page.goto(f"app/puzzles.html#{DAY}/{found.game.name}")
    expect(bob.page.locator("#status")).to_have_text(f"{found.game.title}: {found.question}")
    expect(bob.page.locator("#days a")).to_have_text(["Earlier: 2026-01-04", "Later: 2026-01-06", "Today"])
    assert bob.width() <= PHONE["width"]
    assert bob.flaws() == []
    solve(bob, found)
    expect(bob.page.locator("#streak")).to_have_text("0 days")  # it was not its day
    assert bob.width() <= PHONE["width"]
    # The list is below the board: a tap on it brings the board back into view.
    bob.page.locator("#copy").scroll_into_view_if_needed()
    expect(bob.page.locator("#status")).not_to_be_in_viewport()
    go(bob, puzzles(DAY)[0].game.title)
    expect(bob.page.locator("#status")).to_be_in_viewport(ratio=1)
    expect(bob.page.locator("#board")).to_be_in_viewport(ratio=1)
    bob.page.locator("#days a").first.click()
    expect(bob.page.locator("#day")).to_have_text("2026-01-04")
    # An address that cannot be shown leads to today, and it is said why.
    for wrong, why in (
        ("9999-01-01", "The puzzles of 9999-01-01 are not out yet. Here are today's puzzles."),
        ("x", "“x” is not a date such as 2026-01-05. Here are today's puzzles."),
        (f"{DAY}/chess", "There is no puzzle for “chess”. Here is another one."),
    ):
        bob.page.goto(f"app/puzzles.html#{wrong}")
        expect(bob.page.locator("#complaint")).to_have_text(why)
        expect(bob.page.locator("#day")).to_contain_text(str(DAY) if "chess" in wrong else "Today, ")
    assert bob.complaints == []
