"""The Gymnasium environments, compared with the rules move by move."""

import pickle
import subprocess
import sys
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.spaces import Discrete, MultiBinary
from gymnasium.utils.env_checker import check_env

import perfectplay as pp
from perfectplay.adapters.gymnasium import GameEnv, environment_id
from perfectplay.adapters.gymnasium_vector import GameVectorEnv
from perfectplay.adapters.settings import CELL, color
from perfectplay.core.errors import BadParameterError, MatchStateError, install_command
from perfectplay.players.random import RandomPlayer
from perfectplay.simulate import TableSizeError
from tests.adapters.odd_games import Scribe, Standoff
from tests.adapters.plain_rules import FORCING, SPECS, TIC_TAC_TOE, Plain, label, legal
from tests.games.rulings import BEYOND_TABLES, RULINGS

# Making one


def test_every_game_is_registered_under_its_name() -> None:
    for name in ("BitFlip", "DualDirection", "InversionRace", "MirrorMatch", "RaceToTheCenter"):
        assert f"perfectplay/{name}-v0" in gymnasium.registry
    assert {environment_id(name) for name in pp.names()} <= set(gymnasium.registry)
    spec = gymnasium.spec("perfectplay/BitFlip-v0")
    assert gymnasium.envs.registration.EnvSpec.from_json(spec.to_json()) == spec


def child(code: str, *options: str) -> str:
    done = subprocess.run(
        [sys.executable, *options, "-c", code], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_an_id_can_name_the_module_that_registers_it() -> None:
    code = (
        "import gymnasium;"
        "env = gymnasium.make('perfectplay.adapters.gymnasium:perfectplay/BitFlip-v0', opponent='perfect');"
        "print(env.unwrapped.opponent.spec, env.unwrapped.game.spec)"
    )
    assert child(code) == "perfect bit-flip\n"


def test_a_second_import_is_harmless() -> None:
    code = (
        "import importlib, gymnasium, perfectplay.adapters.gymnasium as adapter;"
        "before = dict(gymnasium.registry); importlib.reload(adapter);"
        "print(before == gymnasium.registry)"
    )
    assert child(code, "-W", "error") == "True\n"


def test_a_game_file_is_an_environment() -> None:
    made = gymnasium.make("perfectplay/Game-v0", game=TIC_TAC_TOE, opponent="self")
    assert isinstance(made.unwrapped, GameEnv)
    assert made.unwrapped.game == pp.load(TIC_TAC_TOE)
    made.reset()
    assert made.step(4)[0][1, 1].tolist() == [0, 1]
    games: Any = gymnasium.make_vec("perfectplay/Game-v0", 3, game=TIC_TAC_TOE)
    assert isinstance(games, GameVectorEnv)
    assert games.reset()[0].shape == (3, 3, 3, 2)
    text = r"^game=None: must be a game or the spec of one, such as bit-flip:bits=12 or \./my_game\.py$"
    with pytest.raises(BadParameterError, match=text):
        gymnasium.make("perfectplay/Game-v0")


def test_a_game_of_another_package_is_registered_too(tmp_path: Path) -> None:
    (tmp_path / "other_tic_tac_toe.py").write_text(Path(TIC_TAC_TOE).read_text())
    info = tmp_path / "other-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: other\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[perfectplay.games]\ntic-tac-toe = other_tic_tac_toe:TicTacToe\n")
    code = (
        f"import sys; sys.path.append({str(tmp_path)!r});"
        "import gymnasium, perfectplay.adapters.gymnasium;"
        "print(gymnasium.make('perfectplay/TicTacToe-v0').action_space)"
    )
    assert child(code) == "Discrete(9)\n"


@pytest.mark.parametrize("module", ["gymnasium", "gymnasium_vector"])
def test_without_the_library_the_error_says_how_to_get_it(module: str) -> None:
    code = (
        "import sys; sys.modules['gymnasium'] = None\n"
        f"try: import perfectplay.adapters.{module}\n"
        "except ImportError as error: print(error)"
    )
    assert child(code) == f"gymnasium is not installed; add it with: {install_command('rl')}\n"


