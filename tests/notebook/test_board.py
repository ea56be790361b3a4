"""The board in notebooks: the kernel's side in Python, and the widget in Chromium with a stand-in for the notebook."""

import sys
from collections.abc import Iterator
from importlib import import_module
from random import Random

import pytest
from axe_playwright_python.sync_playwright import Axe
from IPython.core.interactiveshell import InteractiveShell
from IPython.display import display
from IPython.utils.capture import capture_output
from playwright.sync_api import Browser, Page, ViewportSize

import perfectplay as pp
from perfectplay_notebook import Board, bundle
from tests.core.listed_games import table_game
from tests.notebook.notebooks import Notebook, picture_of
from tests.web.browsers import PHONE
from tests.web.pages.conftest import chromium as chromium  # a fixture is found by its name

SPECS = [
    "bit-flip",
    "dual-direction:positions=5",
    "inversion-race:cells=7",
    "mirror-match:digits=2",
    "race-to-the-center",
]
"""Games that are soon over, however they are played."""


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(viewport=ViewportSize(width=PHONE["width"], height=PHONE["height"]))
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("how", ["click", "press"])
def test_a_whole_game_is_played_in_the_notebook(page: Page, spec: str, how: str) -> None:
    board = Board(spec, opponent="random", seed=8)
    notebook = Notebook(page, board)
    rng = Random(2)
    if how == "press":
        page.keyboard.press("Tab")
    while not board.result:
        play = notebook.click if how == "click" else notebook.press
        play(rng.choice(board.match.legal()))
        notebook.settled(board.match.plies)
        # Or JupyterLab would take keys for itself, and delete the cell at "d d".
        assert page.evaluate("document.activeElement.dataset.lmSuppressShortcuts") == "true"
    assert board.match.result is not None
    assert page.locator(".status").text_content() == f"{board.result}."
    replayed = pp.Match.replay(pp.read_records(board.record)[0], board.match.game)
    assert replayed.state == board.match.state
    assert (notebook.errors, notebook.problems) == ([], [])
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_what_the_notebook_says_and_offers(page: Page) -> None:
    board = Board("bit-flip", opponent="perfect", seed=1)
    notebook = Notebook(page, board, 'data-jp-theme-light="false"')
    back = page.get_by_role("button", name="Take back")
    assert back.is_disabled()
    assert page.locator(".status").text_content() == (
        "Your turn: you are Player 1, against Player 2 (perfect)."
    )
    notebook.click("4")
    notebook.settled(2)
    page.locator('[data-cell="4"]').click()
    assert "Bit 4 is already 1" in (page.locator(".complaint").text_content() or "")
    back.click()
    notebook.settled(0)
    assert page.locator(".complaint").is_hidden()
    notebook.click("0")
    notebook.settled(2)
    page.get_by_role("button", name="New game").click()
    notebook.settled(0)
    assert (board.moves, board.match.seed) == ([], 2)
    page.evaluate("window.model.send({ play: 'x' })")
    page.wait_for_function("document.querySelector('.complaint').textContent !== ''")
    assert notebook.problems == ['"x" is not a move here.']
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    assert [each["id"] for each in found] == []
    # The theme of the notebook decides, and its own text is left as it is.
    assert (
        page.locator(".card").evaluate("each => getComputedStyle(each).backgroundColor") == "rgb(34, 29, 22)"
    )
    page.evaluate("document.body.dataset.jpThemeLight = 'true'")
    page.locator(".perfectplay-board:not(.dark)").wait_for()
    assert page.locator("#other").evaluate("each => getComputedStyle(each).color") == "rgb(0, 0, 0)"
    assert page.evaluate("getComputedStyle(document.body).getPropertyValue('--ink')") == ""
    assert page.evaluate("window.count()") == 2
    page.evaluate("window.clean()")
    assert page.evaluate("window.count()") == 0


def test_a_picture_is_there_until_the_board_is(page: Page) -> None:
    board = Board("bit-flip:bits=5", opponent=None)
    board.play("2")
    page.set_content(picture_of(board))
    picture = page.get_by_role("img", name="Bit Flip: Player 2 to move.")
    assert picture.evaluate("async each => { await each.decode(); return each.naturalWidth; }") > 100
    Notebook(page, board)
    page.locator(".board-place svg").wait_for()
    assert page.locator("img").is_hidden()


