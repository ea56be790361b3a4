"""Each rule of the five rulebooks, by the number it has in rulebook.md; and what follows from them without a number."""

import ast
import re
from pathlib import Path
from typing import Any

import pytest

import perfectplay as pp
from perfectplay.games.bit_flip.theory import BitFlipTheory
from perfectplay.games.mirror_match.theory import MirrorMatchTheory
from perfectplay.games.registry import game_class
from tests.core.matches import played
from tests.games.retrograde import reachable

rule = pytest.mark.rule


def position(match: pp.Match[Any]) -> str:
    return match.game.state_text(match.state)


def refused(match: pp.Match[Any], move: str) -> str | None:
    """The rule that refuses a move, None if it is legal."""
    refusal = match.game.refusal(match.state, match.game.parse_action(match.state, move))
    return refusal.rule if refusal else None


def result(match: pp.Match[Any]) -> str | None:
    return match.record().result


# Bit Flip


@rule("BF-1")
@rule("BF-2")
def test_bit_flip_starts_with_zeros_and_either_player() -> None:
    assert position(played("bit-flip")) == "0000000000 1"
    assert position(played("bit-flip:bits=4,first=2")) == "0000 2"


@rule("BF-3")
def test_bit_flip_flips_one_bit_and_the_turn_passes() -> None:
    assert position(played("bit-flip", "4")) == "0000100000 2"
    assert position(played("bit-flip", "9", "0")) == "1000000001 1"


@rule("BF-4")
@rule("BF-7")
def test_bit_flip_never_touches_a_flipped_bit() -> None:
    match = played("bit-flip", "4")
    assert refused(match, "4") == "already-flipped"
    match.play("0")
    assert refused(match, "0") == refused(match, "4") == "already-flipped"


@rule("BF-5")
def test_bit_flip_keeps_flipped_bits_apart() -> None:
    match = played("bit-flip", "3", "5")
    assert [refused(match, bit) for bit in ("2", "4", "6")] == ["adjacent"] * 3
    assert refused(match, "1") is refused(match, "7") is None
    # The ends of the row are not next to each other.
    assert refused(played("bit-flip", "0"), "9") is None


@rule("BF-5")
def test_bit_flip_names_the_neighbors_in_the_way() -> None:
    match = played("bit-flip", "3", "5")
    with pytest.raises(
        pp.IllegalActionError, match=r"Bit 4 is next to bit 3 and bit 5, already 1\. Allowed: 0"
    ):
        match.play("4")
    with pytest.raises(pp.IllegalActionError, match=r"Bit 2 is next to bit 3, already 1\."):
        match.play("2")


@rule("BF-6")
def test_bit_flip_is_won_by_the_last_flip() -> None:
    assert result(played("bit-flip", "4", "1", "7", "9")) == "Player 2 wins: last flip"
    assert result(played("bit-flip:bits=1", "0")) == "Player 1 wins: last flip"
    assert result(played("bit-flip:bits=3", "0")) is None


def test_a_long_row_lists_its_free_bits_from_the_left() -> None:
    game = pp.load("bit-flip:bits=65")
    assert game.legal_actions(game.apply(game.initial(), 0)) == tuple(range(2, 65))


def test_a_row_and_its_mirror_image_are_one() -> None:
    game = pp.load("bit-flip:bits=5")
    left, right = (game.canonical(game.parse_state(text)) for text in ("10010 1", "01001 1"))
    assert left == right


# Dual Direction


@rule("DD-1")
@rule("DD-2")
def test_dual_direction_starts_in_the_middle_with_either_player() -> None:
    assert position(played("dual-direction")) == "6 1"
    assert position(played("dual-direction:first=2")) == "6 2"
    assert position(played("dual-direction:positions=4")) == "2 1"
    assert pp.load("dual-direction").view(played("dual-direction").state).captions == (
        "Player 1 Goal: Position 1",
        "Player 2 Goal: Position 11",
    )


