"""Details of the core that the tests by subject leave out: whole messages, defaults, limits."""

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import pytest

import perfectplay as pp
import perfectplay.games
from perfectplay.core.dialogue import Forfeit, Prompt
from perfectplay.core.discovery import class_in, offered
from perfectplay.core.match import Entry
from perfectplay.core.record import Move
from perfectplay.core.spec import Parameters, parameter, split_spec
from perfectplay.core.view import changed_cells, draw_track, draw_view
from perfectplay.core.wording import quoted
from perfectplay.games.bit_flip.rules import BitFlip, State
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


@dataclass(frozen=True)
class Bare(Parameters):
    """Parameters of which nothing is said but their types."""

    name = "bare"
    size: int = parameter(1)
    word: str = parameter("a")
    limit: int | None = parameter(3)


class Known(pp.Theory[str]):
    """A theory of the game above, made up."""

    def value(self, state: str) -> pp.Value:
        return {"high": pp.Value("loss", 0), "low": pp.Value("win", 3)}[state]


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
        (
            "2. Player 2: 1",
            "2. Player 3: 1",
            'line 8: there is no side "Player 3", only Player 1 and Player 2',
        ),
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
        ("result: Player 2 wins: last flip", "result: ", "line 11: the result line is empty"),
    ],
)
def test_a_wrong_line_of_a_record_is_named_with_what_is_wrong(old: str, new: str, says: str) -> None:
    assert (
        error_of(lambda: pp.Match.replay(pp.read_records(GOOD.replace(old, new, 1))[0], pp.load("bit-flip")))
        == says
    )


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
    with pytest.raises(pp.RecordError, match='p1 cannot be "human  "'):
        pp.read_records(GOOD.replace("p1: human", "p1: human  "))
    [record] = pp.read_records(GOOD.replace("p2: random", "p2: program:MAX"))
    assert record.players == ("human", "program:MAX")


def test_events_are_read_and_written_with_commas() -> None:
    line = "1. Player A: left -> 4 5 0 B {inversion, leap}"
    [move] = pp.read_records(GOOD.replace("1. Player 1: 4 -> 0000100000 2", line))[0].moves[:1]
    assert move == Move(1, "Player A", "left", "4 5 0 B", ("inversion", "leap"), 7)
    assert str(move) == line


def test_the_longest_position_that_is_written() -> None:
    assert str(Move(1, "A", "x", "0" * 200)) == f"1. A: x -> {'0' * 200}"
    assert str(Move(1, "A", "x", "0" * 201)) == "1. A: x"


def test_a_wrong_position_is_shown_up_to_a_hundred_characters() -> None:
    def says(bits: int) -> str:
        match = played(f"bit-flip:bits={bits}", "0")
        [record] = pp.read_records(str(match.record()).replace("0 2\n", "0 1\n"))
        return error_of(lambda: pp.Match.replay(record, match.game))

    row, more = "1" + "0" * 97, '..." (101 characters)'
    assert says(98) == f'line 7: the position is given as "{row} 1", the rules give "{row} 2"'
    assert says(99) == f'line 7: the position is given as "{row}0 {more}, the rules give "{row}0 {more}'


@pytest.mark.parametrize(("length", "end"), [(100, '"'), (101, '..." (101 characters)')])
def test_a_wrong_result_is_shown_up_to_a_hundred_characters(length: int, end: str) -> None:
    [record] = pp.read_records(GOOD.replace("Player 2 wins: last flip", "x" * length))
    assert f'given as "{"x" * 100}{end}, the rules' in error_of(
        lambda: pp.Match.replay(record, pp.load("bit-flip"))
    )