def test_an_exported_notebook_has_a_picture_of_the_last_position() -> None:
    InteractiveShell.instance()
    board = Board("bit-flip:bits=5", opponent=None)
    with capture_output() as captured:
        display(board)
        board.play("2")
    picture, widget, later = captured.outputs
    assert "application/vnd.jupyter.widget-view+json" in widget.data
    for each, text in ((picture, "0 0 0 0 0"), (later, "0 0 1 0 0")):
        assert set(each.data) == {"text/html", "image/svg+xml", "text/plain"}
        assert f"<desc>{text}</desc>" in each.data["image/svg+xml"]
    assert later.update
    assert later.transient == picture.transient  # it takes the place of the first


def test_a_notebook_reads_and_observes_the_game() -> None:
    board = Board(pp.load("bit-flip:bits=5"), opponent=None)
    seen: list[list[str]] = []
    board.observe(lambda change: seen.append(change["new"]), "moves")
    board.play("0")
    board.play(3)
    assert seen == [["0"], ["0", "3"]]
    assert board.result == "Player 2 wins: last flip"
    board.undo()
    assert (board.moves, board.result) == (["0"], "")
    with pytest.raises(pp.IllegalActionError):
        board.play("1")
    assert board.moves == ["0"]


def test_an_opponent_begins_where_it_has_the_first_seat_and_repeats_itself() -> None:
    first, again, other = (Board("bit-flip", "random", side=1, seed=seed) for seed in (3, 3, 4))
    for board in (first, again, other):
        assert board.match.players == ("random", "human")
        board.play(board.match.legal()[0])
    assert first.moves == again.moves != other.moves
    assert first.record == again.record


def test_a_forced_pass_is_played_and_taken_back_with_the_move_before_it() -> None:
    game = table_game(
        {
            "start": {"wait": "held", "win": "won"},
            "held": {"pass": "free"},
            "free": {"again": "start", "lose": "lost"},
        },
        ends={"won": 0, "lost": 1},
        movers={"held": 1},
        passes=frozenset({"pass"}),
        event_names=("pass",),
    )
    for opponent in ("perfect", None):
        board = Board(game, opponent)
        board.play("wait")
        assert board.moves == ["wait", "pass"]
        assert board.shown["position"]["legal"] == ["again", "lose"]
        board.undo()
        assert (board.moves, board.shown["started"]) == ([], False)
    mine = Board(game, "perfect", side=1)  # whose only turns are passes
    assert mine.result == "Player 1 wins: end"


def test_a_board_says_that_play_is_stuck() -> None:
    game = table_game({"start": {"fall": "void"}}, ends={}, movers={"void": 1})
    board = Board(game, "random")
    board.play("fall")  # the opponent has no move
    assert board.shown["status"] == "Play is stuck: there is no legal move and no result."


def test_what_cannot_be_played_is_said_at_once() -> None:
    with pytest.raises(pp.BadParameterError, match="side=2: must be 0 or 1"):
        Board("bit-flip", side=2)  # type: ignore[arg-type]
    for game, opponent in (("chess", None), ("bit-flip", "nobody"), ("bit-flip", "human")):
        with pytest.raises(pp.PerfectplayError):
            Board(game, opponent)


def test_the_script_is_the_code_of_the_pages_in_one_module() -> None:
    source = bundle.script()
    assert "import {" not in source
    assert source.count("\nexport ") == 1
    for name in ("board", "drawing", "controls", "geometry", "pieces"):
        assert source.count(f"const ${name} = ") == 1
        body = (bundle.STATIC / f"{name}.js").read_text("utf-8")
        longest = max(body.splitlines(), key=len)
        assert longest.removeprefix("export ") in source


def test_without_its_library_one_line_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "anywidget", None)  # as if it were not installed
    for name in ("perfectplay_notebook", "perfectplay_notebook.board"):
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(ImportError, match=r"pip install .*perfectplay-notebook"):
        import_module("perfectplay_notebook")
