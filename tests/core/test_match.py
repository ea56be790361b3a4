"""What belongs to a match and to no rule of a game."""

from typing import Any

import numpy as np
import pytest

import perfectplay as pp
from perfectplay.core.match import Entry
from perfectplay.players.random import RandomPlayer
from tests.core.listed_games import PICK
from tests.core.matches import error_of, played


def test_a_bad_move_says_what_where_and_what_is_allowed_and_changes_nothing() -> None:
    match = played("bit-flip", "4")
    with pytest.raises(pp.IllegalActionError) as illegal:
        match.play("5")
    assert str(illegal.value) == (
        '"5" at "0000100000 2": Bit 5 is next to bit 4, already 1. Allowed: 0, 1, 2, 6, 7, 8 or 9.'
    )
    with pytest.raises(pp.ParseError) as unreadable:
        match.play("five")
    assert str(unreadable.value) == '"five" is not a move here. Allowed: 0, 1, 2, 6, 7, 8 or 9.'
    with pytest.raises(pp.IllegalActionError, match="action 10 is not from 0 to 9"):
        match.play(10)
    with pytest.raises(pp.IllegalActionError, match="action -1 is not from 0 to 9"):
        match.play(-1)
    assert match.history == (Entry(0, "move", 0, 4),)


@pytest.mark.parametrize("kind", [np.int64, np.uint8, np.array])
@pytest.mark.parametrize(
    "spec", ["bit-flip", "bit-flip:bits=64", "bit-flip:bits=70", "mirror-match:digits=300"]
)
def test_a_whole_number_of_any_type_is_a_move_and_is_kept_as_a_plain_one(spec: str, kind: Any) -> None:
    game: pp.Game[Any] = pp.load(spec)
    match = pp.Match(game)
    match.play(kind(9))
    match.play(kind(1))
    assert match.state == played(spec, *(game.action_text(game.initial(), a) for a in (9, 1))).state
    assert [type(entry.action) for entry in match.history] == [int, int]
    [record] = pp.read_records(str(match.record()))
    assert pp.Match.replay(record, game).positions == match.positions
    assert game.play(game.initial(), kind(9)) == match.positions[1]


@pytest.mark.parametrize(
    "move", [True, np.True_, 1.0, np.float64(1), None, [1], np.array([1, 2]), b"1"], ids=repr
)
@pytest.mark.parametrize("spec", ["bit-flip", "bit-flip:bits=70", "mirror-match"])
def test_a_wrong_type_is_refused_as_a_move_and_changes_nothing(spec: str, move: Any) -> None:
    match = played(spec)
    with pytest.raises(pp.IllegalActionError, match=r"^action [ -~]{1,200} is not a whole number$"):
        match.play(move)
    assert (match.history, match.plies) == ((), 0)
    with pytest.raises(pp.IllegalActionError, match=r"is not a whole number$"):
        match.game.play(match.state, move)


