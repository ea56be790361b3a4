"""One game at a time, compared with the rules."""

import pickle
from collections.abc import Callable
from copy import deepcopy
from enum import IntEnum
from random import Random
from typing import Any

import numpy as np
import pytest

import perfectplay as pp
from perfectplay.simulate import (
    BatchedGame,
    SingleGame,
    single_game,
)
from tests.core.listed_games import Baton
from tests.games.rulings import BEYOND_TABLES, RULINGS
from tests.simulate.plain_rules import TIC_TAC_TOE, reward_of


@pytest.mark.parametrize("spec", [*RULINGS, "bit-flip:bits=24", TIC_TAC_TOE])
def test_a_single_game_plays_by_the_rules(spec: str) -> None:
    single: SingleGame[Any] = single_game(spec, 15)
    game, random = single.game, Random(1)
    ends = set()
    for _ in range(30):
        row, state = single.reset(), game.initial()
        for ply in range(16):
            outcome, actions = game.outcome(state), game.legal_actions(state)
            assert row.state == state
            assert tuple(row.moves) == actions
            assert tuple(row.legal.nonzero()[0]) == actions
            assert (row.observation == single.observer.observe(state)).all()
            assert (row.side, row.terminated) == (game.side_to_move(state), outcome is not None)
            assert row.rewards == reward_of(outcome)
            assert single.truncated == (outcome is None and ply == 15)
            assert row.choice == (bool(single.moves) and not game.is_forced_pass(state))
            if outcome is not None or single.truncated:
                ends.add(single.truncated)
                with pytest.raises(pp.MatchStateError, match="reset it before the next step"):
                    single.step(0)
                break
            action = random.choice(actions)
            row, state = single.step(action), game.apply(state, action)
    assert ends


@pytest.mark.parametrize("spec", [*RULINGS, "bit-flip:bits=24", TIC_TAC_TOE])
def test_a_row_and_a_snapshot_print_in_one_short_line(spec: str) -> None:
    """A row refers to other rows, and so to all of them."""
    game: SingleGame[Any] = single_game(spec)
    row = game.step(game.game.legal_actions(game.game.initial())[0])
    text = repr(row)
    assert text.startswith(f"Row(state={row.state!r}, side={row.side}, terminated=False, ")
    assert len(text) < 300
    assert len(repr(game.snapshot())) < 400


BAD_ACTIONS: dict[str, tuple[Any, type[Exception], str]] = {
    "below": (-1, pp.BadParameterError, "action=-1: must be a whole number from 0 to 9"),
    "above": (10, pp.BadParameterError, "action=10: must be a whole number from 0 to 9"),
    "fraction": (0.0, pp.BadParameterError, "action=0.0: must be a whole number from 0 to 9"),
    "numpy fraction": (np.float32(0), pp.BadParameterError, "action=np.float32(0.0): must be a whole number from 0 to 9"),
    "truth": (True, pp.BadParameterError, "action=True: must be a whole number from 0 to 9"),
    "text": ("0", pp.BadParameterError, "action='0': must be a whole number from 0 to 9"),
    "none": (None, pp.BadParameterError, "action=None: must be a whole number from 0 to 9"),
    "list": ([0], pp.BadParameterError, "action=[0]: must be a whole number from 0 to 9"),
    "illegal": (5, pp.IllegalActionError, 'action 5, "5": Bit 5 is next to bit 4, already 1. Allowed: 0, 1, 2, 6, 7, 8 or 9.'),
}  # fmt: skip


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("case", BAD_ACTIONS)
def test_a_bad_action_is_named_and_changes_nothing(
    case: str, masked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if masked:
        monkeypatch.setattr("perfectplay.games.bit_flip.kernel.TABULATED", 5)
    single: SingleGame[Any] = single_game("bit-flip")
    single.step(4)
    action, kind, text = BAD_ACTIONS[case]
    with pytest.raises(kind) as error:
        single.step(action)
    assert str(error.value) == text
    assert single.row.state == (16, 1)
    assert single.step(9).state == (16 | 512, 0)


@pytest.mark.parametrize("action", [np.int64(4), np.uint8(4), np.array(4)])
def test_whole_numbers_of_numpy_are_actions(action: Any) -> None:
    assert single_game("bit-flip").step(action).state == (16, 1)
    assert single_game("mirror-match").step(action).state == ((5,), 1)


class Named(IntEnum):
    """A whole number with a name."""

    LAST = 20


def plain_numbers(state: Any) -> bool:
    numbers = (state.flipped,) if hasattr(state, "flipped") else state.sequence
    return {type(number) for number in (*numbers, state.side)} == {int}


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int64, np.uint64, np.array, Named])
@pytest.mark.parametrize("spec", [*BEYOND_TABLES, "bit-flip:bits=21", "bit-flip:bits=64"])
def test_the_rules_get_plain_numbers(spec: str, kind: Callable[[int], Any]) -> None:
    single: SingleGame[Any] = single_game(spec)
    state = single.game.initial()
    row = single.step(kind(20))
    assert row.state == single.game.apply(state, 20)
    assert plain_numbers(row.state)


