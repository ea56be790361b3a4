"""The pgx environments: pgx's own checks, the rules, truncation, bad input, and a search."""

import importlib
import sys
import xml.etree.ElementTree as ElementTree
from functools import cache
from pathlib import Path
from typing import Any

import jax
import mctx
import numpy as np
import pgx
import pytest
from jax import numpy as jnp
from pgx.experimental.wrappers import auto_reset

import perfectplay as pp
from perfectplay.adapters.pgx import WRITTEN_FOR, PgxEnvironment, PgxState, make
from perfectplay.core.errors import BadParameterError, MissingExtraError
from perfectplay.simulate.positions import TableSizeError
from perfectplay.simulate.single import SingleGame, single_game
from tests.adapters import pgx_checks
from tests.conftest import ROOT
from tests.games.rulings import BEYOND_TABLES

TIC_TAC_TOE = str(ROOT / "examples" / "tic_tac_toe.py")
# Every ruling is held against the plain rules in tests/simulate/test_jax.py; here are games of every form, and those that
# end, pass and forfeit in other ways.
SPECS = [
    *pp.names(),
    "inversion-race:first=B,passing=leapfrog",
    "race-to-the-center:steps=1-3,arrival=full-turn",
    "mirror-match:forfeit=move",
    TIC_TAC_TOE,
    *BEYOND_TABLES,
]
GAMES = 8
KEY = jax.random.key(0)
# Pgx has no other name for the number of steps.
UNCHANGED = (
    "current_player",
    "observation",
    "terminated",
    "truncated",
    "legal_action_mask",
    "_step_count",
)


@cache
def stepping(spec: str, horizon: int | None = None) -> tuple[PgxEnvironment, Any]:
    """An environment and its compiled step."""
    env = make(spec, horizon)
    return env, jax.jit(env.step)


def started(env: PgxEnvironment, games: int) -> Any:
    return jax.jit(jax.vmap(env.init))(jax.random.split(KEY, games))


# The checks of pgx


# These look at shapes, types and names, not at rules: one game of each form is enough.
@pytest.mark.parametrize("spec", ["inversion-race", "mirror-match:forfeit=move", TIC_TAC_TOE, *BEYOND_TABLES])
def test_every_check_of_pgx_passes(spec: str) -> None:
    pgx_checks.check(make(spec), games=2)


def test_the_choice_needs_mending_for_the_games_of_pgx_too() -> None:
    theirs = pgx.make("tic_tac_toe")
    with pytest.raises(IndexError, match="index 1 is out of bounds for axis 0"):
        pgx.api_test(theirs, 1)
    with pytest.MonkeyPatch.context() as patch:
        pgx_checks.mend_choice(patch)
        pgx.api_test(theirs, 1)


def test_the_ids_need_mending_for_any_game_that_is_not_in_pgx() -> None:
    with pytest.MonkeyPatch.context() as patch:
        pgx_checks.mend_choice(patch)
        with pytest.raises(AssertionError):
            pgx.api_test(make("bit-flip"), 1)
    assert make("bit-flip").id not in pgx.available_envs()


# The plain rules


def play_along(spec: str, horizon: int | None) -> int:
    """Random games, held against the plain rules at every step; how many of them were truncated."""
    env = make(spec, horizon)
    step = jax.jit(jax.vmap(env.step))
    singles: list[SingleGame[Any]] = [single_game(spec, horizon) for _ in range(GAMES)]
    generator = np.random.default_rng(2)
    state = started(env, GAMES)
    ended, plies = [False] * GAMES, [0] * GAMES
    while True:
        seen = jax.device_get(state)
        for number, single in enumerate(singles):
            row = single.row
            assert seen.current_player[number] == row.side
            assert seen.terminated[number] == (row.terminated or (ended[number] and single.truncated))
            assert seen.truncated[number] == single.truncated
            assert seen.rewards[number].tolist() == list((0, 0) if ended[number] else row.rewards)
            assert seen._step_count[number] == plies[number] + (ended[number] and single.truncated)
            np.testing.assert_array_equal(seen.observation[number], row.observation)
            mask = row.legal | seen.terminated[number]
            np.testing.assert_array_equal(seen.legal_action_mask[number], mask)
        if all(ended):
            return sum(single.truncated for single in singles)
        ended = [single.row.terminated or single.truncated for single in singles]
        actions = [generator.choice(list(single.row.moves) or [0]) for single in singles]
        for number, (single, action) in enumerate(zip(singles, actions, strict=True)):
            if not ended[number]:
                single.step(int(action))
                plies[number] += 1
        state = step(state, jnp.array(actions, jnp.int32))


@pytest.mark.parametrize("spec", SPECS)
def test_random_games_follow_the_plain_rules(spec: str) -> None:
    play_along(spec, None)


