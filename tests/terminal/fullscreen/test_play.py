"""Games on the full screen: played by keys and by the mouse, taken back, coached, saved."""

from itertools import cycle
from random import Random
from typing import Any

import pytest

import perfectplay as pp
from perfectplay import saves
from perfectplay.coach.coach import Coach
from perfectplay.core.series import Series
from perfectplay.terminal.fullscreen.screens.play import PlayScreen
from perfectplay.terminal.fullscreen.widgets.rules import RulesPanel
from perfectplay.terminal.session import Session
from tests.core.listed_games import table_game

from .screens import Seen, flowing, in_a_loop, playing, seen, session


def a_short_game(name: str) -> list[int]:
    """Moves of a random game that ends soon."""
    game = pp.load(name)
    for seed in range(1000):
        random, state = Random(seed), game.initial()
        moves: list[int] = []
        while game.outcome(state) is None and len(moves) < 12:
            moves.append(random.choice(game.legal_actions(state)))
            state = game.apply(state, moves[-1])
        if game.outcome(state) is not None:
            return moves
    raise AssertionError(f"no short game of {name}")


async def make(found: Seen, action: int, way: str) -> None:
    """Make a move in one of the three ways that there are."""
    screen = found.screen
    if way == "mouse":
        await found.click(action)
    elif way == "arrows":
        await found.choose(action)
    else:
        for answer in screen.dialogue.answers(screen.match.state, action):
            await found.type(answer)


@pytest.mark.parametrize("ways", [("mouse",), ("arrows", "typing")], ids=["mouse", "keys"])
@pytest.mark.parametrize("name", pp.names())
@in_a_loop
async def test_a_whole_game(name: str, ways: tuple[str, ...]) -> None:
    moves = a_short_game(name)
    async with playing(name) as found:
        screen = found.screen
        for action, way in zip(moves, cycle(ways), strict=False):
            assert screen.match.result is None
            if screen.match.game.is_forced_pass(screen.match.state):
                await found.until(lambda: screen.asking.is_due)
            await make(found, action, way)
        assert [entry.action for entry in screen.match.history] == moves
        assert screen.match.result is not None
        winner = screen.match.game.side_names[screen.match.result.winner]
        assert " ".join(f"{winner} won".upper()) in found.text("headline")
        [kept] = (saves.folder() / "finished").glob("*.txt")
        assert kept.read_text() == f"{screen.session.series.record(1)}\n"


@in_a_loop
async def test_every_move_is_on_disk_before_the_next_key() -> None:
    async with playing("bit-flip") as found:
        for plies, action in enumerate((4, 0, 9), start=1):
            await found.click(action)
            [file] = saves.open_games()
            assert len(saves.read(file)[0].moves) == plies
        await found.press("q")
    assert found.app.farewell[0].startswith("The game is saved.")


@in_a_loop
async def test_a_refused_move_names_its_rule_on_the_board_and_in_the_rules() -> None:
    async with playing("bit-flip") as found:
        await found.type("4")
        await found.type("5")
        assert "Bit 5 is next to bit 4" in found.text("message")
        assert "✗" in found.shown
        assert found.screen.match.plies == 1
        await found.press("o")
        panel = found.screen.query_one(RulesPanel)
        [part] = panel.query(".-refused")
        await found.pilot.pause()
        lines = found.shown.splitlines()[part.region.y : part.region.bottom]
        assert "BF-5" in " ".join(line[part.region.x : part.region.right] for line in lines)
        assert panel.region.contains_region(part.region.intersection(panel.region))
        assert part.region.y >= panel.region.y
        await found.press(*["pageup"] * 40)
        assert panel.scroll_y == 0
        await found.press("pagedown")
        assert panel.scroll_y > 0
        assert found.screen.shown is None  # no move was stepped back
        await found.click(3)
        assert "Bit 3 is next to bit 4" in found.text("message")
        await found.press("o")
        assert not panel.display


