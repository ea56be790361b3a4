"""The games as OpenSpiel games, checked by OpenSpiel's own tests, by the rules, and by the oracle."""

import copy
import pickle
import subprocess
import sys
from collections import deque
from collections.abc import Callable
from importlib import import_module, reload
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import get_all_states, mcts, minimax
from open_spiel.python.observation import make_observation

import perfectplay as pp
from perfectplay.adapters import openspiel
from perfectplay.core.errors import MissingExtraError, install_command
from perfectplay.simulate import TableSizeError, horizon_for, observer_for
from tests.conftest import ROOT
from tests.core.listed_games import Doubles
from tests.games.rulings import BEYOND_TABLES, RULINGS

NAMES = {
    "bit-flip:bits=12,first=2": "perfectplay_bit_flip(bits=12,first=2)",
    "dual-direction:positions=7,start=2": "perfectplay_dual_direction(positions=7,start=2)",
    "inversion-race:cells=7,start=2,first=B": "perfectplay_inversion_race(cells=7,first=B,start=2)",
    "mirror-match:disqualify_after=3": "perfectplay_mirror_match(disqualify_after=3)",
    "race-to-the-center:steps=1-3,arrival=full-turn": "perfectplay_race_to_the_center(arrival=full-turn,steps=1_3)",
}


def test_every_game_is_registered_and_stays_so_on_a_second_import() -> None:
    for _ in range(2):
        for name in pp.names():
            known = f"perfectplay_{name.replace('-', '_')}"
            assert known in pyspiel.registered_names()
            assert pyspiel.load_game(known).rules == pp.load(name)
        reload(openspiel)


@pytest.mark.parametrize(("spec", "name"), NAMES.items())
def test_parameters_go_there_and_back(spec: str, name: str) -> None:
    game = pyspiel.load_game(name)
    assert game.rules == pp.load(spec)
    assert str(game) == name
    assert set(game.get_parameters()) == {"horizon", *(each.name for each in game.rules.parameter_help())}
    assert openspiel.load_game(spec) == game == openspiel.load_game(pp.load(spec))
    assert pyspiel.load_game(game.get_type().short_name, game.get_parameters()) == game


def test_parameters_are_typed_and_have_defaults() -> None:
    def specification(name: str) -> dict[str, Any]:
        return dict(pyspiel.load_game(name).get_type().parameter_specification)

    assert specification("perfectplay_bit_flip") == {"bits": 10, "first": 1, "horizon": -1}
    assert specification("perfectplay_race_to_the_center") == {
        "arrival": "adjacent",
        "horizon": -1,
        "positions": 11,
        "steps": "1_2",
    }
    assert specification("perfectplay_mirror_match")["disqualify_after"] == -1
    assert specification("perfectplay_inversion_race")["start"] == -1


def test_a_parameter_that_the_game_works_out_follows_the_others() -> None:
    assert pyspiel.load_game("perfectplay_inversion_race(cells=7)").rules.start == 3
    assert pyspiel.load_game("perfectplay_inversion_race(cells=7,start=-1)").rules.start == 3
    assert (
        str(pyspiel.load_game("perfectplay_inversion_race(cells=7,start=3)"))
        == "perfectplay_inversion_race(cells=7)"
    )


@pytest.mark.parametrize("spec", [*RULINGS, *BEYOND_TABLES])
def test_openspiels_own_tests_pass(spec: str) -> None:
    # Imports SciPy by way of all games of OpenSpiel: not for every process that only looks for tests.
    from open_spiel.python.algorithms import generate_playthrough

    game = openspiel.load_game(spec)
    pyspiel.random_sim_test(game, num_sims=5, serialize=True, verbose=False)
    played = generate_playthrough.playthrough(str(game), None, seed=1)
    assert f'ToString() = "{game}"' in played
    assert played.count("Apply action") >= 3
    assert played == generate_playthrough.playthrough(str(game), None, seed=1)


