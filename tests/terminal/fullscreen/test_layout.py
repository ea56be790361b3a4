"""Where things are on the full screen: nothing is hidden or cut, and nothing jumps."""

from typing import Any

import pytest

import perfectplay as pp
from perfectplay.core.match import Match
from perfectplay.core.view import Cell, View
from perfectplay.games.bit_flip.rules import BitFlip
from perfectplay.terminal.fullscreen.screens.advisor import Advisor
from perfectplay.terminal.fullscreen.screens.board_screen import BoardScreen
from perfectplay.terminal.fullscreen.screens.home import HomeScreen
from perfectplay.terminal.fullscreen.screens.play import PlayScreen
from perfectplay.terminal.fullscreen.screens.review import ReviewScreen
from perfectplay.terminal.fullscreen.screens.study import StudyScreen
from perfectplay.terminal.fullscreen.widgets.captions import Captions
from perfectplay.terminal.fullscreen.widgets.key_bar import KeyBar
from perfectplay.terminal.fullscreen.widgets.layout import arrange
from perfectplay.terminal.fullscreen.widgets.motion import slide
from tests.conftest import ROOT

from .screens import Seen, flowing, in_a_loop, playing, seen, session
from .test_play import a_short_game

SMALL, USUAL, LARGE = (40, 15), (80, 24), (200, 60)


def places(found: Seen) -> dict[object, tuple[int, int, int, int]]:
    """Where every cell and button is on the terminal."""
    board = found.screen.board
    left, top = board.margins()
    at = board.region.offset
    return {
        (item.cell, item.label, item.action if item.cell is None else None): (
            at.x + left + item.x,
            at.y + top + item.y,
            item.width,
            item.height,
        )
        for item in board.arrangement.items
    }


@pytest.mark.parametrize("size", [SMALL, USUAL])
@pytest.mark.parametrize("name", pp.names())
@in_a_loop
async def test_the_whole_board_is_there_during_a_whole_game_and_stands_still(
    name: str, size: tuple[int, int]
) -> None:
    async with playing(name, size=size) as found:
        screen = found.screen
        before = places(found)
        for action in a_short_game(name):
            await found.until(lambda: screen.asking.is_due)
            screen.say(*["A message that is longer than the place for messages."] * 9)
            await found.pilot.pause()
            board = screen.board
            assert board.arrangement.width <= board.size.width
            assert board.arrangement.height <= board.size.height
            assert board.region.height == screen.board.size.height
            screen.asking.choose(action)
            await found.pilot.pause()
            after = places(found)
            shared = before.keys() & after.keys()
            assert {each: before[each] for each in shared} == {each: after[each] for each in shared}
            before = after


@pytest.mark.parametrize("name", pp.names())
@in_a_loop
async def test_a_review_on_a_small_screen_shows_the_whole_board_and_its_chart(name: str) -> None:
    match: Match[Any] = Match(pp.load(name))
    for action in a_short_game(name):
        match.play(action)
    async with seen(lambda app: ReviewScreen(match), SMALL) as found:
        await found.until(lambda: found.screen.query_one("#chart").display)
        await found.pilot.pause()
        board = found.screen.board
        assert board.arrangement.height <= board.size.height
        assert " wins " in found.shown


@pytest.mark.parametrize("size", [(40, 20), (40, 24), (64, 24), USUAL])
@pytest.mark.parametrize("name", pp.names())
@in_a_loop
async def test_the_goal_is_shown_whole_and_keeps_its_place(name: str, size: tuple[int, int]) -> None:
    async with playing(name, size=size) as found:
        screen = found.screen
        place = screen.query_one("#captions").region
        for action in a_short_game(name):
            await found.until(lambda: screen.asking.is_due)
            lines = found.shown.splitlines()[place.y : place.bottom]
            shown = flowing(" ".join(line[place.x : place.right] for line in lines))
            view = screen.match.game.view(screen.match.state)
            aim = f"{screen.match.game.side_names[screen.match.side]}: {view.aims[screen.match.side]}"
            assert shown == f"{aim} {view.note}".strip()
            assert screen.board.virtual_size.height <= screen.board.size.height
            screen.asking.choose(action)
            await found.pilot.pause()
            if screen.match.result is None:  # then, what is said needs more room
                assert screen.query_one("#captions").region == place


