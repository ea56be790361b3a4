"""Positions and moves as text: read back, abbreviated, and refused with the reason."""

import pytest

import perfectplay as pp


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


BIT_FLIP = 'expected 4 bits, no two neighbors both 1, and the player to flip, as in "0000 1"'


DUAL_DIRECTION = 'expected the marker\'s place, 1 to 5, and the player to move, as in "3 1"'


INVERSION_RACE = (
    'expected the cells of A and B, 0 to 4, 1 if inverted or else 0, and the player to move, as in "2 2 0 A"'
)


MIRROR_MATCH = (
    'expected the sequence and the player to add to it, as in "9-1-1 2" or, for an empty one, "- 1"'
)


RACE = (
    'expected where Player 1 and Player 2 stand, on their own halves, and the player to move, as in "0 4 1"'
)


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
def test_an_invalid_position_is_refused_with_an_example(spec: str, texts: tuple[str, ...], says: str) -> None:
    for text in texts:
        with pytest.raises(pp.ParseError) as refused:
            pp.load(spec).parse_state(text)
        assert str(refused.value) == f'"{text}" is not a valid position: {says}'


def unreadable(spec: str, text: str) -> str:
    game = pp.load(spec)
    with pytest.raises(pp.ParseError) as refused:
        game.parse_action(game.initial(), text)
    return str(refused.value)


def test_an_invalid_move_is_refused_with_the_legal_ones() -> None:
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
