"""The JAX form of the tables, compared with the rules and the oracle; and errors in compiled code."""

import importlib
import sys
from functools import cache, partial
from typing import Any

import jax
import numpy as np
import pytest
from jax import numpy as jnp

import perfectplay as pp
from perfectplay.core.errors import BadParameterError, IllegalActionError, MatchStateError, MissingExtraError
from perfectplay.core.value import KINDS
from perfectplay.simulate.jax_tables import (
    JaxGame,
    JaxState,
    RandomCarry,
    RandomPlay,
    first_words,
    jax_game,
    next_words,
    packed_table,
    random_play,
)
from perfectplay.simulate.positions import TableSizeError
from perfectplay.simulate.single import SingleGame, single_game
from perfectplay.simulate.table import table_for, tabulate
from tests.conftest import ROOT
from tests.games.rulings import FINITE, RULINGS

TIC_TAC_TOE = str(ROOT / "examples" / "tic_tac_toe.py")
TABULATED = [*FINITE, TIC_TAC_TOE]
KERNELS = ["mirror-match:digits=2,first=2,shortest=4", "mirror-match:digits=130", "bit-flip:bits=24,first=2"]
HARDLY_EVER_END = {"mirror-match:shortest=4", "mirror-match:digits=130"}
GAMES = 16

step = jax.jit(lambda game, state, action: game.step(state, action))


def seen_of(game: JaxGame, state: JaxState) -> dict[str, Any]:
    return {
        "observation": game.observe(state),
        "legal": game.legal(state),
        "side": game.side(state),
        "terminated": game.terminated(state),
        "truncated": game.truncated(state),
        "reward": game.reward(state),
    }


look = jax.jit(seen_of)
labels = jax.jit(lambda game, state: (game.value(state), game.distance(state), game.best(state)))


def single_look(single: SingleGame[Any]) -> dict[str, Any]:
    row = single.row
    return {
        "observation": row.observation,
        "legal": row.legal,
        "side": row.side,
        "terminated": row.terminated,
        "truncated": single.truncated,
        "reward": row.rewards,
    }


def play_along(spec: str, horizon: int | None, games: int = GAMES) -> int:
    """Random games to their ends, held against the plain rules at every step; how many were truncated."""
    game = jax_game(spec, horizon)
    singles: list[SingleGame[Any]] = [single_game(spec, horizon) for _ in range(games)]
    assert {single.horizon for single in singles} == {game.horizon}
    generator = np.random.default_rng(1)
    state = game.init(games)
    ended = np.zeros(games, np.bool_)
    while True:
        seen, here = jax.device_get((look(game, state), state))
        for number, single in enumerate(singles):
            assert game.rules_state(here, (number,)) == single.row.state
            expected = single_look(single)
            if ended[number]:
                expected["reward"] = (0, 0)  # it was given when the game ended
            for name, value in expected.items():
                np.testing.assert_array_equal(seen[name][number], value, name)
        ended = np.array([single.row.terminated or single.truncated for single in singles])
        if here.late.all():
            return sum(single.truncated for single in singles)
        actions = np.zeros(games, np.int32)
        for number, single in enumerate(singles):
            if not ended[number]:
                actions[number] = generator.choice(list(single.row.moves))
                single.step(int(actions[number]))
        state = step(game, state, actions)


@pytest.mark.parametrize("spec", [*RULINGS, TIC_TAC_TOE, *KERNELS])
def test_random_games_follow_the_plain_rules(spec: str) -> None:
    truncated = play_along(spec, None)
    assert truncated < GAMES or spec in HARDLY_EVER_END


@pytest.mark.parametrize(
    "spec", ["mirror-match:forfeit=move", "dual-direction", "bit-flip", "bit-flip:bits=24"]
)
def test_a_horizon_truncates_without_a_result(spec: str) -> None:
    assert play_along(spec, 3, games=8) > 0


