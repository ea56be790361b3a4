"""What a board shows by itself: goals, colors, tracks of any length, one control per move, motion and sound."""

from collections import Counter
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

import perfectplay as pp
from perfectplay.core.view import Cell, View
from perfectplay.tables.position_serializers import serialize_view
from tests.web.browsers import PHONE, Person
from tests.web.pages.tables import People, finished, play, seated
from tests.web.servers import Server
from tests.web.whole_games import LINES

TABLET = {"width": 768, "height": 1024}
DESK = {"width": 1280, "height": 800}


def kinds(found: Locator) -> list[str]:
    """The classes of elements."""
    classes: list[str] = found.evaluate_all("all => all.map(each => each.getAttribute('class'))")
    return classes


# Goals


@pytest.mark.parametrize(
    ("spec", "goals"),
    [
        ("dual-direction", {"1": "goal side-0", "11": "goal side-1"}),
        ("race-to-the-center", {"5": "goal both"}),
        ("inversion-race", {"0": "goal both", "10": "later-goal both"}),
        ("inversion-race:passing=letter", {"0": "goal both"}),
    ],
)
def test_the_goals_are_on_the_board(people: People, spec: str, goals: dict[str, str]) -> None:
    page = people("Eve").page
    page.goto(f"/study?game={spec}")
    cells = page.locator("#board .cell:has(.flag)")
    expect(cells).to_have_count(len(goals))
    for cell, (label, kind) in zip(cells.all(), goals.items(), strict=True):
        assert cell.get_attribute("data-label") == label
        assert kind in str(cell.get_attribute("class"))
        expect(cell.locator(".goal-ring")).to_have_count(1)
        data = {"goal side-0": "circle", "goal both": "circle", "goal side-1": "rect"}.get(kind)
        for each in ("circle", "rect"):  # the shape of its owner's pieces
            expect(cell.locator(f"{each}.target")).to_have_count(int(each == data))
        expect(cell.locator(".flag.later")).to_have_count(int(kind.startswith("later")))
    expect(page.locator("#board .captions li")).to_have_count(0)  # the board says it all


ANIMATED = """
window.animated = [];
const real = Element.prototype.animate;
Element.prototype.animate = function (frames, options) {
  animated.push([this.getAttribute("class").split(" ")[0], options.duration]);
  return real.call(this, frames, options);
};
"""
"""Keeps what is moved on a page, and for how many milliseconds."""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_pieces_slide_and_the_flag_jumps_unless_less_motion_is_wanted(people: People, motion: str) -> None:
    page = people("Eve", reduced_motion=motion).page
    page.add_init_script(ANIMATED)
    page.goto("/study?game=inversion-race:cells=7,passing=leapfrog")
    flag = page.locator("#board .cell:has(.flag:not(.later))")
    expect(flag).to_have_attribute("data-label", "0")
    for ply in (1, 2):  # the second leaps over the first
        page.locator("#board [data-move=left]").click()
        expect(page.locator("#last")).to_contain_text(f"After {ply} move")
    expect(flag).to_have_attribute("data-label", "6")
    expect(page.locator("#board .flag.later")).to_have_count(0)
    moved = page.evaluate("animated")
    if motion == "reduce":
        assert moved == []
    else:
        assert {what for what, _ in moved} == {"piece", "flag"}
        assert all(150 <= lasts <= 250 for _, lasts in moved)


COVERED = """
window.covered = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (...how) {
  const cells = [...document.querySelectorAll('#board .cell')];
  if (this.closest('#board')) window.covered.push(cells.filter(cell => !cell.contains(this) && this.compareDocumentPosition(cell) & Node.DOCUMENT_POSITION_FOLLOWING).length);
  return animate.apply(this, how);
};
"""
"""Counts, for whatever begins to move on a board, the cells that are drawn over it."""