@pytest.mark.parametrize("way", ["play", "forfeit"])
def test_rules_that_break_leave_the_match_as_it_was(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    match = played("mirror-match", "1 E")
    before = match.record()
    monkeypatch.setattr(type(match.game), "outcome", lambda self, state: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        match.play("2 E") if way == "play" else match.forfeit()
    assert (match.plies, len(match.history), match.record()) == (1, 1, before)


def test_a_long_list_of_moves_is_cut() -> None:
    with pytest.raises(pp.ParseError, match=r"Allowed: 0, 1, .*, 19, \.\.\. \(100 moves\)\."):
        pp.Match(pp.load("bit-flip:bits=100")).play("x")


def test_a_finished_match_takes_no_more() -> None:
    match = played("bit-flip:bits=1", "0")
    with pytest.raises(pp.MatchStateError, match="the match is over: Player 1 wins: last flip"):
        match.play("0")
    with pytest.raises(pp.MatchStateError, match="the match is over"):
        match.resign()
    with pytest.raises(pp.MatchStateError, match="the match is over"):
        match.forfeit()
    with pytest.raises(pp.MatchStateError, match="the match is over"):
        match.abandon(0)


def test_resignation_wins_for_the_other_side() -> None:
    match = played("bit-flip", "4")
    match.resign()
    assert match.result == pp.Result(0, "resignation")
    match.undo()
    match.resign(0)
    assert match.result == pp.Result(1, "resignation")
    assert match.plies == 1


def test_only_mirror_match_forfeits() -> None:
    for name in pp.names():
        match = pp.Match(pp.load(name))
        if name == "mirror-match":
            match.forfeit()
            assert match.side == 1
        else:
            with pytest.raises(pp.MatchStateError, match="turns cannot be forfeited"):
                match.forfeit()


def test_a_forgiving_match_refuses_instead_of_forfeiting() -> None:
    match = played("mirror-match", forgiving=True)
    with pytest.raises(
        pp.ForfeitError, match='"10 E" must begin with a number from 1 to 9, as a word of its own'
    ):
        match.play("10 E")
    assert match.plies == 0


def test_a_ply_limit_leaves_the_match_unfinished() -> None:
    match = played("dual-direction", "left", "right", max_plies=2)
    assert match.result == pp.Result(None, "ply limit", finished=False)
    assert match.record().result == "unfinished: ply limit"
    # A game that ends on the very last ply has ended by its rules.
    assert played("bit-flip:bits=1", "0", max_plies=1).result == pp.Result(0, "last flip")


def test_a_match_is_abandoned_by_both_from_the_third_occurrence_on() -> None:
    match = played("dual-direction", "left", "right", "left")
    with pytest.raises(pp.MatchStateError, match=r"occurred 3 times; so far none .* more than twice"):
        match.abandon(0)
    match.play("right")
    match.abandon(0)
    assert match.result is None
    with pytest.raises(pp.MatchStateError, match="Player 1 has already offered that"):
        match.abandon(0)
    match.abandon(1)
    assert match.result == pp.Result(None, "abandoned", finished=False)


def test_an_offer_to_abandon_outlives_the_offerers_move_and_lapses_with_the_others() -> None:
    match = played("dual-direction", "left", "right", "left", "right")
    match.abandon(0)
    match.play("left")
    assert match.abandon_offer == 0
    match.play("right")
    assert match.abandon_offer is None
    match.abandon(1)
    assert match.result is None
    match.abandon(0)
    assert match.result is not None


def test_undo_takes_back_the_last_entry() -> None:
    match = played("bit-flip", "4", "1")
    match.undo()
    assert match.record().moves[-1].text == "4"
    match.undo()
    with pytest.raises(pp.MatchStateError, match="nothing to take back"):
        match.undo()


def test_undo_for_a_side_goes_back_to_its_own_last_choice() -> None:
    match = played("bit-flip", "4", "1", "7")
    match.undo(0)
    assert [move.text for move in match.record().moves] == ["4", "1"]
    match.undo(0)
    assert match.plies == 0
    with pytest.raises(pp.MatchStateError):
        match.undo(1)


def test_undo_skips_a_forced_pass() -> None:
    match = played("inversion-race:start=10", "left", "pass", "left", "left")
    assert match.legal() != ("pass",)
    match.undo(1)
    assert [move.text for move in match.record().moves] == ["left", "pass", "left"]
    with pytest.raises(pp.MatchStateError):
        match.undo(1)


def test_undo_reopens_a_match_that_was_over() -> None:
    match = played("mirror-match:disqualify_after=1", "0")
    assert match.result is not None
    match.undo()
    assert match.result is None
    assert match.plies == 0


def test_redo_puts_back_what_each_undo_took_back() -> None:
    match = played("bit-flip", "4", "1", "7")
    text = str(match.record())
    match.undo(0)
    match.undo(0)
    assert match.plies == 0
    match.redo()
    assert [move.text for move in match.record().moves] == ["4", "1"]
    match.redo()
    assert str(match.record()) == text
    assert match.positions == played("bit-flip", "4", "1", "7").positions
    with pytest.raises(pp.MatchStateError, match=r"^There is no move to redo\.$"):
        match.redo()
    assert str(match.record()) == text


def test_redo_ends_a_match_again() -> None:
    match = played("bit-flip:bits=1", "0")
    match.undo()
    match.redo()
    assert match.result == pp.Result(0, "last flip")


def test_after_a_new_entry_nothing_can_be_put_back() -> None:
    for resigns in (False, True):
        match = played("bit-flip", "4", "1")
        match.undo()
        if resigns:
            match.resign()
        else:
            match.play("9")
        with pytest.raises(pp.MatchStateError, match="no move to redo"):
            match.redo()
    # A move that is refused is none, and an undo of nothing takes nothing back.
    match = played("bit-flip", "4")
    match.undo()
    with pytest.raises(pp.IllegalActionError):
        match.play(10)
    with pytest.raises(pp.MatchStateError):
        match.undo()
    match.redo()
    assert match.plies == 1


def test_neither_a_forced_pass_nor_an_offer_nor_the_clock_is_a_choice() -> None:
    match = played("inversion-race:start=10", "left", "pass", "left", "left")
    assert [match.is_choice(entry) for entry in match.history] == [True, False, True, True]
    match = played("dual-direction", "left", "right", "left", "right")
    match.abandon(0)
    match.resign()
    assert [match.is_choice(entry) for entry in match.history] == [True] * 4 + [False, True]
    match = played("bit-flip", "4")
    match.time_out()
    assert (match.last.kind, match.is_choice(match.last), match.has_chosen(1)) == ("time", False, False)


def test_a_random_players_choice_depends_on_seed_and_ply_alone() -> None:
    first = played("bit-flip:bits=30", "4", "9", seed=5)
    other = played("bit-flip:bits=30", "9", "4", seed=5)
    choose = RandomPlayer().choose
    assert choose(first.game, first.state, first.generator()) == choose(
        other.game, other.state, other.generator()
    )
    choices = {
        choose(match.game, match.state, match.generator())
        for seed in range(20)
        for match in [played("bit-flip:bits=30", seed=seed)]
    }
    assert len(choices) > 5
    later = played("bit-flip:bits=30", seed=5)
    assert {later.generator().random() for _ in range(3)} != {first.generator().random()}


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


def test_an_offer_to_abandon_is_taken_back_and_does_not_count_as_a_choice() -> None:
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
        ({"seed": -1}, "seed=-1: must be a whole number, at least 0, of at most 18 digits"),
        ({"seed": "7"}, "seed='7': must be a whole number, at least 0, of at most 18 digits"),
        (
            {"max_plies": 10**18},
            f"max_plies={10**18}: must be a whole number, at least 0, of at most 18 digits",
        ),
        ({"seed": 10**99}, f"seed=1{'0' * 39}: must be a whole number, at least 0, of at most 18 digits"),
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


def test_cells_belong_to_the_side_that_filled_them() -> None:
    match = played("mirror-match", "1 B", "2 B", "3 E")
    assert match.cell_owners() == [1, 0, 0]  # the 2 was put before the 1
    assert match.cell_owners(2) == [1, 0]
    assert match.cell_owners(0) == []
    lost = played("mirror-match", "99", "5 E")
    assert lost.cell_owners() == [1]  # a lost turn fills nothing
    assert played("dual-direction", "left").cell_owners() == []  # nor does a piece that moves