@pytest.mark.parametrize("spec", ["mirror-match", "dual-direction", "bit-flip"])
def test_a_horizon_truncates_without_a_result(spec: str) -> None:
    assert play_along(spec, 3)


def test_the_players_are_the_sides() -> None:
    for spec, first in (("bit-flip", 0), ("bit-flip:first=2", 1)):
        assert started(make(spec), 20).current_player.tolist() == [first] * 20


# The end


def test_a_step_after_the_end_changes_nothing() -> None:
    env, step = stepping("bit-flip:bits=3")
    over = step(env.init(KEY), jnp.int32(1))
    assert over.rewards.tolist() == [1, -1]
    for action in (0, 1, 2, 3, -1):
        again = step(over, jnp.int32(action))
        assert again.rewards.tolist() == [0, 0]
        for name in UNCHANGED:
            np.testing.assert_array_equal(getattr(again, name), getattr(over, name), name)
        assert again.to_svg() == over.to_svg()


def test_a_step_after_the_horizon_changes_nothing_but_says_so() -> None:
    env, step = stepping("inversion-race", horizon=1)
    cut = step(env.init(KEY), jnp.int32(1))
    assert cut.truncated
    assert not cut.terminated
    assert cut.rewards.tolist() == [0, 0]
    assert cut.legal_action_mask.tolist() == [True, False, False]
    for action in (0, 1, 3, -1):  # the mask still has illegal ones, for which nobody is punished any more
        again = step(cut, jnp.int32(action))
        assert again.terminated
        assert again.truncated
        assert again.rewards.tolist() == [0, 0]
        assert again.legal_action_mask.all()
        np.testing.assert_array_equal(again.observation, cut.observation)
        assert step(again, jnp.int32(action))._step_count == again._step_count == 2


def test_games_start_again_under_the_wrapper_of_pgx() -> None:
    env = make("dual-direction", horizon=2)
    step = jax.jit(auto_reset(env.step, env.init))
    state = env.init(KEY)
    seen = []
    for action in (0, 1, 0, 0):
        state = step(state, jnp.int32(action), KEY)
        seen.append((bool(state.truncated), bool(state.terminated), int(state._step_count)))
    assert seen == [(False, False, 1), (True, False, 0)] * 2


@pytest.mark.parametrize("action", [5, -1, 10, 2**31 - 1, -(2**31)])
def test_an_illegal_action_loses_and_is_not_replaced(action: int) -> None:
    env, step = stepping("bit-flip")
    before = step(env.init(KEY), jnp.int32(4))
    assert before.legal_action_mask[0]  # so that playing action 0 or 9 instead would not do either
    assert before.legal_action_mask[9]
    after = step(before, jnp.int32(action))
    assert after.terminated
    assert not after.truncated
    assert after.rewards.tolist() == [1, -1]
    assert after.legal_action_mask.all()
    np.testing.assert_array_equal(after.observation, before.observation)
    assert step(after, jnp.int32(action)).rewards.tolist() == [0, 0]


# Bad input


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (jnp.float32(1), "action=an array of float32: must be an array of whole numbers"),
        (jnp.bool_(True), "action=an array of bool: must be"),
        (jnp.zeros(1, jnp.int32), r"action=an array of shape \(1,\): must be of shape \(\)"),
        ("1", "action=an array of <U1: must be"),
    ],
)
def test_an_action_of_the_wrong_type_or_shape_is_refused(action: Any, said: str) -> None:
    env = make("bit-flip")
    with pytest.raises(BadParameterError, match=said):
        env.step(env.init(KEY), action)


def test_a_whole_number_of_any_width_is_an_action() -> None:
    env, step = stepping("bit-flip")
    wide = step(env.init(KEY), jnp.int32(4))
    for action in (4, np.int64(4), np.uint8(4), jnp.int8(4)):
        jax.tree.map(np.testing.assert_array_equal, step(env.init(KEY), action), wide)
    large, step_on = stepping("mirror-match:digits=300")
    assert step_on(large.init(KEY), np.uint8(255)).observation[0].nonzero()[0].tolist() == [255, 300]
    # Outside of compiled code nothing is cut off before it can be looked at.
    assert env.step(env.init(KEY), np.int64(2**32 + 4)).rewards.tolist() == [-1, 1]


@pytest.mark.parametrize("key", [0, None, "seed", 1.5, np.array([0, 0], np.uint32), jnp.zeros(2)])
def test_a_key_that_is_none_is_refused(key: Any) -> None:
    with pytest.raises(BadParameterError, match=r"key=.*: must be a key of jax\.random"):
        make("bit-flip").init(key)


def test_old_and_new_keys_are_taken_and_change_nothing() -> None:
    env = make("bit-flip")
    for key in (jax.random.PRNGKey(3), jax.random.key(3, impl="rbg")):
        jax.tree.map(np.testing.assert_array_equal, env.init(key), env.init(KEY))


