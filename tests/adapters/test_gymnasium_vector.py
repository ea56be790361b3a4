"""Many games at once as a Gymnasium vector environment, held against single games and the plain rules."""

from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import DictInfoToList

import perfectplay as pp
from perfectplay.adapters.gymnasium import GameEnv
from perfectplay.adapters.gymnasium_vector import GameVectorEnv
from perfectplay.core.errors import BadParameterError, IllegalActionError, MatchStateError
from perfectplay.solver.oracle_cache import oracle_for
from tests.adapters.plain_rules import SPECS, TIC_TAC_TOE, Plain, label


class Singles:
    """The same games in single environments, which start again in the step after their end."""

    def __init__(self, spec: str, size: int, **settings: Any) -> None:
        self.envs = [GameEnv(spec, opponent="self", **settings) for _ in range(size)]
        self.over = [False] * size

    def step(self, actions: list[int]) -> Iterator[tuple[Any, float, bool, bool, dict[str, Any]]]:
        for number, (env, action) in enumerate(zip(self.envs, actions, strict=True)):
            if self.over[number]:
                observation, info = env.reset()
                yield observation, 0.0, False, False, info
                self.over[number] = False
            else:
                found: Any = env.step(action)
                self.over[number] = found[2] or found[3]
                yield found


@pytest.mark.parametrize("horizon", [None, 4])
@pytest.mark.parametrize("spec", [*SPECS, "bit-flip:bits=64", "mirror-match:digits=300"], ids=label)
def test_games_at_once_are_the_single_ones_in_self_play(spec: str, horizon: int | None) -> None:
    size = 20
    games = GameVectorEnv(spec, size, opponent="self", horizon=horizon)
    singles = Singles(spec, size, horizon=horizon)
    rng = Random(spec)
    observations, infos = games.reset(seed=3)
    starts = [env.reset() for env in singles.envs]
    assert np.array_equal(observations, [observation for observation, _ in starts])
    for key in ("action_mask", "side", "forced_passes"):
        assert np.array_equal(infos[key], [info[key] for _, info in starts])
    ended = 0
    for _ in range(60):
        actions = [rng.choice(np.flatnonzero(mask).tolist() or [0]) for mask in infos["action_mask"]]
        observations, rewards, terminations, truncations, infos = games.step(actions)
        assert observations in games.observation_space
        assert [each.dtype.name for each in (rewards, terminations, truncations)] == [
            "float64",
            "bool",
            "bool",
        ]
        for number, (observation, reward, terminated, truncated, info) in enumerate(singles.step(actions)):
            assert np.array_equal(observations[number], observation)
            assert (rewards[number], terminations[number], truncations[number]) == (
                reward,
                terminated,
                truncated,
            )
            for key in ("action_mask", "side", "forced_passes"):
                assert np.array_equal(infos[key][number], info[key])
                assert infos[f"_{key}"].all()
            ended += terminated or truncated
    assert ended


def after_replies(plain: Plain, seat: int, opponent: str) -> list[tuple[Plain, int]]:
    """Every way the opponent's replies can go from a position, each with the passes that were forced."""
    if plain.over or plain.side == seat:
        return [(plain, plain.passes)]
    game, state = plain.game, plain.state
    replies = oracle_for(game).best(state) if opponent == "perfect" else game.legal_actions(state)
    found = []
    for reply in replies:
        after = deepcopy(plain)
        after.play(reply)
        found += [(end, passes + plain.passes) for end, passes in after_replies(after, seat, opponent)]
    return found


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("opponent", ["random", "perfect"])
@pytest.mark.parametrize("spec", SPECS, ids=label)
def test_games_at_once_with_an_opponent_follow_the_rules(spec: str, opponent: str, seat: int) -> None:
    size = 4
    games = GameVectorEnv(spec, size, opponent=opponent, seat=seat)
    plains = [Plain(spec) for _ in range(size)]
    rng = Random(spec)
    observations, infos = games.reset(seed=5)

    def found(number: int) -> Plain:
        """The only way the opponent's replies can have gone, by what is seen."""
        ways = after_replies(plains[number], seat, opponent)
        same = [
            (after, passes)
            for after, passes in ways
            if np.array_equal(after.observer.observe(after.state), observations[number])
        ]
        assert same
        after, _ = same[0]
        assert infos["forced_passes"][number] in [passes for _, passes in same]
        assert infos["side"][number] == after.side
        assert np.flatnonzero(infos["action_mask"][number]).tolist() == list(
            after.game.legal_actions(after.state)
        )
        return after

    for number in range(size):
        plains[number] = found(number)
    for _ in range(25):
        actions = [rng.choice(np.flatnonzero(mask).tolist() or [0]) for mask in infos["action_mask"]]
        observations, rewards, terminations, truncations, infos = games.step(actions)
        for number, action in enumerate(actions):
            if plains[number].over:
                plains[number].reset()
            else:
                plains[number].play(action)
            plains[number] = after = found(number)
            assert rewards[number] == after.reward(seat)
            assert terminations[number] == (after.outcome is not None)
            assert truncations[number] == after.truncated