@pytest.mark.parametrize("spec", RULINGS)
def test_random_games_follow_the_plain_rules(spec: str) -> None:
    rules = pp.load(spec)
    game = openspiel.load_game(spec)
    horizon = horizon_for(rules)
    planes = observer_for(rules, horizon)
    assert game.num_distinct_actions() == rules.num_actions
    assert game.observation_tensor_shape() == [planes.shape[-1], *planes.shape[:-1]]
    for seed in range(5):
        random, at, state, plies = Random(seed), rules.initial(), game.new_initial_state(), 0
        while (legal := rules.legal_actions(at)) and plies != horizon:
            side = rules.side_to_move(at)
            assert not state.is_terminal()
            assert state.current_player() == side
            assert state.legal_actions() == state.legal_actions(side) == list(legal)
            assert state.legal_actions(1 - side) == []
            assert state.returns() == [0, 0]
            assert [state.action_to_string(side, action) for action in legal] == [
                rules.action_text(at, a) for a in legal
            ]
            seen = np.asarray(state.observation_tensor(0)).reshape(game.observation_tensor_shape())
            assert np.array_equal(np.moveaxis(seen, 0, -1), planes.observe(at))
            action = random.choice(legal)
            state.apply_action(action)
            at, plies = rules.apply(at, action), plies + 1
        assert state.is_terminal()
        assert state.current_player() == pyspiel.PlayerId.TERMINAL
        assert state.legal_actions() == []
        outcome = rules.outcome(at)
        won = None if outcome is None else outcome.winner
        assert state.returns() == {None: [0, 0], 0: [1, -1], 1: [-1, 1]}[won]
        assert rules.state_text(at) in str(state)
        assert len(state.history()) == plies <= game.max_game_length()


@pytest.mark.parametrize(
    "spec", ["bit-flip:bits=7", "bit-flip:bits=8", "race-to-the-center", "inversion-race:cells=3"]
)
def test_the_longest_game_is_as_long_as_is_said(spec: str) -> None:
    rules = pp.load(spec)

    def longest(state: Any) -> int:
        return max(
            (1 + longest(rules.apply(state, action)) for action in rules.legal_actions(state)), default=0
        )

    assert horizon_for(rules) is None
    assert openspiel.load_game(spec).max_game_length() == longest(rules.initial())


def test_a_row_too_long_to_explore_is_played() -> None:
    game = openspiel.load_game("bit-flip:bits=101")
    assert game.max_game_length() == 51
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def test_a_horizon_ends_a_game_with_nothing_for_either() -> None:
    game = pyspiel.load_game("perfectplay_dual_direction(horizon=4)")
    assert game.max_game_length() == 4
    assert str(game) == "perfectplay_dual_direction(horizon=4)"
    state = game.new_initial_state()
    for action in (0, 1, 0, 1):
        assert not state.is_terminal()
        state.apply_action(action)
    assert (state.is_terminal(), state.returns(), state.legal_actions()) == (True, [0, 0], [])
    with pytest.raises(pp.MatchStateError, match=r"^the game is over: no action follows, not even 0$"):
        state.apply_action(0)


def test_a_result_at_the_horizon_counts() -> None:
    game = openspiel.load_game("dual-direction:positions=5", horizon=2)
    state = game.new_initial_state()
    state.apply_action(0)
    state.apply_action(0)
    assert state.returns() == [1, -1]


def test_positions_are_the_same_only_with_as_many_plies_left() -> None:
    rules, horizon = pp.load("dual-direction:positions=5"), 5
    reached = {(rules.initial(), 0)}
    for plies in range(1, horizon + 1):
        before = [state for state, ply in reached if ply == plies - 1]
        reached |= {
            (rules.apply(state, action), plies) for state in before for action in rules.legal_actions(state)
        }
    found = get_all_states.get_all_states(openspiel.load_game(rules, horizon), to_string=str)
    assert len(found) == len(reached)


def expected(value: pp.Value, left: int) -> float:
    """The result of perfect play for the side to move, given the plies left."""
    if value.plies is None or value.plies > left:
        return 0
    return {"win": 1, "tie": 0, "loss": -1}[value.kind]


