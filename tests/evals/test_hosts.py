"""The examples for other hosts, run where the host is installed: no extra of ours installs them."""

import runpy

import pytest

from tests.conftest import ROOT


def test_in_reasoning_gym_a_move_that_keeps_the_result_scores_one() -> None:
    factory = pytest.importorskip("reasoning_gym.factory", reason="reasoning-gym is not installed")
    name = runpy.run_path(str(ROOT / "examples" / "reasoning_gym_decisions.py"))["NAME"]
    data = factory.create_dataset(name, game="bit-flip:bits=9", size=5)
    assert len(data) == 5
    for entry in data:
        scores = {data.score_answer(f"Move: {bit}", entry) for bit in range(9)}
        assert scores == {0.0, 1.0}
        assert data.score_answer(None, entry) == 0


def test_in_textarena_a_game_ends_by_its_rules_or_at_a_second_failure() -> None:
    pytest.importorskip("textarena", reason="TextArena is not installed")
    env = runpy.run_path(str(ROOT / "examples" / "textarena_game.py"))["GameEnv"]("bit-flip:bits=5")
    env.reset(num_players=2)
    assert [env.step(move)[0] for move in ("2", "nothing", "0", "4")] == [False, False, False, True]
    assert env.close()[0] == {0: 1, 1: -1}
    env.reset(num_players=2)
    assert [env.step(move)[0] for move in ("2", "2", "2")] == [False, False, True]
    assert env.close()[0] == {0: 1, 1: -1}
