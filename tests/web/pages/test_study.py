"""The study page, and addresses that lead nowhere."""

import pytest
from playwright.sync_api import expect

from tests.web.browsers import PHONE
from tests.web.pages.tables import People, finished, play, seated
from tests.web.servers import Server
from tests.web.whole_games import LINES


def test_a_finished_game_is_studied_and_played_on(people: People, server: Server) -> None:
    eve = people("Eve")
    page = eve.page
    page.goto(finished(server, "bit-flip:bits=3", ("0", "2")))
    page.get_by_role("link", name="Study this game").click()
    page.wait_for_url("**/g/1*")
    expect(page.locator("#review li")).not_to_have_count(0)
    expect(page.locator("#accuracy").locator("th, td")).to_have_text(
        ["Ann", "0%", "Bob", "no critical moves"]
    )
    expect(page.locator("#accuracy")).to_contain_text("critical moves that kept the result")
    expect(page.locator("#people")).to_have_text("Ann against Bob")
    expect(page.get_by_role("button", name="1. Ann: 0, threw away the win")).to_be_visible()
    page.locator("[data-step=first]").click()
    eve.sees(["0: 0, loses in 2 moves", "1: 0, wins in 1 move, best", "2: 0, loses in 2 moves"])
    expect(page.locator("#values tbody th")).to_have_text(["1", "0 (played), 2"])
    expect(page.locator("#status")).to_have_text("Ann to move: wins in 1 move with best play.")
    page.get_by_role("button", name="Continue from here against perfect play").click()
    page.wait_for_url(lambda address: "/g/" not in address)
    eve.to_move()
    eve.play("1")
    expect(page.locator("#status")).to_have_text("You won")


def test_the_chart_of_a_game_leads_to_every_move(people: People, server: Server) -> None:
    eve = people("Eve")
    page = eve.page
    page.goto(f"{finished(server, 'bit-flip', ('4', '0', '2', '9', '6'))}/g/1")
    chart = page.get_by_role("slider", name="Chart of the game")
    expect(chart).to_have_attribute("aria-valuetext", "5. Ann: 6. Ann has won.")
    expect(page.locator("#chart .chart-mistake")).to_have_count(2)
    page.locator("#chart summary").click()
    expect(page.locator("#chart tbody tr")).to_have_text(
        [
            "StartAnn wins in 5 moves",
            "1. Ann: 4Bob wins in 3 moves, a mistake",
            "2. Bob: 0Ann wins in 3 moves, a mistake",
            "3. Ann: 2Ann wins in 2 moves",
            "4. Bob: 9Ann wins in 1 move",
            "5. Ann: 6Ann has won",
        ]
    )
    assert eve.flaws() == []
    # A click on a column, wherever it is drawn.
    page.locator("#chart [data-ply='3'] .chart-column").click(position={"x": 4, "y": 4})
    expect(page.locator("#last")).to_have_text("After 3 moves. Ann: 2.")
    expect(chart).to_have_attribute("aria-valuenow", "3")
    page.locator("#chart summary").focus()
    page.keyboard.press("Shift+Tab")
    assert eve.holds("[role=slider]")
    for key, ply in (("ArrowLeft", 2), ("PageUp", 1), ("Home", 0), ("PageDown", 1), ("End", 5)):
        page.keyboard.press(key)
        expect(chart).to_have_attribute("aria-valuenow", str(ply))
        expect(page.locator("#chart .chart-here")).to_have_count(1)
        expect(page.locator(f"#chart [data-ply='{ply}'] .chart-here")).to_have_count(1)
    assert eve.holds("[role=slider]")


def test_the_end_of_a_long_chart_is_in_view_on_a_phone(people: People, server: Server) -> None:
    eve = people("Eve", viewport=PHONE)
    page = eve.page
    moves = ("left", "right") * 30 + ("left",) * 5
    page.goto(f"{finished(server, 'dual-direction', moves)}/g/1")
    expect(page.locator("#chart .chart-here")).to_be_in_viewport()
    assert eve.width() == PHONE["width"]
    page.locator("[data-step=first]").click()
    expect(page.locator("#chart [data-ply='0'] .chart-here")).to_be_in_viewport()