@pytest.mark.parametrize(
    ("game", "cell", "said"),
    [
        ("dual-direction", 0, "No move leads there. Allowed: left or right."),
        ("race-to-the-center", 6, "No move leads there. Allowed: 1 or 2."),
        ("inversion-race", 0, "No move leads there. Allowed: 1 (left) or 2 (right)."),
    ],
)
@in_a_loop
async def test_a_click_on_a_cell_that_no_move_leads_to_says_so(game: str, cell: int, said: str) -> None:
    async with playing(game) as found:
        await found.until(lambda: found.screen.asking.is_live)
        board = found.screen.board
        item, (left, top) = board.arrangement.items[cell], board.margins()
        await found.pilot.click(board, offset=(item.x + left + 1, item.y + top + 1))
        await found.pilot.pause()
        assert found.text("message") == said
        assert found.screen.match.plies == 0


@in_a_loop
async def test_nothing_is_said_to_be_lost_when_a_rematch_is_left_before_its_first_move() -> None:
    async with playing("bit-flip:bits=3") as found:
        await found.type("1")
        await found.until(lambda: found.screen.match.result is not None)
        await found.press("n", "q")
    assert found.app.farewell == []


@in_a_loop
async def test_a_number_and_then_an_end() -> None:
    async with playing("mirror-match") as found:
        screen = found.screen
        await found.press("4")
        assert found.text("status").endswith("(1-9): 4▏")
        await found.press("right")  # takes the number, and points to the end
        assert found.text("status").startswith("Player 1: Place at the (B)eginning or (E)nd? 4")
        assert screen.board.look.chosen == screen.match.game.parse_action(screen.match.state, "4 E")
        await found.press("left", "backspace")
        assert found.text("message") == "Taken back: 4."
        await found.press("7", "e")
        assert screen.match.plies == 0
        await found.press("enter")
        assert [move.text for move in screen.match.record().moves] == ["7 E"]


@in_a_loop
async def test_a_line_that_costs_the_turn_is_asked_about() -> None:
    async with playing("mirror-match") as found:
        screen = found.screen
        await found.type("12")
        asked = '"12" is not a number from 1 to 9. Sending it costs you the turn:'
        assert flowing(found.text("message")).startswith(asked)
        await found.press("7", "e", "enter")  # the next key goes back
        assert [move.text for move in screen.match.record().moves] == ["7 E"]
        await found.type("0")
        await found.press("s")  # a key of its own goes back as well
        assert "Every move is saved" in found.text("message")
        await found.press("enter")
        assert [move.text for move in screen.match.record().moves] == ["7 E"]
        await found.type("12")
        await found.press("enter")
        assert [move.text for move in screen.match.record().moves] == ["7 E", "forfeit"]
        assert '"12" is not a number from 1 to 9.' in found.text("message")


@in_a_loop
async def test_keys_keep_their_meaning_beside_a_typed_number() -> None:
    async with playing("bit-flip:bits=12") as found:
        await found.press("1", "h")
        await found.until(lambda: "A good move" in found.text("message"))
        assert found.text("status").endswith("1▏")
        await found.press("o", "question_mark", "escape")
        assert found.screen.has_class("-rules")
        await found.type("1")
        assert [move.text for move in found.screen.match.record().moves] == ["assisted", "11"]


@in_a_loop
async def test_keys_keep_their_meaning_between_a_number_and_an_end() -> None:
    async with playing("mirror-match") as found:
        await found.press("4", "h")
        await found.until(lambda: "A good move" in found.text("message"))
        assert found.text("status").endswith("(E)nd? 4 ▏")
        await found.press("u")
        assert found.text("message") == "Taken back: 4."
        for number, place in ("4", "beginning"), ("5", "end"):
            await found.press(number)
            await found.type(place)
        assert [move.text for move in found.screen.match.record().moves] == ["assisted", "4 B", "5 E"]


@in_a_loop
async def test_words_are_typed_letter_by_letter_even_where_letters_are_keys() -> None:
    async with playing("inversion-race") as found:
        await found.type("rules")  # begins as right does, and u is a key
        assert found.screen.has_class("-rules")
        await found.press("l", "h")
        await found.until(lambda: "A good move" in found.text("message"))
        await found.type("eft")
        assert [move.text for move in found.screen.match.record().moves] == ["assisted", "left"]


@in_a_loop
async def test_a_forgiving_game_asks_again() -> None:
    async with playing("mirror-match", forgiving=True) as found:
        await found.type("12")
        assert found.screen.match.plies == 0
        assert found.text("message").endswith("Choose again.")


