"""Data off power and time to wear: closed forms against their parts and against published numbers."""

import math
from dataclasses import replace

import numpy as np
import pytest

from flashscope.laws.bit_errors import MLC_3X_NM
from flashscope.laws.retention import Code, days_until_lost, equivalent_days, lost_ratio, raw_error_ratios
from flashscope.laws.uncorrectable_errors import code_bits, overdispersed_probability, uncorrectable_probability
from flashscope.laws.wear_projection import days_to_wear

COUNTS = np.array([3000, 5000, 8000])
WEIGHTS = np.ones(3)


def test_33_67_days_to_5000_cycles_at_55_megabytes_per_second() -> None:
    days = days_to_wear(5000, bytes_per_cycle=32e9, host_bytes_per_second=55e6)
    assert days == pytest.approx(33.67, abs=0.005)
    assert days_to_wear(10_000, bytes_per_cycle=32e9, host_bytes_per_second=55e6) == pytest.approx(67.34, abs=0.005)
    assert days_to_wear(5000, bytes_per_cycle=32e9, host_bytes_per_second=55e6, write_amplification=2) == days / 2
    with pytest.raises(ValueError, match="not possible"):
        days_to_wear(5000, bytes_per_cycle=32e9, host_bytes_per_second=0)


def test_rates_block_by_block_are_those_of_the_law() -> None:
    rates = raw_error_ratios(MLC_3X_NM, COUNTS, 365.0)
    for count, rate in zip(COUNTS, rates, strict=True):
        assert rate == pytest.approx(MLC_3X_NM.rate(float(count), retention_days=365))


@pytest.mark.parametrize("spread_cv", [0.0, 0.4])
def test_the_interpolated_code_is_the_exact_one(spread_cv: float) -> None:
    code, bits = Code(512, 16, spread_cv), code_bits(512, 16)
    for rate in (3e-5, 2.2e-4, 1.7e-3, 6e-3):
        exact = (
            overdispersed_probability(rate, bits, 16, spread_cv)
            if spread_cv
            else uncorrectable_probability(rate, bits, 16)
        )
        assert code.failure_ratios(np.array([rate]))[0] == pytest.approx(exact, rel=0.03)


def test_the_time_until_so_much_is_lost_undoes_the_loss() -> None:
    code = Code(512, 16, 0.4)
    days = days_until_lost(MLC_3X_NM, code, COUNTS, weights=WEIGHTS, limit_ratio=1e-6)
    assert lost_ratio(MLC_3X_NM, code, COUNTS, weights=WEIGHTS, days=days) == pytest.approx(1e-6, rel=1e-3)
    ageless = replace(MLC_3X_NM, retention_factor=0.0)
    assert math.isinf(days_until_lost(ageless, code, COUNTS, weights=WEIGHTS, limit_ratio=1e-6))


def test_a_year_at_25_celsius_is_97_and_a_half_hours_at_60() -> None:
    assert equivalent_days(97.5 / 24, 60.0) == pytest.approx(365, rel=0.005)
    assert equivalent_days(7.0, 25.0) == 7.0
