"""The games as PettingZoo environments, checked by PettingZoo's own tests and by the rules."""

import copy
import sys
from collections import deque
from importlib import import_module
from random import Random
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

import perfectplay as pp
from perfectplay.adapters import pettingzoo
from perfectplay.adapters.settings import picture
from perfectplay.core.errors import MissingExtraError, install_command
from perfectplay.simulate import TableSizeError, horizon_for, observer_for
from tests.core.listed_games import Doubles
from tests.games.rulings import BEYOND_TABLES, RULINGS

AGENTS = ["player_0", "player_1"]
BIT = r"Bit 4 is already 1\. Allowed: 0, 1, 2, 6, 7, 8 or 9\.$"


# What PettingZoo warns of is how its own games with a mask are as well: an observation is a dict, and once a
# game is over nothing is legal. The empty sequence that Mirror Match starts with is all zeros.
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning")
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning")
@pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros:UserWarning")
@pytest.mark.filterwarnings("ignore:Observation numpy array is all zeros:UserWarning")
@pytest.mark.parametrize("spec", [*RULINGS, *BEYOND_TABLES])
def test_pettingzoos_own_tests_pass(spec: str) -> None:
    env = pettingzoo.env(spec)
    for agent in AGENTS:
        env.action_space(agent).seed(1)
    api_test(env, num_cycles=60)
    seed_test(lambda: pettingzoo.env(spec), num_cycles=30)
    render_test(lambda render_mode: pettingzoo.env(spec, render_mode=render_mode))


@pytest.mark.parametrize("spec", RULINGS)
def test_random_games_follow_the_plain_rules(spec: str) -> None:
    game = pp.load(spec)
    horizon = horizon_for(game)
    observer = observer_for(game, horizon)
    env = pettingzoo.env(spec)
    for seed in range(5):
        random, state, plies = Random(seed), game.initial(), 0
        env.reset(seed=seed)
        while (legal := game.legal_actions(state)) and plies != horizon:
            mover = AGENTS[game.side_to_move(state)]
            assert env.agent_selection == mover
            assert env.agents == AGENTS
            for agent in AGENTS:
                seen = env.observe(agent)
                mask = [int(agent == mover and action in legal) for action in range(game.num_actions)]
                assert seen["action_mask"].tolist() == mask
                assert np.array_equal(seen["observation"], observer.observe(state))
                assert (seen["observation"].dtype, seen["action_mask"].dtype) == (np.int8, np.int8)
                assert env.observation_space(agent).contains(seen)
            assert env.last()[1:] == (0, False, False, {})
            action = random.choice(legal)
            env.step(action)
            state, plies = game.apply(state, action), plies + 1
        outcome = game.outcome(state)
        rewards = {None: [0, 0], 0: [1, -1], 1: [-1, 1]}[outcome.winner if outcome else None]
        assert list(env.rewards.values()) == rewards
        assert set(env.terminations.values()) == {outcome is not None}
        assert set(env.truncations.values()) == {outcome is None}
        said = {}
        for agent in env.agent_iter():
            seen, said[agent], terminated, truncated, info = env.last()
            assert not seen["action_mask"].any()
            assert np.array_equal(seen["observation"], observer.observe(state))
            assert (terminated, truncated, info) == (outcome is not None, outcome is None, {})
            env.step(None)
        assert [said[agent] for agent in AGENTS] == rewards
        assert env.agents == []


def test_parameters_may_be_given_by_name() -> None:
    game = pp.load("inversion-race:cells=7,first=B")
    assert pettingzoo.raw_env("inversion-race", cells=7, first="B").game == game
    assert pettingzoo.raw_env("inversion-race:first=B", cells=7).game == game
    assert pettingzoo.raw_env(pp.load("inversion-race:cells=7"), first="B").game == game
    assert pettingzoo.raw_env(game).game == game
    assert pettingzoo.raw_env("mirror-match", disqualify_after=None).game == pp.load("mirror-match")
    assert str(pettingzoo.env("bit-flip", bits=12)) == "bit-flip:bits=12"


