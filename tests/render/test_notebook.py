"""What notebooks show: pictures and tables that are well-formed, escaped, and complete."""

import subprocess
import sys
from random import Random
from xml.etree import ElementTree

import pytest

import perfectplay as pp
from perfectplay.audit.report import audit
from perfectplay.audit.sweep import sweep
from perfectplay.core.value import KINDS
from perfectplay.render.colors import EDGE, GROUNDS, MATCHED, OPEN, SIDES
from perfectplay.render.html import write_value
from perfectplay.render.notebook import match_html, match_svg
from perfectplay.render.svg import WIDTH, svg
from tests.core.listed_games import ListedGame, table_game

SVG = "{http://www.w3.org/2000/svg}"


def played(spec: str, plies: int, seed: int = 4) -> "pp.Match[object]":
    match: pp.Match[object] = pp.Match(pp.load(spec))
    rng = Random(seed)
    for _ in range(plies):
        if match.legal():
            match.play(rng.choice(match.legal()))
    return match


def pieces_in(picture: ElementTree.Element) -> list[str]:
    return [each.text or "" for each in picture.iter(f"{SVG}text")]


@pytest.mark.parametrize("name", pp.names())
@pytest.mark.parametrize("plies", [0, 4])
def test_a_view_is_a_picture_with_its_cells_and_a_description(name: str, plies: int) -> None:
    match = played(name, plies)
    view = match.game.view(match.state)
    picture = ElementTree.fromstring(svg(view))
    assert picture.get("role") == "img"
    assert picture.find(f"{SVG}title") is not None
    assert picture.findtext(f"{SVG}desc", "") == "\n".join(view.as_text())
    words = pieces_in(picture)
    for cell in view.cells:
        assert cell.label in words
        shown = [] if cell.role == "closed" else [each for each in cell.pieces if each != "*"]
        assert all(each in words for each in shown)
    width, height = float(picture.get("width", "")), float(picture.get("height", ""))
    assert width == WIDTH
    for box in picture.iter(f"{SVG}rect"):
        x, y = float(box.get("x", "")), float(box.get("y", ""))
        assert x >= 0
        assert y >= 0
        assert x + float(box.get("width", "")) <= width
        assert y + float(box.get("height", "")) <= height


def test_roles_owners_links_and_the_last_move_are_drawn() -> None:
    flip = match_svg(played("bit-flip", 2))
    assert SIDES[0][0] in flip
    assert SIDES[1][0] in flip
    assert flip.count(f'stroke="{EDGE}"') == 1
    # The view alone does not know who flipped which bit, or when.
    match = played("bit-flip", 2)
    assert not {SIDES[0][0], SIDES[1][0], EDGE} & set(svg(match.game.view(match.state)).split('"'))
    mirror: pp.Match[object] = pp.Match(pp.load("mirror-match:shortest=5"))
    for move in ("1 E", "2 E", "3 E", "1 E"):
        mirror.play(move)
    linked = match_svg(mirror)
    assert (linked.count(f'stroke="{MATCHED}"'), linked.count(f'stroke="{OPEN}"')) == (1, 9)
    direction = pp.load("dual-direction")
    drawn = svg(direction.view(direction.initial()))
    assert all(f'fill="{pale}" stroke="{color}"' in drawn for color, pale in SIDES)
    race = pp.load("inversion-race")
    picture = ElementTree.fromstring(svg(race.view(race.initial())))
    assert len(list(picture.iter(f"{SVG}polygon"))) == 2  # the flag of the goal, and of the later one


def test_a_match_says_whose_turn_it_is_and_lists_its_moves() -> None:
    match: pp.Match[object] = pp.Match(pp.load("bit-flip:bits=3"))
    match.play("0")
    shown = match_html(match)
    assert "<p>Player 2 to move, ply 2</p>" in shown
    assert ">Bit Flip: Player 2 to move, ply 2</title>" in shown
    assert "<summary>1 move</summary><ol><li>Player 1: 0</li></ol>" in shown
    match.play("2")
    assert "<p>Player 2 wins: last flip</p>" in match_html(match)
    assert "<details>" not in match_html(pp.Match(match.game))


