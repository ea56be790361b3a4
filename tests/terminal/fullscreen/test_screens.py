"""The other screens: home, review, study, watching, keys, and what is remembered."""

import re
from datetime import date
from functools import partial
from pathlib import Path

import pytest
from textual.events import Key
from textual.widgets import Input, OptionList

import perfectplay as pp
from perfectplay import saves
from perfectplay.coach.puzzles import puzzle
from perfectplay.core.errors import install_command
from perfectplay.core.match import Match
from perfectplay.players.registry import load_player, load_players, player_names
from perfectplay.terminal.fullscreen.dialogs import Field, QuestionWindow
from perfectplay.terminal.fullscreen.opening import demo_screen, session_screen
from perfectplay.terminal.fullscreen.screens.home import HomeScreen
from perfectplay.terminal.fullscreen.screens.play import PlayScreen
from perfectplay.terminal.fullscreen.screens.review import ReviewScreen
from perfectplay.terminal.fullscreen.screens.set_up import KINDS, OPPONENT, opponent_spec
from perfectplay.terminal.fullscreen.screens.solving import PuzzleScreen
from perfectplay.terminal.fullscreen.screens.study import StudyScreen
from perfectplay.terminal.fullscreen.screens.watch import WatchScreen
from perfectplay.terminal.fullscreen.widgets.key_bar import KeysDialog
from perfectplay.terminal.preferences import Preferences
from perfectplay.terminal.saved_games import describe

from .screens import in_a_loop, playing, seen, session

TIC_TAC_TOE = Path(__file__).resolve().parents[3] / "examples" / "tic_tac_toe.py"
CONNECT_FOUR = TIC_TAC_TOE.with_name("connect_four.py")


def left_in_the_middle(game: str, *moves: str, finish: bool = False) -> Path:
    """A saved game."""
    found = session(game, ("human", "level:3"))
    found.begin()
    for move in moves:
        found.move(found.match.game.parse_action(found.match.state, move))
    if finish:
        found.autosave.finish()
    found.close()
    return found.autosave.file.path  # type: ignore[union-attr]


@in_a_loop
async def test_home_lists_games_boards_and_what_was_played() -> None:
    left_in_the_middle("bit-flip", "4")
    left_in_the_middle("dual-direction", "left", "left", "left", "left", "left", finish=True)
    async with seen(lambda app: HomeScreen(), (80, 40)) as found:
        shown = found.shown
        for name in pp.names():
            assert pp.load(name).title in shown
        assert "· · · · · AB · · · · ·" in shown
        assert "Bit Flip, against level 3, the computer's turn after 1 move, today" in shown
        assert "Dual Direction, against level 3: you won, today at" in shown
        found.app.animation_level = "full"
        await found.until(lambda: "· · · · · AB · · · · ·" not in found.shown)  # the boards are live


@in_a_loop
async def test_a_long_entry_of_home_goes_on_further_in() -> None:
    left_in_the_middle("bit-flip", "4")
    async with seen(lambda app: HomeScreen(), (80, 40)) as found:
        await found.pilot.resize_terminal(40, 40)
        folded = r"^   Bit Flip, against level 3, the\n     computer's turn"
        await found.until(lambda: re.search(folded, found.shown, re.MULTILINE))


@in_a_loop
async def test_a_game_goes_on_where_it_was_left_and_can_be_forgotten() -> None:
    path = left_in_the_middle("bit-flip", "4", "0")
    async with seen(lambda app: HomeScreen()) as found:
        index = len(pp.names()) + 1
        found.screen.query_one(OptionList).highlighted = index
        await found.press("enter")
        assert isinstance(found.screen, PlayScreen)
        assert "Last: Player 2, 0." in found.text("message")
        await found.type("9")
        assert found.screen.match.plies >= 3
        await found.press("q")
        assert isinstance(found.screen, HomeScreen)
        found.screen.query_one(OptionList).highlighted = 0
        await found.press("f")
        assert "Only a game under Continue" in found.text("message")
        assert path.exists()
        found.screen.query_one(OptionList).highlighted = index
        await found.press("f")
        assert saves.open_games() == ()
        assert "Forgotten. Its file is now" in found.text("message")
        assert list((saves.folder() / "forgotten").iterdir())