@in_a_loop
async def test_a_goal_without_room_ends_in_an_ellipsis() -> None:
    async with playing("race-to-the-center", size=(64, 20)) as found:
        await found.press("o")  # the rules take most of the width
        place = found.screen.query_one("#captions").region
        last = found.shown.splitlines()[place.bottom - 1][: place.right]
        assert last.rstrip().endswith("…")


@pytest.mark.parametrize("size", [SMALL, USUAL, (120, 44)])
@in_a_loop
async def test_values_leave_what_belongs_to_the_position_in_view(
    size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    view = BitFlip.view
    monkeypatch.setattr(BitFlip, "view", lambda *args: view(*args)._replace(numbers=(("Passes left", 1),)))
    async with playing("bit-flip", size=size) as found:
        await found.press("v")
        place = "message" if size == SMALL else "captions"
        await found.until(lambda: "\nW5 wins in 5 moves" in found.text(place))
        before = found.text(place).partition("\nW5 wins in 5 moves")[0]
        assert before.endswith("Passes left: 1")
        assert "Make the last flip" in flowing(before)
        assert ("cannot be flipped" in flowing(found.shown)) == (size != SMALL)
        assert size == SMALL or "with best play." in flowing(found.shown)


@in_a_loop
async def test_the_board_stands_still_while_values_are_looked_up() -> None:
    async with playing("race-to-the-center", size=USUAL) as found:
        await found.press("v")
        await found.until(lambda: found.screen.board.look.marks.values)
        await found.pilot.pause()
        before = places(found)
        found.screen.advisor = Advisor(found.screen)
        found.screen.advisor.values = True
        found.screen.show()
        await found.pilot.pause()
        assert not found.screen.board.look.marks.values
        assert places(found) == before


@in_a_loop
async def test_a_scrollbar_covers_no_cell() -> None:
    async with playing("bit-flip:bits=90", size=(100, 24)) as found:
        assert found.screen.board.show_vertical_scrollbar
        for line in found.shown.splitlines():
            assert line.count("┌") == line.count("┐")


def test_rows_that_are_folded_stand_apart() -> None:
    row = tuple(Cell(str(number)) for number in range(7))
    assert {item.y for item in arrange(View((row, row)), 20, 60).items} == {0, 5, 11, 16}
    assert {item.y for item in arrange(View((row, row)), 40, 60).items} == {0, 5}


@pytest.mark.parametrize("longer", [0, 1])
@in_a_loop
async def test_there_is_room_for_the_longer_goal_of_the_two(longer: pp.Side) -> None:
    goals = ["Short.", "Short."]
    goals[longer] = " ".join(["long"] * 60)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BoardScreen, "goal_of", lambda screen, state, side: goals[side])
        async with playing("bit-flip", size=USUAL) as found:
            place = found.screen.query_one("#captions").region
            for side, action in ((0, 0), (1, 5)):
                assert flowing(found.text("captions")) == goals[side]
                assert found.screen.query_one("#captions").region == place
                found.screen.asking.choose(action)
                await found.pilot.pause()


@in_a_loop
async def test_a_goal_in_wide_characters_has_room_as_well() -> None:
    async with playing("bit-flip", size=USUAL) as found:
        captions = found.screen.query_one(Captions)

        async def shown(goal: str) -> str:
            captions.longest = goal
            captions.update(goal)
            await found.pilot.pause()
            return "".join(captions.render_line(line).text.strip() for line in range(captions.size.height))

        assert await shown("駒を反転する" * 20) == "駒を反転する" * 20  # five lines
        assert (await shown("駒を反転する" * 200)).endswith("…")


@pytest.mark.parametrize("name", pp.names())
@in_a_loop
async def test_the_goal_on_the_smallest_screen_is_seen_or_scrolled_to(name: str) -> None:
    async with playing(name, size=SMALL) as found:
        screen = found.screen
        goal = screen.match.game.view(screen.match.state).aims[0]
        if goal not in flowing(found.shown):
            assert screen.query_one("#messages").show_vertical_scrollbar
            await found.press("pagedown")
            assert goal in flowing(found.shown)
        screen.asking.choose(screen.match.game.legal_actions(screen.match.state)[0])
        await found.pilot.pause()
        assert screen.match.game.view(screen.match.state).aims[1] in flowing(found.shown)