@in_a_loop
async def test_moves_are_taken_back_and_made_again() -> None:
    async with playing("dual-direction") as found:
        await found.press("left", "enter", "right", "enter")
        await found.press("u")
        assert found.screen.match.plies == 1
        assert found.text("message") == "Taken back: Player 2's right."
        await found.press("u", "y", "y")
        assert found.screen.match.plies == 2
        [file] = saves.open_games()
        assert len(saves.read(file)[0].moves) == 2


@in_a_loop
async def test_earlier_positions_are_looked_at_while_the_game_goes_on() -> None:
    async with playing("bit-flip") as found:
        for move in ("4", "0", "9"):
            await found.type(move)
        await found.press("left_square_bracket")
        assert found.text("status").startswith("Position 2 of 3")
        assert [cell.pieces for cell in found.screen.board.look.view.cells].count(("1",)) == 2
        await found.press("2", "enter")  # nothing is played in the past
        assert found.screen.match.plies == 3
        await found.press("home")
        assert found.text("status").startswith("Position 0 of 3")
        await found.press("escape")
        assert found.screen.shown is None
        await found.pilot.click("#moves", offset=(5, 0))
        assert found.screen.shown == 1
        await found.press("end")
        await found.type("2")
        assert found.screen.match.plies == 4


@in_a_loop
async def test_the_coach_hints_explains_and_shows_values_and_the_record_says_so() -> None:
    async with playing("bit-flip") as found:
        screen = found.screen
        coach = Coach(pp.solve(screen.match.game))
        await found.press("h")
        await found.until(lambda: "A good move" in found.text("message"))
        assert screen.board.look.marks.best
        assert screen.match.assisted == (0,)
        assert saves.open_games() == ()  # nothing is written before the first move
        await found.press("w")
        await found.until(lambda: "A good move" not in found.text("message"))
        assert found.text("message").splitlines() == list(coach.why(screen.match.state))
        await found.press("v")
        await found.until(lambda: screen.board.look.marks.values)
        assert "W5" in found.shown
        assert screen.match.assisted == (0, 1)
        await found.type(":why 4")
        await found.until(lambda: "4 throws away the win" in found.text("message"))
        await found.type("4")
        await found.until(lambda: "W3" in found.shown)
        [file] = saves.open_games()
        assert "assisted" in file.read_text()
        await found.press("v")
        assert "W3" not in found.shown


@in_a_loop
async def test_resigning_asks_first_and_a_rematch_changes_who_starts() -> None:
    async with playing("bit-flip", games=1) as found:
        await found.type("4")
        await found.press("x", "right", "x")  # an arrow says no: it is asked again
        assert found.screen.match.result is None
        await found.click(3)  # not allowed: the rule is said in place of the question
        await found.press("x")
        assert found.screen.match.result is None
        await found.pilot.click("#moves", offset=(5, 0))
        await found.press("x")
        assert found.screen.match.result is None
        await found.press("x")
        assert "Player 2 resigned." in found.text("message")
        await found.press("n")
        assert found.screen.match.plies == 0
        assert found.screen.match.game.spec == "bit-flip:first=2"
        said = found.text("message")
        assert "The other player goes first this time" in said
        assert "Player 2 goes first." in said


@in_a_loop
async def test_a_series_shows_its_score_and_goes_on() -> None:
    async with playing("bit-flip:bits=3", games=2) as found:
        await found.type("1")
        assert "Score after game 1 of 2" in found.text("message")
        await found.press("enter")  # one too many does not take the result away
        assert "Score after game 1 of 2" in found.text("message")
        await found.press("n")
        assert "game 2 of 2, 1:0" in found.text("title")


@in_a_loop
async def test_a_game_that_repeats_itself_is_abandoned() -> None:
    async with playing("dual-direction") as found:
        await found.press("a")
        assert "once the same position has come up 3 times" in found.text("message")
        for _ in range(2):
            await found.press("left", "enter", "right", "enter")
        said = "This position has come up for the third time. Press a to end the game unfinished."
        assert said in found.text("message")
        await found.press("a")
        assert "Both players have to agree" in found.text("message")
        await found.press("a")
        assert "was abandoned" in found.text("message")
        assert "U N F I N I S H E D" in found.text("headline")


