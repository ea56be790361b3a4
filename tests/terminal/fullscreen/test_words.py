"""What the full screen says to a newcomer: results, values, keys that do nothing, rules, what is kept."""

import re

import pytest
from textual.widgets import OptionList

import perfectplay as pp
from perfectplay import saves
from perfectplay.core.game import Refusal
from perfectplay.core.match import Match
from perfectplay.terminal.fullscreen.screens.home import HomeScreen
from perfectplay.terminal.fullscreen.screens.review import ReviewScreen
from perfectplay.terminal.fullscreen.screens.set_up import opponent_spec
from perfectplay.terminal.fullscreen.screens.study import StudyScreen
from perfectplay.terminal.fullscreen.widgets.key_bar import fit
from perfectplay.terminal.fullscreen.widgets.layout import join_pieces
from perfectplay.terminal.fullscreen.widgets.move_list import short_names
from perfectplay.terminal.fullscreen.widgets.rules import RulesDialog, RulesPanel, closest, parts

from .screens import flowing, in_a_loop, playing, seen


@pytest.mark.parametrize("size", [(40, 15), (80, 24)])
@in_a_loop
async def test_the_result_comes_first_and_is_said_to_the_player(size: tuple[int, int]) -> None:
    async with playing("bit-flip:bits=3", ("human", "random"), size) as found:
        await found.type("1")
        said = found.screen.query_one("#said")
        assert found.shown.splitlines()[said.region.y].strip() == "Y O U   W O N"
        assert "You made the last flip" in found.text("message")
        await found.until(lambda: "The record is kept in" in found.text("message"))
        lines = found.text("message").splitlines()
        assert any(line.startswith("Your accuracy: ") for line in lines)
        assert found.shown.splitlines()[said.region.y].strip() == "Y O U   W O N"  # still in sight
        await found.press("s")
        assert "The record is kept in" in found.text("message")
    async with playing("bit-flip", ("human", "random"), size) as found:
        await found.press("x", "x")
        assert "Y O U   L O S T" in found.text("headline")
        left = found.screen
        await found.press("n")
        assert "The computer goes first." in found.text("message")
        left.add("What the coach says comes too late.")  # and does no harm
        left.show()


@in_a_loop
async def test_a_resignation_is_asked_about_each_time() -> None:
    async with playing("bit-flip") as found:
        await found.press("x")
        assert "Do you want to resign?" in found.text("message")
        await found.press("s", "x")  # something else came between
        assert found.screen.match.result is None
        await found.press("x")
        assert found.screen.match.result is not None


@in_a_loop
async def test_the_question_about_resigning_goes_with_the_next_key_or_click() -> None:
    async with playing("mirror-match") as found:
        for key in ("e", "backspace", "right", "left_square_bracket"):
            await found.press("6", "x")
            assert found.text("message").startswith("Do you want to resign?"), key
            await found.press(key)
            assert "resign" not in found.text("message"), key
            await found.press("backspace", "backspace")
        await found.press("6", "e", "enter")
        before = found.text("message")
        assert before == "Player 1: 6 E"
        await found.press("x")
        await found.pilot.click("#moves", offset=(5, 0))
        assert found.text("message") == before  # what was said before comes back
        await found.press("x")
        found.screen.add("News")  # as when the computer has moved
        assert found.text("message") == f"{before}\nNews"
        assert found.screen.match.result is None


@in_a_loop
async def test_values_have_a_legend() -> None:
    async with playing("bit-flip") as found:
        assert "Make the last flip" in found.text("captions")
        await found.press("v")
        await found.until(
            lambda: "W5 wins in 5 moves (of either side), L4 loses in 4" in flowing(found.text("captions"))
        )
        await found.press("v")
        assert "Make the last flip" in found.text("captions")
    async with playing("dual-direction", size=(40, 15)) as found:
        await found.press("v")
        await found.until(lambda: "∞ never ends" in found.text("message"))


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("i", "The review comes after the game"),
        ("n", "This game is not over"),
        ("z", "z does nothing here; ? shows the keys."),
        ("a", "once the same position has come up 3 times"),
        ("enter", "Choose a move first"),
        ("space", "Choose a move first"),
        ("left_square_bracket", "This is the first position."),
        ("pagedown", "There is nothing to scroll."),
        ("y", "There is no move to redo."),
        ("u", "There is no move to take back yet."),
    ],
)
@in_a_loop
async def test_a_key_that_does_nothing_says_why(key: str, said: str) -> None:
    async with playing("bit-flip") as found:
        await found.press(key)
        assert said in found.text("message")