def test_a_resignation_that_gave_a_win_away_is_in_the_chart(people: People, server: Server) -> None:
    ann, bob = server.person(), server.person()
    made = ann.make("bit-flip", name="Ann")
    bob.join(made)
    table = made["table"]["id"]
    assert ann.act(table, 3, "resign", "").status_code == 200
    page = people("Eve").page
    page.goto(f"/t/{table}/g/1")
    page.locator("#chart summary").click()
    expect(page.locator("#chart tbody tr")).to_have_text(
        ["StartAnn wins in 5 moves", "ResignationBob has won, a mistake"]
    )
    page.locator("#chart [data-ply='1'] .chart-column").click(position={"x": 4, "y": 4})
    expect(page.locator("#last")).to_have_text("Start position.")


def test_a_finished_game_goes_on_on_a_study_board(people: People, server: Server) -> None:
    eve = people("Eve")
    eve.page.goto(f"{finished(server, 'mirror-match:digits=3', ('1 B', '2 E', '9 B', '1 E'))}/g/1")
    eve.page.get_by_role("link", name="Open on a study board").click()
    expect(eve.page.get_by_role("heading", name="Mirror Match, study board")).to_be_visible()
    # As far as it was played by moves: the third turn was forfeited.
    expect(eve.listed()).to_have_text(["1", "2 →"])
    expect(eve.page.locator("#last")).to_contain_text("After 2 moves.")


def test_an_earlier_move_that_is_shown_is_studied(people: People, server: Server) -> None:
    eve = people("Eve")
    page = eve.page
    page.goto(finished(server, "bit-flip:bits=7", LINES["bit-flip:bits=7"]))
    page.locator("[data-ply='1']").click()
    expect(page.locator("#status")).to_contain_text("after move 1 of 4")
    page.get_by_role("link", name="Study this game").click()
    expect(page.get_by_role("heading", name="Bit Flip, game 1")).to_be_visible()
    expect(page.locator("#last")).to_contain_text("After 1 move.")
    page.locator("[data-step=first]").click()
    expect(page.locator("#last")).to_have_text("Start position.")
    page.get_by_role("link", name="Open on a study board").click()
    expect(page.get_by_role("heading", name="Bit Flip, study board")).to_be_visible()
    expect(eve.listed()).to_have_text(["2", "0", "6", "4"])
    expect(page.locator("#last")).to_have_text("Start position.")
    page.locator("[data-step=next]").click()
    expect(page.locator("#last")).to_contain_text("After 1 move.")
    page.reload()
    expect(page.locator("#last")).to_contain_text("After 1 move.")


def test_who_plays_a_person_is_told_what_is_not_shown_meanwhile(people: People, server: Server) -> None:
    eve = people("Eve")
    page, over = eve.page, finished(server, "bit-flip:bits=3", ("0", "2"))
    made = server.person().make("bit-flip", seat=1)
    eve.join(f"/join/{made['table']['id']}/{made['join']}")
    table, why = page.url, "ou are playing Bit Flip against someone; you can study it once that game is over."
    eve.pardoned.append("403")
    eve.open(over)
    expect(page.locator("#note")).to_have_text(f"Where the lead changed is not shown yet: y{why}")
    page.goto(f"{over}/g/1")
    bar = page.locator("#evaluation .bar")
    expect(bar).to_have_attribute("aria-label", "Bob has won")
    page.locator("[data-step=first]").click()
    expect(page.get_by_role("alert")).to_contain_text(f"Y{why}")
    expect(bar).to_have_attribute("aria-label", "The evaluation is hidden")
    expect(bar.locator(".portion")).to_have_count(0)
    expect(page.locator("#values table")).to_have_count(0)
    page.get_by_role("link", name="Go to that game").click()
    eve.to_move()
    assert page.url == table


