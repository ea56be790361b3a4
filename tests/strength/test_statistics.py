"""Ratios with clustered standard errors, by hand."""

from math import sqrt
from random import Random

import pytest

from perfectplay.strength.crosstable import rates_text
from perfectplay.strength.head_to_head import Rates, percent
from perfectplay.strength.reference import seat_text
from perfectplay.strength.statistics import (
    Estimate,
    compare_levels,
    correct_for_guessing,
    ratio,
    show,
    wilson,
)


def test_a_ratio_sums_before_it_divides_and_adds_up_errors_by_cluster() -> None:
    found = ratio([("a", 3, 4), ("b", 1, 4), ("b", 0, 2)])
    assert found is not None
    # R = 4/10; e_a = 3 - 1.6 = 1.4; e_b = (1 - 1.6) + (0 - 0.8) = -1.4
    assert found.value == pytest.approx(0.4)
    assert found.error == pytest.approx(sqrt(2 / 1 * (1.4**2 + 1.4**2)) / 10)
    assert found.clusters == 2
    assert found.reliable_error is None
    assert found.interval == wilson(0.8, 2)  # each of the two clusters is one trial


def test_one_cluster_has_no_error_and_nothing_counted_has_no_ratio() -> None:
    one = ratio([("a", 1, 2)])
    assert one is not None
    assert one.error is None
    assert one.interval == wilson(0.5, 1)
    assert ratio([]) is ratio([("a", 0, 0)]) is None


def test_a_cluster_without_a_denominator_does_not_count() -> None:
    counts = [("a", 3.0, 4.0), ("b", 1.0, 4.0)]
    assert ratio([*counts, ("c", 0, 0), ("b", 0, 0)]) == ratio(counts)


def test_with_ten_clusters_the_interval_is_as_wide_as_their_standard_error_says() -> None:
    found = ratio((number % 10, number % 2, 1) for number in range(40))  # four of each kind agree
    assert found is not None
    assert found.reliable_error == found.error == pytest.approx(sqrt(10 / 9 * 10 * 2**2) / 40)
    trials = 9 / (1 + 1.21 / 9) ** 2
    assert found.interval == pytest.approx(wilson(trials / 2, trials))
    none = ratio((number, 0, 1) for number in range(40))
    assert none is not None
    assert (none.error, none.reliable_error) == (0, None)
    assert none.interval == wilson(0, 40)


def coverage(clusters: int, chance: float, runs: int = 1000) -> float:
    """How often the interval holds the true share, if three games of a seed end alike half of the time."""
    rng = Random(f"{clusters}/{chance}")
    covered = 0
    for _ in range(runs):
        counts = []
        for cluster in range(clusters):
            shared = rng.random()
            for _ in range(3):
                luck = shared if rng.random() < 0.7 else rng.random()
                counts.append((cluster, float(luck < chance), 1.0))
        found = ratio(counts)
        assert found is not None
        covered += found.interval[0] <= chance <= found.interval[1]
    return covered / runs


@pytest.mark.parametrize("chance", [0.1, 0.3, 0.5, 0.8])
@pytest.mark.parametrize("clusters", [5, 10, 20, 50])
def test_intervals_cover_the_truth_in_about_19_of_20_runs_where_games_share_seeds(
    clusters: int, chance: float
) -> None:
    assert coverage(clusters, chance) >= 0.92


def test_the_example_of_correction() -> None:
    assert correct_for_guessing(751 / 1077, 0.384) == pytest.approx(0.509, abs=5e-4)
    assert correct_for_guessing(0.5, 0.5) == 0
    assert correct_for_guessing(1, 0.3) == 1


def test_figures_are_written_with_their_intervals() -> None:
    assert (show(Estimate(0.5, (0.4, 0.61))), show(0.5), show(None)) == (
        "0.500 (0.400 to 0.610)",
        "0.500",
        "-",
    )
    assert (percent(0.5, None), percent(0.5, (0.4, 0.6))) == ("50.0%", "50% (40% to 60%)")
    assert rates_text(Rates((0.5, 0.25), 0.25, 0.0)) == "50.0 : 25.0"
    assert rates_text(Rates((0.5, 0.5), 0.0, 0.0, games=100)) == "50 : 50 (40-60)"
    assert (seat_text(2, "Player 2"), seat_text(2, "Player B")) == ("2", "2 (Player B)")


def test_a_score_is_compared_with_those_of_the_levels() -> None:
    scale = {1: 0.1, 2: 0.5, 3: 1.0}
    assert compare_levels(scale, 0.4, (0.0, 0.8)) == (2, 1, 3)
    assert compare_levels(scale, -0.1, (-0.5, 0.4)) == ("below random", "below random", 2)