@in_a_loop
async def test_the_level_is_chosen_by_arrows_and_remembered() -> None:
    assert Preferences().opponent == load_player("level").spec
    async with seen(lambda app: HomeScreen()) as found:
        await found.press("right", "right")
        assert "level 7" in found.text("status")
        await found.press("2")
        assert found.screen.session.series.players == ("human", "level:7")
        assert found.screen.match.game.name == pp.names()[1]
    assert Preferences.load().opponent == "level:7"


def test_preferences_that_cannot_be_read_count_as_none(home: Path) -> None:
    Preferences(opponent="level:2").save()
    file = home / "perfectplay" / "terminal.json"
    for bad in ("{", "[]", '{"opponent": 3, "theme": "%s"}' % ("x" * 300)):
        file.write_text(bad)
        assert Preferences.load() == Preferences()


@in_a_loop
async def test_a_game_is_set_up_and_mistakes_are_explained() -> None:
    async with seen(lambda app: HomeScreen(), (80, 30)) as found:
        await found.press("c")
        question = found.screen
        assert isinstance(question, QuestionWindow)
        opponent, _, games, options = question.query(Input)
        opponent.value, games.value, options.value = "level:11", "3", "bits=12"
        await found.press("enter")
        assert found.text("problem") == "level:11: must be a whole number from 1 to 10."
        opponent.value = "random"
        await found.press("enter")
        series = found.screen.session.series
        assert (series.game.spec, series.games, series.players) == (
            "bit-flip:bits=12",
            3,
            ("human", "random"),
        )


@in_a_loop
async def test_a_game_file_of_ones_own_needs_no_screen_of_its_own(home: Path) -> None:
    async with seen(lambda app: HomeScreen(), (80, 30)) as found:
        await found.press("g")
        file, opponent = found.screen.query(Input)
        file.value = "nothing"
        await found.press("enter")
        assert ".py" in found.text("problem")
        broken = home / "broken.py"
        text = TIC_TAC_TOE.read_text().replace("return 9", "return 1 // 0")
        broken.write_text(text)
        file.value = str(broken)
        await found.press("enter")
        line = 1 + text.splitlines().index("        return 1 // 0")
        assert f'"{broken}", line {line}: ZeroDivisionError' in found.text("problem")
        file.value, opponent.value = str(TIC_TAC_TOE), "human"
        await found.press("enter")
        assert isinstance(found.screen, PlayScreen)
        match = found.screen.match
        for action in (4, 0, 2, 1, 6):
            await found.click(action)
        assert match.result is not None
        assert match.result.winner == 0
        assert match.game.title in found.text("title")


@in_a_loop
async def test_the_review_steps_through_mistakes_and_plays_on() -> None:
    match: Match[object] = Match(pp.load("bit-flip"), players=("human", "human"))
    for move in ("4", "0", "2", "9", "6"):
        match.play(move)
    async with seen(lambda app: ReviewScreen(match)) as found:
        screen = found.screen
        await found.until(lambda: screen.mistakes)
        mistakes = [mark.ply for mark in screen.mistakes]
        await found.until(lambda: screen.board.look.marks.values)
        assert screen.shown == mistakes[0] - 1
        assert "threw away the win" in found.text("message")
        assert "would have kept it" in found.text("message")
        assert screen.board.look.marks.best
        assert "?" in found.shown
        assert found.text("status").startswith(f"Mistake 1 of {len(mistakes)}, move {mistakes[0]}: ")
        for ply in mistakes[1:]:
            await found.press("n")
            assert screen.shown == ply - 1
        await found.press("enter")
        played = found.screen
        assert isinstance(played, PlayScreen)
        assert played.match.plies == 0
        assert played.match.state == match.positions[mistakes[-1] - 1]
        assert played.match.seed != match.seed  # a computer does not repeat what it did
        assert played.asking.is_due
        await found.click(played.match.game.legal_actions(played.match.state)[0])
        [file] = saves.open_games()
        assert describe(file).startswith("Bit Flip, from a position, ")


@pytest.mark.parametrize("size", [(40, 15), (80, 24)])
@in_a_loop
async def test_the_line_about_a_mistake_is_never_cut(size: tuple[int, int]) -> None:
    match: Match[object] = Match(pp.load("bit-flip"))
    for move in ("4", "0"):
        match.play(move)
    match.resign()
    async with seen(lambda app: ReviewScreen(match), size) as found:
        await found.until(lambda: found.screen.mistakes)
        await found.press("end")
        status = found.text("status")
        assert status.startswith("Mistake ")
        assert status in found.shown
        await found.press("home")
        assert found.text("status") in found.shown


