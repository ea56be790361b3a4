"""What players can do at a table besides moving."""

import re

import pytest
from playwright.sync_api import Route, expect

from tests.web.browsers import PHONE
from tests.web.pages.tables import People, frozen, play, seated


def test_a_move_is_taken_back_only_if_the_other_agrees(people: People) -> None:
    ann, bob = seated(people, "bit-flip:bits=7")
    expect(ann.page.get_by_role("button", name="Take back")).to_have_count(0)
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
        expect(each.page.locator("#status")).to_have_text("Unfinished")
        expect(each.page.locator("#aim")).to_have_text("Both players agreed to abandon the game.")
        expect(each.page.locator(".score")).to_have_text(["0", "0"])
        assert each.offered() == set()
        expect(each.page.get_by_role("link", name="Study this game")).to_be_visible()
    bob.press("Rematch")
    expect(ann.page.locator("#ending .primary")).to_have_text("Accept the rematch")
    expect(ann.page.locator("#offers button")).to_have_text(["Decline"])
    ann.press("Accept the rematch")
    bob.to_move()


def test_abandoning_a_game_against_the_computer_asks_once_more(people: People) -> None:
    """It agrees to everything, so that this would end the game at once."""
    ann = people("Ann")
    ann.make("bit-flip", opponent="level:1")
    ann.to_move()
    ann.press("Abandon")
    dialog = ann.page.get_by_role("dialog")
    expect(dialog).to_contain_text("End this game as unfinished?")
    ann.press("Keep playing", "dialog")
    expect(dialog).to_have_count(0)
    expect(ann.page.get_by_role("button", name="Abandon")).to_be_focused()
    ann.to_move()
    ann.press("Abandon")
    ann.press("Abandon", "dialog")
    expect(ann.page.locator("#status")).to_have_text("Unfinished")
    expect(ann.page.locator("#aim")).to_have_text("The game was abandoned.")


def test_resigning_asks_once_more(people: People) -> None:
    ann, bob = seated(people, "inversion-race")
    ann.press("Resign")
    dialog = ann.page.get_by_role("dialog")
    expect(dialog).to_contain_text("Resign this game?")
    expect(dialog.get_by_role("button", name="Keep playing")).to_be_focused()
    bob.press("Abandon")  # what happens meanwhile draws the buttons anew
    expect(ann.page.locator("#offers")).to_contain_text("Bob asks")
    ann.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(ann.page.get_by_role("button", name="Resign")).to_be_focused()
    ann.to_move()
    ann.press("Resign")
    ann.press("Keep playing", "dialog")
    expect(dialog).to_have_count(0)
    play((ann, bob), ("left",))  # nothing was given up
    ann.press("Resign")
    ann.press("Resign", "dialog")
    expect(bob.page.locator("#status")).to_have_text("You won")
    expect(bob.told()).to_contain_text("Ann resigned.")
    expect(ann.page.locator("#status")).to_have_text("You lost")


def test_an_invalid_number_in_mirror_match_costs_the_turn_after_a_warning(people: People) -> None:
    ann, bob = seated(people, "mirror-match", viewport=PHONE)
    for each in (ann, bob):
        each.page.get_by_text("Type it instead").click()
    field = ann.page.get_by_label("Type a number")
    expect(field).to_be_in_viewport(ratio=1)
    ann.page.evaluate("scrollTo(0, 0)")
    board, hand = (ann.page.locator(place).bounding_box() for place in ("#board", "#hand"))
    assert board is not None
    assert hand is not None
    assert board["y"] + board["height"] <= hand["y"]  # the form does not cover it
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
    ann.page.get_by_text("Type it instead").click()
    closed = ann.page.locator("#hand").bounding_box()
    assert closed is not None
    assert closed["height"] < hand["height"]  # nor what it leaves behind
    bob.page.get_by_label("Type a number").fill("7")
    bob.page.keyboard.press("Enter")
    expect(bob.page.locator(".typed").get_by_role("button", name="Beginning")).to_be_focused()
    bob.page.keyboard.press("Tab")
    bob.page.keyboard.press("Enter")  # a number on offer is sent without a question
    ann.to_move()
    expect(ann.listed()).to_have_text(["lost turn", "7"])