@in_a_loop
async def test_keys_say_why_they_do_nothing_elsewhere() -> None:
    async with playing("mirror-match") as found:
        await found.type("4")
        await found.press("enter")
        assert "type B or E" in found.text("message")
        await found.press("e", "enter")
        await found.press("left_square_bracket", "left")
        assert "This is an earlier position" in found.text("message")
        await found.press("escape", "x", "x", "left")
        assert "The game is over" in found.text("message")
        await found.press("h")
        assert "press n for the next game" in found.text("message")
    async with seen(lambda app: StudyScreen(pp.load("bit-flip"))) as found:
        await found.until(lambda: "Best play" in found.text("message"))
        await found.press("x")
        assert "nothing is won or saved" in found.text("message")
    async with seen(lambda app: ReviewScreen(Match(pp.load("bit-flip")))) as found:
        await found.until(lambda: "no critical decisions" in found.text("message"))
        await found.press("z")
        assert "Enter plays on from an earlier position" in found.text("message")
        assert "Previous" not in found.shown  # there are no mistakes to step through
        await found.press("n")
        assert "There are no mistakes." in found.text("message")
    async with seen(lambda app: HomeScreen()) as found:
        for key, said in (
            ("7", "from 1 to 5"),
            ("escape", "Escape does nothing here"),
            ("f", "Only a game under Continue"),
        ):
            await found.press(key)
            assert said in found.text("message")
        found.screen.query_one(OptionList).highlighted = len(pp.names())
        for key in ("s", "w", "c", "o"):
            await found.press("up", "down", key)
            assert "Choose one of the games first" in found.text("message")
            assert isinstance(found.screen, HomeScreen)


@in_a_loop
async def test_the_rules_are_read_before_a_game_and_closed_by_esc() -> None:
    async with seen(lambda app: HomeScreen()) as found:
        await found.press("down", "o")
        assert isinstance(found.screen, RulesDialog)
        panel = found.screen.query_one(RulesPanel)
        await found.until(lambda: "DD-1" in found.shown)
        await found.press("pagedown", "down")
        assert panel.scroll_y > 1
        await found.press("pageup", "up")
        assert panel.scroll_y == 0
        await found.press("escape")
        assert isinstance(found.screen, HomeScreen)
    async with playing("bit-flip") as found:
        await found.press("o")
        assert found.screen.has_class("-rules")
        await found.press("escape")
        assert not found.screen.has_class("-rules")


@in_a_loop
async def test_a_won_game_that_was_resigned_is_a_mistake_in_the_review() -> None:
    match: Match[object] = Match(pp.load("bit-flip"), players=("human", "level:5"))
    for move in ("0", "2"):
        match.play(move)
    match.resign(0)
    async with seen(lambda app: ReviewScreen(match)) as found:
        screen = found.screen
        await found.until(lambda: screen.mistakes)
        assert [mark.ply for mark in screen.mistakes] == [3]
        assert "Mistake 1 of 1: resigned, * best." in found.text("status")
        assert "You resigned a won game." in found.text("message")
        await found.until(lambda: screen.board.look.marks.best)
        assert re.search(r"P1: resigned \?", found.shown)
        await found.press("enter")
        assert found.screen.match.state == match.state
        assert found.screen.asking.is_due


@in_a_loop
async def test_a_move_half_made_is_said_not_to_be_kept() -> None:
    async with playing("mirror-match") as found:
        await found.type("7")
        await found.press("q")
    assert found.app.farewell == [
        "The move that you had begun (7) is not kept: only whole moves are.",
        "No move was made, so nothing was saved.",
    ]
    assert saves.open_games() == ()


@in_a_loop
async def test_a_toss_and_a_game_of_several_say_who_goes_first() -> None:
    async with playing("bit-flip:bits=3", ("human", "random"), first="2", games=2) as found:
        assert "Game 1 of 2: the computer goes first." in found.text("message")
        await found.until(lambda: found.screen.match.plies)
        if found.screen.match.result is None:
            await found.press("x", "x")
        assert "Score after game 1 of 2: you 0, the computer (random) 1." in found.text("message")
        await found.press("n")
        assert "Game 2 of 2: you go first." in found.text("message")


@in_a_loop
async def test_escape_leaves_a_game_in_which_nothing_is_open() -> None:
    async with playing("bit-flip") as found:
        await found.press("o", "escape")  # the rules were open
        assert found.app.farewell == []
        await found.press("4", "enter", "escape")
    assert found.app.farewell != []


def test_opponents_are_read_as_people_type_them() -> None:
    read = [opponent_spec(text) for text in ("7", "Level 7", "person", "mcts")]
    assert read == ["level:7", "level:7", "human", "mcts"]


def test_a_title_keeps_the_parts_that_fit() -> None:
    assert fit(["Bit Flip", "you are Player 1", "against level 5"], 30) == "Bit Flip · you are Player 1"


def test_what_names_and_pieces_share_is_said_once() -> None:
    assert short_names(("Player A", "Player B")) == ("A", "B")
    assert short_names(("Player 1", "Player 2")) == ("P1", "P2")
    assert short_names(("Black", "White")) == ("Black", "White")
    assert join_pieces(("P1", "P2")) == ("P1", "2")
    assert join_pieces(("A", "B")) == ("A", "B")
    assert join_pieces(("X", "X")) == ("X", "X")


def test_a_refusal_is_found_in_the_part_of_the_rules_that_it_is_about() -> None:
    page = "# Bits\n\nFlip bits.\n\n- one\n  more\n- Never flip a bit next to a 1."
    assert parts(page) == ["# Bits", "Flip bits.", "- one\n  more", "- Never flip a bit next to a 1."]
    assert closest(Refusal("adjacent", "Bit 3 is next to a 1."), parts(page)) == 3
    assert closest(Refusal("other", "What?"), ["# Bits"]) is None