def test_everything_about_a_match_and_its_series_is_read_back() -> None:
    series = pp.Series(
        pp.load("mirror-match"),
        games=2,
        players=("human", "random"),
        alternate=False,
        seed=9,
        max_plies=4,
        forgiving=True,
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
    assert [str(each) for each in again.records()] == [str(record)]
    assert (again.alternate, again.seed, again.max_plies, again.forgiving) == (False, 9, 4, True)
    assert again.current is not None
    assert (again.current.max_plies, again.current.forgiving) == (4, True)


# Series


def test_a_series_is_one_game_of_two_people_unless_told() -> None:
    series = pp.Series(pp.load("bit-flip"))
    assert (series.games, series.seed, series.forgiving) == (1, 0, False)
    assert series.begin().forgiving is False
    assert error_of(series.begin) == "the next game of a series starts when one is over and one is left"


def test_a_series_hands_its_settings_to_every_game() -> None:
    series = pp.Series(pp.load("mirror-match"), games=2, forgiving=True, max_plies=1, seed=1)
    for _ in range(2):
        match = series.begin()
        assert (match.forgiving, match.max_plies) == (True, 1)
        match.play("1 B")
    assert series.matches[1].seed < 2**32


def test_the_contestants_of_swapped_seats() -> None:
    series = pp.Series(pp.load("race-to-the-center"), games=2, first=1)
    assert [series.swapped(number) for number in (1, 2)] == [True, False]
    assert [series.contestant(side, 1) for side in (0, 1)] == [1, 0]
    assert [series.contestant(side, 2) for side in (0, 1)] == [0, 1]


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("spec", ["bit-flip:bits=1", "race-to-the-center:positions=3,arrival=sudden-death"])
def test_a_series_is_taken_up_whoever_started_it(spec: str, first: pp.Side) -> None:
    series = pp.Series(pp.load(spec), games=3, first=first, max_plies=5)
    for _ in range(2):
        match = series.begin()
        match.play(match.legal()[0])
    text = "\n\n".join(str(record) for record in series.records())
    again = pp.Series.from_records(pp.read_records(text), pp.load)
    assert again.first == first
    assert again.max_plies == 5
    assert again.begin().record() == series.begin().record()


NOT_NEXT = "this game follows one that is not over, or the last of a series"
NOT_SECOND = "this is not game 2 of the series that began in line 1"


@pytest.mark.parametrize(
    ("game", "old", "new", "says"),
    [
        (0, "of 2", "of 1", f"line 12: {NOT_NEXT}"),
        (
            0,
            "1. Player 1: 0 -> 1 2\nresult: Player 1 wins: last flip",
            "result: in progress",
            f"line 11: {NOT_NEXT}",
        ),
        (1, "game 2 of 2", "game 3 of 2", f"line 12: {NOT_SECOND}"),
        (1, "game 2 of 2", "game 2 of 2\nstarts: same", f"line 12: {NOT_SECOND}"),
        (1, "p2: human", "p2: random", f"line 12: {NOT_SECOND}"),
    ],
)
def test_records_that_make_no_series_are_refused(game: int, old: str, new: str, says: str) -> None:
    series = pp.Series(pp.load("bit-flip:bits=1"), games=2)
    for _ in range(2):
        series.begin().play("0")
    texts = [str(record) for record in series.records()]
    texts[game] = texts[game].replace(old, new)
    records = pp.read_records("\n\n".join(texts))
    assert error_of(lambda: pp.Series.from_records(records, pp.load)) == says


def test_no_records_make_no_series() -> None:
    with pytest.raises(pp.RecordError) as caught:
        pp.Series.from_records((), pp.load)
    assert str(caught.value) == "line 1: no record here"


def test_a_game_that_cannot_be_loaded_is_named_by_its_line() -> None:
    [record] = pp.read_records(GOOD.replace("game: bit-flip", "game: bit-flip:bits=0"))
    assert error_of(lambda: pp.Series.from_records([record], pp.load)) == (
        "line 2: bits=0: must be a whole number, at least 1"
    )


# Matches


def test_a_match_of_a_game_whose_moves_depend_on_the_position() -> None:
    match = pp.Match(PICK)
    assert match.legal() == ("up", "down", "stay")
    match.play("stay")
    assert match.legal() == ("jump",)
    assert repr(match) == "<Match table ply 1 'low'>"
    match.play("jump")
    assert [str(move) for move in match.record().moves] == [
        "1. Player 1: stay -> low {pass}",
        "2. Player 2: jump -> high",
    ]
    assert str(match) == "Table: table\nhigh\nPlayer 1 wins: end"
    assert pp.Match.replay(match.record(), PICK).plies == 2
    match.undo()
    assert error_of(lambda: match.play("leap")) == '"leap" is not a move here. Allowed: jump.'


def test_a_record_says_that_a_match_is_forgiving() -> None:
    assert played("mirror-match").record().forgiving is False
    record = played("mirror-match", forgiving=True).record()
    assert record.forgiving is True
    assert pp.Match.replay(record, pp.load("mirror-match")).forgiving is True


def test_an_offer_to_abandon_is_taken_back_and_is_no_choice() -> None:
    match = played("dual-direction", "left", "right", "left", "right")
    match.abandon(0)
    assert match.last == Entry(0, "abandon", 4)
    match.undo()
    assert match.plies == 4
    match.abandon(0)
    match.undo(0)
    assert [entry.kind for entry in match.history] == ["move", "move"]


@pytest.mark.parametrize("offerer", [0, 1])
def test_an_offer_to_abandon_lapses_with_the_others_move_alone(offerer: pp.Side) -> None:
    match = played("dual-direction", "left", "right", "left", "right")
    match.abandon(offerer)
    match.play("left")
    assert match.abandon_offer == (0 if offerer == 0 else None)
    match.undo()
    match.undo()
    match.play("left")
    match.abandon(offerer)
    match.play("right")
    assert match.abandon_offer == (1 if offerer == 1 else None)


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"players": ("", "human")}, "p1='': must be the spec of a player, in one line"),
        ({"players": ("human", "a\nb")}, "p2='a\\nb': must be the spec of a player, in one line"),
        ({"players": ("human", " a")}, "p2=' a': must be the spec of a player, in one line"),
        ({"seed": -1}, "seed=-1: must be a whole number from 0 on, of at most 18 digits"),
        ({"seed": "7"}, "seed='7': must be a whole number from 0 on, of at most 18 digits"),
        (
            {"max_plies": 10**18},
            f"max_plies={10**18}: must be a whole number from 0 on, of at most 18 digits",
        ),
        ({"seed": 10**99}, f"seed=1{'0' * 39}: must be a whole number from 0 on, of at most 18 digits"),
    ],
)
def test_a_match_takes_only_what_a_record_can_state(settings: dict[str, Any], says: str) -> None:
    assert error_of(lambda: played("bit-flip", **settings)) == says