def test_a_forced_pass_is_an_action_like_any_other() -> None:
    game = pp.load("inversion-race:passing=letter")
    waiting: deque[tuple[Any, tuple[int, ...]]] = deque([(game.initial(), ())])
    seen = {game.initial()}
    while not game.is_forced_pass(waiting[0][0]):
        state, played = waiting.popleft()
        for action in game.legal_actions(state):
            after = game.apply(state, action)
            if after not in seen:
                seen.add(after)
                waiting.append((after, (*played, action)))
    state, played = waiting[0]
    env = pettingzoo.env(game)
    env.reset()
    for action in played:
        env.step(action)
    mover = env.agent_selection
    assert env.observe(mover)["action_mask"].tolist() == [0, 0, 1]
    env.step(2)
    assert env.agent_selection != mover
    assert not any(env.terminations.values())


def test_the_game_names_the_side_to_move_and_a_tie_gives_no_reward() -> None:
    env = pettingzoo.env(Doubles())
    env.reset()
    movers = []
    for action in (1, 0, 1):
        movers.append(env.agent_selection)
        env.step(action)
    assert movers == ["player_0", "player_0", "player_1"]
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.truncations == {"player_0": False, "player_1": False}
    assert env.rewards == {"player_0": 0, "player_1": 0}


def test_a_horizon_truncates() -> None:
    env = pettingzoo.env("dual-direction", horizon=3)
    env.reset()
    for action in (0, 1, 0):
        assert not any(env.truncations.values())
        env.step(action)
    assert env.truncations == {"player_0": True, "player_1": True}
    assert env.terminations == {"player_0": False, "player_1": False}
    assert env.rewards == {"player_0": 0, "player_1": 0}
    assert not env.observe(env.agent_selection)["action_mask"].any()


def test_a_result_at_the_horizon_terminates() -> None:
    env = pettingzoo.env("dual-direction:positions=5", horizon=2)
    env.reset()
    env.step(0)
    env.step(0)
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.truncations == {"player_0": False, "player_1": False}


def test_the_agents_of_a_finished_game_leave_with_their_rewards() -> None:
    env = pettingzoo.env("bit-flip:bits=3")
    env.reset()
    env.step(1)
    assert env.agent_selection == "player_1"
    assert env.last()[1:4] == (-1, True, False)
    with pytest.raises(
        pp.MatchStateError, match=r"^the game is over: player_1 can only step with None, not 0$"
    ):
        env.step(0)
    env.step(None)
    assert (env.agents, env.agent_selection) == (["player_0"], "player_0")
    assert env.last()[1:4] == (1, True, False)
    env.step(None)
    assert env.agents == []
    for action in (None, 0):
        with pytest.raises(
            pp.MatchStateError, match=r"^the game is over or not started: reset it before the next step$"
        ):
            env.step(action)
    env.reset()
    assert env.agents == AGENTS
    assert env.last()[1:4] == (0, False, False)


def test_a_game_not_begun_takes_no_step() -> None:
    with pytest.raises(
        pp.MatchStateError, match=r"^the game is over or not started: reset it before the next step$"
    ):
        pettingzoo.raw_env("bit-flip").step(0)
    with pytest.raises(AssertionError, match=r"^reset\(\) needs to be called before step\.$"):
        pettingzoo.env("bit-flip").step(0)


def flipped(illegal: Any) -> Any:
    env = pettingzoo.env("bit-flip", illegal=illegal)
    env.reset()
    env.step(4)
    return env


def test_an_illegal_action_is_an_error_and_changes_nothing() -> None:
    env = flipped("error")
    before = env.last()
    with pytest.raises(pp.IllegalActionError, match=f'^action 4, "4": {BIT}'):
        env.step(4)
    after = env.last()
    assert after[0]["observation"].tolist() == before[0]["observation"].tolist()
    assert (after[1:], env.agent_selection) == (before[1:], "player_1")
    env.step(1)
    assert env.agent_selection == "player_0"


def test_an_illegal_action_may_lose() -> None:
    env = flipped("lose")
    env.step(4)
    assert env.rewards == {"player_0": 1, "player_1": -1}
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.truncations == {"player_0": False, "player_1": False}
    for agent in AGENTS:
        assert env.infos[agent] == {"illegal_action": "player_1"}
        assert not env.observe(agent)["action_mask"].any()
    said = {}
    for agent in env.agent_iter():
        said[agent] = env.last()[1]
        env.step(None)
    assert said == {"player_0": 1, "player_1": -1}
    env.reset()
    assert env.infos == {"player_0": {}, "player_1": {}}


