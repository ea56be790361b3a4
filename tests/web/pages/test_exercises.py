"""Learning from one's own games: an exercise after a game, when it is due, and statistics."""

from datetime import datetime, timedelta

from playwright.sync_api import expect

from tests.web.browsers import PHONE
from tests.web.pages.tables import People


def test_a_lost_game_becomes_an_exercise_that_comes_back(people: People) -> None:
    """By keyboard, on a phone; the clock of the browser says which day it is."""
    noon = datetime.now().replace(hour=12, minute=0)
    ann = people("Ann", viewport=PHONE)
    ann.page.clock.set_fixed_time(noon)
    page, due, status = ann.page, ann.page.locator("#due"), ann.page.locator("#status")
    page.goto("/exercises")
    expect(status).to_have_text("No exercises yet.")
    assert ann.flaws() == []
    page.goto("/progress")
    expect(page.locator("#histories")).to_contain_text("No games yet.")

    ann.make("bit-flip:bits=3", opponent="perfect")
    ann.play_by_keyboard("0")  # only the bit in the middle wins
    expect(status).to_have_text("You lost")
    expect(page.get_by_role("link", name="Try the moment again")).to_be_visible()
    table = page.url
    ann.tab_to('#ending a[href*="/g/"]')
    page.keyboard.press("Enter")
    expect(page.get_by_role("slider", name="Chart of the game")).to_be_visible()
    expect(page.locator("#chart .chart-mistake")).to_have_count(1)
    assert ann.flaws() == []
    ann.open(table)
    ann.tab_to('#ending a[href^="/exercises"]')
    page.keyboard.press("Enter")
    expect(status).to_have_text("Bit Flip: Player 1 to move. Find a move that keeps the win.")
    expect(due).to_have_text("1 due today, 1 in all")
    assert ann.flaws() == []
    for move, verdict in (("2", "Not this one."), ("1", "Solved.")):
        ann.tab_to("#board [data-move]")
        while not ann.holds(f'[data-move="{move}"]'):
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        expect(page.locator("#verdict p").first).to_have_text(verdict)
        expect(ann.told()).to_contain_text(verdict)
        if move == "2":
            expect(page.locator("#verdict")).to_contain_text("throws away the win")
            expect(due).to_have_text("1 due today, 1 in all")
            ann.press_by_keyboard("Try again")
    expect(page.locator("#verdict")).to_contain_text("In the game you played 0 here.")
    expect(due).to_have_text("0 due today, 1 in all")
    assert ann.width() <= PHONE["width"]
    page.goto("/exercises")
    expect(status).to_have_text("Nothing is due today.")
    page.clock.set_fixed_time(noon + timedelta(days=1))
    page.goto("/")
    page.get_by_role("link", name="1 exercise from your games is due").click()
    expect(due).to_have_text("1 due today, 1 in all")

    page.goto("/progress")
    card = page.locator("#histories section")
    expect(card).to_contain_text("Accuracy: 0 of 1 critical moves (0%).")
    expect(card.locator("tbody tr")).to_have_text(["Perfect010"])
    assert ann.flaws() == []
    ann.press("Delete all of this")
    ann.press("Delete", "dialog")
    expect(page.locator("#histories")).to_contain_text("No games yet.")
    page.reload()
    expect(page.locator("#main")).not_to_have_attribute("aria-busy", "true")
    expect(page.locator("#histories")).to_contain_text("No games yet.")
    assert page.evaluate("JSON.parse(localStorage.journal).exercises") == []
    page.goto("/exercises")
    expect(status).to_have_text("No exercises yet.")
    assert ann.complaints == []