@pytest.mark.parametrize(
    ("spec", "horizon", "kinds"),
    [
        ("bit-flip:bits=9", None, {1, -1}),
        ("race-to-the-center", None, {1, -1}),
        ("race-to-the-center:steps=1-3,arrival=full-turn", None, {1, -1}),
        ("inversion-race:cells=5", 8, {1, 0, -1}),
        ("inversion-race", 12, {1, 0, -1}),
        ("inversion-race:passing=leapfrog,first=B", 11, {1, 0, -1}),
        ("dual-direction", 12, {1, 0}),
        ("dual-direction:positions=5,start=2,first=2", 6, {1, 0}),
        ("mirror-match:digits=2,shortest=3", 6, {1, 0, -1}),
        ("mirror-match:digits=3,shortest=4", 5, {1, 0, -1}),
        ("mirror-match:digits=2,shortest=4,forfeit=move", 5, {1, 0}),
    ],
)
def test_minimax_agrees_with_the_oracle(spec: str, horizon: int | None, kinds: set[int]) -> None:
    rules = pp.load(spec)
    oracle = pp.solve(rules)
    game = openspiel.load_game(rules, horizon)
    length = game.max_game_length()
    waiting, seen, found = deque([game.new_initial_state()]), set(), set()
    while waiting:
        state = waiting.popleft()
        if state.is_terminal() or str(state) in seen:
            continue
        seen.add(str(state))
        value, _ = minimax.alpha_beta_search(game, state=state, maximum_depth=length)
        at, plies = state.position.state, len(state.history())
        left = length if horizon is None else horizon - plies
        assert value == expected(oracle.value(at), left), str(state)
        found.add(value)
        # Mirror Match has very many; the first few hundred stand for all.
        waiting.extend(state.child(action) for action in state.legal_actions() if len(seen) < 300)
    assert found == kinds


def searches(game: Any) -> dict[str, Callable[[Any], int]]:
    """Both of OpenSpiel's tree searches. Of the one in C++, `step` cannot take any game written in Python."""
    random = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, random)
    slow = mcts.MCTSBot(game, 1.4, 300, evaluator, solve=True, random_state=random)
    fast = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 1.4, 300, 100, True, 1, False)
    return {"python": slow.step, "c++": lambda state: int(fast.mcts_search(state).best_child().action)}


@pytest.mark.parametrize("kind", ["python", "c++"])
@pytest.mark.parametrize("spec", ["bit-flip:bits=6", "race-to-the-center:positions=7,arrival=sudden-death"])
def test_mcts_wins_what_the_oracle_says_is_won(spec: str, kind: str) -> None:
    rules = pp.load(spec)
    oracle = pp.solve(rules)
    game = openspiel.load_game(rules)
    search, state = searches(game)[kind], game.new_initial_state()
    winner = state.current_player()
    assert oracle.value(rules.initial()).kind == "win"
    random = Random(3)
    while not state.is_terminal():
        if state.current_player() != winner:
            state.apply_action(random.choice(state.legal_actions()))
            continue
        assert oracle.value(state.position.state).kind == "win"
        state.apply_action(search(state))
    assert state.player_return(winner) == 1


@pytest.mark.parametrize("spec", ["inversion-race", "dual-direction", "mirror-match"])
def test_mcts_plays_games_with_a_horizon(spec: str) -> None:
    game = openspiel.load_game(spec, horizon=6)
    for search in searches(game).values():
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(search(state))
        assert sum(state.returns()) == 0


@pytest.mark.parametrize(
    "copied",
    [
        lambda state: state.clone(),
        copy.deepcopy,
        lambda state: pickle.loads(pickle.dumps(state)),
        lambda state: pyspiel.deserialize_game_and_state(
            pyspiel.serialize_game_and_state(state.get_game(), state)
        )[1],
    ],
    ids=["clone", "deepcopy", "pickle", "serialize"],
)
@pytest.mark.parametrize("spec", ["mirror-match:digits=3", "race-to-the-center:steps=1-3"])
def test_a_copy_goes_on_by_itself(spec: str, copied: Callable[[Any], Any]) -> None:
    state = openspiel.load_game(spec).new_initial_state()
    state.apply_action(1)
    other = copied(state)
    assert (str(other), other.history(), other.get_game()) == (str(state), [1], state.get_game())
    other.apply_action(0)
    assert (state.history(), other.history()) == ([1], [1, 0])
    assert str(other) != str(state)
    assert other.position == state.child(0).position


