"""Details of the core that the tests by subject leave out: whole messages, defaults, limits."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

import perfectplay as pp
from perfectplay.core.dialogue import Forfeit, Prompt
from perfectplay.core.discovery import class_in, offered
from perfectplay.core.match import Entry
from perfectplay.core.record import Move, Place
from perfectplay.core.view import draw_track, draw_view
from perfectplay.core.wording import quoted
from tests.tables import table_game

GOOD = """\
perfectplay record 1
game: bit-flip
p1: human
p2: random
seed: 7

1. Player 1: 4 -> 0000100000 2
2. Player 2: 1 -> 0100100000 1
3. Player 1: 7 -> 0100100100 2
4. Player 2: 9 -> 0100100101 1
result: Player 2 wins: last flip
"""

PICK = table_game(
    {"start": {"up": "high", "down": "low", "stay": "low"}, "low": {"jump": "high"}},
    ends={"high": 0},
    movers={"low": 1},
    passes=frozenset({"stay"}),
    event_names=("pass",),
)
"""A game whose moves are called differently in each position."""


def played(spec: str, *moves: str, **settings: Any) -> pp.Match[Any]:
    match = pp.Match(pp.load(spec), **settings)
    for move in moves:
        match.play(move)
    return match


def error_of(action: Callable[[], object]) -> str:
    with pytest.raises(pp.PerfectplayError) as caught:
        action()
    return str(caught.value)


# Records


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("record 1", "record 2", "line 1: format 2 is not known here, only format 1"),
        (
            "perfectplay record 1",
            "once",
            'line 1: a record must open with "perfectplay record 1", not "once"',
        ),
        ("seed: 7", "seed: x", 'line 5: seed cannot be "x"'),
        ("seed: 7", "sed: 7", 'line 5: "sed: 7" is no header line of a record, or a second one'),
        ("seed: 7", "seed", 'line 5: "seed" is no header line of a record, or a second one'),
        ("seed: 7", "p1: human", 'line 5: "p1: human" is no header line of a record, or a second one'),
        ("p2: random\n", "", 'line 5: the header has no line "p2: ..."'),
        (
            "1. Player 1: 4 ->",
            "1. Player 1: 5 ->",
            'line 7: the position is given as "0000100000 2", the rules give "0000010000 2"',
        ),
        (
            "2. Player 2: 1 -> 0100100000 1",
            "2. Player 2: 5",
            'line 8: "5" at "0000100000 2": Bit 5 is next to bit 4, already 1.'
            " Allowed: 0, 1, 2, 6, 7, 8 or 9.",
        ),
        ("2. Player 2: 1", "2. Player 1: 1", "line 8: it is Player 2's turn"),
        ("2. Player 2: 1", "2. Player 3: 1", 'line 8: there is no side "Player 3", only Player 1 and Player 2'),
        ("2. Player 2: 1", "3. Player 2: 1", "line 8: ply 2 was expected here"),
        ("2. Player 2: 1", "2. Player 2: resign", "line 8: resign is no ply and carries no number"),
        (
            "2. Player 2: 1 -> 0100100000 1",
            "nonsense",
            'line 8: "nonsense" is no move: it must read like "1. Player 1: left"',
        ),
        (
            "0100100000 1",
            "0100100000 1 {leap, pass}",
            'line 8: the events are given as "leap, pass", the rules give "none"',
        ),
        (
            "result: Player 2 wins: last flip",
            "result: in progress",
            'line 11: the result is given as "in progress", the rules give "Player 2 wins: last flip"',
        ),
        (
            "result: Player 2 wins: last flip",
            "",
            "line 13: the record is cut off: it must end with a result line",
        ),
    ],
)
def test_a_wrong_line_of_a_record_is_named_with_what_is_wrong(old: str, new: str, says: str) -> None:
    assert error_of(lambda: pp.read_records(GOOD.replace(old, new, 1))[0].replay(pp.load("bit-flip"))) == says


def test_an_empty_text_is_no_record() -> None:
    with pytest.raises(pp.RecordError) as caught:
        pp.read_records("\n")
    assert caught.value.line == 1
    assert caught.value.problem == 'no record here: it must open with "perfectplay record 1"'


def test_a_game_line_may_stand_anywhere_in_the_header_and_is_remembered() -> None:
    text = GOOD.replace("game: bit-flip\n", "").replace("seed: 7\n", "seed: 7\ngame: bit-flip\n")
    [record] = pp.read_records(text)
    assert record.lines == (5, 11)
    assert [move.line for move in record.moves] == [7, 8, 9, 10]


def test_a_value_in_the_header_may_hold_a_colon() -> None:
    [record] = pp.read_records(GOOD.replace("p1: human", "p1: program:say: hi"))
    assert record.players == ("program:say: hi", "random")


def test_records_are_read_from_lines_with_any_ends() -> None:
    lines = [f"{line}\r\n" for line in GOOD.split("\n")]
    assert pp.read_records(lines) == pp.read_records(GOOD)


def test_blanks_at_the_end_of_a_line_belong_to_it() -> None:
    [record] = pp.read_records(GOOD.replace("p1: human", "p1: human  "))
    assert record.players == ("human  ", "random")


def test_events_are_read_and_written_with_commas() -> None:
    line = "1. Player A: left -> 4 5 0 B {inversion, leap}"
    [move] = pp.read_records(GOOD.replace("1. Player 1: 4 -> 0000100000 2", line))[0].moves[:1]
    assert move == Move(1, "Player A", "left", "4 5 0 B", ("inversion", "leap"), 7)
    assert str(move) == line


def test_the_longest_position_that_is_written() -> None:
    assert str(Move(1, "A", "x", "0" * 200)) == f"1. A: x -> {'0' * 200}"
    assert str(Move(1, "A", "x", "0" * 201)) == "1. A: x"


def test_a_wrong_position_is_shown_up_to_a_hundred_characters() -> None:
    game = pp.load("bit-flip:bits=98")
    for bits, shown in ((98, "{0} 1"), (99, "{0} ")):
        game = pp.load(f"bit-flip:bits={bits}")
        match = pp.Match(game)
        match.play("0")
        text = str(match.record()).replace(" 2\n", " 1\n")
        says = error_of(lambda text=text, game=game: pp.read_records(text)[0].replay(game))  # type: ignore[misc]
        row = "1" + "0" * (bits - 1)
        end = "" if bits == 98 else '..." (101 characters)'
        assert says.startswith(f'line 7: the position is given as "{shown.format(row)}{end or chr(34)}, the rules')
        assert says.endswith("2" + '"' if bits == 98 else end)


def test_a_wrong_result_is_shown_up_to_a_hundred_characters() -> None:
    for length, end in ((100, '"'), (101, '..." (101 characters)')):
        text = GOOD.replace("Player 2 wins: last flip", "x" * length)
        says = error_of(lambda text=text: pp.read_records(text)[0].replay(pp.load("bit-flip")))  # type: ignore[misc]
        assert f'given as "{"x" * 100}{end}, the rules' in says


def test_everything_about_a_match_and_its_series_is_read_back() -> None:
    series = pp.Series(
        pp.load("mirror-match"), games=2, players=("human", "random"), alternate=False, seed=9, max_plies=4, forgiving=True
    )
    series.begin().play("1 B")
    [record] = series.records()
    assert str(record) == (
        "perfectplay record 1\n"
        "game: mirror-match\n"
        "p1: human\n"
        "p2: random\n"
        "seed: 9\n"
        "series: game 1 of 2\n"
        "starts: same\n"
        "max-plies: 4\n"
        "forgiving: yes\n"
        "\n"
        "1. Player 1: 1 B -> 1 2\n"
        "result: in progress"
    )
    again = pp.Series.from_records(pp.read_records(str(record)), pp.load)
    assert again.records() == (pp.read_records(str(record))[0],) or str(again.records()[0]) == str(record)
    assert (again.alternate, again.seed, again.max_plies, again.forgiving) == (False, 9, 4, True)
    assert again.current is not None
    assert again.current.forgiving is True
    assert again.current.max_plies == 4