@pytest.mark.parametrize("spec", TABULATED)
def test_exact_values_are_those_of_the_oracle(spec: str) -> None:
    rules = pp.load(spec)
    game, oracle, states = jax_game(rules), pp.solve(rules), table_for(rules).states
    rows = jnp.arange(len(states))
    value, distance, best = labels(game, game.init(len(states))._replace(position=rows))
    for number in range(0, len(states), 1 + len(states) // 500):
        expected = oracle.value(states[number])
        assert KINDS[value[number]] == expected.kind
        assert int(distance[number]) == (-1 if expected.plies is None else expected.plies)
        assert tuple(np.flatnonzero(best[number])) == oracle.best(states[number])


@pytest.mark.parametrize("spec", ["mirror-match", "bit-flip:bits=24"])
def test_a_game_without_a_table_has_no_exact_values(spec: str) -> None:
    game = jax_game(spec)
    for ask in (game.value, game.distance, game.best):
        with pytest.raises(TableSizeError, match="has no table, and only tables have exact values"):
            ask(game.init())


@pytest.mark.parametrize("spec", ["inversion-race", "mirror-match", "bit-flip:bits=24"])
def test_vmap_jit_and_scan_give_the_same_as_plain_calls(spec: str) -> None:
    game = jax_game(spec)
    actions = jnp.array([[0, 1], [1, 0], [0, 2], [2, 2]], jnp.int8)
    plain = game.init(2)
    for each in actions:
        plain = game.step(plain, each)
    mapped = jax.vmap(lambda _: game.init())(jnp.arange(2))
    scanned, _ = jax.jit(
        lambda state: jax.lax.scan(lambda s, a: (jax.vmap(game.step)(s, a), None), state, actions)
    )(mapped)
    jax.tree.map(np.testing.assert_array_equal, plain, scanned)


def test_nothing_needs_64_bits() -> None:
    assert not jax.config.jax_enable_x64
    for spec in ("bit-flip", "mirror-match", "bit-flip:bits=24"):
        game = jax_game(spec)
        state, words = game.play_random(game.init(3), first_words(0, 3), 2)
        kinds = {leaf.dtype.name for leaf in jax.tree.leaves((state, words, look(game, state)))}
        assert kinds <= {"bool", "int8", "int32", "uint32", "float32"}


# Illegal actions


@pytest.mark.parametrize(
    ("spec", "first"), [("inversion-race", 1), ("bit-flip:bits=24", 5), (TIC_TAC_TOE, 4)]
)
@pytest.mark.parametrize("outside", [False, True])
def test_an_illegal_action_loses_at_once_and_is_not_replaced(spec: str, first: int, outside: bool) -> None:
    game = jax_game(spec)
    before = game.step(game.init(), first)
    assert game.legal(before)[0]  # so that playing action 0 instead would not do either
    illegal = int(np.flatnonzero(~np.asarray(game.legal(before)))[0])
    for action in (-1, game.num_actions, 2**31 - 1, -(2**31)) if outside else (illegal,):
        after = step(game, before, action)
        offender = int(game.side(before))
        assert game.terminated(after)
        assert not game.truncated(after)
        assert game.reward(after).tolist() == [-1 if side == offender else 1 for side in (0, 1)]
        assert int(after.offender) == offender
        assert not game.legal(after).any()
        assert game.rules_state(after) == game.rules_state(before)
        assert int(after.plies) == 1
        for late in (0, illegal, -1):
            again = step(game, after, late)
            assert game.reward(again).tolist() == [0, 0]
            jax.tree.map(np.testing.assert_array_equal, again._replace(late=after.late), after)


def test_numbers_that_would_wrap_around_are_out_of_range() -> None:
    game = jax_game("bit-flip")
    wrapping = [np.int64(2**32 + 1), np.uint32(2**32 - 1), np.int64(-(2**32)), jnp.uint32(2**32 - 1)]
    for action in wrapping:
        assert int(game.step(game.init(), action).offender) == 0
    many = jax_game("mirror-match:digits=130")
    assert int(many.step(many.init(), np.int8(-1)).offender) == 0
    assert int(many.step(many.init(), np.uint8(255)).offender) == -1


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (1.0, r"action=an array of float64: must be an array of whole numbers"),
        (True, r"action=an array of bool: must be"),
        (jnp.float32(1), r"action=an array of float32: must be"),
        ("1", r"action=an array of <U1: must be"),
        (None, r"action=an array of object: must be"),
        (np.array([1]), r"action=an array of shape \(1,\): must be of shape \(\)"),
    ],
)
def test_an_action_of_the_wrong_type_or_shape_is_refused_even_while_compiling(action: Any, said: str) -> None:
    game = jax_game("bit-flip")
    with pytest.raises(BadParameterError, match=said):
        game.play(game.init(), action)
    with pytest.raises(BadParameterError, match=said):
        jax.jit(lambda state: game.step(state, action))(game.init())


def test_play_raises_what_step_only_shows() -> None:
    game = jax_game("bit-flip:bits=3")
    two = game.play(game.init(2), [0, 1])
    with pytest.raises(BadParameterError, match=r"action\[1\]=3: must be a whole number from 0 to 2"):
        game.play(two, [2, 3])
    with pytest.raises(BadParameterError, match=r"action=-1: must be a whole number from 0 to 2"):
        game.play(game.init(), -1)
    with pytest.raises(MatchStateError, match=r"the game\[1\] is over: start another"):
        game.play(two, [2, 0])
    with pytest.raises(IllegalActionError, match=r'action\[0\]=0, "0": Bit 0 is already 1\. Allowed: 2\.$'):
        game.play(game.play(game.init(2), [0, 0]), [0, 2])
    short = jax_game("dual-direction", horizon=1)
    with pytest.raises(MatchStateError, match="the game is cut short at its horizon of 1 plies"):
        short.play(short.play(short.init(), 0), 0)