def test_make_vec_steps_games_in_batches() -> None:
    games: Any = gymnasium.make_vec("perfectplay/BitFlip-v0", num_envs=1024, bits=6)
    assert isinstance(games, GameVectorEnv)
    assert games.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    assert (games.num_envs, games.opponent, games.game.spec) == (1024, "random", "bit-flip:bits=6")
    observations, infos = games.reset(seed=1)
    assert observations.shape == (1024, 6, 2)
    assert infos["action_mask"].shape == (1024, 6)
    observations[:] = 0
    infos["action_mask"][:] = 0
    observations, _, terminations, truncations, infos = games.step(np.full(1024, 2))
    assert observations.sum() == 6 * 1024
    truncations[:] = True
    terminations[:] = True
    assert games.step(infos["action_mask"].argmax(1))[0].sum() == 6 * 1024


def test_games_at_once_obey_their_seed() -> None:
    def seen(games: GameVectorEnv, seed: int | None) -> list[bytes]:
        observations, infos = games.reset(seed=seed)
        shown = [observations.tobytes()]
        for _ in range(6):
            observations, _, _, _, infos = games.step(infos["action_mask"].argmax(1))
            shown.append(observations.tobytes())
        return shown

    games, others = (GameVectorEnv("bit-flip", 16, seat=1) for _ in range(2))
    first = [seen(games, 7), seen(games, None)]
    assert first == [seen(others, 7), seen(others, None)]
    assert first[0] != first[1]
    assert first[0] == seen(games, 7)
    assert first[0] != seen(games, 8)
    assert seen(GameVectorEnv("bit-flip", 16, seat=1), None) != seen(
        GameVectorEnv("bit-flip", 16, seat=1), None
    )


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"num_envs": 0}, "num_envs=0: must be a whole number, at least 1"),
        ({"num_envs": 1.5}, "num_envs=1.5: must be a whole number, at least 1"),
        (
            {"opponent": "level:3"},
            'opponent=level:3: must be self, random or perfect; others need vectorization_mode="sync"',
        ),
        ({"illegal": "lose"}, 'illegal=lose: must be error; others need vectorization_mode="sync"'),
        ({"render_mode": "ansi"}, 'render_mode=ansi: must be None; others need vectorization_mode="sync"'),
        ({"seat": 2}, "seat=2: must be 0 or 1"),
        ({"bits": 3, "seat": 1}, "seat=1: must be 0: bit-flip:bits=3 can be over before side 1 has a turn"),
        ({"bits": 0}, "bits=0: must be a whole number, at least 1"),
        ({"bit": 3}, "bit=3: no such parameter; bit-flip takes bits, first (did you mean bits?)"),
        (
            {"oponent": "perfect"},
            "oponent=perfect: no such parameter; bit-flip takes bits, first (did you mean opponent?)",
        ),
        ({"horizon": 0}, "horizon=0: must be a whole number, at least 1"),
    ],
)
def test_a_bad_setting_of_games_at_once_is_named(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(pp.PerfectplayError) as caught:
        GameVectorEnv(**{"game": "bit-flip", "num_envs": 2, **settings})
    assert str(caught.value) == message


def test_bad_actions_in_games_at_once_change_nothing() -> None:
    games = GameVectorEnv("bit-flip", 2, opponent="self")
    with pytest.raises(MatchStateError, match="no game has started: reset the environment before stepping"):
        games.step([0, 0])
    games.reset()
    games.step([4, 4])
    with pytest.raises(IllegalActionError, match=r'actions\[1\]=5, "5": .* Allowed: 0, 1, 2, 6, 7, 8 or 9.'):
        games.step([0, 5])
    with pytest.raises(BadParameterError, match=r"actions\[0\]=10: must be a whole number from 0 to 9"):
        games.step([10, 0])
    with pytest.raises(BadParameterError, match="actions=an array of float64: must be"):
        games.step([0.0, 1.0])
    with pytest.raises(BadParameterError, match=r"actions=an array of shape \(3,\): must be"):
        games.step([0, 1, 2])
    observations, _, _, _, infos = games.step([0, 1])
    assert observations[:, :, 1].sum(1).tolist() == [2, 2]
    assert infos["side"].tolist() == [0, 0]


def test_games_at_once_run_in_the_wrappers_of_gymnasium() -> None:
    listed = DictInfoToList(GameVectorEnv("bit-flip", 2, opponent="self"))
    _, infos = listed.reset(seed=1)
    assert [sorted(info) for info in infos] == [["action_mask", "forced_passes", "side"]] * 2


def test_other_opponents_play_in_gymnasiums_own_vector_environment() -> None:
    # Ties among wins: None and numbers meet in one array there.
    games: Any = gymnasium.make_vec(
        "perfectplay/BitFlip-v0", 8, "sync", game=TIC_TAC_TOE, opponent="search:depth=2"
    )
    _, infos = games.reset(seed=1)
    winners: set[int | None] = set()
    for _ in range(60):
        _, _, terminations, _, infos = games.step(infos["action_mask"].argmax(1))
        if terminations.any():
            winners |= set(infos["winner"][terminations].tolist())
    assert None in winners
    assert winners & {0, 1}
    games.close()