def test_a_player_who_is_gone_can_be_claimed_against(people: People) -> None:
    ann, bob = people("Ann"), people("Bob")
    bob.join(ann.make("bit-flip", away_limit=0))
    ann.to_move()
    expect(ann.page.get_by_role("button", name="Claim the game")).to_have_count(0)
    bob.page.goto("/")
    expect(ann.page.locator('[data-seat="1"] .presence')).to_contain_text("not connected")
    ann.press("Claim the game")
    expect(ann.page.get_by_role("dialog")).to_contain_text("End this game as unfinished")
    ann.press("Claim the game", "dialog")
    expect(ann.page.locator("#status")).to_have_text("Unfinished")
    expect(ann.page.locator("#aim")).to_have_text(
        "A player left or stopped playing, and the opponent stopped waiting."
    )
    expect(ann.page.locator(".score")).to_have_text(["0", "0"])
    ann.press("Rematch")


def test_a_table_that_nobody_joined_can_be_closed(people: People) -> None:
    ann, late = people("Ann"), people("Late")
    link = ann.make("bit-flip")
    ann.press("Close the table")
    ann.press("Close the table", "dialog")
    expect(ann.page.locator("#status")).to_contain_text("The table is closed")
    late.page.goto(link)
    expect(late.page.locator("#invitation")).to_have_text("This table is closed.")
    link = ann.page.get_by_role("link", name="New game")
    expect(link).to_have_attribute("href", re.compile("^/#game-"))


def test_who_finds_a_listed_table_can_sit_down_there(people: People) -> None:
    ann, eve = people("Ann"), people("Eve")
    ann.make("bit-flip:bits=5", public=True)
    listed = ann.page.url
    eve.open(listed)
    eve.page.get_by_role("link", name="Sit down").click()
    eve.page.get_by_label("Your name").fill("Eve")
    eve.press("Sit down")
    eve.page.wait_for_url(listed)
    expect(ann.page.locator("#seat-top")).to_contain_text("Eve")
    ann.make("bit-flip:bits=5")  # which only its link leads to
    eve.open(ann.page.url)
    expect(eve.page.get_by_role("link", name="Sit down")).to_have_count(0)


def test_a_circle_says_how_it_ends(people: People) -> None:
    ann, bob = seated(people, "dual-direction:positions=11", viewport=PHONE)
    play((ann, bob), ("right", "left") * 2)
    button = ann.page.locator("#controls .control").first
    expect(button).to_be_visible()
    for each in (ann, bob):
        expect(each.page.locator("#offers")).to_contain_text("come up for the third time")
        expect(each.told()).to_contain_text("come up for the third time")
    ann.play("right")
    expect(button).to_be_hidden()  # now it would be Bob's
    ann.press("Offer to end the game")
    bob.press("Accept")
    expect(ann.page.locator("#status")).to_have_text("Unfinished")


def test_only_who_is_gone_or_silent_for_long_can_be_claimed_against(people: People) -> None:
    ann, bob = people("Ann"), people("Bob")

    def patient(route: Route) -> None:  # as if the server asked for a minute
        answer = route.fetch()
        route.fulfill(response=answer, json={**answer.json(), "away_limit": 59.5})

    ann.page.route(re.compile(r"/api/tables/[^/]+$"), patient)
    frozen(ann.page)
    link = ann.make("bit-flip", away_limit=0)
    expect(ann.page.get_by_role("button", name="Close the table")).to_be_visible()  # nobody has come yet
    bob.join(link)
    ann.to_move()
    expect(ann.page.get_by_role("button", name="Close the table")).to_have_count(0)
    claim = ann.page.get_by_role("button", name="Claim the game")
    ann.page.clock.fast_forward(100_000)
    expect(claim).to_have_count(0)  # it is her own turn
    bob.page.goto("/")
    seconds = ann.page.locator('[data-seat="1"] .presence')
    expect(seconds).to_have_text("not connected for 0 s")
    ann.page.get_by_role("button", name="Resign").focus()
    ann.page.clock.fast_forward(59_000)
    expect(seconds).to_have_text("not connected for 59 s")
    expect(claim).to_have_count(0)
    ann.page.clock.fast_forward(1_000)
    expect(seconds).to_have_text("not connected for 60 s")
    expect(claim).to_be_visible()
    expect(ann.told()).to_have_text("Bob does not play. You can claim the game now.")
    expect(ann.page.get_by_role("button", name="Resign")).to_be_focused()
    bob.open(ann.page.url)
    expect(claim).to_have_count(0)
    ann.play("0")  # now it is his turn, and an open page does not count as a move
    expect(ann.page.locator("#status")).to_have_text("Bob to move.")
    ann.page.clock.fast_forward(59_000)
    expect(claim).to_have_count(0)
    ann.page.clock.fast_forward(1_000)
    expect(claim).to_be_visible()
    ann.press("Claim the game")
    ann.press("Claim the game", "dialog")
    expect(ann.page.locator("#status")).to_have_text("Unfinished")
    expect(claim).to_have_count(0)