@pytest.mark.parametrize("horizon", [0, -1, 2.0, True, "3"])
def test_a_bad_horizon_is_named(horizon: Any) -> None:
    with pytest.raises(BadParameterError, match="horizon="):
        jax_game("bit-flip", horizon)


@pytest.mark.parametrize("shape", [-1, 2.0, "3", (2, None)])
def test_a_bad_shape_is_named(shape: Any) -> None:
    with pytest.raises(BadParameterError, match="shape="):
        jax_game("bit-flip").init(shape)


def test_a_table_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TableSizeError, match="mirror-match has infinitely many positions"):
        random_play("mirror-match")
    with pytest.raises(TableSizeError, match="has 16,167 moves, too many to number in 16 bits"):
        packed_table(table_for(pp.load(TIC_TAC_TOE)), word=16)
    monkeypatch.setattr("perfectplay.simulate.jax_tables.table.table_for", partial(tabulate, memory=1000))
    with pytest.raises(TableSizeError, match="a table of more than 1,000 bytes"):
        jax_game("bit-flip")


def test_a_game_with_neither_table_nor_kernel_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("perfectplay.simulate.jax_tables.table.part_of", lambda game, name: None)
    with pytest.raises(TableSizeError, match="mirror-match has neither a table nor a kernel for JAX"):
        jax_game("mirror-match")


def test_a_missing_library_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jax", None)
    monkeypatch.delitem(sys.modules, "perfectplay.simulate.jax_tables")
    with pytest.raises(MissingExtraError, match=r"jax is not installed; .*pip install .*\[jax\]"):
        importlib.import_module("perfectplay.simulate.jax_tables")


# Random play


@cache
def playing(spec: str) -> RandomPlay:
    return random_play(spec)


def even(counts: Any, chances: float) -> bool:
    """Whether each count is within five standard deviations of an even share."""
    total = sum(counts)
    return bool(np.all(abs(counts - total * chances) < 5 * np.sqrt(total * chances * (1 - chances))))


@pytest.mark.parametrize("spec", TABULATED)
def test_slots_hold_the_moves_of_every_position(spec: str) -> None:
    play, table = playing(spec), table_for(pp.load(spec))
    slots, owners = np.asarray(play.slots), np.asarray(play.owners)
    firsts = np.flatnonzero(np.diff(owners, prepend=-1))
    assert owners[firsts].tolist() == list(range(len(table.states)))
    for row, first in enumerate(firsts):
        moves = table.next[row][table.legal[row]].tolist() or [0]
        mine = slots[owners == row]
        assert owners[mine >> play.shift].tolist() == moves
        assert (mine & (1 << play.shift) - 1).tolist() == [max(1, table.legal[to].sum()) for to in moves]
        assert (mine >> play.shift).tolist() == [firsts[to] for to in moves]
        assert owners[first] == row


@pytest.mark.parametrize("spec", ["inversion-race:passing=leapfrog", "dual-direction", TIC_TAC_TOE])
def test_fast_random_games_go_from_each_position_to_one_of_its_successors(spec: str) -> None:
    play, table = playing(spec), table_for(pp.load(spec))
    advance = jax.jit(play.step)
    carry = play.start(seed=3, shape=(8, 16))
    assert not play.rows(carry).any()
    starts = 0
    for _ in range(60):
        before, carry = np.asarray(play.rows(carry)), advance(carry)
        after = np.asarray(play.rows(carry))
        over = table.terminated[before]
        assert (after[over] == 0).all()
        assert (table.next[before[~over]] == after[~over][:, None]).any(axis=1).all()
        starts += int(over.sum())
    assert starts > 0


@pytest.mark.parametrize("steps", [0, 1, 8, 37])
def test_unrolling_changes_nothing(steps: int) -> None:
    play = playing("bit-flip")
    expected = carry = play.start(seed=1, shape=50)
    for _ in range(steps):
        expected = play.step(expected)
    for unroll in (1, 5, 16):
        played = jax.jit(play.play, static_argnums=(1, 2))(carry, steps, unroll)
        jax.tree.map(np.testing.assert_array_equal, played, expected)