@in_a_loop
async def test_against_a_computer_a_game_is_abandoned_by_the_same_key_twice() -> None:
    begun = session("dual-direction", ("human", "random"))
    begun.begin()
    for action in (0, 1, 0, 1):
        begun.move(action)
    async with seen(lambda app: PlayScreen(begun)) as found:
        await found.until(lambda: found.screen.asking.is_live)
        await found.press("a")
        assert "a again ends it" in found.text("message")
        assert found.screen.match.result is None
        await found.press("x")  # asks about resigning instead
        assert "x again resigns" in found.text("message")
        await found.press("q")  # cancels, and does not leave the game
        assert "x again resigns" not in found.text("message")
        assert found.app.is_running
        await found.type(":abandon")  # the word asks as the key does
        assert "a again ends it" in found.text("message")
        assert found.screen.match.result is None
        await found.press("a")
        assert "was abandoned" in found.text("message")


@in_a_loop
async def test_a_third_repetition_against_a_computer_is_said() -> None:
    begun = session("dual-direction", ("random", "human"))
    begun.begin()
    for action in (0, 1, 0):
        begun.move(action)
    async with seen(lambda app: PlayScreen(begun)) as found:
        said = "This position has come up for the third time. Press a to end the game unfinished."
        await found.until(lambda: found.screen.asking.is_live)
        await found.press("right", "enter")
        await found.until(lambda: found.screen.asking.is_live)  # what the computer does is said below
        assert said in flowing(found.text("message"))


@in_a_loop
async def test_a_third_repetition_by_a_forced_pass_is_said() -> None:
    ways = {"start": {"go": "stuck", "win": "won"}, "stuck": {"pass": "start"}}
    game = table_game(ways, {"won": 0}, {"stuck": 1}, passes=frozenset({"pass"}))
    series: Series[str] = Series(game)
    async with seen(lambda app: PlayScreen(Session(series))) as found:
        match = found.screen.match
        await found.type("go")
        await found.until(lambda: match.plies == 2)
        await found.type("go")
        await found.until(lambda: match.plies == 4)
        said = "This position has come up for the third time. Press a to end the game unfinished."
        assert said in flowing(found.text("message"))


@in_a_loop
async def test_commands_of_line_mode_are_typed_after_a_colon() -> None:
    async with playing("bit-flip") as found:
        await found.type(":moves")
        assert found.text("message").startswith("Moves: 0, 1")
        await found.type(":nonsense")
        assert "no command" in found.text("message")
        await found.press("s")
        assert "from its first move on" in found.text("message")
        await found.type(":resign")
        assert found.screen.match.result is not None


@in_a_loop
async def test_the_screen_may_change_its_size_and_theme_at_any_time() -> None:
    async with playing("inversion-race") as found:
        await found.press("left", "enter")
        for size in ((40, 15), (200, 60), (80, 24)):
            await found.pilot.resize_terminal(*size)
            await found.pilot.pause()
            lines = found.shown.splitlines()
            assert max(map(len, lines)) <= size[0]
            for label in range(11):
                assert any(f"{corner}{label}" in found.shown for corner in "┌╔┏"), (size, label)
            color = found.screen.board.get_component_rich_style("board--first").color
            own = found.app.theme.startswith("ansi")
            assert (color.type.name == "STANDARD") == own  # the terminal's own colors
            await found.press("ctrl+t")
        await found.press("right", "enter")
        assert found.screen.match.plies == 2
        assert found.app.theme == "solarized-light"


@in_a_loop
async def test_nothing_is_said_by_color_alone(monkeypatch: Any) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with playing("bit-flip") as found:
        assert found.app.no_color
        await found.type("4")
        await found.press("left")
        # The last move, the choice, legal cells and cells out of play each have a sign of their own.
        for sign in ("╔4", "┏", "•", "░"):
            assert sign in found.shown


@in_a_loop
async def test_arrows_lead_to_legal_moves_only() -> None:
    async with playing("bit-flip:bits=6") as found:
        await found.type("1")  # 0 and 2 are closed
        board = found.screen.board
        seen_by_arrows = []
        for _ in range(4):
            await found.press("right")
            seen_by_arrows.append(board.look.chosen)
        assert seen_by_arrows == [3, 4, 5, 5]
    async with playing("inversion-race:start=9") as found:
        await found.type("right")
        await found.press("right")  # there is one move to each side, and this one is refused
        assert found.screen.board.look.chosen is None
        assert "Cell 10 is occupied" in found.text("message")