def test_a_match_has_two_players() -> None:
    with pytest.raises(ValueError, match="shorter"):
        played("bit-flip", players=("human",))


def test_the_largest_seed_is_read_back() -> None:
    match = played("bit-flip", seed=10**18 - 1)
    assert pp.read_records(str(match.record()))[0].seed == match.seed


def test_a_game_cannot_be_abandoned_before_positions_repeat() -> None:
    assert error_of(lambda: played("dual-direction").abandon(0)) == (
        "A game can be abandoned once a position has occurred 3 times; so far none has occurred more than once."
    )


def test_a_match_may_be_over_before_it_starts() -> None:
    assert played("bit-flip", max_plies=0).result == pp.Result(None, "ply limit", finished=False)


def test_either_side_may_be_disqualified() -> None:
    assert played("mirror-match:disqualify_after=1", "0").result == pp.Result(1, "disqualification")
    assert played("mirror-match:disqualify_after=1", "1 B", "0").result == pp.Result(0, "disqualification")


def test_there_is_nothing_to_take_back_at_the_start() -> None:
    assert error_of(played("bit-flip").undo) == "There is nothing to take back."


# Games


def test_the_moves_that_a_message_lists() -> None:
    game = pp.load("bit-flip:bits=20")
    assert game.allowed(game.initial()).endswith(", 17, 18 or 19.")
    assert PICK.allowed("start") == "Allowed: up, down or stay."
    assert PICK.allowed("high") == "The game is over."


def test_a_game_that_names_no_rule_refuses_all_the_same() -> None:
    assert PICK.refusal("low", 2) == pp.Refusal("illegal", "no2 is not legal here.")
    assert PICK.refusal("high", 0) == pp.Refusal("game-over", "The game is over.")
    assert PICK.theory() is None


def test_an_illegal_move_shows_up_to_80_characters_of_the_position() -> None:
    def says(bits: int) -> str:
        return error_of(lambda: played(f"bit-flip:bits={bits}", "0").play("1"))

    assert says(78).startswith(f'"1" at "1{"0" * 77} 2": Bit 1 is')
    assert says(79).startswith(f'"1" at "1{"0" * 78} ..." (81 characters): Bit 1 is')


# Laws


def test_the_laws_hold_for_a_game_whose_moves_depend_on_the_position() -> None:
    pp.check_game(PICK)