@in_a_loop
async def test_a_row_that_grows_has_room_from_the_start() -> None:
    async with playing("mirror-match", size=USUAL) as found:
        before = places(found)
        for answer in ("1 E", "2 E", "3 E", "4 E", "5 B"):
            found.screen.asking.choose(found.screen.match.game.parse_action(found.screen.match.state, answer))
            await found.pilot.pause()
            after = places(found)
            assert all(after[each] == before[each] for each in before)
            before = after


@in_a_loop
async def test_two_pieces_on_a_cell_do_not_move_the_others() -> None:
    async with playing("race-to-the-center:arrival=full-turn", size=SMALL) as found:
        before = places(found)
        for step in ("2", "2", "2", "2", "1", "1"):
            await found.type(step)
        assert "P1P2" in found.shown
        assert places(found) == before


def whole_title(found: Seen) -> bool:
    """Whether the title is shown to its end."""
    return found.shown.splitlines()[0].strip() == found.text("title").strip()


@pytest.mark.parametrize("size", [SMALL, USUAL])
@in_a_loop
async def test_titles_and_keys_at_the_foot_are_never_cut(size: tuple[int, int]) -> None:
    match: Match[object] = Match(pp.load("race-to-the-center"))
    screens: list[Any] = [
        lambda app: HomeScreen(),
        lambda app: StudyScreen(pp.load("race-to-the-center")),
        lambda app: ReviewScreen(match),
    ]
    for first in screens:
        async with seen(first, size) as found:
            assert whole_title(found)
            assert "? Keys  q" in found.shown.splitlines()[-1]
    async with playing("race-to-the-center", ("human", "level:5"), size, games=3) as found:
        assert found.text("title").startswith("Race to the Center · you are Player 1")
        assert whole_title(found)
        assert found.shown.splitlines()[-1].endswith("? Keys  q Leave")


@in_a_loop
async def test_a_click_on_a_key_at_the_foot_presses_it() -> None:
    async with playing("bit-flip") as found:
        foot = found.shown.splitlines()[-1]
        await found.pilot.click(KeyBar, offset=(foot.index("o Rules") + 3, 0))
        await found.pilot.pause()
        assert found.screen.has_class("-rules")


@in_a_loop
async def test_the_moves_are_listed_whole_at_80_columns() -> None:
    async with playing("inversion-race", size=USUAL) as found:
        for _ in range(30):
            # Both walk to the right of the other until the markers have passed each other.
            legal = found.screen.match.game.legal_actions(found.screen.match.state)
            wanted = 1 if found.screen.match.side == 0 else 0
            found.screen.asking.choose(wanted if wanted in legal else legal[0])
            await found.pilot.pause()
            if any("inversion" in move.events for move in found.screen.match.record().moves):
                break
        assert "right inversion" in found.shown
        assert "…" not in found.shown


@pytest.mark.parametrize("size", [SMALL, USUAL])
@in_a_loop
async def test_all_keys_are_shown_at_once(size: tuple[int, int]) -> None:
    match: Match[object] = Match(pp.load("bit-flip"))
    screens: list[tuple[Any, tuple[str, ...], str]] = [
        (lambda app: HomeScreen(), ("Set up", "Opponent"), "Resign"),
        (lambda app: StudyScreen(pp.load("bit-flip")), ("Position", "Redo"), "Resign"),
        (lambda app: ReviewScreen(match), ("Step on", "Play on"), "Next"),
    ]
    for first, there, not_there in screens:
        async with seen(first, size) as found:
            keys = [key.description for key in found.screen.keys]
            assert not_there not in keys
            assert all(word in keys or word in str(found.screen.help_lines()) for word in there)
            await found.press("question_mark")
            assert found.screen.query_one("#box").max_scroll_y == 0
    async with playing("bit-flip", size=size) as found:
        await found.press("question_mark")
        assert found.screen.query_one("#box").max_scroll_y == 0
        assert "^c" in found.shown
        assert "Review" not in found.shown  # that comes after the game