@rule("DD-3")
@rule("DD-4")
def test_dual_direction_moves_the_marker_by_one_in_turn() -> None:
    match = played("dual-direction", "left")
    assert position(match) == "5 2"
    match.play("right")
    assert position(match) == "6 1"
    for state in reachable(match.game):
        if match.game.outcome(state) is None:
            assert len(match.game.legal_actions(state)) == 2


@rule("DD-5")
def test_dual_direction_does_not_leave_the_line() -> None:
    game = pp.load("dual-direction")
    assert {state.position for state in reachable(game)} == set(range(1, 12))
    # No position of play reaches the rule, so call it directly.
    assert game.prohibition(game.parse_state("1 2"), 0) == pp.Refusal(
        "beyond-line", "The line ends at position 1."
    )


@rule("DD-6")
def test_dual_direction_is_won_on_your_own_goal() -> None:
    assert result(played("dual-direction:start=2", "left")) == "Player 1 wins: goal"
    assert result(played("dual-direction:start=10,first=2", "right")) == "Player 2 wins: goal"


@rule("DD-7")
def test_dual_direction_is_lost_on_the_opponents_goal() -> None:
    assert result(played("dual-direction:start=10", "right")) == "Player 2 wins: opponent's goal"
    assert result(played("dual-direction:start=2,first=2", "left")) == "Player 1 wins: opponent's goal"


@rule("DD-8")
@rule("RC-8")
def test_games_make_a_series_with_a_champion() -> None:
    series = pp.Series(pp.load("dual-direction:start=2"), games=3)
    series.begin().play("left")
    second = series.begin()
    assert second.game.spec == "dual-direction:start=2,first=2"
    second.play("left")
    series.begin().play("left")
    assert (series.score, series.champion, series.over) == ((3, 0), 0, True)


# Inversion Race


@rule("IR-1")
@rule("IR-2")
def test_inversion_race_starts_on_the_center_with_either_player() -> None:
    assert position(played("inversion-race")) == "5 5 0 A"
    assert position(played("inversion-race:first=B,cells=4")) == "1 1 0 B"


@rule("IR-3")
def test_inversion_race_steps_one_cell() -> None:
    assert position(played("inversion-race", "left")) == "4 5 0 B"
    assert position(played("inversion-race", "right", "left")) == "6 4 0 A"


@rule("IR-4")
@rule("IR-5")
def test_inversion_race_stays_on_the_track_and_off_the_opponent() -> None:
    match = played("inversion-race:start=10", "left")
    assert refused(match, "right") == "off-board"
    assert refused(match, "left") == "occupied"
    with pytest.raises(pp.IllegalActionError, match=r"Cell 11 is off the board\."):
        match.play("right")
    with pytest.raises(pp.IllegalActionError, match=r"Cell 9 is occupied\."):
        match.play("left")


@rule("IR-6")
def test_inversion_race_passes_only_when_blocked() -> None:
    match = played("inversion-race:start=10", "left")
    assert match.legal() == ("pass",)
    match.play("pass")
    assert position(match) == "9 10 0 A"
    assert refused(match, "pass") == "can-move"
    assert match.line(match.last).events == ("pass",)


@rule("IR-7")
def test_crossing_inverts_once_a_stands_three_to_the_right_of_b() -> None:
    match = played("inversion-race", "right", "left", "right")
    assert match.line(match.last).events == ("inversion",)
    assert position(match) == "7 4 1 B"
    # By B's move as well, and never with the markers the other way round.
    match = played("inversion-race", "right", "left", "left", "left", "right", "left")
    assert position(match) == "6 2 1 A"
    assert not any(s.inverted for s in played("inversion-race", "left", "right", "left", "right").positions)


@rule("IR-7")
def test_inversion_happens_once() -> None:
    match = played("inversion-race", "right", "left", "right", "left", "left", "left")
    assert [position for position in match.positions if position.inverted] == list(match.positions[3:])
    assert sum("inversion" in match.line(entry).events for entry in match.history) == 1


@rule("IR-7")
def test_leapfrog_leaps_over_an_adjacent_opponent_and_inverts() -> None:
    match = played("inversion-race:passing=leapfrog", "left", "left")
    assert position(match) == "4 3 1 A"
    assert match.line(match.last).events == ("inversion", "leap")
    match.play("left")
    assert position(match) == "2 3 1 B"
    assert match.line(match.last).events == ("leap",)