@pytest.mark.parametrize("spec", BEYOND_TABLES)
def test_a_game_beyond_tables_is_played_by_the_numbers_of_numpy(spec: str) -> None:
    single: SingleGame[Any] = single_game(spec)
    game, random = single.game, Random(spec)
    for _ in range(5):
        state = single.reset().state
        while single.moves:
            action = random.choice(list(single.moves))
            kind: Any = np.uint8 if action < 256 else np.int16
            state = game.apply(state, action)
            assert single.step(kind(action)).state == state
            assert plain_numbers(single.row.state)
        assert single.truncated or single.row.rewards == reward_of(game.outcome(state))


def test_the_highest_number_of_eight_bits_is_itself() -> None:
    highest: Any = np.uint8(255)
    assert single_game("mirror-match:digits=300").step(highest).state == ((256,), 1)
    games: BatchedGame[Any] = BatchedGame("mirror-match:digits=300", 2)
    games.step(np.array([255, 3], np.uint8))
    assert [games.state(number) for number in range(2)] == [((256,), 1), ((4,), 1)]


def breaking(monkeypatch: pytest.MonkeyPatch, game: pp.Game[Any], method: str, state: Any) -> None:
    """Let one of the methods of a game fail on a position."""
    works = getattr(type(game), method)

    def fails(self: Any, at: Any, *rest: Any) -> Any:
        if at == state:
            raise ZeroDivisionError(method)
        return works(self, at, *rest)

    monkeypatch.setattr(type(game), method, fails)


