"""Links and rules, the home page, and playing the computer."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from perfectplay.core.record import read_records
from perfectplay.players.registry import load_player
from tests.web.browsers import PHONE
from tests.web.pages.tables import People, finished, frozen, play, seated
from tests.web.servers import Server
from tests.web.whole_games import LINES


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


@pytest.mark.parametrize("clipboard", [True, False], ids=["clipboard", "no clipboard"])
def test_records_and_positions_are_copied(people: People, server: Server, clipboard: bool) -> None:
    eve = people("Eve", permissions=["clipboard-read", "clipboard-write"])
    if not clipboard:
        eve.page.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    read = "navigator.clipboard.readText()"
    eve.open(finished(server, "bit-flip:bits=7", LINES["bit-flip:bits=7"]))
    eve.press("Copy the record")
    expect(eve.told()).to_have_text("Copied.")
    if clipboard:
        (record,) = read_records(eve.page.evaluate(read))
        assert tuple(move.text for move in record.moves) == LINES["bit-flip:bits=7"]
    eve.page.goto("/study?game=bit-flip:bits=7&moves=2")
    expect(eve.page.locator("#values table")).to_be_visible()
    eve.press("Copy the position")
    expect(eve.told()).to_have_text("Copied.")
    if clipboard:
        assert eve.page.evaluate(read) == "0010000 2"


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
    with eve.page.expect_download() as downloading:
        eve.press("Save a picture (PNG)")
    assert Path(downloading.value.path()).read_bytes().startswith(b"\x89PNG")
    eve.page.goto("/study?game=bit-flip:bits=7&moves=2")
    expect(eve.page.locator("#values table")).to_be_visible()
    with eve.page.expect_download() as downloading:
        eve.press("Save a picture (SVG)")
    assert "Bit Flip" in Path(downloading.value.path()).read_text()


@pytest.mark.parametrize("place", ["home", "join", "table"])
def test_the_rules_are_at_hand(people: People, place: str) -> None:
    ann, bob = people("Ann"), people("Bob")
    link = ann.make("inversion-race")
    page = (bob if place == "join" else ann).page
    if place != "table":
        page.goto("/" if place == "home" else link)
    if place == "home":
        expect(page.locator("article svg")).to_have_count(len(LINES))
    box = page.locator("details.rules", has_text="Rules of Inversion Race")
    box.locator("summary").click()
    # What the rulebook marks is marked, lists in lists too, and no mark is left over.
    expect(box.locator("li strong").first).to_have_text("IR-1")
    assert box.locator("li li code").first.inner_text() == "crossing"
    headings = box.locator("h3" if place == "home" else "h2").all_inner_texts()
    assert headings == ["Rules", "How ambiguous rules are interpreted", "Parameters"]
    assert not re.search(r"\*\*|`|##|^- ", box.inner_text(), re.MULTILINE)
    assert (bob if place == "join" else ann).flaws() == []


def test_home_shows_every_game_and_its_tables(people: People) -> None:
    ann, bob = people("Hanna"), people("Hugo")  # nobody else at this server is called that
    ann.make("race-to-the-center", public=True)
    page = bob.page
    page.goto("/")
    expect(page.locator("article h2")).to_have_count(len(LINES))
    expect(page.locator("article svg")).to_have_count(len(LINES))
    page.get_by_label("Your name").fill("Hugo")
    page.locator("#open a", has_text="Race to the Center, by the rulebook").filter(has_text="Hanna").click()
    page.get_by_role("button", name="Sit down").click()
    page.wait_for_url("**/t/*")
    bob.connected()
    play((ann, bob), ("1",))
    eve = people("Eve")
    eve.page.goto("/")
    expect(eve.page.locator("#running a", has_text="Hanna and Hugo")).to_have_count(1)
    eve.page.get_by_role("link", name="Race to the Center, a game in progress").click()
    expect(eve.listed()).to_have_text(["1"])


HASTY = "const real = setTimeout; window.setTimeout = (run, wait) => real(run, wait === 5000 ? 100 : wait);"
"""Lets the home page refresh itself more often."""


def test_a_picture_is_live_as_long_as_its_game(people: People) -> None:
    ann, _ = seated(people, "bit-flip:bits=7")
    table = ann.page.url.rpartition("/")[2]
    brief = ann.context.request.get(f"/api/tables/{table}").json()
    eve = people("Eve")
    eve.pardoned.append("503")
    shown = {"open": [], "running": [brief], "finished": []}
    eve.page.add_init_script(HASTY)
    eve.page.route("**/api/tables", lambda route: route.fulfill(json=shown))
    eve.page.route(f"**/api/tables/{table}", lambda route: route.fulfill(status=503, json={}), times=1)
    eve.page.goto("/")
    live = eve.page.get_by_role("link", name="Bit Flip, a game in progress")
    expect(live).to_have_attribute("href", f"/t/{table}")  # although it was refused once
    shown["running"] = []
    expect(live).to_have_count(0)
    expect(eve.page.get_by_role("img", name="Bit Flip, a position")).to_be_visible()


@pytest.mark.parametrize("opened", [True, False], ids=["open", "closed"])
def test_a_complaint_stands_by_the_setting_it_is_about(people: People, opened: bool) -> None:
    """On a phone too, where the head of the page is far above."""
    ann = people("Ann", viewport=PHONE)
    ann.pardoned.append("status of 400")
    page, box = ann.page, ann.page.locator("#complaint")
    page.goto("/")
    card = page.locator('[aria-labelledby="game-race-to-the-center"]')
    more = card.get_by_role("button", name="More about Race to the Center")
    expect(card.get_by_role("button", name="Play a friend")).to_be_hidden()
    more.click()
    card.locator(".settings summary").click()
    field = card.locator("#race-to-the-center-positions")
    field.fill("1")
    if not opened:
        card.locator(".settings summary").click()
        more.click()
        expect(card.locator(".settings summary")).to_be_hidden()
    card.get_by_role("button", name="Play the computer").click()
    expect(box).to_contain_text("Positions must be an odd whole number, at least 3. You entered “1”.")
    expect(box).to_be_in_viewport(ratio=0.9)
    expect(field).to_be_in_viewport(ratio=0.9)
    expect(field).to_be_focused()
    # What is about no setting stands by the buttons.
    field.fill("")
    page.get_by_label("Your name").fill("You")
    card.get_by_role("button", name="Play a friend").click()
    expect(box).to_contain_text("Name must not be a name that pages use for you.")
    expect(box).to_be_in_viewport(ratio=0.9)


@pytest.mark.parametrize("listed", [False, True])
def test_a_table_for_a_friend_is_listed_if_one_likes(people: People, listed: bool) -> None:
    ann, eve = people(f"Friend {listed}"), people("Eve")
    ann.page.goto("/")
    ann.page.get_by_label("Your name").fill(ann.name)
    card = ann.page.locator('[aria-labelledby="game-bit-flip"]')
    card.locator(".at-table summary").click()
    box = card.get_by_label("List it here, so that anyone can join or watch")
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
            expect(ann.page.locator("#status")).to_have_text("You lost")
    bob.join(ann.make("race-to-the-center"))
    ann.play("1")
    expect(ann.listed()).to_have_count(1)
    table = bob.page.url
    ann.make("dual-direction", seat=1)
    rows = ann.page.locator("#seats a")
    ann.page.goto("/")
    over = ["Bit Flipclosed", "Bit Flipagainst Bobover", "Bit Flipagainst Bobover"]
    expect(rows).to_have_text(
        ["Dual Directionwaiting for an opponent", "Race to the Centeragainst Bobtheir turn", *over]
    )
    expect(rows.locator("strong")).to_have_count(0)
    expect(ann.page.locator("#open li")).not_to_have_count(0)  # all has been asked for once
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


LINED = """
all => all.map(each => {
  const range = document.createRange();
  range.selectNodeContents(each);
  return range.getClientRects().length;
})
"""
"""In how many lines each text stands."""


@pytest.mark.parametrize("profile", [{"viewport": PHONE}, {}], ids=["phone", "wide"])
def test_a_few_of_ones_own_games_are_shown_whole(people: People, profile: dict[str, Any]) -> None:
    """However long the names of the opponents are."""
    ann, bob = people("Ann", **profile), people("W" * 40)
    bob.join(ann.make("dual-direction", seat=1))  # his turn
    (one,) = ann.context.request.get("/api/seats").json()["tables"]
    many = {"tables": [{**one, "id": f"table{number}"} for number in range(7)]}
    ann.page.route("**/api/seats", lambda route: route.fulfill(json=many))
    ann.page.goto("/")
    titles = ann.page.locator("#seats b")
    expect(titles).to_have_text(["Dual Direction"] * 5)
    expect(ann.page.locator("#own-all")).to_have_text("See all (2 more)")
    assert titles.evaluate_all(LINED) == [1] * 5
    assert ann.page.locator("#seats").evaluate("each => each.scrollHeight <= each.clientHeight")


def test_an_open_card_leaves_no_hole(people: People) -> None:
    page = people("Ann").page
    page.goto("/")
    card = page.locator('[aria-labelledby="game-inversion-race"]')
    card.locator(".at-table summary").click()
    boxes = page.locator("#games > *").evaluate_all(
        "all => all.map(each => each.getBoundingClientRect().toJSON())"
    )
    left, right = min(box["left"] for box in boxes), max(box["right"] for box in boxes)
    *full, _last = sorted({box["top"] for box in boxes})
    assert len(full) == 2
    for top in full:
        row = sorted((box for box in boxes if box["top"] == top), key=lambda box: box["left"])
        assert (row[0]["left"], row[-1]["right"]) == (left, right)


@pytest.mark.parametrize("spec", LINES)
def test_one_click_plays_the_computer(people: People, spec: str) -> None:
    ann = people("Ann")
    name = spec.partition(":")[0]
    ann.page.goto("/")
    expect(ann.page.locator(f"#{name}-level")).to_have_value(load_player("level").spec)
    ann.page.locator(f"#{name}-level").select_option("level 2")
    listed = name == "bit-flip"  # only if one likes
    if listed:
        ann.page.locator(f'[aria-labelledby="game-{name}"] .at-table summary').click()
        ann.page.locator(f"#{name}-public").check()
    ann.page.locator(f'[data-play="{name}"]').click()
    ann.to_move()
    expect(ann.page.locator("#seat-top")).to_contain_text("Computer (level 2)")
    table = ann.page.url.rpartition("/")[2]
    running = ann.page.request.get("/api/tables").json()["running"]
    assert (table in [each["id"] for each in running]) == listed
    plies = ann.listed().count()
    assert plies == ann.page.request.get(f"/api/tables/{table}").json()["plies"]
    ann.page.locator(":is(#board, #controls) :is([data-move], [data-moves]):not(:disabled)").first.click()
    if name == "mirror-match":  # where to add it comes next
        ann.page.locator("#board [data-move]").first.click()
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
        expect(each.page.locator(".player b")).to_have_text(
            [bob.name, name] if each is ann else [name, bob.name]
        )
    play((ann, bob), ("0",))
    expect(bob.told()).to_contain_text(f"{name} played 0.")
    assert bob.page.locator("main img, main script, b b").count() == 0


def test_a_recommended_setting_is_chosen_on_the_card(people: People) -> None:
    ann = people("Ann")
    ann.page.goto("/")
    card = ann.page.locator('[aria-labelledby="game-race-to-the-center"]')
    expect(card.get_by_role("radio", name="By the rulebook Best play lasts 6 moves")).to_be_checked()
    card.get_by_text("Fair track", exact=True).click()
    expect(card.get_by_role("radio", name="Fair track Best play lasts 7 moves")).to_be_checked()
    positions = card.locator("#race-to-the-center-positions")
    expect(positions).to_have_value("17")
    card.locator(".settings summary").click()
    positions.fill("301")  # which none of them has
    expect(card.locator(":checked[type=radio]")).to_have_count(0)
    positions.fill("17")
    expect(card.get_by_role("radio", name="Fair track")).to_be_checked()
    card.get_by_role("button", name="Play a friend").click()
    ann.connected()
    expect(ann.page.locator("#spec")).to_have_text("positions 17")
    ann.page.goto("/study?game=race-to-the-center:positions=17")
    expect(ann.page.get_by_role("radio", name="Fair track Best play lasts")).to_be_checked()
    ann.page.get_by_text("By the rulebook", exact=True).click()
    expect(ann.page.locator("#board [data-cell]")).to_have_count(11)


def test_a_decided_setting_is_not_the_one_that_is_proposed(people: People) -> None:
    """The rulebook's is one click away, and says what it is."""
    ann = people("Ann")
    ann.page.goto("/")
    card = ann.page.locator('[aria-labelledby="game-inversion-race"]')
    expect(card.get_by_role("radio", name="Leapfrog Best", exact=False).first).to_be_checked()
    rulebook = card.get_by_role("radio", name="By the rulebook Decided from the start")
    expect(rulebook).not_to_be_checked()
    card.get_by_role("button", name="Play a friend").click()
    ann.connected()
    expect(ann.page.locator("#spec")).to_have_text("passing leapfrog")
    ann.page.goto("/")
    card.get_by_text("By the rulebook", exact=True).click()
    expect(rulebook).to_be_checked()
    expect(card.locator("small", has_text="99.6%")).to_be_visible()
    card.get_by_role("button", name="Play a friend").click()
    ann.connected()
    expect(ann.page.locator("#spec")).to_have_text("by the rulebook")


