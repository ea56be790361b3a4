"""The exact measure of policies, against the chains of the known players and against brute force."""

import re
from typing import Any

import numpy as np
import pytest

import perfectplay as pp
from perfectplay.core.errors import BadParameterError
from perfectplay.evals.policies.measure import BEST_RESPONSE, measure_policy
from perfectplay.evals.policies.positions import positions_of
from perfectplay.players.base import KnownPlayer
from perfectplay.players.registry import load_player
from perfectplay.strength.best_response import best_response
from perfectplay.strength.points import expected_points
from tests.conftest import ROOT

GAMES = (
    "bit-flip",
    "dual-direction",
    "inversion-race",
    "inversion-race:cells=7,passing=leapfrog",
    "race-to-the-center",
)
TIC_TAC_TOE = str(ROOT / "examples" / "tic_tac_toe.py")


def known(spec: str) -> KnownPlayer:
    player = load_player(spec)
    assert isinstance(player, KnownPlayer)
    return player


@pytest.mark.parametrize("spec", GAMES)
@pytest.mark.parametrize("player", ["random", "level:3", "level:8"])
def test_points_are_those_of_the_exact_chain(spec: str, player: str) -> None:
    game, agent = pp.load(spec), known(player)
    found = measure_policy(game, agent).points
    assert found is not None
    for seat in (0, 1):
        for opponent in ("random", "level:5", "perfect"):
            exact = expected_points(game, agent, known(opponent), seat).value
            assert found[opponent][seat] == pytest.approx(exact, abs=1e-9)
        most = best_response(game, agent, 1 - seat)
        assert most is not None
        assert found[BEST_RESPONSE][seat] == pytest.approx(1 - most, abs=1e-9)


@pytest.mark.parametrize("spec", GAMES)
def test_the_ends_of_the_scale(spec: str) -> None:
    guessing, perfect = measure_policy(spec, known("random")), measure_policy(spec, known("perfect"))
    assert guessing.corrected == pytest.approx(0)
    assert guessing.kept == pytest.approx(guessing.guess)
    assert perfect.corrected == pytest.approx(1)
    assert not perfect.mistakes
    assert len(guessing.mistakes) == guessing.decisions


def test_kept_decisions_of_a_level_are_what_its_slips_say() -> None:
    found = measure_policy("dual-direction", known("level:5"))  # where every slip gives the value away
    assert found.kept == pytest.approx(0.7)
    assert found.plays_like == "level 5"
    assert [each.chance for each in found.mistakes] == pytest.approx([0.3] * 3)


def test_a_function_a_table_and_a_player_are_measured_alike() -> None:
    positions = positions_of("bit-flip")
    table = positions.chances(known("level:4"))
    seen = []

    def policy(observation: Any, legal: Any) -> Any:
        seen.append((observation.shape, legal.shape))
        return table

    found = {measure_policy("bit-flip", each).text() for each in (policy, table, known("level:4"))}
    assert len(found) == 1
    assert seen == [((144, 10, 2), (144, 10))]


def test_a_policy_may_write_to_what_it_is_shown() -> None:
    def policy(observation: Any, legal: Any) -> Any:
        chances = legal / legal.sum(axis=1, keepdims=True).clip(1)
        observation[:] = legal[:] = False
        return chances

    before = positions_of("bit-flip").observation.copy()
    assert measure_policy("bit-flip", policy).kept == measure_policy("bit-flip", known("random")).kept
    assert (positions_of("bit-flip").observation == before).all()


def test_what_is_lost_is_named() -> None:
    said = measure_policy("mirror-match", known("random")).text(100)
    assert "loses endless play in " in said
    assert re.search(r"loses the win in [0-9.]+%, by playing ", said)
    assert "the endless" not in said


def test_worse_than_guessing_is_below_random() -> None:
    positions = positions_of("bit-flip")
    wrong = positions.legal & (~positions.best | ~positions.decision[:, None])
    found = measure_policy("bit-flip", wrong / np.maximum(wrong.sum(axis=1, keepdims=True), 1))
    assert found.kept == 0
    assert found.plays_like == "below random"
    assert found.points is not None
    assert found.points["perfect"] == (0, 0)
    assert sum(each.lost for each in found.mistakes) == pytest.approx(40)


def test_without_a_table_positions_near_the_start_are_measured_without_points() -> None:
    found = measure_policy("mirror-match", known("level:5"))
    assert (found.decisions, found.points, found.worst) == (48, None, None)
    assert found.kept == pytest.approx(0.7)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda table: table[:, :3], "of shape (144, 10)"),
        (lambda table: table * 2, "probabilities that add up to 1"),
        (lambda table: table * np.nan, "probabilities that add up to 1"),
        (lambda table: table + 0.1 * (table == 0), "probabilities that add up to 1"),
        (lambda table: -table, "probabilities that add up to 1"),
    ],
)
def test_an_invalid_policy_is_refused(change: Any, problem: str) -> None:
    table = positions_of("bit-flip").chances(known("random"))
    with pytest.raises(BadParameterError) as error:
        measure_policy("bit-flip", change(table))
    assert problem in str(error.value)
    assert "\n" not in str(error.value)
