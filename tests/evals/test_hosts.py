"""The examples for other hosts. No extra of ours installs these: `make test-packages` does."""

import importlib
import os
import runpy
from typing import Any

import pytest

from tests.extras import ROOT

pytestmark = [
    # What these hosts and their libraries warn about is not ours to change.
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::SyntaxWarning"),
]


def host(module: str) -> Any:
    """A module of a host. Where the hosts are to be installed, one that is missing is a failure."""
    if os.environ.get("PERFECTPLAY_PACKAGES"):
        return importlib.import_module(module)
    return pytest.importorskip(module, reason=f"{module} is not installed: make test-packages")


def test_in_reasoning_gym_a_move_that_keeps_the_result_scores_one() -> None:
    factory = host("reasoning_gym.factory")
    name = runpy.run_path(str(ROOT / "examples" / "reasoning_gym_decisions.py"))["NAME"]
    data = factory.create_dataset(name, game="bit-flip:bits=9", size=5)
    assert len(data) == 5
    for entry in data:
        scores = {data.score_answer(f"Move: {bit}", entry) for bit in range(9)}
        assert scores == {0.0, 1.0}
        assert data.score_answer(None, entry) == 0


def test_in_textarena_a_game_ends_by_its_rules_or_at_a_second_failure() -> None:
    host("textarena")
    env = runpy.run_path(str(ROOT / "examples" / "textarena_game.py"))["GameEnv"]("bit-flip:bits=5")
    env.reset(num_players=2)
    assert [env.step(move)[0] for move in ("2", "nothing", "0", "4")] == [False, False, False, True]
    assert env.close()[0] == {0: 1, 1: -1}
    env.reset(num_players=2)
    assert [env.step(move)[0] for move in ("2", "2", "2")] == [False, False, True]
    assert env.close()[0] == {0: 1, 1: -1}
