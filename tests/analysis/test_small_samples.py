"""What few drives can tell: the numbers of JESD218, and the exact bound against chance itself."""

import math

import numpy as np
import pytest

from flashscope.analysis.small_samples import (
    bound,
    data_errors_accepted,
    drives_needed,
    failures_accepted,
    upper_limit_count,
    what_the_sample_tells,
)


@pytest.mark.parametrize(
    ("failures", "limit"), [(0, 0.916), (1, 2.022), (2, 3.105), (3, 4.175), (4, 5.237), (5, 6.292)]
)
def test_upper_limits_are_those_of_the_standard(failures: int, limit: float) -> None:
    assert upper_limit_count(failures) == pytest.approx(limit, abs=6e-4)


@pytest.mark.parametrize(("failures", "drives"), [(0, 31), (1, 68), (2, 104), (3, 140)])
def test_sample_sizes_are_those_of_the_standard(failures: int, drives: int) -> None:
    assert drives_needed(failures) == drives
    assert failures_accepted(drives) == failures
    assert failures_accepted(drives - 1) == failures - 1


def test_data_errors_follow_the_worked_examples() -> None:
    assert data_errors_accepted(11, 100, 1e-16) == -1
    assert data_errors_accepted(12, 100, 1e-16) == 0
    assert data_errors_accepted(31, 100, 1e-16) == 1
    assert data_errors_accepted(57, 20, 1e-16) == -1
    assert data_errors_accepted(58, 20, 1e-16) == 0


def test_one_drive_without_a_failure_bounds_at_92_percent_by_poisson_and_60_exactly() -> None:
    found = bound(1, 0)
    assert found.poisson_ratio == pytest.approx(-math.log(0.4)) == pytest.approx(0.916, abs=1e-3)
    assert found.exact_ratio == pytest.approx(0.6)
    assert bound(1, 1).exact_ratio == 1.0
    assert bound(1, 1).poisson_ratio > 1
    assert bound(6, 0).poisson_ratio == pytest.approx(0.15, abs=0.005)
    assert "92 %" in what_the_sample_tells(1, 0)
    assert "31 drives" in what_the_sample_tells(1, 0)
    assert "92 %" not in what_the_sample_tells(1, 1)


@pytest.mark.parametrize(("drives", "failures"), [(1, 0), (6, 0), (31, 2)])
def test_at_the_exact_bound_so_few_failures_have_40_percent(drives: int, failures: int) -> None:
    share = bound(drives, failures).exact_ratio
    draws = np.random.default_rng(1).binomial(drives, share, 200_000)
    assert np.mean(draws <= failures) == pytest.approx(0.4, abs=0.006)


@pytest.mark.parametrize(("drives", "failures"), [(0, 0), (3, 4), (2, -1)])
def test_samples_that_cannot_be_are_refused(drives: int, failures: int) -> None:
    with pytest.raises(ValueError, match="no such sample"):
        bound(drives, failures)