@in_a_loop
async def test_the_review_has_a_chart_that_leads_to_every_move() -> None:
    match: Match[object] = Match(pp.load("bit-flip"), players=("human", "human"))
    for move in ("4", "0", "2", "9"):
        match.play(move)
    match.resign()  # which gives a won game away, and is one more point
    async with seen(lambda app: ReviewScreen(match)) as found:
        await found.until(lambda: found.screen.mistakes)
        left = len("Player 1 wins ")
        assert found.text("chart").splitlines() == [
            "Player 1 wins ▂▂▂   ▄▄▄▄▄▄▆▆▆",
            "Player 2 wins    ▄▄▄         ███",
            "               ^  ?  ?        ?",
            "^ Player 1 wins in 5 moves. ? mistake.",
        ]
        await found.pilot.click("#chart", offset=(1 + left + 10, 0))
        assert found.screen.shown == 3
        assert found.text("chart").splitlines()[2:] == [
            "                  ?  ?  ^     ?",
            "^ Player 1 wins in 2 moves. ? mistake.",
        ]
        await found.pilot.click("#chart", offset=(left, 0))  # beside the blocks
        assert found.screen.shown == 3
        await found.press("right_square_bracket", "home")
        assert found.text("chart").splitlines()[2].index("^") == left + 1
        await found.pilot.click("#chart", offset=(1 + left + 17, 1))
        assert (found.screen.shown, found.screen.ply) == (None, match.plies)
        await found.pilot.click("#chart", offset=(1 + left + 18, 0))  # beside the blocks
        assert found.screen.ply == match.plies


@in_a_loop
async def test_a_chart_wider_than_the_screen_shows_the_part_on_the_board() -> None:
    match: Match[object] = Match(pp.load("dual-direction"), players=("human", "human"))
    for move in ["left", "right"] * 30 + ["left"] * 5:
        match.play(move)
    async with seen(lambda app: ReviewScreen(match), (40, 24)) as found:
        await found.until(lambda: found.screen.mistakes)
        left = len("Player 1 wins ")

        await found.pilot.click("#chart", offset=(left + 2, 0))
        assert found.screen.ply == 54
        await found.press("home")
        assert found.text("chart").splitlines()[1] == "Player 2 wins " + "~" * 26


@in_a_loop
async def test_any_position_is_studied_with_values_and_the_best_line() -> None:
    async with seen(lambda app: StudyScreen(pp.load("bit-flip"))) as found:
        screen = found.screen
        await found.until(lambda: "W5" in found.shown)
        assert "Best play: 0, 2, 4, 6, 8" in found.text("message")
        await found.press("b")
        await found.until(lambda: screen.match.plies == 1)
        await found.press("p")
        field = found.screen.query_one(Input)
        assert field.value == "1000000000 2"
        field.value = "nonsense"
        await found.press("enter")
        assert found.text("problem")
        field.value = "0000100000 2"
        await found.press("enter")
        await found.until(lambda: "W3" in found.shown)
        assert screen.match.game.state_text(screen.match.state) == "0000100000 2"
        for plies in (1, 2, 3):
            await found.press("b")
            await found.until(partial(lambda plies: screen.match.plies == plies, plies))
        assert screen.match.result.winner == 1
        await found.press("u")
        left = screen.match.game.state_text(screen.match.state)
        await found.press("g")
        await found.until(lambda: not isinstance(found.screen, StudyScreen))
        assert f"start: {left}" in str(found.screen.match.record())


@in_a_loop
async def test_two_computers_are_watched_at_any_pace() -> None:
    async with seen(lambda app: demo_screen(["bit-flip:bits=5", "dual-direction"], 3)) as found:
        screen = found.screen
        assert isinstance(screen, WatchScreen)
        await found.press("space")
        plies = screen.match.plies
        assert found.text("status").startswith("Paused (1 s a move)")
        await found.press("plus", "plus", "plus")
        assert "as fast as they think" in found.text("status")
        assert screen.match.plies == plies
        await found.press("space")
        await found.until(lambda: screen.match.result is not None)
        assert "W O N" in found.text("headline")
        await found.until(lambda: found.screen.match.game.name == "dual-direction")
        assert found.screen.describe_leaving() == []