def test_an_invalid_action_is_an_error_even_where_illegal_ones_lose() -> None:
    env = flipped("lose")
    for action in (10, 1.0):
        with pytest.raises(pp.BadParameterError, match=r"must be a whole number from 0 to 9$"):
            env.step(action)
    assert not any(env.terminations.values())


def test_an_invalid_number_may_forfeit_the_turn() -> None:
    env = pettingzoo.env("mirror-match", illegal="forfeit")
    text: Any = "1"
    env.reset()
    env.step(0)
    env.step(18)
    assert env.agent_selection == "player_0"
    assert env.infos == {agent: {"forfeited": "player_1"} for agent in AGENTS}
    assert not any(env.terminations.values())
    with pytest.raises(pp.BadParameterError, match=r"^action='1': must be a whole number from 0 to 17$"):
        env.step(text)
    env.step(9)
    assert env.infos["player_0"] == {}


def test_too_many_forfeited_turns_lose() -> None:
    env = pettingzoo.env("mirror-match:disqualify_after=2", illegal="forfeit")
    env.reset()
    for action in (0, -1, 2, -1):
        assert not any(env.terminations.values())
        env.step(action)
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.rewards == {"player_0": 1, "player_1": -1}


def test_a_forfeited_turn_counts_towards_the_horizon() -> None:
    env = pettingzoo.env("mirror-match", illegal="forfeit", horizon=2)
    env.reset()
    env.step(0)
    env.step(99)
    assert env.truncations == {"player_0": True, "player_1": True}


@pytest.mark.parametrize(
    "action", [10, -1, 4.0, True, None, "1", [1], np.array([1]), np.float32(1), np.True_]
)
def test_an_invalid_action_is_refused(action: Any) -> None:
    env = flipped("error")
    with pytest.raises(pp.BadParameterError, match=r"^action=.*: must be a whole number from 0 to 9$"):
        env.step(action)
    assert env.agent_selection == "player_1"


@pytest.mark.parametrize("spec", ["bit-flip", *BEYOND_TABLES])
@pytest.mark.parametrize("kind", [np.int32, np.uint8, np.array])
def test_the_whole_numbers_of_numpy_are_actions(spec: str, kind: Any) -> None:
    game: pp.Game[Any] = pp.load(spec)
    env = pettingzoo.env(spec)
    env.reset()
    for action in (3, 1):
        env.step(kind(action))
    assert env.agent_selection == "player_0"
    state = game.apply(game.apply(game.initial(), 3), 1)
    seen = env.observe("player_0")["observation"]
    assert np.array_equal(seen, observer_for(game).observe(state))


def test_what_one_agent_is_told_is_its_own() -> None:
    env = pettingzoo.env("bit-flip", illegal="lose")
    env.reset()
    for action in (4, 4, None):  # the second time it is illegal
        env.infos["player_0"]["note"] = "mine"
        assert "note" not in env.infos["player_1"]
        env.step(action)
    assert "illegal_action" in env.infos["player_0"]


@pytest.mark.parametrize("seed", [-1, 1.5, "1", True, [1]])
def test_a_seed_must_be_a_whole_number(seed: Any) -> None:
    env = pettingzoo.env("bit-flip")
    with pytest.raises(pp.BadParameterError, match=r"^seed=.*: must be a whole number, at least 0$"):
        env.reset(seed=seed)


@pytest.mark.parametrize("horizon", [0, -1, 2.0, True, "3"])
def test_a_horizon_must_be_a_number_of_plies(horizon: Any) -> None:
    with pytest.raises(pp.BadParameterError, match=r"^horizon=.*: must be a whole number, at least 1$"):
        pettingzoo.env("bit-flip", horizon=horizon)


