"""What Gymnasium environments do about actions that are illegal, or not actions at all."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import gymnasium
import numpy as np
import pytest

from perfectplay.adapters.gymnasium import GameEnv
from perfectplay.core.errors import BadParameterError, IllegalActionError, MatchStateError
from tests.adapters.odd_games import Blunderer, Patience, Scribe, Stalled
from tests.adapters.plain_rules import Plain, legal
from tests.games.rulings import BEYOND_TABLES

NO_ACTIONS: list[object] = [
    *(-1, 10, np.int64(10), "1", None, [1], np.array([1]), {}, True, np.True_, np.array(True)),
    *(1.0, np.float64(1), np.longdouble(1), np.array(1.0), Decimal(1), Fraction(1), 1 + 0j),
]
"""Out of range, no number, or equal to a whole number and none."""


@pytest.mark.parametrize("opponent", ["self", "random"])
@pytest.mark.parametrize("illegal", ["error", "lose"])
@pytest.mark.parametrize(
    "action",
    NO_ACTIONS,
    ids=repr,
)
def test_an_invalid_action_is_refused_and_changes_nothing(
    opponent: str, illegal: Any, action: object
) -> None:
    env = GameEnv("bit-flip", opponent=opponent, illegal=illegal)
    env.reset()
    with pytest.raises(BadParameterError, match=r"^action=.*: must be a whole number from 0 to 9$"):
        env.step(action)
    observation, _, _, _, info = env.step(4)
    assert (observation[4, 1], observation[:, 1].sum()) == (1, 1 if opponent == "self" else 2)
    assert info["side"] == (1 if opponent == "self" else 0)


def test_an_illegal_action_is_an_error_and_changes_nothing() -> None:
    env = GameEnv("bit-flip", opponent="self")
    env.reset()
    env.step(4)
    with pytest.raises(IllegalActionError, match=r'action 5, "5": .* Allowed: 0, 1, 2, 6, 7, 8 or 9.'):
        env.step(5)
    observation, _, _, _, info = env.step(0)
    assert observation[:, 1].nonzero()[0].tolist() == [0, 4]
    assert info["side"] == 0


def test_an_illegal_action_is_an_error_and_is_not_replied_to() -> None:
    Scribe.moves.clear()
    env = GameEnv("bit-flip", opponent=Scribe(), seat=1)
    env.reset(seed=0)
    [taken] = Scribe.moves
    with pytest.raises(IllegalActionError, match=f"action {taken}, "):
        env.step(taken)
    assert Scribe.moves == [taken]


@pytest.mark.parametrize("kind", [int, np.int8, np.uint64, np.intp, np.array])
@pytest.mark.parametrize("spec", ["bit-flip", "mirror-match"])
def test_whole_numbers_of_any_type_are_actions(spec: str, kind: Callable[[int], Any]) -> None:
    env = GameEnv(spec, opponent="self")
    env.reset()
    observation, _, _, _, info = env.step(kind(3))
    assert info["side"] == 1
    assert observation[3, 1] == 1 if spec == "bit-flip" else observation[0, 3] == 1


@pytest.mark.parametrize("spec", BEYOND_TABLES)
def test_actions_of_games_beyond_tables_are_drawn_from_their_space(spec: str) -> None:
    env, plain = GameEnv(spec, opponent="self"), Plain(spec)
    env.action_space.seed(1)
    for _ in range(3):
        observation, info = env.reset()
        plain.reset()
        while not plain.over:
            action: Any = env.action_space.sample(info["action_mask"])
            assert type(action) is np.int64
            plain.play(int(action))
            observation, _, terminated, truncated, info = env.step(action)
            plain.agrees(observation, info)
        assert (terminated, truncated) == (plain.outcome is not None, plain.truncated)


def test_games_too_wide_for_the_vector_form_play_in_gymnasiums_own() -> None:
    games: Any = gymnasium.make_vec("perfectplay/BitFlip-v0", 3, "sync", bits=70, opponent="self")
    games.reset(seed=1)
    observations, _, _, _, infos = games.step(np.array([0, 35, 69]))
    assert [np.flatnonzero(bits).tolist() for bits in observations[:, :, 1]] == [[0], [35], [69]]
    assert infos["side"].tolist() == [1, 1, 1]
    games.close()


@pytest.mark.parametrize(
    "spec", ["bit-flip", "dual-direction", "bit-flip:bits=70", "mirror-match:digits=300"]
)
def test_a_step_without_a_reply_changes_nothing(spec: str) -> None:
    env = GameEnv(spec, opponent=Stalled(), horizon=4)
    Stalled.fails[:] = []
    observation, info = env.reset()
    Stalled.fails[:] = [RuntimeError("no reply"), IllegalActionError("no such move")]
    for kind in (IllegalActionError, RuntimeError):
        with pytest.raises(kind):
            env.step(0)
    assert np.array_equal(env.single.row.fresh_bits(), observation)
    assert env.action_masks().tolist() == info["action_mask"].astype(bool).tolist()
    _, _, terminated, truncated, info = env.step(0)
    assert (terminated, truncated, info["side"]) == (False, False, 0)
    assert env.step(legal(info)[0])[3]  # the fourth ply


def test_a_start_without_a_first_move_is_none() -> None:
    Stalled.fails[:] = [RuntimeError("no move")]
    env = GameEnv("bit-flip", opponent=Stalled(), seat=1)
    with pytest.raises(RuntimeError, match="no move"):
        env.reset()
    with pytest.raises(MatchStateError, match="no game has started"):
        env.step(0)
    assert legal(env.reset()[1]) == list(range(8))


def test_an_illegal_action_can_lose_the_game() -> None:
    env = GameEnv("bit-flip", opponent="self", illegal="lose")
    env.reset()
    before, _, _, _, _ = env.step(4)
    observation, reward, terminated, truncated, info = env.step(5)
    assert np.array_equal(observation, before)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert info.pop("action_mask").tolist() == [0] * 10
    assert info == {
        "side": 1,
        "forced_passes": 0,
        "illegal_action": True,
        "outcome": "disqualification",
        "winner": 0,
    }
    with pytest.raises(MatchStateError, match="the game is over"):
        env.step(0)
    assert "illegal_action" not in env.reset()[1]


def test_an_illegal_action_can_lose_the_game_to_an_opponent() -> None:
    env = GameEnv("bit-flip", seat=1, opponent=Scribe(), illegal="lose")
    Scribe.moves.clear()
    _, info = env.reset(seed=0)
    [taken] = Scribe.moves
    _, reward, terminated, _, info = env.step(taken)
    assert (reward, terminated, info["winner"], info["illegal_action"]) == (-1.0, True, 0, True)
    assert Scribe.moves == [taken]


@pytest.mark.parametrize("action", [18, -1, 10**30, np.int64(99), np.array(18)], ids=repr)
def test_an_invalid_number_can_cost_the_turn(action: Any) -> None:
    env = GameEnv("mirror-match", opponent="self", illegal="forfeit")
    env.reset()
    env.step(3)
    observation, reward, terminated, truncated, info = env.step(action)
    assert (info["side"], info["forfeited"]) == (0, True)
    assert (reward, terminated, truncated) == (0.0, False, False)
    assert (observation[:, :9].sum(), observation[0, 3]) == (1, 1)
    assert "forfeited" not in env.step(4)[4]


def test_an_illegal_action_can_cost_the_turn_in_any_game_with_such_a_rule() -> None:
    env = GameEnv(Patience(), opponent="self", illegal="forfeit")
    env.reset()
    _, reward, terminated, _, info = env.step(2)
    assert (reward, terminated, info["side"], info["forfeited"]) == (0.0, False, 1, True)


@pytest.mark.parametrize("action", ["18", 18.0, True, None, [18]], ids=repr)
def test_an_invalid_action_does_not_cost_the_turn(action: Any) -> None:
    env = GameEnv("mirror-match", opponent="self", illegal="forfeit")
    env.reset()
    with pytest.raises(BadParameterError, match=r"^action=.*: must be a whole number from 0 to 17$"):
        env.step(action)
    assert env.step(0)[4]["side"] == 1


def test_too_many_invalid_numbers_lose_by_the_rule() -> None:
    env = GameEnv("mirror-match", disqualify_after=2, opponent=Scribe(), illegal="forfeit")
    env.reset(seed=2)
    assert env.step(18)[1:3] == (0.0, False)
    _, reward, terminated, truncated, info = env.step(18)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert (info["winner"], info["outcome"], info["forfeited"]) == (1, "disqualification", True)
    with pytest.raises(MatchStateError, match="the game is over"):
        env.step(18)


@pytest.mark.parametrize(("between", "ended"), [(3, False), (18, True)])
def test_a_move_ends_a_row_of_invalid_numbers_and_a_pass_does_not(between: int, ended: bool) -> None:
    env = GameEnv("mirror-match:forfeit=move,disqualify_after=2", opponent="self", illegal="forfeit")
    env.reset()
    for action in (99, 18, between, 18):
        assert not env.step(action)[2]
    assert env.step(99)[2] is ended


def test_an_opponent_can_lose_its_turn_too() -> None:
    env = GameEnv("mirror-match", disqualify_after=2, opponent=Blunderer())
    env.reset()
    observation, _, _, _, info = env.step(3)
    assert (info["side"], observation[:, :9].sum()) == (0, 1)
    _, reward, terminated, _, info = env.step(3)
    assert (reward, terminated, info["winner"], info["outcome"]) == (1.0, True, 0, "disqualification")