@in_a_loop
async def test_where_a_game_is_saved_is_said_beside_how_it_ended() -> None:
    async with playing("bit-flip:bits=1") as found:
        await found.press("0", "enter")
        await found.until(lambda: found.screen.match.result is not None)
        await found.press("s")
        assert "The record is kept in" in found.text("message")
        assert "made the last flip" in found.text("message")


@in_a_loop
async def test_a_watched_game_that_is_over_has_no_pace_and_says_that_it_is_not_saved() -> None:
    async with seen(lambda app: demo_screen(["bit-flip:bits=3"], 3)) as found:
        await found.press("space", "question_mark")
        assert "saved" not in found.shown
        await found.press("escape", "s")
        assert "A game that you only watch is not saved." in found.text("message")
        await found.press("space")
        await found.until(lambda: found.screen.match.result is not None)
        assert not {"Pause", "Faster", "Slower"} & {key.description for key in found.screen.keys}
        await found.press("space")
        assert "The game is over" in found.text("message")


def test_two_computers_open_the_screen_for_watching() -> None:
    players = ("random", "random")
    assert isinstance(session_screen(session("bit-flip", players)), WatchScreen)
    assert load_players(players)


@in_a_loop
async def test_all_keys_and_the_command_palette() -> None:
    async with playing("bit-flip", size=(80, 40)) as found:
        await found.press("question_mark")
        assert isinstance(found.screen, KeysDialog)
        for words in ("A good move", "Repeat it", "Resign", "Look one move back", "Commands"):
            assert words in found.shown, words
        await found.press("escape")
        commands = {command.title for command in found.app.get_system_commands(found.screen)}
        assert {
            "Hint",
            "Resign",
            "Rules",
            "Theme: light, dark and others",
            "Motion on or off",
            "Quit",
        } <= commands
        assert "Review" not in commands  # that comes after the game
        await found.press("ctrl+p")
        await found.press(*"hint", "enter")
        await found.until(lambda: "A good move" in found.text("message"))


@pytest.mark.parametrize("size", [(80, 24), (40, 15), (200, 60)])
@in_a_loop
async def test_home_and_play_fit_every_size(size: tuple[int, int]) -> None:
    async with seen(lambda app: HomeScreen(), size) as found:
        assert "Bit Flip" in found.shown
        foot = found.shown.splitlines()[-1]
        assert foot.startswith("Enter Play  o Rules")
        assert foot.endswith("? Keys  q Quit")
        await found.press("1")
        foot = found.shown.splitlines()[-1]
        assert "h Hint" in foot
        assert foot.endswith("? Keys  q Leave")
        assert "Enter the position of the bit" in " ".join(found.shown.split())


@in_a_loop
async def test_a_move_before_a_forced_pass_is_taken_back_in_a_study() -> None:
    async with seen(lambda app: StudyScreen(pp.load("inversion-race:start=9"))) as found:
        screen = found.screen
        for move in ("left", "right", "right"):
            await found.type(move)
        assert screen.match.plies == 4  # the pass was made at once
        await found.press("u")
        assert screen.match.plies == 2
        await found.press("y")
        assert screen.match.plies == 4


@in_a_loop
async def test_home_names_the_file_of_a_broken_save() -> None:
    saves.folder().mkdir(parents=True)
    (saves.folder() / "mine.txt").write_text("no record\n")
    async with seen(lambda app: HomeScreen()) as found:
        assert "mine.txt: unreadable at line 1: " in found.shown


@in_a_loop
async def test_the_puzzle_of_the_day_is_solved_on_the_board() -> None:
    async with seen(lambda app: HomeScreen()) as found:
        await found.press("p")
        assert found.text("title").startswith("Puzzle · Bit Flip")
    day = date(2026, 1, 5)
    async with seen(lambda app: PuzzleScreen(puzzle("bit-flip", day))) as found:
        await found.until(lambda: found.screen.asking.is_live)
        await found.type("1")
        assert found.text("status").startswith("Wrong.")
        assert "1 throws away the win." in found.text("message")
        assert "2 keeps the win" not in found.text("message")
        await found.press("u")
        await found.type("2")
        assert found.text("status").startswith("Solved.")
        assert "The tempting move: 0 throws away the win." in found.text("message")
        await found.press("u", "b")
        assert found.text("status").startswith("This is the answer.")