def test_any_position_is_studied_on_a_board_of_ones_own(people: People) -> None:
    eve = people("Eve")
    page = eve.page
    page.goto("/study?game=bit-flip:bits=3")
    values = [
        "0: 0, legal move, loses in 2 moves",
        "1: 0, legal move, wins in 1 move, best",
        "2: 0, legal move, loses in 2 moves",
    ]
    eve.sees(values)
    page.locator('[data-move="0"]').click()
    expect(page.locator("#last")).to_have_text("After 1 move. Player 1: 0.")
    expect(eve.told()).to_have_text(
        "After 1 move. Player 1: 0. Player 2 to move: wins in 1 move with best play."
    )
    assert page.url.endswith("moves=0")
    page.reload()
    expect(page.locator("#last")).to_have_text("After 1 move. Player 1: 0.")
    page.locator("[data-step=previous]").click()
    eve.sees(values)
    page.locator('[data-move="1"]').click()
    expect(page.locator("#status")).to_have_text(
        "Player 1 won. Player 1 made the last flip, and no bit was left for Player 2."
    )
    expect(eve.listed()).to_have_text(["1"])
    page.get_by_role("button", name="Clear the board").click()
    eve.sees(values)
    page.locator('[data-move="2"]').click()
    expect(page.locator("#last")).to_have_text("After 1 move. Player 1: 2.")
    page.get_by_role("button", name="Continue from here against perfect play").click()
    page.wait_for_url("**/t/*")
    eve.to_move()
    expect(eve.listed()).to_have_text(["2"])
    eve.play("0")
    expect(page.locator("#status")).to_have_text("You won")


def test_the_mistakes_of_a_computer_player_are_shown_on_a_study_board(people: People) -> None:
    eve = people("Eve")
    page = eve.page
    page.goto("/study?game=bit-flip:bits=16")
    of = page.get_by_label("Mistakes of")
    of.select_option("learned")
    expect(page.locator("#wrong tr")).to_have_text(["459.2%Loses", "940.7%Loses"])
    expect(page.locator("#worst li")).to_have_count(12)
    first = page.locator("#worst button").first
    expect(first).to_have_text("After 14: Player 2 gives the win away with a chance of 100.0%, mostly by 5.")
    assert eve.flaws() == []
    first.click()
    expect(eve.listed()).to_have_text(["14"])
    expect(page.locator("#wrong tr").nth(4)).to_have_text("540.4%Loses")
    page.go_back()
    expect(page.locator("#last")).to_have_text("Start position.")
    expect(page.locator("#wrong tr")).to_have_count(2)
    of.select_option("")
    expect(page.locator("#wrong, #worst")).to_have_count(0)
    page.goto("/study?game=bit-flip:bits=5")
    expect(of.locator("option")).to_have_text(
        ["nobody", *(f"level {level}" for level in (9, 7, 5, 3, 1)), "random"]
    )


def test_a_board_of_ones_own_goes_back_with_the_browser(people: People) -> None:
    eve = people("Eve")
    page = eve.page
    page.goto("/study?game=bit-flip:bits=7")
    expect(page.locator("#last")).to_have_text("Start position.")
    expect(page.locator("#review li")).to_have_count(0)  # nothing has been played
    for ply, text in enumerate(("0", "2", "4"), start=1):
        page.locator(f'[data-move="{text}"]').click()
        expect(page.locator("#last")).to_contain_text(f"After {ply} move")
    expect(page.locator("#review li")).not_to_have_count(0)
    page.go_back()
    expect(page.locator("#last")).to_have_text("After 2 moves. Player 2: 2.")
    expect(eve.listed()).to_have_text(["0", "2"])
    assert page.url.endswith("moves=0%2C2")
    page.locator("[data-step=previous]").click()
    expect(page.locator("#last")).to_have_text("After 1 move. Player 1: 0.")
    page.locator('[data-move="5"]').click()
    expect(eve.listed()).to_have_text(["0", "5"])
    page.go_back()  # to what was looked at before
    expect(eve.listed()).to_have_text(["0", "2"])
    expect(page.locator("#last")).to_have_text("After 1 move. Player 1: 0.")
    page.go_forward()
    expect(eve.listed()).to_have_text(["0", "5"])
    expect(page.locator("#last")).to_have_text("After 2 moves. Player 2: 5.")
    page.locator('#board [data-label="1"]').click()
    expect(page.get_by_role("alert")).to_have_text("Bit 1 is next to bit 0, already 1.")
    page.goto("/study?game=dual-direction")
    page.locator('#board [data-label="1"]').click()
    expect(page.get_by_role("alert")).to_have_text(
        "No move leads to 1 from here. Choose a cell with a value."
    )
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
    expect(page.locator("#last")).to_have_text("After 1 move. Player 1: 2.")
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
    expect(eve.page.locator("#status")).to_have_text("Ann to move.")
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
        expect(page.locator("#accuracy th")).to_have_text(names)


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
    eve.pardoned.append("404")
    eve.page.goto("/nothing")
    expect(eve.page.get_by_role("heading", name="Page not found")).to_be_visible()
    eve.page.get_by_role("link", name="Go to the games").click()
    expect(eve.page.locator("article svg")).to_have_count(len(LINES))