@pytest.mark.parametrize("spec", ["bit-flip", TIC_TAC_TOE])
def test_fast_first_and_second_moves_are_even(spec: str) -> None:
    play, table = playing(spec), table_for(pp.load(spec))
    first = play.step(play.start(seed=5, shape=1 << 16))
    rows = np.asarray(play.rows(first))
    starts = table.next[0][table.legal[0]]
    counts = np.array([(rows == row).sum() for row in starts])
    assert counts.sum() == 1 << 16
    assert even(counts, 1 / len(starts))
    after = np.asarray(play.rows(play.step(first)))[rows == starts[0]]
    seconds = table.next[starts[0]][table.legal[starts[0]]]
    assert even(np.array([(after == row).sum() for row in seconds]), 1 / len(seconds))


@pytest.mark.parametrize(
    "spec", ["bit-flip", "dual-direction", "mirror-match:forfeit=move", "bit-flip:bits=24"]
)
def test_random_actions_are_legal_and_even(spec: str) -> None:
    game = jax_game(spec)
    many = 1 << 14
    state = jax.jit(game.step)(game.init(many), jnp.full(many, 1, jnp.int32))
    actions = np.asarray(game.random_action(state, next_words(first_words(2, many))))
    legal = np.asarray(game.legal(state))[0]
    counts = np.bincount(actions, minlength=game.num_actions)
    assert not counts[~legal].any()
    assert even(counts[legal], 1 / legal.sum())


@pytest.mark.parametrize("spec", ["bit-flip", "mirror-match:digits=2", "bit-flip:bits=21"])
def test_random_play_steps_and_starts_again(spec: str) -> None:
    game = jax_game(spec, horizon=6)
    state, words = game.init(32), first_words(4, 32)
    final, last = jax.jit(game.play_random, static_argnums=2)(state, words, 30)

    def both(state: JaxState, words: Any) -> tuple[Any, ...]:
        action = game.random_action(state, words)
        cases = game.truncated(state), game.terminated(state)
        return *cases, game.step(state, action), game.step_or_restart(state, action)

    one = jax.jit(both)
    starts, fresh = np.zeros(2, np.int64), jax.device_get(game.init(32))
    for _ in range(30):
        words = next_words(words)
        truncated, terminated, stepped, state = jax.device_get(one(state, words))
        going_on = ~(truncated | terminated)
        for new, old, start in zip(*map(jax.tree.leaves, (state, stepped, fresh)), strict=True):
            np.testing.assert_array_equal(new[going_on], old[going_on])
            np.testing.assert_array_equal(new[~going_on], start[~going_on])
        assert (state.offender == -1).all()
        starts += int(truncated.sum()), int(terminated.sum())
    jax.tree.map(np.testing.assert_array_equal, (final, last), (state, words))
    assert (starts > 0).tolist() == [spec != "bit-flip", spec != "bit-flip:bits=21"]


def test_words_are_those_of_xorshift() -> None:
    word = expected = int(first_words(0, ()))
    for _ in range(1000):
        expected ^= expected << 13 & 0xFFFFFFFF
        expected ^= expected >> 17
        expected ^= expected << 5 & 0xFFFFFFFF
        word = int(next_words(jnp.uint32(word)))
        assert word == expected


def test_words_depend_on_seed_and_number_and_are_never_zero() -> None:
    many = 1 << 16
    seeds = [0, 1, 2**32, 2**32 + 1, 2**100]
    words = {seed: np.asarray(first_words(seed, many)) for seed in seeds}
    np.testing.assert_array_equal(words[1], first_words(1, (256, 256)).ravel())
    assert all(len(set(each.tolist())) == many for each in words.values())
    together = np.concatenate(list(words.values()))
    # By chance about four words of two seeds are the same.
    assert len(set(together.tolist())) > len(together) - 30
    bits = np.unpackbits(together.view(np.uint8)).reshape(-1, 8)
    assert all(even(np.bincount(column), 1 / 2) for column in bits.T)
    assert int(first_words(29670, 11380)[11379]) == 0x9E3779B9  # this one's hash is 0


@pytest.mark.parametrize("seed", [-1, 1.0, True, None, "0", np.bool_(True)])
def test_a_bad_seed_is_named(seed: Any) -> None:
    with pytest.raises(BadParameterError, match=r"seed=.*: must be a whole number, at least 0"):
        first_words(seed, 3)
    with pytest.raises(BadParameterError, match="seed="):
        playing("bit-flip").start(seed, 3)


@pytest.mark.parametrize(
    ("steps", "unroll", "named"), [(-1, 1, "steps"), (1.5, 1, "steps"), (1, 0, "unroll")]
)
def test_bad_numbers_of_steps_are_named(steps: Any, unroll: Any, named: str) -> None:
    play = playing("bit-flip")
    carry: RandomCarry = play.start(0, 2)
    with pytest.raises(BadParameterError, match=f"{named}="):
        play.play(carry, steps, unroll)