def test_a_clone_costs_no_copy_of_the_position() -> None:
    state = openspiel.load_game("mirror-match").new_initial_state()
    assert state.clone().position is state.position


def test_observations_for_perfect_recall_are_the_moves() -> None:
    game = openspiel.load_game("bit-flip")
    state = game.new_initial_state()
    state.apply_action(3)
    state.apply_action(0)
    assert state.information_state_string(0) == "3, 0"
    assert state.observation_string(1) == "1001000000 1"
    recalled = make_observation(game, pyspiel.IIGObservationType(perfect_recall=True))
    assert (recalled.tensor, recalled.string_from(state, 0)) == (None, "3, 0")
    seen = make_observation(game)
    seen.set_from(state, 0)
    assert seen.dict["observation"][1].tolist() == [1, 0, 0, 1, 0, 0, 0, 0, 0, 0]
    assert game.make_observer({}) is not None
    with pytest.raises(
        pp.BadParameterError, match=r"^params=.*: must be empty: an observation takes no parameters$"
    ):
        make_observation(game, params={"size": 1})


def test_a_game_of_ones_own_is_registered_and_may_give_a_side_two_turns() -> None:
    openspiel.register(Doubles)
    game = openspiel.load_game(Doubles())
    assert str(game) == "perfectplay_doubles()"
    pyspiel.random_sim_test(game, num_sims=5, serialize=True, verbose=False)
    state, players = game.new_initial_state(), []
    for action in (1, 1, 0):
        players.append(state.current_player())
        state.apply_action(action)
    assert players == [0, 0, 1]
    assert state.returns() == [0, 0]
    assert minimax.alpha_beta_search(game)[0] == 0


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("perfectplay_bit_flip(bits=0)", "bits=0: must be a whole number, at least 1"),
        ("perfectplay_bit_flip(first=3)", "first=3: must be 1 or 2"),
        ("perfectplay_bit_flip(horizon=0)", "horizon=0: must be a whole number, at least 1"),
        ("perfectplay_inversion_race(passing=x)", "passing=x: must be crossing, letter or leapfrog"),
        ("perfectplay_inversion_race(start=-2)", "start=-2: must be a whole number from 1 to 10"),
        (
            "perfectplay_mirror_match(disqualify_after=0)",
            "disqualify_after=0: must be none or a whole number, at least 1",
        ),
        (
            "perfectplay_race_to_the_center(steps=2_3)",
            "steps=2-3: must be a range from 1, such as 1-2 or 1-3",
        ),
    ],
)
def test_bad_parameters_are_named(name: str, problem: str) -> None:
    with pytest.raises(pp.BadParameterError) as caught:
        pyspiel.load_game(name)
    assert str(caught.value) == problem


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        (
            "perfectplay_bit_flip(bots=3)",
            "Unknown parameter 'bots'. Available parameters are: bits, first, horizon",
        ),
        (
            "perfectplay_bit_flip(bits=x)",
            "Wrong type for parameter bits. Expected type: kInt, got kString with x",
        ),
    ],
)
def test_what_openspiel_itself_refuses_is_an_error_too(name: str, problem: str) -> None:
    with pytest.raises(pyspiel.SpielError) as caught:
        pyspiel.load_game(name)
    assert str(caught.value) == problem


@pytest.mark.parametrize(
    ("spec", "horizon", "kind", "problem"),
    [
        ("bit-flop", None, pp.UnknownGameError, 'unknown game "bit-flop" (did you mean bit-flip?)'),
        (
            "bit-flip:bots=3",
            None,
            pp.UnknownParameterError,
            "bots=3: no such parameter; bit-flip takes bits, first (did you mean bits?)",
        ),
        ("bit-flip:bits=x", None, pp.BadParameterError, "bits=x: must be a whole number, at least 1"),
        ("bit-flip", -1, pp.BadParameterError, "horizon=-1: must be a whole number, at least 1"),
        ("bit-flip", 2.0, pp.BadParameterError, "horizon=2.0: must be a whole number, at least 1"),
    ],
)
def test_bad_specs_are_named(spec: str, horizon: Any, kind: type[Exception], problem: str) -> None:
    with pytest.raises(kind) as caught:
        openspiel.load_game(spec, horizon)
    assert str(caught.value) == problem