def test_no_list_of_moves_ends_in_the_middle_of_a_line(people: People) -> None:
    eve = people("Eve")
    eve.page.goto("/study?game=dual-direction&moves=" + ",".join(["left", "right"] * 20))
    expect(eve.page.locator("#moves li")).to_have_count(40)
    expect(eve.page.locator("#values table")).to_be_visible()
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
    chooser = page.get_by_label("Game", exact=True)
    above, below = chooser.bounding_box(), page.locator("#choose .presets").bounding_box()
    assert above is not None
    assert below is not None
    assert below["y"] > above["y"] + above["height"] + 4
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
    expect(page.get_by_role("alert")).to_have_text(
        "Positions must be a whole number, at least 3. You entered “1”."
    )
    page.locator("#board [data-move=left]").first.click()  # what could be shown is there still
    expect(page.locator("#last")).to_have_text("After 1 move. Player 1: left.")
    page.go_back()
    expect(page.locator("#last")).to_have_text("Start position.")
    page.go_back()
    expect(page.locator("#board [data-cell]")).to_have_count(11)
    expect(page.locator("#study-positions")).to_have_value("")
    page.go_back()
    expect(chooser).to_have_value("bit-flip")
    expect(page.get_by_role("heading", name="Bit Flip, study board")).to_be_visible()


def test_signs_are_seen_where_the_user_chooses_the_colors(people: People, server: Server) -> None:
    page = people("Eve", forced_colors="active").page
    page.goto(finished(server, "bit-flip:bits=3", ("0", "2")))
    page.get_by_role("link", name="Study this game").click()
    page.locator("[data-step=first]").click()
    color = "each => getComputedStyle(each).backgroundColor"
    ground = page.locator("body").evaluate(color)
    for sign in (".portion", ".side-sign >> nth=0"):
        assert page.locator(sign).evaluate(color) != ground, sign
    assert page.locator(".bar").evaluate("each => getComputedStyle(each).borderTopWidth") == "1px"


def test_the_mark_of_a_move_stands_beside_it(people: People, server: Server) -> None:
    page = people("Eve").page
    moves = tuple("left" if way == "l" else "right" for way in "lrlllrrlllrrlll")
    page.goto(finished(server, "inversion-race:cells=9", moves))
    page.get_by_role("link", name="Study this game").click()
    expect(page.locator("#moves .sign")).to_have_count(len(moves))
    below = """list => [...list.querySelectorAll('li')].map(each => {
      const [ply, text, sign] = ['.ply', '.text', '.sign'].map(part => each.querySelector(part).getBoundingClientRect());
      const line = sign.top < ply.bottom && text.height < 1.5 * ply.height && text.right <= sign.left;
      return line ? null : each.textContent;
    }).filter(Boolean)"""
    for ply in range(len(moves), 9, -1):  # each is bold while it is shown
        page.locator(f'#moves [data-ply="{ply}"]').click()
        expect(page.locator(f'#moves [data-ply="{ply}"]')).to_have_attribute("aria-current", "true")
        assert page.locator("#moves .moves").evaluate(below) == []