def test_what_moves_passes_over_the_cells_in_either_direction(people: People) -> None:
    page = people("Eve", reduced_motion="no-preference").page
    page.add_init_script(COVERED)
    page.goto("/study?game=inversion-race:cells=7,passing=leapfrog")
    for ply, way in enumerate(("right", "left", "left"), start=1):  # the last one leaps, and the flag jumps
        page.locator(f"#board [data-move={way}]").click()
        expect(page.locator("#last")).to_contain_text(f"After {ply} move")
    covered = page.evaluate("covered")
    assert len(covered) >= 3
    assert set(covered) == {0}
    expect(page.locator("#board > * > .piece, #board svg > :is(.piece, .flag)")).to_have_count(0)
    expect(page.locator("#board .cell .piece")).to_have_count(2)  # back in their cells


def test_matching_ends_are_joined_and_closed_bits_are_shaded(people: People, server: Server) -> None:
    page = people("Eve").page
    page.goto("/study?game=mirror-match:shortest=5&moves=3 E,7 E,4 E,3 E")
    expect(page.locator("#board .link")).to_have_count(2)
    assert kinds(page.locator("#board .link")) == ["link matched", "link open"]
    page.goto("/study?game=bit-flip:bits=7&moves=3")
    expect(page.locator("#board .closed .cross")).to_have_count(2)
    closed = page.locator("#board .closed")
    assert closed.evaluate_all("all => all.map(each => each.dataset.label)") == ["2", "4"]


# Colors


@pytest.mark.parametrize(
    ("spec", "moves", "owners"),
    [
        ("bit-flip:bits=7", ("0", "2", "6"), ["side-0", "side-1", "side-0"]),
        ("mirror-match:shortest=9", ("3 E", "4 B", "5 B"), ["side-0", "side-1", "side-0"]),
    ],
)
def test_it_is_seen_who_placed_what(
    people: People, spec: str, moves: tuple[str, ...], owners: list[str]
) -> None:
    ann, bob = seated(people, spec)
    play((ann, bob), moves)
    pieces = [each.page.locator("#board .piece:not(.hollow)") for each in (ann, bob)]
    for each in pieces:
        assert kinds(each) == [f"piece {owner}" for owner in owners]
        # Round or square, for those who do not see the difference in color.
        assert [piece.locator("circle").count() for piece in each.all()] == [1, 0, 1]
    cards = ann.page.locator(".player .piece")
    assert kinds(cards) == ["piece side-1", "piece side-0"]
    assert kinds(ann.page.locator("#moves li")) == ["side-0", "side-1", "side-0"]
    ann.page.locator("[data-step=previous]").click()
    expect(pieces[0]).to_have_count(2)
    ann.page.reload()
    ann.connected()
    assert kinds(pieces[0]) == [f"piece {owner}" for owner in owners]


# Tracks


@pytest.mark.parametrize("viewport", [PHONE, TABLET], ids=["phone", "tablet"])
def test_a_long_track_bends_where_it_is_seen(people: People, viewport: Any) -> None:
    eve = people("Eve", viewport=viewport)
    for spec, most in (("bit-flip:bits=200", 40), ("inversion-race:cells=200", 20), ("dual-direction", 1)):
        eve.page.goto(f"/study?game={spec}")
        expect(eve.page.locator("#board .cell").first).to_be_visible()
        rails, bends = eve.page.locator("#board .rail").count(), eve.page.locator("#board .bend").count()
        assert 1 <= rails <= most
        assert bends == rails - 1
        assert eve.width() <= viewport["width"]
        left, right = eve.page.locator("#board .bend, #board .ground").evaluate_all(
            """all => [Math.min(...all.map(each => each.getBoundingClientRect().left)),
                       Math.max(...all.map(each => each.getBoundingClientRect().right))]"""
        )
        assert left >= 0
        assert right <= viewport["width"]