ILLEGAL = r'^"4" at "0001000000 2": Bit 4 is next to bit 3, already 1. Allowed: 0, 1, 5, 6, 7, 8 or 9.$'


def test_an_illegal_action_is_refused_and_changes_nothing() -> None:
    state = openspiel.load_game("bit-flip").new_initial_state()
    third: Any = np.int64(3)
    state.apply_action(third)
    ways: list[Callable[[int], object]] = [
        state.apply_action,
        state.apply_action_with_legality_check,
        state.child,
        lambda action: pyspiel.State.apply_action(state, action),
    ]
    for way in ways:
        with pytest.raises(pp.IllegalActionError, match=ILLEGAL):
            way(4)
    with pytest.raises(pp.IllegalActionError, match=r"^action 77 is not from 0 to 9$"):
        state.child(77)
    assert (str(state), state.history(), state.current_player()) == ("0001000000 2", [3], 1)


@pytest.mark.parametrize("action", [10, -1, 1.0, True, None, "1", [1], np.array([1]), np.float32(1)])
def test_an_invalid_action_is_refused(action: Any) -> None:
    state = openspiel.load_game("bit-flip").new_initial_state()
    for way in (state.apply_action, state.apply_action_with_legality_check):
        with pytest.raises(pp.BadParameterError, match=r"^action=.*: must be a whole number from 0 to 9$"):
            way(action)
    assert state.history() == []


@pytest.mark.parametrize("spec", ["bit-flip", *BEYOND_TABLES])
@pytest.mark.parametrize("kind", [np.int64, np.uint8, np.array])
def test_the_whole_numbers_of_numpy_are_actions(spec: str, kind: Any) -> None:
    rules: pp.Game[Any] = pp.load(spec)
    state = openspiel.load_game(spec).new_initial_state()
    state.apply_action(kind(3))
    state.apply_action_with_legality_check(kind(1))
    assert state.history() == [3, 1]
    assert state.position.state == rules.apply(rules.apply(rules.initial(), 3), 1)


def test_the_text_of_no_action_is_refused() -> None:
    state = openspiel.load_game("inversion-race").new_initial_state()
    with pytest.raises(pp.BadParameterError, match=r"^action=3: must be a whole number from 0 to 2$"):
        state.action_to_string(0, 3)
    assert state.string_to_action("right") == 1


def test_a_finished_game_takes_no_action() -> None:
    state = openspiel.load_game("bit-flip:bits=1").new_initial_state()
    state.apply_action(0)
    with pytest.raises(pp.MatchStateError, match=r"^the game is over: no action follows, not even 0$"):
        state.apply_action(0)
    assert state.returns() == [1, -1]


def test_without_openspiel_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, openspiel.__name__)
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(MissingExtraError) as caught:
        import_module(openspiel.__name__)
    assert str(caught.value) == f"open_spiel is not installed; add it with: {install_command('openspiel')}"


def test_a_program_that_has_played_ends_well() -> None:
    # OpenSpiel lets go of what was registered only after Python has shut down.
    program = "import perfectplay.adapters.openspiel as o; s = o.load_game('bit-flip').new_initial_state(); s.apply_action(1)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_game_with_too_many_positions_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("perfectplay.simulate.positions.MOST_SOLVED", 100)
    with pytest.raises(
        TableSizeError, match=r"^inversion-race:cells=15 has more than 100 positions, too many"
    ):
        openspiel.load_game("inversion-race:cells=15")


def test_a_game_can_be_pickled() -> None:
    for game in (openspiel.load_game("bit-flip:bits=5"), openspiel.load_game("dual-direction", horizon=7)):
        again = pickle.loads(pickle.dumps(game))
        assert str(again) == str(game)
        assert (again.rules, again.horizon) == (game.rules, game.horizon)


def test_a_game_of_a_file_is_loaded_too() -> None:
    game = openspiel.load_game(str(ROOT / "examples" / "tic_tac_toe.py"))
    assert game.new_initial_state().legal_actions() == list(range(9))
