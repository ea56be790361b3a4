"""What the rules say of positions and moves beyond the numbered rules: views, texts, refusals."""

from typing import Any

import pytest

import perfectplay as pp
from perfectplay.games.bit_flip.theory import BitFlipTheory
from perfectplay.games.mirror_match.theory import MirrorMatchTheory


def seen(spec: str, position: str) -> tuple[list[str], list[tuple[str, int, str]], tuple[str, ...]]:
    """A view in short: each cell as label, pieces and action; the controls; the captions."""
    game = pp.load(spec)
    view = game.view(game.parse_state(position))
    [row] = view.rows
    cells = [f"{cell.label} {'+'.join(cell.pieces) or '.'} {cell.action}" for cell in row]
    return cells, [(each.label, each.action, each.group) for each in view.controls], view.captions


def test_a_view_of_bit_flip_offers_the_free_bits() -> None:
    assert seen("bit-flip:bits=4", "1000 2") == (["0 1 None", "1 0 None", "2 0 2", "3 0 3"], [], ())


def test_a_view_of_dual_direction_offers_both_neighbours() -> None:
    assert seen("dual-direction:positions=5", "4 2") == (
        ["1 . None", "2 . None", "3 . 0", "4 * None", "5 . 1"],
        [("left", 0, ""), ("right", 1, "")],
        ("Player 1 Goal: Position 1", "Player 2 Goal: Position 5"),
    )


def test_a_view_of_inversion_race_offers_where_a_step_or_a_leap_lands() -> None:
    assert seen("inversion-race:cells=5", "1 2 0 A") == (
        ["0 . 0", "1 A None", "2 B None", "3 . None", "4 . None"],
        [("left", 0, "")],
        ("Goal: Cell 0", "Inversion: False"),
    )
    assert seen("inversion-race:cells=5,passing=leapfrog", "2 1 1 B") == (
        ["0 . 0", "1 B None", "2 A None", "3 . 1", "4 . None"],
        [("left", 0, ""), ("right", 1, "")],
        ("Goal: Cell 4", "Inversion: True"),
    )
    assert seen("inversion-race:cells=5", "2 2 0 A")[0] == [
        "0 . None",
        "1 . 0",
        "2 A+B None",
        "3 . 1",
        "4 . None",
    ]


def test_a_view_of_inversion_race_offers_no_forced_pass() -> None:
    assert seen("inversion-race:cells=5", "3 4 0 B")[1] == []


def test_a_view_of_mirror_match_groups_its_numbers_by_place() -> None:
    assert seen("mirror-match:digits=2,forfeit=move", "2-1 1") == (
        ["1 2 None", "2 1 None"],
        [("1", 0, "Beginning"), ("2", 1, "Beginning"), ("1", 2, "End"), ("2", 3, "End"), ("pass", 4, "Turn")],
        (),
    )


def test_a_view_of_the_race_offers_where_the_mover_lands() -> None:
    assert seen("race-to-the-center:positions=5", "2 3 2") == (
        ["0 . None", "1 . None", "2 P1 0", "3 P2 None", "4 . None"],
        [("1", 0, "Move by")],
        ("Center: Position 2",),
    )
    assert seen("race-to-the-center:positions=5", "0 4 1")[0] == [
        "0 P1 None",
        "1 . 0",
        "2 . 1",
        "3 . None",
        "4 P2 None",
    ]
    assert seen("race-to-the-center:positions=5", "0 4 2")[0][2:] == ["2 . 1", "3 . 0", "4 P2 None"]
    assert seen("race-to-the-center:positions=5", "2 2 1")[0][2] == "2 P1+P2 None"


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        ("bit-flip:bits=4", "1001 2"),
        ("bit-flip:bits=4", "0100 1"),
        ("dual-direction:positions=5", "1 1"),
        ("dual-direction:positions=5", "5 2"),
        ("dual-direction:positions=20,start=10", "15 2"),
        ("inversion-race:cells=5", "2 2 0 A"),
        ("inversion-race:cells=5", "4 0 1 B"),
        ("inversion-race:cells=5", "0 4 0 A"),
        ("mirror-match:digits=3", "- 2"),
        ("mirror-match:digits=12", "1-12-3 2"),
        ("race-to-the-center:positions=5", "0 4 1"),
        ("race-to-the-center:positions=5", "2 2 1"),
    ],
)
def test_a_position_reads_back(spec: str, text: str) -> None:
    game = pp.load(spec)
    assert game.state_text(game.parse_state(text)) == text


BIT_FLIP = 'it is 4 bits, no two neighbours 1, and the player to flip, as in "0000 1"'
DUAL_DIRECTION = 'it is the marker\'s place, 1 to 5, and the player to move, as in "3 1"'
INVERSION_RACE = (
    'it is the cells of A and B, 0 to 4, 1 if inverted or else 0, and the player to move, as in "2 2 0 A"'
)
MIRROR_MATCH = 'it is the sequence and the player to add to it, as in "9-1-1 2" or, for an empty one, "- 1"'
RACE = 'it is where Player 1 and Player 2 stand, on their own halves, and the player to move, as in "0 4 1"'


