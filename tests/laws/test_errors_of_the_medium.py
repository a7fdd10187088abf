"""Bit errors, temperature and codes: every number that was published or computed elsewhere."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flashscope.laws import bit_errors, temperature
from flashscope.laws import uncorrectable_errors as codes

# User bytes, correctable bits, RBER for UBER 1e-15 and 1e-16.
CODES = [
    (512, 4, 3.3e-6, 2.1e-6),
    (512, 8, 5.5e-5, 4.2e-5),
    (512, 12, 1.9e-4, 1.6e-4),
    (512, 15, 3.35e-4, 2.9e-4),
    (1024, 24, 5.1e-4, 4.6e-4),
    (1024, 40, 1.30e-3, 1.20e-3),
    (1024, 60, 2.45e-3, 2.32e-3),
    (1024, 72, 3.19e-3, 3.03e-3),
    (512, 55, 3.95e-3, 3.72e-3),
]


@pytest.mark.parametrize(("user_bytes", "correctable", "client", "enterprise"), CODES)
def test_codes_keep_their_promise_up_to_the_known_rates(
    user_bytes: int, correctable: int, client: float, enterprise: float
) -> None:
    assert codes.raw_error_ratio_for(1e-15, user_bytes, correctable) == pytest.approx(client, rel=0.03)
    assert codes.raw_error_ratio_for(1e-16, user_bytes, correctable) == pytest.approx(enterprise, rel=0.03)


def test_hetzler_s_published_rate_is_met() -> None:
    assert codes.raw_error_ratio_for(1e-15, 512, 15) == pytest.approx(3.4e-4, rel=0.02)


@given(st.floats(1e-6, 0.3), st.integers(1, 60), st.integers(0, 12))
def test_the_tail_is_the_sum_of_the_binomial(rate: float, bits: int, correctable: int) -> None:
    correctable = min(correctable, bits - 1)
    terms = [math.comb(bits, k) * rate**k * (1 - rate) ** (bits - k) for k in range(correctable + 1, bits + 1)]
    assert codes.uncorrectable_probability(rate, bits, correctable) == pytest.approx(math.fsum(terms), rel=1e-9)


@given(st.floats(1e-4, 0.05), st.integers(2, 60), st.floats(0.1, 0.9))
def test_the_tail_of_codewords_that_differ_is_the_sum_over_their_rates(rate: float, bits: int, spread: float) -> None:
    both = (1 - rate) / (rate * spread**2) - 1
    alpha, beta = rate * both, (1 - rate) * both

    def chance(wrong: int) -> float:
        logs = [math.lgamma(wrong + alpha), math.lgamma(bits - wrong + beta), -math.lgamma(bits + alpha + beta)]
        whole = math.lgamma(alpha) + math.lgamma(beta) - math.lgamma(alpha + beta)
        return math.comb(bits, wrong) * math.exp(math.fsum(logs) - whole)

    tail = 1 - math.fsum(chance(wrong) for wrong in range(2))
    assert codes.overdispersed_probability(rate, bits, 1, spread) == pytest.approx(tail, rel=1e-6, abs=1e-7)
    # Two of two bits: the mean of the squared rate, p^2 (1 + cv^2).
    both_wrong = rate**2 * (1 + spread**2)
    assert codes.overdispersed_probability(rate, 2, 1, spread) == pytest.approx(both_wrong, rel=1e-6)


def test_codewords_that_differ_are_lost_more_often_and_alike_ones_as_the_binomial_says() -> None:
    alike = codes.uncorrectable_probability(1e-3, 4200, 15)
    assert codes.overdispersed_probability(1e-3, 4200, 15, 1e-4) == pytest.approx(alike, rel=1e-3)
    assert codes.overdispersed_probability(1e-3, 4200, 15, 0.5) > 100 * alike


def test_a_read_fails_when_one_of_its_codewords_does() -> None:
    assert codes.read_failure_probability(0.1, 1) == pytest.approx(0.1)
    assert codes.read_failure_probability(0.1, 3) == pytest.approx(1 - 0.9**3)
    assert codes.read_failure_probability(1e-18, 8) == pytest.approx(8e-18)


def test_a_codeword_holds_its_parity() -> None:
    assert codes.code_bits(512, 15) == 4096 + 15 * 13
    assert codes.code_bits(1024, 24) == 8192 + 24 * 14


def test_a_year_at_room_temperature_in_hours_of_bake() -> None:
    # HotStorage'21 prints 97.65, 11.16, 1.61 and 0.28.
    hours = [8760 / temperature.acceleration(25, stress) for stress in (60, 80, 100, 120)]
    assert hours == pytest.approx([97.5, 11.13, 1.604, 0.2815], rel=0.001)


@pytest.mark.parametrize(
    ("hours", "stress", "use", "days"), [(96, 66, 40, 91), (96, 66, 30, 349), (500, 52, 40, 94), (500, 52, 30, 360)]
)
def test_the_bakes_of_the_standard_stand_for_its_requirements(hours: int, stress: int, use: int, days: int) -> None:
    assert hours / 24 * temperature.acceleration(use, stress) == pytest.approx(days, rel=0.01)


def test_acceleration_is_symmetric_and_none_without_energy() -> None:
    assert temperature.acceleration(40, 70) * temperature.acceleration(70, 40) == pytest.approx(1)
    assert temperature.acceleration(40, 100) == pytest.approx(702, rel=0.005)
    assert temperature.acceleration(40, 100, activation_ev=0) == 1


def test_the_presets_meet_their_anchors() -> None:
    mlc, tlc = bit_errors.MLC_3X_NM, bit_errors.TLC_72_LAYERS
    assert mlc.rate(3000) == pytest.approx(3.1e-7, rel=0.02)
    assert mlc.rate(3000, retention_days=365) == pytest.approx(3.4e-4, rel=0.01)
    assert mlc.rate(3000, retention_days=365) / mlc.rate(1) == pytest.approx(2e4, rel=0.01)
    computed = [tlc.rate(0), tlc.rate(1000), tlc.rate(3000), tlc.rate(3000, retention_days=365)]
    assert computed == pytest.approx([1.5e-3, 2.0e-3, 6.7e-3, 1.1e-2], rel=0.04)


def test_values_outside_the_range_are_refused() -> None:
    with pytest.raises(ValueError, match="negative"):
        bit_errors.MLC_3X_NM.rate(-1)
    with pytest.raises(ValueError, match="temperatures"):
        temperature.acceleration(-300, 20)
    with pytest.raises(ValueError, match="no such code"):
        codes.uncorrectable_probability(0.1, 10, 10)
    with pytest.raises(ValueError, match="negative"):
        codes.code_bits(0, 1)
    with pytest.raises(ValueError, match="spread"):
        codes.overdispersed_probability(1e-3, 4200, 4, 0)
    with pytest.raises(ValueError, match="room"):
        codes.overdispersed_probability(0.5, 100, 4, 2.0)
    with pytest.raises(ValueError, match="count"):
        codes.read_failure_probability(0.1, 0)
    with pytest.raises(ValueError, match="uber_limit"):
        codes.raw_error_ratio_for(0, 512, 4)