@in_a_loop
async def test_a_number_out_of_range_loses_no_turn_in_a_puzzle() -> None:
    async with seen(lambda app: PuzzleScreen(puzzle("mirror-match", date(2026, 1, 5)))) as found:
        await found.until(lambda: found.screen.asking.is_live)
        await found.type("99")
        await found.press("enter")
        assert "No turn is lost" in found.text("message")
        assert found.screen.asking.is_live


@in_a_loop
async def test_an_entry_that_needs_an_extra_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("perfectplay.terminal.fullscreen.screens.home.find_spec", lambda library: None)
    async with seen(lambda app: HomeScreen()) as found:
        assert f"Join an online game (t), after: {install_command('web')}" in " ".join(found.shown.split())


@in_a_loop
async def test_a_game_is_set_up_by_arrows_and_an_empty_opponent_is_asked_for() -> None:
    async with seen(lambda app: HomeScreen()) as found:
        await found.press("c")
        field = found.screen.query(Input)[0]
        assert field.value == "level 5"
        await found.press("down", "down", "up")
        assert field.value == "level 6"
        field.value = "person"
        await found.press("down")
        assert field.value == "level 1"
        field.value = ""
        await found.press("enter")
        assert "Choose an opponent" in found.text("problem")
        field.value = "mcts"
        await found.press("enter")
        await found.until(lambda: isinstance(found.screen, PlayScreen))
        assert found.screen.session.series.players == ("human", "mcts")


@in_a_loop
async def test_escape_goes_back_and_arrows_step_through_a_review() -> None:
    async with seen(lambda app: HomeScreen()) as found:
        home = found.screen
        for key in ("s", "p", "d"):
            await found.press(key)
            assert found.screen is not home
            await found.press("escape")
            assert found.screen is home
    match = pp.Match(pp.load("bit-flip:bits=7"))
    for move in ("0", "2", "4", "6"):
        match.play(move)
    async with seen(lambda app: ReviewScreen(match)) as found:
        await found.until(lambda: found.screen.shown is not None or found.screen.marks(4).values is not None)
        found.screen.look_at(2)
        await found.press("right")
        assert found.screen.ply == 3
        await found.press("left", "left")
        assert found.screen.ply == 1


@in_a_loop
async def test_record_and_position_are_copied() -> None:
    async with playing("bit-flip:bits=5") as found:
        await found.until(lambda: found.screen.asking.is_live)
        await found.type("2")
        await found.press("k")
        assert found.app.clipboard == str(found.screen.match.record())
        await found.press("K")
        assert found.app.clipboard == "00100 2"


@pytest.mark.parametrize("keys", ["2", "s"])
@in_a_loop
async def test_keys_may_be_typed_before_a_screen_has_come(keys: str) -> None:
    names = {"?": "question_mark", "[": "left_square_bracket", "]": "right_square_bracket"}
    typed = [*"enixuyahwvsokKqcgdr?[]0b", "home", "end", "pageup", "pagedown", "escape", "enter", "delete"]
    for key in typed:
        async with seen(lambda app: HomeScreen()) as found:
            for each in (*keys, key):
                character = each if len(each) == 1 else None
                found.app.post_message(Key(names.get(each, each), character))
            await found.pilot.pause(0)
            await found.pilot.pause()
        assert found.app.failure is None, key


@in_a_loop
async def test_a_window_with_one_field_offers_no_other() -> None:
    for count in (1, 2):
        fields = [Field(f"Line {number}", "") for number in range(count)]
        window = QuestionWindow("Title", fields, list, list)
        async with seen(lambda app: HomeScreen()) as found:
            found.app.push_screen(window)
            await found.pilot.pause()
            assert ("Tab: next field" in found.shown) == (count > 1)
            assert "Enter: continue, " in found.shown


def test_every_opponent_but_a_program_is_offered() -> None:
    assert {load_player(opponent_spec(each)).name for each in KINDS} == {*player_names()} - {"program"}
    assert all(each.partition(" ")[0] in OPPONENT for each in KINDS)


def test_a_value_stands_on_no_stone_of_the_example() -> None:
    match: Match[object] = Match(pp.load(str(CONNECT_FOUR)))
    for move in ("4", "4", "1"):
        match.play(move)
    stones = [cell for row in match.game.view(match.state).rows for cell in row if cell.pieces]
    assert [cell.action for cell in stones] == [None] * 3
