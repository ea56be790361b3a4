"""Ratios with clustered standard errors, by hand."""

from math import sqrt

import pytest

from perfectplay.evals.statistics import corrected, ratio


def test_a_ratio_sums_before_it_divides_and_adds_up_errors_by_cluster() -> None:
    found = ratio([("a", 3, 4), ("b", 1, 4), ("b", 0, 2)])
    assert found is not None
    # R = 4/10; e_a = 3 - 1.6 = 1.4; e_b = (1 - 1.6) + (0 - 0.8) = -1.4
    assert found.value == pytest.approx(0.4)
    assert found.error == pytest.approx(sqrt(2 / 1 * (1.4**2 + 1.4**2)) / 10)
    assert found.clusters == 2
    assert found.interval == pytest.approx((0.4 - 1.959964 * 0.28, 0.4 + 1.959964 * 0.28))


def test_one_cluster_has_no_error_and_nothing_counted_has_no_ratio() -> None:
    one = ratio([("a", 1, 2)])
    assert one is not None
    assert one.error is None
    assert one.interval is None
    assert ratio([]) is ratio([("a", 0, 0)]) is None


def test_the_example_of_correction() -> None:
    assert corrected(751 / 1077, 0.384) == pytest.approx(0.509, abs=5e-4)
    assert corrected(0.5, 0.5) == 0
    assert corrected(1, 0.3) == 1