def test_as_many_positions_are_looked_at_as_asked() -> None:
    stuck = table_game({"start": {"go": "stuck"}}, ends={}, movers={})
    pp.check_game(stuck, states=1, walks=0)
    with pytest.raises(pp.ConformanceError) as caught:
        pp.check_game(stuck, states=2, walks=0)
    assert caught.value.violations["dead-end"] == (
        "no legal action and no outcome; a forced pass must be an action of its own (position 'stuck')"
    )


def test_positions_after_a_lost_turn_are_looked_at_too() -> None:
    def handing(handed: dict[str, str]) -> pp.Game[str]:
        table = {"start": {"go": "end"}, "turn": {"go": "end"}}
        return table_game(
            table, ends={"end": 0}, movers={"turn": 1}, after_forfeit=lambda _, state: handed[state]
        )

    pp.check_game(handing({"start": "turn", "turn": "start"}))
    with pytest.raises(pp.ConformanceError) as caught:
        pp.check_game(handing({"start": "nowhere"}))
    assert "(position 'nowhere')" in caught.value.violations["dead-end"]


@pytest.mark.parametrize(
    "names", [("result", "B"), ("1. A", "B"), ("A", "A"), ("A", "B:"), (" A", "B"), ("A", "")]
)
def test_side_names_may_not_read_like_the_rest_of_a_record(names: tuple[str, str]) -> None:
    game = table_game({"start": {"go": "end"}}, ends={"end": 1}, movers={}, side_names=names)
    with pytest.raises(pp.ConformanceError) as caught:
        pp.check_game(game)
    assert set(caught.value.violations) == {"names"}
    assert str(names) in caught.value.violations["names"]


@pytest.mark.parametrize("name", ["a, b", "a,b", "{a}", ""])
def test_declared_names_may_not_read_like_the_rest_of_a_record(name: str) -> None:
    game = table_game({"start": {"go": "end"}}, ends={"end": 1}, movers={}, event_names=(name,))
    with pytest.raises(pp.ConformanceError) as caught:
        pp.check_game(game)
    assert caught.value.violations == {
        "names": f"the declared name {name!r} cannot stand in a record (the game itself)"
    }


@pytest.mark.parametrize("text", ["a{", "a}", "a -> b"])
def test_no_position_may_read_like_the_rest_of_a_record(text: str) -> None:
    game = table_game({"start": {"go": text}}, ends={text: 1}, movers={})
    with pytest.raises(pp.ConformanceError) as caught:
        pp.check_game(game)
    assert caught.value.violations == {
        "state-text": f"the position text '{text}' cannot stand in a record (position '{text}')"
    }


# Errors


def test_a_bad_value_is_shown_up_to_40_characters() -> None:
    assert error_of(lambda: pp.load(f"bit-flip:bits={'x' * 40}")) == (
        f"bits={'x' * 40}: must be a whole number, at least 1"
    )
    assert error_of(lambda: pp.load(f"bit-flip:bits={'x' * 41}")) == (
        f'bits="{"x" * 40}..." (41 characters): must be a whole number, at least 1'
    )


def test_an_unknown_parameter_is_named_with_those_there_are() -> None:
    assert error_of(lambda: pp.load("bit-flip:bit=3")) == (
        "bit=3: no such parameter; bit-flip takes bits, first (did you mean bits?)"
    )
    assert error_of(lambda: pp.load(f"bit-flip:zzz={'9' * 99}")) == (
        f"zzz={'9' * 56}: no such parameter; bit-flip takes bits, first"
    )
    assert str(pp.UnknownParameterError("random", "a", "1", [])) == (
        "a=1: no such parameter; random takes no parameters"
    )


def test_an_unknown_name_is_answered_with_the_nearest_or_with_all() -> None:
    known = ["bit-flip", "dual-direction"]
    assert str(pp.UnknownGameError("Bitflip", known)) == 'unknown game "Bitflip" (did you mean bit-flip?)'
    assert (
        str(pp.UnknownPlayerError("zz", known)) == 'unknown player "zz"; there are: bit-flip, dual-direction'
    )


def test_broken_laws_stand_on_a_line_each() -> None:
    error = pp.ConformanceError("some-game", {"outcome": "none", "view": "empty"})
    assert str(error) == "some-game breaks 2 law(s) of Game:\n- outcome: none\n- view: empty"


# Parameters