def test_a_puzzle_is_tried_against_perfect_play(people: People) -> None:
    ann = people("Ann")
    ann.page.goto("/")
    expect(ann.page.locator("[data-puzzle]")).to_have_count(2)
    ann.page.locator('[data-puzzle="mirror-match"]').click()
    ann.to_move()
    expect(ann.page.locator("#seat-top")).to_contain_text("perfect")
    ann.page.goto("/")
    ann.page.locator("#seats a", has_text="Mirror Match").click()  # it is still a puzzle
    expect(ann.page.locator("#puzzle")).to_contain_text("The first player can always win")
    ann.play("3 E")
    expect(ann.listed()).to_have_count(2)
    answer = str(ann.listed().last.text_content())
    ann.play(f"3 {'E' if answer.endswith('→') else 'B'}")
    expect(ann.page.locator("#status")).to_have_text("You won")
    expect(ann.page.locator("#puzzle")).to_contain_text("Solved")
    expect(ann.page.locator("#puzzle")).not_to_contain_text("Can you see how?")
    # It is one only for those who go first: in the rematch the computer does.
    puzzle = ann.page.locator("#puzzle")
    expect(puzzle).to_be_visible()
    ann.press("Rematch")
    ann.to_move()
    expect(puzzle).to_be_hidden()
    ann.page.reload()
    expect(ann.page.locator("#won figure")).to_be_visible()  # all about the game is known
    expect(puzzle).to_be_hidden()
    ann.press("Resign")
    ann.press("Resign", inside="dialog")
    ann.press("Rematch")
    expect(puzzle).to_contain_text("The first player can always win")
    ann.page.goto("/")  # the card knows that it was solved
    expect(ann.page.locator('[aria-labelledby="game-mirror-match"] .puzzle')).to_contain_text("Solved.")