def test_what_cannot_be_made_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadParameterError, match="horizon=0: must be"):
        make("bit-flip", horizon=0)
    with pytest.raises(pp.UnknownGameError, match="bit-flop"):
        make("bit-flop")

    monkeypatch.setattr("perfectplay.simulate.positions.MOST_SOLVED", 100)
    with pytest.raises(
        TableSizeError, match=r"^inversion-race:cells=16 has more than 100 positions, too many"
    ):
        make("inversion-race:cells=16")


def test_a_missing_library_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pgx", None)
    monkeypatch.delitem(sys.modules, "perfectplay.adapters.pgx")
    with pytest.raises(MissingExtraError, match=r"pgx is not installed; .*pip install .*\[jax\]."):
        importlib.import_module("perfectplay.adapters.pgx")


# Drawings


def texts(drawing: str) -> list[str]:
    found = ElementTree.fromstring(drawing).iter("{http://www.w3.org/2000/svg}text")
    return [each.text or "" for each in found]


def test_a_drawing_shows_the_boards(tmp_path: Path) -> None:
    env = make("bit-flip:bits=3")
    two = jax.jit(jax.vmap(env.step))(started(env, 2), jnp.array([0, 1]))
    assert texts(two.to_svg()) == ["1", "0", "0", "0", "1", "0"]
    two.save_svg(tmp_path / "two.svg", color_theme="dark", scale=2.0)
    written = (tmp_path / "two.svg").read_text("utf-8")
    assert written == two.to_svg(color_theme="dark", scale=2.0)
    assert 'width="240" height="320"' in written
    assert "#1e1e1e" in written
    assert "#1e1e1e" not in two.to_svg()
    mirror, step = stepping("mirror-match")
    assert texts(mirror.init(KEY).to_svg()) == []
    assert texts(step(mirror.init(KEY), jnp.int32(6)).to_svg()) == ["7"]
    crosses, step = stepping(TIC_TAC_TOE)
    assert texts(step(crosses.init(KEY), jnp.int32(4)).to_svg()) == [*"1234X6789"]
    with pytest.raises(BadParameterError, match="color_theme=pink: must be light or dark"):
        two.to_svg(color_theme="pink")


def test_pgx_is_the_release_whose_private_part_was_read() -> None:
    """After an upgrade: read `pgx/_src/visualizer.py`, and change `WRITTEN_FOR`."""
    assert pgx.__version__.rpartition(".")[0] == WRITTEN_FOR


def test_the_configuration_of_pgx_counts() -> None:
    state = make("bit-flip:bits=3").init(KEY)
    pgx.set_visualization_config(color_theme="dark", scale=0.5)
    try:
        assert state.to_svg() == state.to_svg(color_theme="dark", scale=0.5)
    finally:
        pgx.set_visualization_config()
    assert state.to_svg() == state.to_svg(color_theme="light", scale=1.0)


# A search


def test_a_search_finds_a_winning_first_move() -> None:
    env, games = make("bit-flip:bits=7"), 8

    def logits(state: PgxState) -> jax.Array:
        return jnp.where(state.legal_action_mask, 0.0, -1e9)

    def expand(params: None, key: jax.Array, action: jax.Array, state: PgxState) -> tuple[Any, PgxState]:
        after = jax.vmap(env.step)(state, action)
        reward = after.rewards[jnp.arange(games), state.current_player]
        turn = jnp.where(after.current_player == state.current_player, 1.0, -1.0)
        discount = jnp.where(after.terminated, 0.0, turn)
        value = jnp.zeros(games)  # nothing but the ends of games tells the search anything
        out = mctx.RecurrentFnOutput(
            reward=reward, discount=discount, prior_logits=logits(after), value=value
        )
        return out, after

    def search(key: jax.Array, simulations: int) -> Any:
        state = started(env, games)
        root = mctx.RootFnOutput(prior_logits=logits(state), value=jnp.zeros(games), embedding=state)
        wrong = ~state.legal_action_mask
        return mctx.gumbel_muzero_policy(None, key, root, expand, simulations, wrong).action

    game = pp.load("bit-flip:bits=7")
    oracle, start = pp.solve(game), game.initial()
    wins = {
        action
        for action in game.legal_actions(start)
        if oracle.value(game.apply(start, action)).kind == "loss"
    }
    assert wins == {1, 3, 5}
    found = jax.jit(search, static_argnums=1)(jax.random.key(1), 200).tolist()
    assert set(found) <= wins
    assert len(set(found)) > 1  # eight searches of their own, not one answer eight times
    assert not set(jax.jit(search, static_argnums=1)(jax.random.key(1), 10).tolist()) <= wins