@pytest.mark.parametrize(
    ("spec", "texts", "says"),
    [
        ("bit-flip:bits=4", ("110 1", "0110 1", "00000 1", "0000 3", "0000"), BIT_FLIP),
        ("dual-direction:positions=5", ("6 1", "0 1", "05 1", "5 3", "5"), DUAL_DIRECTION),
        (
            "inversion-race:cells=5",
            ("5 1 0 A", "1 5 0 A", "1 1 0 A", "2 2 1 A", "01 2 0 A", "1 2 2 A", "1 2 0 C"),
            INVERSION_RACE,
        ),
        ("mirror-match", ("10-1 1", " 1", "1--2 1", "1 3", "1"), MIRROR_MATCH),
        ("race-to-the-center:positions=5", ("3 4 1", "2 1 1", "0 5 1", "00 4 1", "0 4 3"), RACE),
    ],
)
def test_what_is_no_position_is_refused_with_what_is_one(
    spec: str, texts: tuple[str, ...], says: str
) -> None:
    for text in texts:
        with pytest.raises(pp.ParseError) as refused:
            pp.load(spec).parse_state(text)
        assert str(refused.value) == f'"{text}" is no position: {says}'


def test_games_bring_their_theory() -> None:
    assert isinstance(pp.load("bit-flip:bits=3").theory(), BitFlipTheory)
    assert isinstance(pp.load("mirror-match:digits=2").theory(), MirrorMatchTheory)
    for spec, opening in (("bit-flip:bits=3", (1,)), ("mirror-match:digits=1,shortest=1", (0, 1))):
        game: pp.Game[Any] = pp.load(spec)
        theory = game.theory()
        assert theory is not None
        assert theory.best(game.initial()) == opening


def unreadable(spec: str, text: str) -> str:
    game = pp.load(spec)
    with pytest.raises(pp.ParseError) as refused:
        game.parse_action(game.initial(), text)
    return str(refused.value)


def test_what_is_no_move_is_refused_with_the_moves_there_are() -> None:
    for text in ("3", "-1", "x", ""):
        assert unreadable("bit-flip:bits=3", text) == f'"{text}" is not a move here. Allowed: 0, 1 or 2.'
    for text in ("0", "4", "x"):
        assert (
            unreadable("race-to-the-center:steps=1-3", text)
            == f'"{text}" is not a move here. Allowed: 1, 2 or 3.'
        )
    for text in ("3", "", "up"):
        assert unreadable("inversion-race", text) == f'"{text}" is not a move here. Allowed: left or right.'
    assert unreadable("mirror-match", "7") == (
        '"7" does not say where to place the 7: it must read like "7 B" or "7 E"'
    )


def test_a_move_may_be_abbreviated_or_typed_in_capitals() -> None:
    game = pp.load("dual-direction")
    for text, action in (("l", 0), (" LEFT ", 0), ("r", 1), ("Rig", 1)):
        assert game.parse_action(game.initial(), text) == action
    race = pp.load("inversion-race")
    for text, action in (("1", 0), (" 2 ", 1), ("p", 2), ("le", 0)):
        assert race.parse_action(race.initial(), text) == action
    assert unreadable("dual-direction", "x") == '"x" is not a move here. Allowed: left or right.'
    assert unreadable("dual-direction", " ") == '" " is not a move here. Allowed: left or right.'


@pytest.mark.parametrize(
    ("spec", "position", "action", "refusal"),
    [
        ("bit-flip:bits=4", "1000 2", 0, ("already-flipped", "Bit 0 is already 1.")),
        ("bit-flip:bits=4", "1000 2", 1, ("adjacent", "Bit 1 is next to bit 0, already 1.")),
        ("bit-flip:bits=4", "0100 2", 0, ("adjacent", "Bit 0 is next to bit 1, already 1.")),
        ("inversion-race", "4 5 0 A", 1, ("occupied", "Cell 5 is occupied.")),
        ("inversion-race", "4 5 0 B", 0, ("occupied", "Cell 4 is occupied.")),
        ("inversion-race", "10 5 0 A", 1, ("off-board", "Cell 11 is off the board.")),
        ("inversion-race", "10 5 0 A", 2, ("can-move", "A turn passes only when no move is possible.")),
        (
            "race-to-the-center",
            "3 6 2",
            1,
            ("past-center", "A marker may not move past the center, and from position 6 it is 1 away."),
        ),
        (
            "race-to-the-center:steps=1-4",
            "3 9 1",
            3,
            ("past-center", "A marker may not move past the center, and from position 3 it is 2 away."),
        ),
    ],
)
def test_a_refused_move_says_why(spec: str, position: str, action: int, refusal: tuple[str, str]) -> None:
    game = pp.load(spec)
    assert game.refusal(game.parse_state(position), action) == refusal


def test_a_long_row_lists_its_free_bits_from_the_left() -> None:
    game = pp.load("bit-flip:bits=65")
    assert game.legal_actions(game.apply(game.initial(), 0)) == tuple(range(2, 65))


def test_a_row_and_its_mirror_image_are_one() -> None:
    game = pp.load("bit-flip:bits=5")
    left, right = (game.canonical(game.parse_state(text)) for text in ("10010 1", "01001 1"))
    assert left == right


def test_a_sequence_is_one_with_its_reverse_and_under_other_numbers() -> None:
    game = pp.load("mirror-match")
    same = {game.canonical(game.parse_state(text)) for text in ("1-1-2 2", "2-1-1 2", "9-9-4 2", "4-7-7 2")}
    assert [game.state_text(state) for state in same] == ["1-1-2 2"]


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


def test_the_race_wants_an_odd_track_and_steps_from_one() -> None:
    with pytest.raises(pp.BadParameterError) as even:
        pp.load("race-to-the-center:positions=4")
    assert str(even.value) == "positions=4: must be an odd whole number, at least 3"
    with pytest.raises(pp.BadParameterError) as steps:
        pp.load("race-to-the-center:steps=2-3")
    assert str(steps.value) == "steps=2-3: must be a range from 1, such as 1-2 or 1-3"