@rule("IR-7")
def test_leapfrog_refuses_a_leap_off_the_board_as_occupied() -> None:
    game = pp.load("inversion-race:passing=leapfrog")
    state = game.parse_state("9 10 0 A")
    assert game.legal_actions(state) == (0,)
    assert game.refusal(state, 1) == pp.Refusal("occupied", "Cell 10 is occupied.")


@rule("IR-7")
def test_the_letter_counts_a_strict_change_of_sides_alone() -> None:
    match = played("inversion-race:passing=letter", "right", "left", "right", "left", "right")
    assert position(match) == "8 3 0 B"


@rule("IR-8")
def test_the_goal_of_inversion_race_changes_with_the_inversion() -> None:
    game = pp.load("inversion-race")
    assert game.view(game.parse_state("7 4 0 B")).captions[0] == "Goal: Cell 0"
    assert game.view(game.parse_state("7 4 1 B")).captions[0] == "Goal: Cell 10"


@rule("IR-9")
def test_inversion_race_is_won_on_the_goal_after_the_inversion_check() -> None:
    assert result(played("inversion-race:start=1", "left")) == "Player A wins: cell 0"
    assert result(played("inversion-race:start=1,first=B", "left")) == "Player B wins: cell 0"
    # B's step onto cell 0 inverts, so cell 0 is not a goal any more.
    game = pp.load("inversion-race")
    state = game.apply(game.parse_state("3 1 0 B"), 0)
    assert game.state_text(state) == "3 0 1 A"
    assert game.outcome(state) is None


@rule("IR-9")
def test_an_inversion_can_put_the_goal_under_a_marker() -> None:
    # A waits on the last cell; B walks away until the inversion makes that cell the goal.
    game = pp.load("inversion-race")
    state = game.apply(game.parse_state("10 8 0 B"), 0)
    assert game.state_text(state) == "10 7 1 A"
    assert game.outcome(state) == pp.Outcome(0, "last cell")


# Mirror Match


@rule("MM-1")
@rule("MM-2")
def test_mirror_match_starts_empty_with_either_player() -> None:
    assert position(played("mirror-match")) == "- 1"
    assert position(played("mirror-match:first=2")) == "- 2"


@rule("MM-3")
@rule("MM-4")
@rule("MM-5")
def test_mirror_match_takes_any_number_at_either_end_again_and_again() -> None:
    match = played("mirror-match", "4 E", "5 B", "4 E")
    assert position(match) == "5-4-4 2"
    assert len(match.legal()) == 18
    assert len(played("mirror-match:digits=2").legal()) == 4


@rule("MM-6")
def test_a_palindrome_must_be_long_enough() -> None:
    assert result(played("mirror-match", "4 E", "4 E")) is None
    assert result(played("mirror-match", "4 E", "4 E", "4 E")) == "Player 1 wins: palindrome"
    assert result(played("mirror-match:shortest=2", "4 E", "4 E")) == "Player 2 wins: palindrome"
    assert result(played("mirror-match:shortest=1", "4 E")) == "Player 1 wins: palindrome"


@rule("MM-7")
def test_the_maker_of_a_palindrome_wins_at_once() -> None:
    match = played("mirror-match", "4 E", "5 B", "4 E", "5 E")
    assert result(match) == "Player 2 wins: palindrome"
    assert match.legal() == ()


@rule("MM-8")
@pytest.mark.parametrize("text", ["", "10 E", "0 E", "03 E", "+3 E", "x", "3x E", "\uff13 E", "-1 B", "E 3"])
def test_an_invalid_number_loses_the_turn(text: str) -> None:
    match = played("mirror-match", "4 E")
    match.play(text)
    assert position(match) == "4 1"
    assert match.last.kind == "forfeit"


