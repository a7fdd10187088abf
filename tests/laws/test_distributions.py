"""Quantiles of distributions, compared with those of scipy.stats, which take long to import."""

import subprocess
import sys

import numpy as np
import pytest
from scipy import stats

from flashscope.laws import distributions

SHARES = (0.025, 0.05, 0.5, 0.6, 0.975)


@pytest.mark.parametrize("share_ratio", SHARES)
def test_they_equal_those_of_scipy_to_the_last_digit(share_ratio: float) -> None:
    for degrees in np.geomspace(1, 1e8, 40).astype(int):
        assert distributions.chi_squared(share_ratio, degrees) == stats.chi2.ppf(share_ratio, degrees)
        assert distributions.student(share_ratio, degrees) == stats.t.ppf(share_ratio, degrees)
        assert distributions.beta(share_ratio, degrees, 3) == stats.beta.ppf(share_ratio, degrees, 3)


@pytest.mark.parametrize("share_ratio", [0.025, 0.05, 0.95, 0.975])
def test_the_ranks_of_a_quantile_are_those_of_scipy_up_to_ten_million_requests(share_ratio: float) -> None:
    for trials in np.geomspace(1, 1e7, 40).astype(int):
        for probability in (0.01, 0.5, 0.99, 0.9999):
            found = distributions.binomial(share_ratio, int(trials), probability)
            assert found == stats.binom.ppf(share_ratio, trials, probability)


def test_no_command_imports_scipy_before_it_needs_a_number_of_it() -> None:
    needs = "flashscope.cli.running.session, flashscope.experiments.catalogue"
    words = f"import sys, {needs}; print('scipy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_the_exact_interval_of_a_share_is_that_of_scipy() -> None:
    for count, trials in ((0, 10), (5, 10), (10, 10), (3, 4000)):
        found = stats.binomtest(count, trials).proportion_ci(method="exact")
        assert distributions.share_interval(count, trials) == pytest.approx((found.low, found.high), abs=1e-12)