OVERLAPS = """
async ([view, width]) => {
  const { drawView } = await import("/static/drawing.js");
  const marks = new Map([[0, { kind: "win", best: true }], [1, { kind: "loss", best: false }]]);
  const { svg, foot } = drawView(view, { width, marks, playable: true });
  document.body.append(svg);
  const boxes = (kind) => [...svg.querySelectorAll(kind)].map((each) => each.getBoundingClientRect());
  const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
  const labels = boxes(".label").filter((each) => each.width > 0);
  const covered = labels.filter((label) => boxes(".body, .value-dot, .star").some((data) => !apart(label, data)));
  const [last] = boxes(".label").slice(-1);
  // A board on which no cell has a label any more keeps the room for them.
  const bare = { ...view, rows: view.rows.map((row) => row.map((cell) => ({ ...cell, label: "" }))) };
  const later = drawView(bare, { width, foot });
  return [labels.length, covered.length, last.bottom <= svg.getBoundingClientRect().bottom, later.height === drawView(view, { width }).height];
}
"""
"""The labels on a board, those of them under a piece or a mark, and whether the board has and keeps room for them."""


@pytest.mark.parametrize("width", [328, 530])
def test_labels_of_occupied_cells_can_be_read(people: People, width: int) -> None:
    page = people("Eve").page
    page.goto("/study?game=bit-flip")
    game = pp.load("bit-flip")
    rows = tuple((*(Cell("", ("o",)),) * 5, Cell(label, ("o",), i)) for i, label in enumerate(("L10", "R1")))
    view = serialize_view(game, game.initial(), View(rows), playable=True)
    assert page.evaluate(OVERLAPS, [view, width]) == [2, 0, True, True]


def test_the_board_fills_the_middle(people: People) -> None:
    ann, _ = seated(people, "bit-flip:bits=3", viewport=DESK)
    box = ann.page.locator("#board .ground").first.bounding_box()
    assert box is not None
    assert box["width"] == 110


def test_the_list_of_moves_shows_every_word(people: People) -> None:
    ann, bob = seated(people, "inversion-race")
    play((ann, bob), ("right", "left", "right", "left"))
    expect(ann.page.locator("#moves .note")).to_have_text(["inversion"])
    words = ann.page.locator("#moves :is(.text, .note)").evaluate_all(
        """all => all.map(each => each.getBoundingClientRect().right
                           <= each.closest("button").getBoundingClientRect().right)"""
    )
    assert words == [True] * 5
    assert ann.page.locator("#moves .moves").evaluate("each => each.scrollWidth <= each.clientWidth")


# Controls


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_else_can_be_done_looks_like_buttons_in_one_row(people: People, scheme: str) -> None:
    ann, bob = seated(people, "bit-flip", viewport=PHONE, color_scheme=scheme)
    play((ann, bob), ("0", "2"))
    ann.to_move()
    buttons = ann.page.locator("#actions button")
    expect(buttons).to_have_text(["Take back", "Abandon", "Resign"])
    assert len(set(buttons.evaluate_all("all => all.map(each => each.getBoundingClientRect().top)"))) == 1
    expect(ann.page.locator("#transfer button")).to_have_text("Move to another device")
    edges = ann.page.locator(":is(#actions, #transfer) button").evaluate_all(
        "all => all.map(each => getComputedStyle(each).borderColor)"
    )
    ground = ann.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert not {ground, "rgba(0, 0, 0, 0)"} & set(edges)


SHIFTS = """
window.shifts = [];
new PerformanceObserver(list => {
  for (const entry of list.getEntries()) {
    // An empty place may move, as nobody sees it. A busy machine may lose the connection, which is said in the head.
    const seen = entry.sources.filter(each => each.node?.innerText && each.node.id !== "connection");
    if (seen.length) shifts.push([entry.value, ...seen.map(each => each.node.id || each.node.className)]);
  }
}).observe({ type: "layout-shift" });
"""


def controls(person: Person) -> Counter[str]:
    """How many controls there are for each move that can be chosen."""
    found = person.page.locator(":is(#board, #controls) :is([data-move], [data-moves]):not(:disabled)")
    texts: list[str] = found.evaluate_all(
        "all => all.flatMap(each => each.dataset.move ?? each.dataset.moves.split(','))"
    )
    return Counter(texts)