def test_parameters_of_the_game_are_keywords() -> None:
    made = gymnasium.make("perfectplay/BitFlip-v0", bits=12, first="2").unwrapped
    assert isinstance(made, GameEnv)
    assert made.game == pp.load("bit-flip:bits=12,first=2")
    assert made.action_space == Discrete(12)
    assert made.observation_space == MultiBinary([12, 2])
    leaping = GameEnv("inversion-race", passing="leapfrog", cells=21, opponent="self")
    assert isinstance(leaping, GameEnv)
    assert leaping.game == pp.load("inversion-race:passing=leapfrog,cells=21")
    assert GameEnv(pp.load("bit-flip:first=2"), bits=12).game == pp.load("bit-flip:bits=12,first=2")
    assert GameEnv("mirror-match:disqualify_after=3", disqualify_after=None).game == pp.load("mirror-match")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"bits": 0}, "bits=0: must be a whole number, at least 1"),
        ({"bits": 12.0}, "bits=12.0: must be a whole number, at least 1"),
        ({"first": 3}, "first=3: must be 1 or 2"),
        ({"bit": 3}, "bit=3: no such parameter; bit-flip takes bits, first (did you mean bits?)"),
        (
            {"oponent": "perfect"},
            "oponent=perfect: no such parameter; bit-flip takes bits, first (did you mean opponent?)",
        ),
        ({"game": "bitflip"}, 'unknown game "bitflip" (did you mean bit-flip?)'),
        (
            {"opponent": "perfct"},
            "opponent=perfct: must be self, or one of learned, level, mcts, perfect, program, random, search",
        ),
        (
            {"opponent": "human"},
            "opponent=human: must be self, or one of learned, level, mcts, perfect, program, random, search",
        ),
        (
            {"opponent": 7},
            "opponent=7: must be self, or one of learned, level, mcts, perfect, program, random, search",
        ),
        ({"opponent": "level:11"}, "level:11: must be a whole number from 1 to 10"),
        ({"opponent": "level:depth=2"}, "depth=2: no such parameter; level takes strength"),
        ({"seat": 2}, "seat=2: must be 0 or 1"),
        ({"seat": True}, "seat=True: must be 0 or 1"),
        ({"seat": "0"}, "seat='0': must be 0 or 1"),
        ({"seat": 1, "opponent": "self"}, "seat=1: must be 0 with the opponent self, which plays both sides"),
        ({"horizon": 0}, "horizon=0: must be a whole number, at least 1"),
        ({"horizon": "9"}, "horizon='9': must be a whole number, at least 1"),
        ({"illegal": "ignore"}, "illegal=ignore: must be error, lose or forfeit"),
        (
            {"illegal": "forfeit"},
            "illegal=forfeit: must be error or lose: turns cannot be forfeited in Bit Flip",
        ),
        ({"render_mode": "ascii"}, "render_mode=ascii: must be None, ansi or rgb_array"),
        (
            {"bits": 3, "seat": 1},
            "seat=1: must be 0: bit-flip:bits=3 can be over before side 1 has a turn",
        ),
        (
            {"horizon": 1, "first": "2"},
            "seat=0: must be 1: bit-flip:first=2 can be over with horizon=1 before side 0 has a turn",
        ),
    ],
)
def test_a_bad_setting_is_named(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(pp.PerfectplayError) as caught:
        GameEnv(**{"game": "bit-flip", **settings})
    assert str(caught.value) == message


# What Gymnasium asks of an environment


@pytest.mark.parametrize("settings", [{"opponent": "self"}, {"seat": 0}, {"seat": 1}], ids=str)
@pytest.mark.parametrize("spec", [*RULINGS, *BEYOND_TABLES])
def test_gymnasium_finds_nothing_wrong(spec: str, settings: dict[str, Any]) -> None:
    name = environment_id(pp.load(spec).name)
    made = gymnasium.make(name, game=spec, illegal="lose", render_mode="ansi", **settings)
    check_env(made.unwrapped)


def test_games_run_in_the_wrappers_of_gymnasium() -> None:
    made = gymnasium.make("perfectplay/InversionRace-v0", opponent="level:3", render_mode="rgb_array_list")
    with pytest.raises(gymnasium.error.ResetNeeded):
        made.step(0)
    _, info = made.reset(seed=1)
    made.action_space.seed(1)
    done = False
    while not done:
        _, _, terminated, truncated, info = made.step(made.action_space.sample(info["action_mask"]))
        done = terminated or truncated
    frames: Any = made.render()
    assert len(frames) > 3
    made.close()


def test_what_is_handed_out_is_the_callers_own() -> None:
    env = GameEnv("bit-flip", opponent="self")
    for _ in range(2):
        observation, info = env.reset()
        assert legal(info) == list(range(10))
        observation[:] = 1
        info["action_mask"][:] = 0
        observation, _, _, _, info = env.step(4)
        assert observation.sum() == 10
        assert legal(info) == [0, 1, 2, 6, 7, 8, 9]
        observation[:] = 1
        info["action_mask"][:] = 0


def test_a_copy_plays_on_by_itself() -> None:
    env = GameEnv("mirror-match", disqualify_after=2, illegal="forfeit", opponent="self")
    env.reset(seed=4)
    env.step(18)
    copies = [deepcopy(env), deepcopy(env)]
    for each in copies:
        assert type(each) is GameEnv
        each.step(3)
        assert each.step(18)[2]  # the second invalid turn in a row
    observation, _, terminated, _, _ = env.step(5)
    assert not terminated
    assert observation[0, 5] == 1
    faced = GameEnv("bit-flip")
    faced.reset(seed=4)
    twin = deepcopy(faced)
    assert np.array_equal(faced.step(4)[0], twin.step(4)[0])


# Against the plain rules


@pytest.mark.parametrize("spec", SPECS, ids=label)
def test_self_play_follows_the_rules(spec: str) -> None:
    env, plain, rng = GameEnv(spec, opponent="self"), Plain(spec), Random(spec)
    ended = 0
    for _ in range(60):
        observation, info = env.reset()
        plain.reset()
        assert info["forced_passes"] == plain.passes
        while not plain.over:
            plain.agrees(observation, info)
            mover, action = plain.side, plain.chosen(rng)
            observation, reward, terminated, truncated, info = env.step(action)
            plain.play(action)
            assert reward == plain.reward(mover)
            assert terminated is (plain.outcome is not None)
            assert truncated is plain.truncated
            assert info["forced_passes"] == plain.passes
        plain.agrees(observation, info)
        ended += plain.outcome is not None
    assert ended


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("spec", SPECS, ids=label)
def test_games_with_an_opponent_follow_the_rules(spec: str, seat: int) -> None:
    env, plain, rng = GameEnv(spec, opponent=Scribe(), seat=seat), Plain(spec), Random(spec)

    def replies() -> int:
        """Play what the opponent has played since; how many passes were forced in between."""
        passes = plain.passes
        while not plain.over and plain.side != seat:
            plain.play(Scribe.moves.pop(0))
            passes += plain.passes
        assert not Scribe.moves
        return passes

    Scribe.moves.clear()
    for _ in range(60):
        observation, info = env.reset()
        plain.reset()
        assert info["forced_passes"] == replies()
        while not plain.over:
            plain.agrees(observation, info)
            assert info["side"] == seat
            action = plain.chosen(rng)
            observation, reward, terminated, truncated, info = env.step(action)
            plain.play(action)
            assert info["forced_passes"] == replies()
            assert reward == plain.reward(seat)
            assert terminated is (plain.outcome is not None)
            assert truncated is plain.truncated
        plain.agrees(observation, info)


def test_forced_passes_are_played_in_self_play() -> None:
    env = GameEnv(FORCING, opponent="self")
    _, info = env.reset()
    assert (info["side"], info["forced_passes"]) == (0, 0)
    _, reward, terminated, truncated, info = env.step(0)
    assert (info["side"], info["forced_passes"], legal(info)) == (0, 1, [0])
    assert (reward, terminated, truncated) == (0.0, False, False)


def test_forced_passes_are_played_on_both_seats() -> None:
    Scribe.moves.clear()
    env = GameEnv(FORCING, opponent=Scribe())
    env.reset(seed=0)
    _, _, _, _, info = env.step(0)
    assert (info["side"], info["forced_passes"], Scribe.moves) == (0, 1, [])
    env = GameEnv(f"{FORCING},first=B", opponent=Scribe())
    _, info = env.reset(seed=0)
    assert (info["side"], info["forced_passes"]) == (0, 1)
    assert len(Scribe.moves) == 2


def test_a_move_is_undone_if_the_forced_pass_after_it_is_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    env = GameEnv(FORCING, opponent=Scribe())
    env.reset(seed=0)
    play, step = env.single, env.single.step
    before = play.row.state

    def interrupted(action: int) -> Any:
        if not play.row.choice:
            raise KeyboardInterrupt
        return step(action)

    with monkeypatch.context() as patch:
        patch.setattr(play, "step", interrupted)
        with pytest.raises(KeyboardInterrupt):
            env.step(0)
    assert play.row.state == before
    assert env.step(0)[4]["forced_passes"] == 1


@pytest.mark.parametrize(("horizon", "passes"), [(1, 0), (2, 1)])
def test_a_forced_pass_counts_as_a_ply(horizon: int, passes: int) -> None:
    env = GameEnv(FORCING, opponent="self", horizon=horizon)
    env.reset()
    _, _, terminated, truncated, info = env.step(0)
    assert (terminated, truncated, info["forced_passes"]) == (False, True, passes)


@pytest.mark.parametrize("opponent", ["self", "random"])
@pytest.mark.parametrize(("action", "reward", "winner"), [(0, -1.0, 1), (1, 0.0, None)])
def test_a_forced_pass_may_end_the_game(
    opponent: str, action: int, reward: float, winner: int | None
) -> None:
    env = GameEnv(Standoff(), opponent=opponent)
    env.reset()
    _, got, terminated, truncated, info = env.step(action)
    assert (got, terminated, truncated, info["forced_passes"]) == (reward, True, False, 1)
    assert (info["outcome"], info["winner"]) == ("passed", winner)


def test_a_seat_needs_a_choice_before_the_end() -> None:
    with pytest.raises(BadParameterError, match="standoff can be over before side 1 has a turn"):
        GameEnv(Standoff(), seat=1)


# Ends


def test_a_horizon_truncates_without_a_result() -> None:
    env = GameEnv("dual-direction", opponent="self", horizon=3)
    env.reset()
    env.step(0)
    assert env.step(1)[2:4] == (False, False)
    _, reward, terminated, truncated, info = env.step(0)
    assert (reward, terminated, truncated) == (0.0, False, True)
    assert "outcome" not in info
    assert legal(info) == [0, 1]  # what could be played in that position
    with pytest.raises(MatchStateError, match="the game is cut short at its horizon of 3 plies: reset it"):
        env.step(0)


def test_an_end_at_the_horizon_is_an_end() -> None:
    env = GameEnv("bit-flip:bits=3", opponent="self", horizon=1)
    env.reset()
    assert env.step(1)[1:4] == (1.0, True, False)


def test_the_opponent_does_not_reply_beyond_the_horizon() -> None:
    Scribe.moves.clear()
    env = GameEnv("dual-direction", opponent=Scribe(), horizon=3)
    env.reset(seed=0)
    assert env.step(0)[2:4] == (False, False)
    _, _, terminated, truncated, info = env.step(0)
    assert (terminated, truncated, info["side"]) == (False, True, 1)
    assert len(Scribe.moves) == 1


@pytest.mark.parametrize("opponent", ["self", "perfect"])
@pytest.mark.parametrize("illegal", ["error", "lose"])
def test_a_finished_game_takes_no_step(opponent: str, illegal: Any) -> None:
    env = GameEnv("bit-flip:bits=3", opponent=opponent, illegal=illegal)
    env.reset()
    assert env.step(1)[2]
    for action in (0, 1, 99, "x"):
        with pytest.raises(MatchStateError, match="the game is over: reset it before the next step"):
            env.step(action)
    env.reset()
    env.step(1)


@pytest.mark.parametrize("opponent", ["self", "random"])
@pytest.mark.parametrize("illegal", ["error", "lose"])
def test_the_first_step_needs_a_reset(opponent: str, illegal: Any) -> None:
    env = GameEnv("bit-flip", opponent=opponent, illegal=illegal)
    with pytest.raises(MatchStateError, match="no game has started: reset the environment before stepping"):
        env.step(0)


# Chance


def line(env: Any, seed: int | None) -> list[bytes]:
    """What is seen of a game in which the learner always plays its first legal move."""
    observation, info = env.reset(seed=seed)
    seen, done = [observation.tobytes()], False
    while not done:
        observation, _, terminated, truncated, info = env.step(legal(info)[0])
        seen.append(observation.tobytes())
        done = terminated or truncated
    return seen


@pytest.mark.parametrize("opponent", ["random", "level:3", "mcts:simulations=5", Scribe()], ids=str)
def test_the_same_seed_plays_the_same_games(opponent: Any) -> None:
    env, other = (GameEnv("bit-flip:bits=12", opponent=opponent, seat=1) for _ in range(2))
    first = [line(env, 7), line(env, None), line(env, None)]
    assert first == [line(other, 7), line(other, None), line(other, None)]
    assert first == [line(env, 7), line(env, None), line(env, None)]
    assert first[0] != first[1]
    assert line(env, 8) != first[0]


def test_without_a_seed_games_differ() -> None:
    assert len({tuple(line(GameEnv("bit-flip:bits=12", seat=1), None)) for _ in range(5)}) > 1


def test_the_opponent_plays_as_its_name_says() -> None:
    env = GameEnv("bit-flip", opponent="perfect", seat=1)
    oracle = pp.solve(env.game)
    for seed in range(20):
        observation, _ = env.reset(seed=seed)
        [flipped] = observation[:, 1].nonzero()[0]
        assert flipped in oracle.best(env.game.initial())
    drawn = [int(GameEnv("bit-flip", seat=1).reset(seed=seed)[0][:, 1].argmax()) for seed in range(300)]
    assert set(drawn) == set(range(10))
    assert max(drawn.count(flipped) for flipped in range(10)) < 60


@pytest.mark.parametrize("seed", [1.5, "x", -1, True, [1]], ids=repr)
def test_a_bad_seed_is_named(seed: Any) -> None:
    for env in (GameEnv("bit-flip"), GameVectorEnv("bit-flip", 2)):
        with pytest.raises(BadParameterError) as caught:
            env.reset(seed=seed)
        assert str(caught.value) == f"seed={seed!r}: must be a whole number, at least 0"


def test_options_that_would_change_nothing_are_refused() -> None:
    for env in (GameEnv("bit-flip"), GameVectorEnv("bit-flip", 2)):
        env.reset(options={})
        with pytest.raises(
            BadParameterError, match=r"options=.*reset_mask.*: must be None or empty: there are none"
        ):
            env.reset(options={"reset_mask": 1})


# Pictures


def test_a_position_is_drawn_as_text_and_as_a_picture() -> None:
    env = GameEnv("bit-flip:bits=3", opponent="self", render_mode="ansi")
    env.reset()
    assert env.render() == "Positions: [0] [1] [2]\nBits:      [0] [0] [0]"
    env.step(1)
    assert env.render() == "Positions: [0] [1] [2]\nBits:      [0] [1] [0]"
    shown = GameEnv("bit-flip:bits=3", opponent="self", render_mode="rgb_array")
    shown.reset()
    shown.step(1)
    middle = shown.render()[CELL // 2, CELL // 2 :: CELL]
    assert [tuple(pixel) for pixel in middle.tolist()] == [color("0"), color("1"), color("0")]
    assert GameEnv("bit-flip").render() is None


def test_a_board_that_grows_gives_pictures_of_one_size() -> None:
    env = GameEnv("mirror-match", opponent="self", render_mode="rgb_array", horizon=12)
    env.reset()
    sizes = {env.render().shape}
    for action in (0, 1, 2):
        env.step(action)
        sizes.add(env.render().shape)
    assert sizes == {(CELL, 12 * CELL, 3)}


# Masks, limits, copies


def test_the_mask_can_be_asked_for_as_maskable_ppo_does() -> None:
    env = GameEnv("bit-flip", opponent="self")
    env.reset()
    _, _, _, _, info = env.step(4)
    masks = env.action_masks()
    assert masks.dtype == np.bool_
    assert masks.tolist() == info["action_mask"].astype(bool).tolist()
    masks[:] = False
    assert env.action_masks().any()


def test_a_game_with_too_many_positions_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("perfectplay.simulate.positions.MOST_SOLVED", 100)
    text = r"^inversion-race:cells=13 has more than 100 positions, too many for a table$"
    for made in (GameEnv, lambda spec: GameVectorEnv(spec, 2)):
        with pytest.raises(TableSizeError, match=text):
            made("inversion-race:cells=13")


def test_parameters_are_taken_as_python_or_as_a_spec_writes_them() -> None:
    assert GameEnv("bit-flip", first=2, seat=1).game == GameEnv("bit-flip:first=2", seat=1).game
    assert GameEnv("bit-flip", bits="12").game.spec == "bit-flip:bits=12"
    assert GameEnv("mirror-match", disqualify_after=None).game.spec == "mirror-match"
    # What follows from another parameter goes along with it: the center of the shorter track.
    assert GameEnv("inversion-race:cells=21", cells=11).game.spec == "inversion-race"


@pytest.mark.parametrize(
    "spec", ["bit-flip", "dual-direction", "mirror-match", "inversion-race:cells=51", "bit-flip:bits=30"]
)
def test_an_environment_can_be_put_away_and_goes_on(spec: str) -> None:
    env = GameEnv(spec, opponent="random", horizon=6, illegal="lose")
    _, info = env.reset(seed=3)
    for _ in range(3):
        again = pickle.loads(pickle.dumps(env))
        action = legal(info)[0]
        one, two = env.step(action), again.step(action)
        info = one[4]
        assert np.array_equal(one[0], two[0])
        assert one[1:4] == two[1:4]
        assert legal(two[4]) == legal(info)
    assert one[2] or one[3]  # the horizon at the latest
    again = pickle.loads(pickle.dumps(env))
    with pytest.raises(MatchStateError):
        again.step(0)


def test_invalid_turns_are_remembered() -> None:
    env = GameEnv("mirror-match", disqualify_after=2, illegal="forfeit", opponent="self")
    env.reset()
    env.step(18)
    env.step(3)
    assert pickle.loads(pickle.dumps(env)).step(18)[2]


@pytest.mark.parametrize("digits", [9, 300])
def test_a_game_lost_by_invalid_turns_keeps_its_winner(digits: int) -> None:
    env = GameEnv("mirror-match", digits=digits, disqualify_after=1, illegal="forfeit", opponent="self")
    env.reset()
    _, reward, terminated, _, info = env.step(-1)
    assert (reward, terminated, info["winner"]) == (-1, True, 1)
    again = pickle.loads(pickle.dumps(env))
    assert again.single.row.rewards == (-1, 1)
    assert again.single.row.outcome == (1, "disqualification")


def test_a_game_lost_by_an_illegal_action_stays_lost() -> None:
    env = GameEnv("bit-flip", opponent="self", illegal="lose")
    env.reset()
    env.step(4)
    env.step(4)
    with pytest.raises(MatchStateError):
        pickle.loads(pickle.dumps(env)).step(0)


def test_an_opponent_is_prepared_and_let_go() -> None:
    done: list[str] = []

    class Recording(RandomPlayer):
        def prepare(self, game: pp.Game[Any]) -> None:
            done.append(f"prepared for {game.spec}")

        def close(self) -> None:
            done.append("closed")

    env = GameEnv("bit-flip", opponent=Recording())
    assert done == ["prepared for bit-flip"]
    env.close()
    assert done == ["prepared for bit-flip", "closed"]