def test_the_help_of_parameters() -> None:
    assert type(pp.load("dual-direction")).parameter_help() == (
        ("positions", "11", "a whole number, at least 3", "how long the line is"),
        ("start", "the center", "a whole number from 2 to 10", "where the marker starts"),
        ("first", "1", "1 or 2", "which player moves first"),
    )
    assert type(pp.load("mirror-match")).parameter_help()[3] == (
        "disqualify_after",
        "none",
        "none or a whole number, at least 1",
        "how many invalid turns in a row lose the game",
    )
    assert type(pp.load("race-to-the-center")).parameter_help()[:2] == (
        ("positions", "11", "an odd whole number, at least 3", "how many positions the track has"),
        ("steps", "1-2", "a range from 1, such as 1-2 or 1-3", "how far a marker may move"),
    )


def test_what_is_said_of_a_parameter_is_what_was_given() -> None:
    # Made here and not above: a parameter is put together when its class is.
    @dataclass(frozen=True)
    class Said(Parameters):
        name = "said"
        size: int = parameter(1)
        word: str = parameter("a")
        limit: int | None = parameter(3, least=2)
        plain: int = 4
        part: int = parameter(
            None,
            "a part",
            least=lambda said: said.size,
            most=lambda said: said.size,
            derive=lambda said: said.size,
            derived_as="all",
        )
        odd: int = parameter(5, "odd", allowed="an odd number")

    assert Said.parameter_help() == (
        ("size", "1", "a whole number", ""),
        ("word", "a", "text", ""),
        ("limit", "3", "none or a whole number, at least 2", ""),
        ("plain", "4", "a whole number", ""),
        ("part", "all", "a whole number from 1 to 1", "a part"),
        ("odd", "5", "an odd number", "odd"),
    )


def test_a_default_that_does_not_go_with_the_rest_is_no_default() -> None:
    assert pp.load("dual-direction:positions=20,start=15").spec == "dual-direction:positions=20,start=15"


def test_a_parameter_that_is_none_says_so_in_a_spec() -> None:
    assert Bare(limit=None).spec == "bare:limit=none"
    assert Bare.from_spec("limit=none,size=-2") == Bare(size=-2, limit=None)


def test_the_name_in_a_spec_ends_at_the_first_colon_but_a_path_at_its_ending() -> None:
    assert split_spec("program:say: hi") == ("program", "say: hi")
    assert split_spec("C:\\games\\go.py:size=4") == ("C:\\games\\go.py", "size=4")
    assert split_spec("./a:b/go.py") == ("./a:b/go.py", None)
    assert split_spec("./a\nb:c/go.py:size=4") == ("./a\nb:c/go.py", "size=4")
    assert error_of(lambda: split_spec(":size=4")) == (
        'bad spec ":size=4": a name must come first, as in name:key=value'
    )


def test_a_spec_is_keys_and_values() -> None:
    assert Bare.from_spec("word=a=b") == Bare(word="a=b")
    assert error_of(lambda: Bare.from_spec("size")) == 'bad spec "bare:size": "size" is not key=value'
    assert error_of(lambda: Bare.from_spec("size=")) == 'bad spec "bare:size=": "size=" is not key=value'
    assert error_of(lambda: Bare.from_spec("=3")) == 'bad spec "bare:=3": "=3" is not key=value'
    assert error_of(lambda: Bare.from_spec("size=3,")) == 'bad spec "bare:size=3,": "" is not key=value'
    assert error_of(lambda: Bare.from_spec("size=3,size=4")) == (
        'bad spec "bare:size=3,size=4": "size" is given twice'
    )


def test_a_number_has_at_most_18_digits() -> None:
    assert Bare(size=1 - 10**18).size == 1 - 10**18
    assert error_of(lambda: Bare(size=10**18)) == "size=...: must be a whole number of at most 18 digits"


def test_only_a_list_of_values_is_a_choice() -> None:
    game = pp.load("mirror-match")
    assert game.choices("forfeit") == ("penalty", "move")
    assert game.choices("disqualify_after") == ()
    assert game.choices("nothing") == ()