@pytest.mark.parametrize("method", ["apply", "legal_actions", "view"])
@pytest.mark.parametrize("spec", ["bit-flip:bits=22", "mirror-match:digits=300,disqualify_after=3"])
def test_rules_that_break_leave_the_game_as_it_was(
    spec: str, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    single: SingleGame[Any] = single_game(spec, 3)
    game = single.game
    for _ in range(2):  # up to the last ply before the horizon, and with invalid turns that a move forgets
        if game.forfeit_limit is None:
            single.step(next(reversed(single.moves)))
        else:
            single.forfeit()
    broken = single.row.state if method == "apply" else game.apply(single.row.state, 3)
    if method == "view" and game.name == "mirror-match":
        monkeypatch.setattr(single.observer.__class__, "observe", lambda self, state: 1 // 0)
    else:
        breaking(monkeypatch, game, method, broken)
    before, row = single.snapshot(), single.row
    with pytest.raises(ZeroDivisionError):
        single.step(3)
    assert single.snapshot() == before
    assert single.row is row
    assert 3 in single.moves
    assert not single.truncated


def test_an_invalid_number_may_forfeit_the_turn_in_a_single_game() -> None:
    single: SingleGame[Any] = single_game("mirror-match:disqualify_after=2")
    assert single.forfeit().state == ((), 1)
    single.step(0)
    single.step(1)  # a number placed: the count of player 1 starts again
    single.step(2)
    single.forfeit()
    single.step(3)
    row = single.forfeit()
    assert (row.terminated, row.rewards, row.moves) == (True, (-1.0, 1.0), {})
    assert not row.legal.any()
    with pytest.raises(pp.MatchStateError, match="the game is over"):
        single.forfeit()


@pytest.mark.parametrize("digits", [9, 256])
def test_a_chosen_pass_leaves_the_count_of_invalid_turns(digits: int) -> None:
    single: SingleGame[Any] = single_game(f"mirror-match:digits={digits},disqualify_after=2,forfeit=move")
    single.forfeit()
    single.step(0)
    single.step(2 * digits)  # player 1 passes by choice
    single.step(1)
    assert single.forfeit().terminated


@pytest.mark.parametrize("first", [1, 2])
@pytest.mark.parametrize("digits", [9, 300])
def test_a_disqualified_game_is_put_away_with_its_winner(digits: int, first: int) -> None:
    single: SingleGame[Any] = single_game(f"mirror-match:digits={digits},disqualify_after=1,first={first}")
    row = single.forfeit()
    again: SingleGame[Any] = pickle.loads(pickle.dumps(single))
    loser = first - 1
    assert row.outcome == again.row.outcome == (1 - loser, "disqualification")
    assert row.rewards[loser] == again.row.rewards[loser] == -1
    assert (again.row.side, again.row.state, again.moves) == (row.side, row.state, {})


def test_a_game_lost_by_the_side_to_move_is_pickled_with_its_winner() -> None:
    for side in (0, 1):
        single: SingleGame[Any] = single_game("bit-flip")
        for action in (4, 9)[:side]:
            single.step(action)
        single.disqualify()
        again: SingleGame[Any] = pickle.loads(pickle.dumps(single))
        assert again.row.outcome == (1 - side, "disqualification")
        assert again.row.rewards[side] == -1


def test_a_game_may_end_by_a_disqualification_of_its_own() -> None:
    game = Baton()
    single: SingleGame[Any] = single_game(game)
    single.step(1)
    assert single.row.outcome == (None, "disqualification")
    again: SingleGame[Any] = pickle.loads(pickle.dumps(single))
    assert again.row.outcome == (None, "disqualification")
    assert again.row.rewards == (0, 0)


@pytest.mark.parametrize("digits", [9, 256])
@pytest.mark.parametrize("side", [0, 1])
def test_a_number_placed_forgets_the_invalid_turns_of_its_side_alone(digits: int, side: int) -> None:
    single: SingleGame[Any] = single_game(f"mirror-match:digits={digits},disqualify_after=3,first={side + 1}")
    for _ in range(4):
        single.forfeit()
    single.step(0)  # two invalid turns of each side, and the first has placed a number
    assert single.snapshot().invalid == ((2, 0) if side else (0, 2))
    assert single.forfeit().outcome == (side, "disqualification")


@pytest.mark.parametrize("digits", [255, 256])
def test_the_largest_numbers_are_played_and_shown(digits: int) -> None:
    single: SingleGame[Any] = single_game(f"mirror-match:digits={digits}")
    for action, sequence in ((digits - 1, (digits,)), (2 * digits - 2, (digits, digits - 1))):
        row = single.step(action)
        assert row.state.sequence == sequence
        assert np.array_equal(row.fresh_bits(), single.observer.observe(row.state))
        assert row.fresh_mask().tolist() == [1] * 2 * digits


@pytest.mark.parametrize("spec", ["bit-flip", "dual-direction", "mirror-match", "bit-flip:bits=24"])
def test_a_single_game_is_put_away_and_goes_on(spec: str) -> None:
    single: SingleGame[Any] = single_game(spec, 5)
    single.step(1)
    again: SingleGame[Any] = pickle.loads(pickle.dumps(single))
    assert (again.row.state, again.horizon, again.moves.keys()) == (single.row.state, 5, single.moves.keys())
    action = list(single.moves)[-1]
    assert again.step(action).state == single.step(action).state
    assert again.snapshot()[1:] == single.snapshot()[1:]


@pytest.mark.parametrize("spec", ["dual-direction", "mirror-match", "bit-flip:bits=24"])
def test_a_game_cut_short_is_put_away_as_such(spec: str) -> None:
    single: SingleGame[Any] = single_game(spec, 2)
    single.step(3 % single.game.num_actions)
    single.step(0)
    again: SingleGame[Any] = pickle.loads(pickle.dumps(single))
    for game in (single, again):
        assert (game.truncated, game.moves, game.row.choice, game.row.terminated) == (True, {}, False, False)
        assert game.row.state == single.row.state


def test_no_turn_is_forfeited_in_other_games() -> None:
    for spec in ("bit-flip", "bit-flip:bits=30"):
        single: SingleGame[Any] = single_game(spec)
        with pytest.raises(pp.MatchStateError, match=r"^turns cannot be forfeited in Bit Flip$"):
            single.forfeit()


def test_a_copy_of_mirror_match_goes_its_own_way() -> None:
    single: SingleGame[Any] = single_game("mirror-match")
    before = single.step(3)
    twin = deepcopy(single)
    assert np.array_equal(twin.row.fresh_bits(), before.fresh_bits())
    twin.step(11)
    single.step(0)
    for game in (single, twin):
        assert np.array_equal(game.row.fresh_bits(), game.observer.observe(game.row.state))
    # A position that has been left still shows itself.
    assert np.array_equal(before.fresh_bits(), single.observer.observe(before.state))