def test_in_a_very_long_match_no_piece_has_an_owner() -> None:
    match = played("mirror-match:digits=2,shortest=1000", 0)
    for _ in range(200):
        match.play("1 B")
    assert match.placements() == (pp.Placed(0, adds=True),) * 200
    assert SIDES[0][0] in match_svg(match)
    match.play("1 B")
    assert match.placements() == (None,) * 201
    drawn = match_svg(match)
    assert SIDES[0][0] not in drawn
    assert drawn.count(f'stroke="{EDGE}"') == 1


def test_texts_of_a_game_cannot_become_markup() -> None:
    evil = "<script>alert('&')</script>"

    class Evil(ListedGame):
        title = evil
        side_names = (evil, evil)

        def view(self, state: str) -> pp.View:
            return pp.View(((pp.Cell(evil, (evil,)),),), captions=(evil,))

    Evil.table, Evil.ends, Evil.movers, Evil.start = {"start": {evil: "end"}}, {"end": None}, {}, "start"
    match = pp.Match(Evil())
    match.play(evil)
    pages = [match_html(match), match_svg(match), svg(Evil().view("start"))]
    pages += [pp.solve(Evil())._repr_html_(), pp.solve(Evil()).moves("start")._repr_html_()]
    pages += [pp.solve(Evil()).regret(match.record())._repr_html_()]
    for page in pages:
        assert "<script" not in page
        assert "&lt;script&gt;" in page


@pytest.mark.parametrize("kind", KINDS)
def test_a_value_is_a_word_that_can_be_read_on_its_ground(kind: str) -> None:
    value = pp.Value(kind, None)  # type: ignore[arg-type]
    assert f">{kind}</span>" in write_value(value)

    def light(color: str) -> float:
        parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    assert 1.05 / (light(GROUNDS[value.kind]) + 0.05) >= 4.5


def test_an_audit_is_its_page_without_scripts_and_without_style_for_anything_else() -> None:
    found = audit(pp.load("dual-direction"))
    shown = found._repr_html_()
    assert all(finding.code in shown for finding in found.findings)
    assert "Length of random games" in shown
    assert "<script" not in shown
    style = shown.partition("<style>")[2].partition("</style>")[0]
    rules = [line for line in style.splitlines() if "{" in line]
    assert rules
    assert all(line.startswith(".perfectplay-report ") for line in rules)


def test_a_sweep_is_a_plot_and_a_table() -> None:
    settings = sweep(pp.load("bit-flip"), "bits=4..8")
    shown = settings._repr_html_()
    assert isinstance(settings, tuple)
    assert shown.count("<tr>") == 1 + len(settings)
    plot = shown[shown.index("<svg") : shown.index("</svg>") + 6]
    titles = [each.text for each in ElementTree.fromstring(plot).iter("title")]
    assert titles == [f"{each.value}: {each.result}, {each.plies} plies" for each in settings]
    endless = sweep(pp.load("dual-direction"), "positions=7..8")._repr_html_()
    assert endless.count("length not known, or no end") == 2


def test_a_table_of_a_game_has_a_picture_too() -> None:
    game = table_game({"start": {"on": "end"}}, ends={"end": 0}, movers={})
    assert "<svg" in match_html(pp.Match(game))


def test_public_names_give_matches_views_and_values_what_notebooks_look_for() -> None:
    program = """
import perfectplay as pp

match = pp.Match(pp.load("bit-flip"))
view, value = match.game.view(match.state), pp.Value("win", 3)
print(match._repr_svg_()[:4], match._repr_html_()[:5], view._repr_svg_()[:4], value._repr_html_()[:5])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "<svg <div> <svg <span\n"