def test_a_wrong_value_is_refused_with_what_is_allowed() -> None:
    assert (
        error_of(lambda: pp.load("dual-direction:start=11"))
        == "start=11: must be a whole number from 2 to 10"
    )
    assert (
        error_of(lambda: pp.load("dual-direction:start=1")) == "start=1: must be a whole number from 2 to 10"
    )
    assert pp.load("dual-direction:start=10").spec == "dual-direction:start=10"
    assert error_of(lambda: pp.load("mirror-match:forfeit=x")) == "forfeit=x: must be penalty or move"
    assert error_of(lambda: pp.load("race-to-the-center:positions=4")) == (
        "positions=4: must be an odd whole number, at least 3"
    )
    assert error_of(lambda: Bare(word=3)) == "word=3: must be text"  # type: ignore[arg-type]


# Values and theories


def test_a_value_one_move_earlier() -> None:
    assert pp.Value("loss").before(same_side=False) == pp.Value("win")
    assert pp.Value("loss", 2).before(same_side=True) == pp.Value("loss", 3)


def test_a_theory_rates_moves_by_the_positions_they_lead_to() -> None:
    theory = Known(PICK)
    assert theory.moves("start") == (
        (0, pp.Value("loss", 1)),
        (1, pp.Value("loss", 4)),
        (2, pp.Value("loss", 4)),
    )
    assert theory.best("start") == (1, 2)
    assert theory.moves("low") == ((0, pp.Value("win", 1)),)
    assert theory.best("high") == ()
    assert theory.count_best("start") == 2


# Talking and drawing


def test_any_game_is_talked_about() -> None:
    dialogue = pp.Dialogue(PICK)
    assert dialogue.greeting("start") == ("Welcome to Table!",)
    assert dialogue.ask("start", ()) == Prompt(("start", "Player 1's turn."), "Your move: ")
    assert dialogue.ask("start", ("down",)) == 1
    assert dialogue.ask("start", ("x",)) == pp.Refusal(
        "unreadable", '"x" is not a move here. Allowed: up, down or stay.'
    )
    assert dialogue.ask("low", ("no1",)) == pp.Refusal(
        "illegal", '"no1": no1 is not legal here. Allowed: jump.'
    )
    assert dialogue.answers("low", 0) == ("jump",)
    assert dialogue.spoken("low", 0) == "jump"
    assert dialogue.confirm("start", 2, "low") == ("Player 1 plays stay. (pass)",)
    assert dialogue.confirm("low", 0, "high") == ("Player 2 plays jump.", "high")
    leaps = pp.load("inversion-race:passing=leapfrog")
    before, after = (leaps.parse_state(text) for text in ("4 5 0 A", "6 5 1 B"))
    assert pp.Dialogue(leaps).confirm(before, 1, after) == ("Player A plays right. (inversion) (leap)",)
    assert dialogue.forfeited("low") == ("Invalid move. Player 2 forfeits the turn.",)
    assert dialogue.farewell("high", pp.Outcome(1, "end")) == ("Player 2 wins: end.",)
    assert dialogue.farewell("high", pp.Outcome(None, "end")) == ("The game is a tie: end.",)


def test_an_answer_may_cost_the_turn() -> None:
    game = pp.load("mirror-match")
    dialogue = pp.Dialogue(game)
    assert dialogue.ask(game.initial(), ("0",)) == Forfeit(
        '"0" must begin with a number from 1 to 9, as a word of its own'
    )


def test_a_view_is_drawn_in_columns() -> None:
    view = pp.View(((pp.Cell("a", ("X", "Y")), pp.Cell("b")), (pp.Cell("c"), pp.Cell("d"))))
    assert draw_view(view) == ("XY b", "c  d")
    assert draw_view(pp.View(())) == ()
    assert draw_view(pp.View((), captions=("late",), numbers=(("left", 3), ("bid", -1)))) == (
        "late",
        "left: 3",
        "bid: -1",
    )


@pytest.mark.parametrize(
    ("spec", "moves", "changed"),
    [
        ("bit-flip", ("4",), (4,)),
        ("dual-direction", ("left",), (4, 5)),
        ("inversion-race", ("left",), (4, 5)),
        ("race-to-the-center", ("2", "1"), (9, 10)),
        ("mirror-match", ("3 E",), (0,)),
        ("mirror-match", ("3 E", "3 B"), (0,)),  # the board looks the same after 3 E
        ("mirror-match", ("3 E", "3 E"), (1,)),
        ("mirror-match", ("3 E", "4 B"), (0,)),
        ("mirror-match", ("3 E", "12"), ()),  # costs the turn
        ("mirror-match:forfeit=move", ("3 E", "pass"), ()),
    ],
)
def test_the_cells_that_a_move_changes(spec: str, moves: tuple[str, ...], changed: tuple[int, ...]) -> None:
    match: pp.Match[Any] = pp.Match(pp.load(spec))
    for move in moves:
        match.play(move)
    before, after = (match.game.view(state) for state in match.positions[-2:])
    assert changed_cells(before, after, match.last.action) == changed


