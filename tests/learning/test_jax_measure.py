"""The measure on the device is the same as the one in NumPy."""

import jax
import numpy as np
import pytest

import perfectplay as pp
from perfectplay.evals.policies.measure import measure_policy
from perfectplay.evals.policies.positions import positions_of
from perfectplay.learning.jax_measure import jax_measure
from perfectplay.simulate import TableSizeError
from tests.evals.policies.test_measure import GAMES, TIC_TAC_TOE


@pytest.mark.parametrize("spec", [*GAMES, "mirror-match", "bit-flip:bits=4", TIC_TAC_TOE])
def test_both_measures_agree_on_any_policies(spec: str) -> None:
    game = pp.load(spec)
    positions, rng = positions_of(game), np.random.default_rng(0)
    drawn = rng.exponential(size=(3, *positions.legal.shape)) ** 2 * positions.legal
    # In some positions a policy is sure of one move, which may lead round and round.
    sure = drawn * (drawn == drawn.max(axis=-1, keepdims=True))
    drawn = np.where(rng.random(drawn.shape[:-1])[..., None] < 0.3, sure, drawn)
    chances = drawn / np.where(positions.legal.any(axis=1), drawn.sum(axis=-1), 1)[..., None]
    with jax.enable_x64(True):
        figures = jax_measure(game)(jax.numpy.asarray(chances))
    for number, one in enumerate(chances):
        exact = measure_policy(game, one)
        assert float(figures.corrected[number]) == pytest.approx(exact.corrected, abs=1e-9)
        assert np.count_nonzero(figures.lost[number] > 1e-6) == len(exact.mistakes)
        if exact.points is None:
            assert np.isnan(figures.points[number]).all()
        else:
            expected = np.array(list(exact.points.values()))
            assert np.asarray(figures.points[number]) == pytest.approx(expected, abs=1e-9)


def test_figures_can_be_taken_in_compiled_code() -> None:
    measure = jax_measure("bit-flip")
    chances = measure.legal / np.maximum(measure.legal.sum(axis=1, keepdims=True), 1)
    points = jax.jit(lambda table: measure.figures(table).points)(chances.astype("float32"))
    assert float(points[0, 0]) == pytest.approx(0.620, abs=1e-3)


def test_large_games_with_loops_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("perfectplay.learning.jax_measure.MOST_WITH_LOOPS", 10)
    with pytest.raises(TableSizeError, match="measure_policy"):
        jax_measure("dual-direction:positions=13")  # measured nowhere else, so it is not in the cache