@pytest.mark.parametrize("spec", LINES)
def test_a_whole_game_moves_nothing_but_pieces_and_has_one_control_per_move(
    people: People, spec: str
) -> None:
    spec = spec.replace("positions=7", "positions=11").replace("cells=7", "cells=11")
    ann = people("Ann", viewport=DESK, reduced_motion="no-preference")
    bob = people("Bob", viewport=PHONE, reduced_motion="no-preference")
    bob.join(ann.make(spec))
    for each in (ann, bob):
        each.page.evaluate(SHIFTS)
    ann.to_move()
    for _ in range(12):
        mover, waiter = (ann, bob) if ann.offered() else (bob, ann)
        offered = controls(mover)
        assert set(offered.values()) == {1}
        sizes = mover.page.locator(":is(#board, #controls) :is([data-move], [data-moves])").evaluate_all(
            "all => all.map(each => each.getBoundingClientRect().width)"
        )
        assert min(sizes) >= 44
        plies = ann.listed().count()
        mover.play(sorted(mover.offered())[0])
        for each in (ann, bob):
            expect(each.listed()).to_have_count(plies + 1)
        if ann.page.locator("#status.verdict").count():
            break
        waiter.to_move()
    else:
        bob.press("Resign")
        bob.press("Resign", "dialog")
    for each in (ann, bob):
        expect(each.page.locator("#status.verdict")).to_be_visible()
        each.page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert each.page.evaluate("shifts") == []


def test_a_pressed_cell_reacts_before_the_server_answers(people: People) -> None:
    ann, bob = people("Ann"), people("Bob")
    ann.page.add_init_script(
        "const send = WebSocket.prototype.send; WebSocket.prototype.send = function (text) { if (!window.mute) send.call(this, text); };"
    )
    bob.join(ann.make("bit-flip"))
    ann.to_move()
    ann.page.evaluate("window.mute = true")
    ann.page.locator('#board [data-move="4"]').click()
    expect(ann.page.locator("#board .pressed")).to_have_attribute("data-label", "4")


def test_a_number_is_picked_and_then_an_end(people: People) -> None:
    ann, bob = seated(people, "mirror-match")
    slots = ann.page.locator("#board [data-move]")
    expect(slots).to_have_count(0)
    ann.page.locator('[data-pick="3"]').focus()
    ann.page.keyboard.press("Enter")
    expect(slots).to_have_count(2)
    assert slots.evaluate_all("all => all.map(each => each.dataset.move)") == ["3 B", "3 E"]
    expect(slots.first).to_be_focused()
    ann.page.keyboard.press("Escape")
    expect(slots).to_have_count(0)
    expect(ann.page.locator('[data-pick="3"]')).to_be_focused()
    ann.page.locator('[data-pick="5"]').click()
    ann.page.locator('[data-move="5 E"]').click()
    expect(bob.listed()).to_have_text(["5"])


# The computer, sounds


def test_the_computer_thinks_for_a_moment(people: People) -> None:
    ann = people("Ann", reduced_motion="no-preference")
    ann.make("inversion-race", opponent="level:4")
    ann.to_move()
    ann.page.evaluate(
        """window.times = [];
        new MutationObserver(() => {
          const count = document.querySelectorAll("#moves .text").length;
          if (times.length < count) times.push([performance.now(), document.querySelectorAll(".thinking").length]);
        }).observe(document.getElementById("moves"), { childList: true, subtree: true });"""
    )
    ann.play_by_keyboard("left")
    expect(ann.listed()).to_have_count(2)
    assert ann.holds(
        '#board [data-move="left"]'
    )  # which is the nearest to the last, now that there is one again
    (own, _), (answer, _) = ann.page.evaluate("times")
    assert answer - own >= 500
    expect(ann.page.locator(".thinking")).to_have_count(0)