def test_a_board_that_does_not_say_what_is_new_has_no_changed_cell() -> None:
    one, two = pp.Cell("1", ("X",)), pp.Cell("2", ("X",))
    small, large = pp.View(((one,),), (pp.Control("X", 0),)), pp.View(((one, two),))
    assert changed_cells(small, large, 0) == ()
    assert changed_cells(large, small) == ()
    adding = small._replace(controls=(pp.Control("X", 0, adds=0), pp.Control("X", 1, adds=1)))
    assert changed_cells(adding, large, 1) == (1,)
    assert changed_cells(adding, large) == ()


def test_a_track_is_folded_where_the_next_cell_does_not_fit() -> None:
    heads, labels, pieces = ("Cells: ", "At: "), ["0", "1", "2", "10"], ["", "A", "", "B"]
    wide = ("Cells: 0 1 2 10", "At:      A   B")
    assert draw_track(heads, labels, pieces) == wide
    assert draw_track(heads, labels, pieces, 15) == wide
    assert draw_track(heads, labels, pieces, 14) == ("Cells: 0 1 2", "At:      A", "Cells: 10", "At:    B")
    assert draw_track(heads, labels, pieces, 10) == (
        *("Cells: 0 1", "At:      A"),
        *("Cells: 2", "At:"),
        *("Cells: 10", "At:    B"),
    )
    assert len(draw_track(heads, labels, pieces, 1)) == 8
    assert draw_track(heads, labels, ["A", "", "", ""]) == ("Cells: 0 1 2 10", "At:    A")
    assert draw_track(("", ""), ["0", "1"], ["", "AB"], 3) == ("0", "", "1", "AB")
    with pytest.raises(ValueError, match="argument 2 is shorter"):
        draw_track(heads, labels, pieces[:2])


def test_a_text_is_quoted_up_to_its_limit() -> None:
    assert quoted("x" * 40) == f'"{"x" * 40}"'
    assert quoted("x" * 41) == f'"{"x" * 40}..." (41 characters)'
    assert quoted("é\t") == '"é\\t"'


# Finding classes


def test_a_module_offers_one_class() -> None:
    module = ModuleType("some.module")
    assert error_of(lambda: class_in(module, pp.Theory)) == "some.module must offer one Theory, not 0"
    mine = type("Mine", (Known,), {"__module__": "some.module.part"})
    near = type("Near", (Known,), {"__module__": "some.module2"})
    vars(module).update(number=1, other=Bare, base=pp.Theory, known=Known, mine=mine, again=mine, near=near)
    assert class_in(module, pp.Theory) is mine
    same = type("Same", (Known,), {"__module__": "some.module"})
    vars(module).update(mine=same, again=same)
    assert class_in(module, pp.Theory) is same
    vars(module).update(again=mine)
    assert error_of(lambda: class_in(module, pp.Theory)) == "some.module must offer one Theory, not 2"


def test_a_package_offers_its_modules() -> None:
    found = offered(perfectplay.games, frozenset({"registry"}))
    assert found["bit-flip"] == "perfectplay.games.bit_flip"
    assert "registry" not in found


def test_a_parameter_with_an_upper_bound_alone_names_it() -> None:
    @dataclass(frozen=True)
    class Capped(Parameters):
        name = "capped"
        size: int = parameter(1, most=5)

    with pytest.raises(pp.BadParameterError, match="size=7: must be a whole number, at most 5"):
        Capped(size=7)


def test_the_seed_of_a_check_is_obeyed() -> None:
    seen: list[str] = []

    @dataclass(frozen=True)
    class Watched(BitFlip):
        def state_text(self, state: State) -> str:
            seen.append(super().state_text(state))
            return seen[-1]

    def visited(seed: int) -> list[str]:
        seen.clear()
        pp.check_game(Watched(bits=12), states=1, walks=3, seed=seed)
        return list(seen)

    assert visited(1) == visited(1)
    assert visited(1) != visited(2)