@rule("MM-8")
@pytest.mark.parametrize("text", ["3", "3 X", "3 E E", "3 begin"])
def test_a_number_without_a_place_is_refused(text: str) -> None:
    match = played("mirror-match", "4 E")
    with pytest.raises(pp.ParseError):
        match.play(text)
    assert position(match) == "4 2"


@rule("MM-8")
@pytest.mark.parametrize("text", ["3 e", "3 END", " 3   End ", "3 E"])
def test_places_are_read_in_any_case(text: str) -> None:
    assert position(played("mirror-match", "1 E", text)) == "1-3 1"
    at_the_beginning = re.sub("(?i)end|e", "Beginning", text)
    assert position(played("mirror-match", "1 E", at_the_beginning)) == "3-1 1"


@rule("MM-8")
def test_passing_is_a_move_only_where_it_is_read_so() -> None:
    match = played("mirror-match:forfeit=move", "4 E", "PASS")
    assert position(match) == "4 1"
    assert match.last.kind == "move"
    assert played("mirror-match", "4 E", "pass").last.kind == "forfeit"


@rule("MM-9")
def test_invalid_turns_in_a_row_lose_the_game_where_agreed() -> None:
    match = played("mirror-match:disqualify_after=2", "0", "1 E", "3 E", "2 E", "0", "2 E")
    assert match.result is None
    match.play("0")
    assert result(match) == "Player 2 wins: disqualification"
    assert result(played("mirror-match", *["0"] * 20)) is None


@rule("MM-9")
def test_a_chosen_pass_neither_counts_nor_breaks_the_row() -> None:
    match = played("mirror-match:disqualify_after=2,forfeit=move", "0", "1 E", "pass", "1 E")
    assert match.result is None
    match.play("0")
    assert result(match) == "Player 2 wins: disqualification"


def test_a_sequence_is_one_with_its_reverse_and_under_other_numbers() -> None:
    game = pp.load("mirror-match")
    same = {game.canonical(game.parse_state(text)) for text in ("1-1-2 2", "2-1-1 2", "9-9-4 2", "4-7-7 2")}
    assert [game.state_text(state) for state in same] == ["1-1-2 2"]


# Race to the Center


@rule("RC-1")
@rule("RC-2")
def test_the_race_starts_at_the_ends_with_player_1() -> None:
    assert position(played("race-to-the-center")) == "0 10 1"
    assert position(played("race-to-the-center:positions=3")) == "0 2 1"
    assert pp.load("race-to-the-center").starting(1) is None


@rule("RC-3")
def test_the_race_runs_towards_the_center() -> None:
    match = played("race-to-the-center", "2", "1")
    assert position(match) == "2 9 1"
    for move in ("0", "3", "-1", "", "two"):
        with pytest.raises(pp.ParseError):
            match.play(move)


@rule("RC-4")
def test_the_race_does_not_pass_the_center() -> None:
    match = played("race-to-the-center", "2", "1", "2", "1")
    assert match.legal() == ("1",)
    assert refused(match, "2") == "past-center"
    with pytest.raises(pp.IllegalActionError, match="from position 4 it is 1 away"):
        match.play("2")


@rule("RC-5")
def test_the_first_on_the_center_wins() -> None:
    assert result(played("race-to-the-center", "2", "1", "2", "2", "1")) == "Player 1 wins: first arrival"
    moves = ("1", "2", "1", "2", "1", "1")
    assert result(played("race-to-the-center", *moves)) == "Player 2 wins: first arrival"


@rule("RC-6")
def test_player_2_answers_by_the_reading_of_the_round() -> None:
    one_away, two_away = ("1", "2", "2", "2", "2"), ("2", "1", "2", "2", "1")
    for reading, answers in {
        "adjacent": (True, False),
        "sudden-death": (False, False),
        "full-turn": (True, True),
    }.items():
        spec = f"race-to-the-center:arrival={reading}"
        for moves, may_answer in zip((one_away, two_away), answers, strict=True):
            assert (result(played(spec, *moves)) is None) == may_answer
    assert result(played("race-to-the-center", *one_away, "1")) == "Player 2 wins: same-turn arrival"