@in_a_loop
async def test_a_large_screen_has_larger_cells_and_the_rules_beside_the_board() -> None:
    async with playing("bit-flip", size=LARGE) as found:
        await found.until(lambda: "BF-5" in found.shown)
        assert "P1: 4" not in found.shown
        await found.type("4")
        assert "P1: 4" in found.shown  # the moves are there too
        assert found.screen.board.virtual_size == (10 * 13, 7)
        await found.press("o")
        assert "BF-5" not in found.shown


def test_a_piece_slides_where_one_was_moved() -> None:
    for name, moves in (("inversion-race", ("left", "right", "left")), ("race-to-the-center", ("1", "2"))):
        match: Match[Any] = Match(pp.load(name))
        for move in moves:
            before = match.game.view(match.state)
            match.play(move)
            found = slide(before, match.game.view(match.state))
            assert found is not None
            assert found.piece in before.cells[found.start].pieces
            assert found.piece in match.game.view(match.state).cells[found.end].pieces
    flip: Match[Any] = Match(pp.load("bit-flip"))
    before = flip.game.view(flip.state)
    flip.play("4")
    assert slide(before, flip.game.view(flip.state)) is None


@in_a_loop
async def test_a_slide_ends_where_the_piece_is_and_reduced_motion_has_none() -> None:
    async with playing("dual-direction") as found:
        board = found.screen.board
        found.screen.asking.choose(0)
        assert board.slide is None
        found.app.animation_level = "full"
        found.screen.asking.choose(0)
        assert board.look.sliding == (3, "*")
        assert board.slide is not None
        await found.until(lambda: board.slide is None and not board.look.lit)
        assert board.look.sliding is None
        found.screen.asking.choose(1)
        found.screen.asking.choose(1)  # the next move does not wait for the slide
        assert board.look.sliding == (5, "*")


@in_a_loop
async def test_a_terminal_that_became_too_small_is_said_to_be() -> None:
    async with playing("bit-flip") as found:
        await found.pilot.resize_terminal(30, 10)
        await found.until(lambda: "Too small: make it 40 by 15." in found.shown)
        await found.pilot.resize_terminal(80, 24)
        await found.until(lambda: "Bit Flip" in found.shown)


@in_a_loop
async def test_eleven_cells_for_two_long_pieces_fit_on_one_line() -> None:
    async with playing("race-to-the-center") as found:
        board = found.screen.board
        for steps in ("2", "2", "2", "2", "1", "1"):  # both reach the center
            assert len({item.y for item in board.arrangement.items}) == 1
            await found.type(steps)
        assert found.screen.match.result.winner == 1
        assert len({item.y for item in board.arrangement.items}) == 1
        assert "║P12║" in found.shown


@in_a_loop
async def test_the_end_of_a_game_is_told_in_the_lines_that_the_board_leaves_empty() -> None:
    async with playing("dual-direction") as found:
        await found.press("left", "enter", "x", "x")
        await found.until(lambda: "The record is kept" in found.text("message"))
        await found.pilot.pause()
        assert found.screen.query_one("#messages").max_scroll_y == 0
        assert ".txt" in found.shown  # the last line
        await found.press("n")
        assert found.screen.query_one("#said").size.height == 5


@in_a_loop
async def test_the_last_move_is_in_view_beside_the_rules_when_a_game_goes_on() -> None:
    begun = session("dual-direction")
    begun.begin()
    for action in (0, 1) * 8:
        begun.move(action)
    async with seen(lambda app: PlayScreen(begun), (130, 24)) as found:
        await found.until(lambda: found.screen.has_class("-rules"))
        await found.pilot.pause()
        assert "▸ 16. P2: right" in found.shown
        moves = found.screen.query_one("#moves")
        assert not moves.show_horizontal_scrollbar


@in_a_loop
async def test_a_board_of_five_rows_is_seen_whole_on_a_terminal_of_24_lines() -> None:
    connect_four = f"{ROOT / 'examples' / 'connect_four.py'}:columns=5,rows=5"
    async with playing(connect_four, ("human", "random")) as found:
        assert found.screen.board.max_scroll_y == 0
        assert found.shown.count("┌1──") == 5