def test_a_clock_is_chosen_on_the_home_page(people: People) -> None:
    page = people("Ann").page
    page.goto("/")
    page.get_by_text("Seat and clock of Bit Flip", exact=True).click()
    clock, patience = page.locator("#bit-flip-clock"), page.locator("#bit-flip-away")
    expect(patience).to_have_value("5 minutes")
    assert clock.evaluate("each => each.offsetWidth") < 400  # the fields are in columns
    clock.select_option("3 minutes a game + 2 seconds a move")
    expect(patience).to_be_disabled()
    page.locator("[data-share=bit-flip]").click()
    page.wait_for_url("**/t/*")
    expect(page.locator("#spec")).to_have_text("by the rulebook, 3 minutes a game + 2 seconds a move")


def test_clocks_run_beside_the_names_and_their_end_is_shown(people: People) -> None:
    ann, bob = people("Ann"), people("Bob")
    bob.pardoned.append("status of 403")  # he plays elsewhere, and so is not told where a game turned
    frozen(ann.page)
    bob.join(ann.make("bit-flip", clock={"per": "game", "seconds": 300, "increment": 5}))
    ann.to_move()
    expect(ann.page.locator("#spec")).to_contain_text("5 minutes a game + 5 seconds a move")
    mine, other = (ann.page.locator(f'.clock[data-seat="{seat}"]') for seat in (0, 1))
    expect(other).to_have_text("5:00")
    ann.page.clock.fast_forward(60_000)  # by the page's clock: the server's is the one that counts
    expect(mine).to_have_text(re.compile("^(4:00|3:5.)$"))
    ann.play("0")
    expect(mine).to_have_text(re.compile("^(5:0[0-5]|4:[45].)$"))
    quick = people("Quick")
    frozen(quick.page)
    bob.join(quick.make("bit-flip", clock={"per": "move", "seconds": 1}))
    expect(quick.page.locator("#status")).to_have_text("You lost")
    expect(quick.page.locator("#aim")).to_have_text("You ran out of time.")
    expect(bob.page.locator("#status")).to_have_text("You won")
    expect(quick.page.locator('.clock[data-seat="0"]')).to_have_text("0:00.0")
    widths = "(each, texts) => texts.map(text => { each.textContent = text; return each.offsetWidth; })"
    assert (
        len(set(mine.evaluate(widths, ["5:00", "10:00", "0:10", "0:09.9"]))) == 1
    )  # nothing moves at tenths


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
    expect(bob.page.locator("#status")).to_contain_text("Looking back")
    expect(said[1]).to_be_hidden()
    cell[1].click()
    expect(said[1]).to_have_text("You are looking at an earlier position. Return to the game to move.")
    bob.press("Return to the game")
    expect(said[1]).to_be_hidden()
    bob.press("Resign")
    bob.press("Resign", "dialog")
    expect(ann.page.locator("#status")).to_have_text("You won")
    cell[0].tap()
    expect(said[0]).to_have_text("The game is over.")


@pytest.mark.parametrize(
    ("spec", "moves", "words"),
    [
        ("dual-direction", (), "No move leads to 1 from here. Choose a cell with a sign."),
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