@rule("RC-6")
def test_a_full_turn_may_be_thrown_away() -> None:
    spec = "race-to-the-center:arrival=full-turn"
    moves = ("2", "1", "2", "2", "1")
    assert result(played(spec, *moves, "2")) == "Player 2 wins: same-turn arrival"
    assert result(played(spec, *moves, "1")) == "Player 1 wins: first arrival"


@rule("RC-7")
def test_the_rule_of_the_occupied_position_stands_though_no_play_meets_it() -> None:
    game = pp.load("race-to-the-center")
    # Not a position of play: only so do two markers meet away from the center.
    meeting = type(game.initial())(4, 5, 0)
    assert game.prohibition(meeting, 0) == pp.Refusal("occupied", "Position 5 is occupied.")


def test_the_race_wants_an_odd_track_and_steps_from_one() -> None:
    with pytest.raises(pp.BadParameterError) as even:
        pp.load("race-to-the-center:positions=4")
    assert str(even.value) == "positions=4: must be an odd whole number, at least 3"
    with pytest.raises(pp.BadParameterError) as steps:
        pp.load("race-to-the-center:steps=2-3")
    assert str(steps.value) == "steps=2-3: must be a range from 1, such as 1-2 or 1-3"


# What every game has


def test_events_of_each_side_and_direction() -> None:
    race = pp.load("race-to-the-center")
    assert race.events(race.parse_state("4 6 1"), 0) == ("arrival",)
    assert race.events(race.parse_state("4 6 2"), 0) == ("arrival",)
    assert race.events(race.parse_state("5 6 2"), 0) == ("same-turn arrival",)
    assert race.events(race.parse_state("5 7 2"), 0) == ()
    leaps = pp.load("inversion-race:passing=leapfrog")
    assert leaps.events(leaps.parse_state("4 5 0 A"), 1) == ("inversion", "leap")
    assert leaps.events(leaps.parse_state("4 5 1 A"), 1) == ("leap",)
    assert leaps.events(leaps.parse_state("4 5 0 A"), 0) == ()
    assert leaps.events(leaps.parse_state("4 5 0 B"), 0) == ("inversion", "leap")


def test_the_readings_of_the_games() -> None:
    assert pp.load("inversion-race").readings() == {"passing": ("crossing", "letter", "leapfrog")}
    assert pp.load("mirror-match").readings() == {"forfeit": ("penalty", "move")}
    assert pp.load("race-to-the-center").readings() == {"arrival": ("adjacent", "sudden-death", "full-turn")}


def test_games_bring_their_theory() -> None:
    assert isinstance(pp.load("bit-flip:bits=3").theory(), BitFlipTheory)
    assert isinstance(pp.load("mirror-match:digits=2").theory(), MirrorMatchTheory)
    for spec, opening in (("bit-flip:bits=3", (1,)), ("mirror-match:digits=1,shortest=1", (0, 1))):
        game: pp.Game[Any] = pp.load(spec)
        theory = game.theory()
        assert theory is not None
        assert theory.best(game.initial()) == opening


# The rulebooks themselves


def _marked_rules() -> set[str]:
    """The rules that a test here is about."""
    tree = ast.parse(Path(__file__).read_text("utf-8"))
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    named = (call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "rule")
    return {str(call.args[0].value) for call in named if isinstance(call.args[0], ast.Constant)}


@pytest.mark.parametrize("name", pp.names())
def test_every_rule_is_traceable_to_code_and_to_a_test(name: str) -> None:
    numbered = r"\b(?:BF|DD|IR|MM|RC)-[0-9]+\b"
    ours = set(re.findall(rf"\*\*({numbered})\*\*", pp.load(name).texts().rulebook()))
    assert len(ours) >= 7
    module = __import__(game_class(name).__module__, fromlist=["rules"])
    in_code = set(re.findall(numbered, Path(module.__file__ or "").read_text("utf-8")))
    series = {"DD-8", "RC-8"}  # played over several games, by core/series.py
    assert in_code == ours - series
    prefix = min(ours).split("-")[0]
    assert {each for each in _marked_rules() if each.startswith(prefix)} == ours