@pytest.mark.parametrize(
    ("arguments", "kind", "problem"),
    [
        ({"game": "bit-flop"}, pp.UnknownGameError, 'unknown game "bit-flop" (did you mean bit-flip?)'),
        ({"bits": 0}, pp.BadParameterError, "bits=0: must be a whole number, at least 1"),
        (
            {"bots": 3},
            pp.UnknownParameterError,
            "bots=3: no such parameter; bit-flip takes bits, first (did you mean bits?)",
        ),
        (
            {"horizont": 3},
            pp.UnknownParameterError,
            "horizont=3: no such parameter; bit-flip takes bits, first (did you mean horizon?)",
        ),
        ({"illegal": "pass"}, pp.BadParameterError, "illegal=pass: must be error, lose or forfeit"),
        (
            {"illegal": "forfeit"},
            pp.BadParameterError,
            "illegal=forfeit: must be error or lose: turns cannot be forfeited in Bit Flip",
        ),
        (
            {"render_mode": "svg"},
            pp.BadParameterError,
            "render_mode=svg: must be None, human, ansi or rgb_array",
        ),
    ],
)
def test_bad_arguments_are_named(arguments: dict[str, Any], kind: type[Exception], problem: str) -> None:
    with pytest.raises(kind) as caught:
        pettingzoo.env(**{"game": "bit-flip", **arguments})
    assert str(caught.value) == problem


def test_there_are_two_agents() -> None:
    env = pettingzoo.raw_env("bit-flip")
    for ask in (env.observe, env.action_space, env.observation_space):
        with pytest.raises(pp.BadParameterError, match=r"^agent='player_2': must be player_0 or player_1$"):
            ask("player_2")


def test_a_position_is_rendered() -> None:
    game = pp.load("bit-flip")
    state = game.apply(game.initial(), 4)
    shown = {}
    for mode in ("ansi", "rgb_array"):
        env = pettingzoo.env(game, render_mode=mode)
        env.reset()
        env.step(4)
        shown[mode] = env.render()
        env.close()
    assert shown["ansi"] == "\n".join(game.dialogue().board(state))
    assert np.array_equal(shown["rgb_array"], picture(game.view(state)))


def test_for_a_human_every_position_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    game = pp.load("bit-flip:bits=3")
    boards = ["\n".join((*game.dialogue().board(game.parse_state(text)), "")) for text in ("000 1", "010 2")]
    env = pettingzoo.env(game, render_mode="human")
    env.reset()
    assert capsys.readouterr().out == boards[0]
    env.step(1)
    assert capsys.readouterr().out == boards[1]
    env.step(None)
    assert capsys.readouterr().out == ""
    assert env.render() is None
    assert capsys.readouterr().out == boards[1]


def test_a_picture_keeps_its_size_while_the_board_grows() -> None:
    env = pettingzoo.env("mirror-match", horizon=5, render_mode="rgb_array")
    env.reset()
    before = env.render().shape
    env.step(0)
    assert env.render().shape == before == (16, 80, 3)


def test_without_a_render_mode_nothing_is_rendered() -> None:
    env = pettingzoo.env("bit-flip")
    env.reset()
    with pytest.raises(
        pp.BadParameterError, match=r"^render_mode=None: must be human, ansi or rgb_array to render$"
    ):
        env.render()


def test_observations_are_ones_own_to_change() -> None:
    env = pettingzoo.env("bit-flip")
    env.reset()
    seen = env.observe("player_0")
    seen["observation"][:] = 7
    seen["action_mask"][:] = 7
    assert env.observe("player_0")["observation"].max() == 1
    assert pettingzoo.raw_env("bit-flip").observe("player_0")["observation"].max() == 1


def test_a_copy_goes_on_by_itself() -> None:
    env = flipped("error")
    other = copy.deepcopy(env.unwrapped)
    other.step(1)
    assert (env.agent_selection, other.agent_selection) == ("player_1", "player_0")
    assert env.observe("player_1")["action_mask"][1] == 1


def test_without_pettingzoo_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, pettingzoo.__name__)
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    with pytest.raises(MissingExtraError) as caught:
        import_module(pettingzoo.__name__)
    assert str(caught.value) == f"pettingzoo is not installed; add it with: {install_command('rl')}"


def test_a_game_with_too_many_positions_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("perfectplay.simulate.positions.MOST_SOLVED", 100)
    with pytest.raises(
        TableSizeError, match=r"^inversion-race:cells=14 has more than 100 positions, too many"
    ):
        pettingzoo.env("inversion-race:cells=14")