TONES = """
window.tones = 0;
window.AudioContext = class {
  currentTime = 0;
  createOscillator() {
    return { frequency: {}, connect: to => to, start: () => { tones += 1; }, stop() {} };
  }
  createGain() {
    return { gain: { setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect: to => to };
  }
};
"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_sounds_are_off_by_one_click_and_stay_off(people: People, motion: str) -> None:
    ann, bob = people("Ann", reduced_motion=motion), people("Bob")
    ann.page.add_init_script(TONES)
    bob.join(ann.make("bit-flip"))
    play((ann, bob), ("0",))
    heard = ann.page.evaluate("tones")
    assert heard == (0 if motion == "reduce" else 1)
    button = ann.page.get_by_role("button", name="Sound")
    expect(button).to_have_attribute("aria-pressed", "true")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
    bob.play("2")
    ann.to_move()
    assert ann.page.evaluate("tones") == heard
    ann.page.reload()
    ann.connected()
    expect(button).to_have_attribute("aria-pressed", "false")
    ann.play("4")
    expect(bob.listed()).to_have_count(3)
    assert ann.page.evaluate("tones") == 0


# The end, and study


def test_the_end_leads_to_the_mistake(people: People) -> None:
    ann, bob = seated(people, "bit-flip:bits=9")
    play((ann, bob), ("1", "3", "5", "7"))
    expect(ann.page.locator("#status")).to_have_text("You lost")
    size = ann.page.locator("#status").evaluate("each => parseFloat(getComputedStyle(each).fontSize)")
    assert size >= 32
    expect(ann.page.locator("#ending").locator("a, button")).to_have_text(
        ["Rematch", "Where did I go wrong?", "New game", "Try the moment again"]
    )
    expect(bob.page.locator("#ending").locator("a, button")).to_have_text(
        ["Rematch", "Study this game", "New game"]
    )
    ann.page.get_by_role("link", name="Where did I go wrong?").click()
    ann.page.wait_for_url("**/g/1#0")
    expect(ann.page.locator("#status")).to_have_text("Ann to move: wins in 5 moves with best play.")
    expect(ann.page.locator("#evaluation .leading")).to_have_text("Ann")
    expect(ann.page.locator("#values tr.best")).to_contain_text("4")
    expect(ann.page.locator("#review li")).to_have_text(
        ["Move 1, Ann: 1 threw away the win; 1 of 9 moves would have kept it: 4."]
    )


def test_equal_moves_are_folded_and_no_losing_move_has_a_star(people: People, server: Server) -> None:
    page = people("Eve").page
    page.goto("/study?game=race-to-the-center")
    expect(page.locator("#values tbody tr")).to_have_count(1)
    expect(page.locator("#values tbody th")).to_have_text("1, 2")
    expect(page.locator(".star")).to_have_count(0)
    expect(page.locator("#evaluation .bar")).to_have_attribute("aria-label", "Player 2 is winning")
    page.goto("/study?game=dual-direction")
    expect(page.locator("#evaluation .bar")).to_have_attribute("aria-label", "Nobody is winning")
    page.goto(f"{finished(server, 'bit-flip:bits=3', ('0', '2'))}/g/1")
    expect(page.locator("#evaluation .bar")).to_have_attribute("aria-label", "Bob has won")
    assert "Player" not in page.locator("main").inner_text()


def test_headings_have_the_font_that_the_pages_bring(people: People) -> None:
    page = people("Ann").page
    with page.expect_response(lambda response: response.url.endswith(".woff2")) as font:
        page.goto("/")
    assert font.value.url == page.url + "static/literata-600.woff2"
    assert font.value.headers["content-type"] == "font/woff2"
    loaded = page.evaluate("document.fonts.ready.then(all => [...all].map(each => each.status))")
    assert loaded == ["loaded"]
    style = page.locator("h1").first.evaluate("each => getComputedStyle(each).fontFamily")
    assert style.startswith("Literata")
