from collections.abc import Sequence

import numpy as np
import pytest

from flashscope.analysis.idle_recovery import recovery

TIRED, RESTED, BURST = 10e6, 100e6, 256e6


def rates(pauses: Sequence[float], delay: float, per_second: float, noise: float = 0.0, seed: int = 1) -> list[float]:
    """Rates of bursts on a drive that makes room from a delay on."""
    room = np.clip((np.asarray(pauses) - delay) * per_second, 0, BURST)
    scatter = np.exp(noise * np.random.default_rng(seed).normal(size=len(pauses)))
    found: list[float] = (BURST / (room / RESTED + (BURST - room) / TIRED) * scatter).tolist()
    return found


PAUSES = [1.15**k for k in range(40)]


@pytest.mark.parametrize(("delay", "per_second"), [(3, 50e6), (3, 5e9), (10, 5e6), (10, 50e6), (60, 5e6), (60, 5e9)])
@pytest.mark.parametrize("noise", [0.0, 0.01])
def test_the_bend_is_found_whatever_the_speed(delay: int, per_second: float, noise: float) -> None:
    found = recovery(PAUSES, rates(PAUSES, delay, per_second, noise), BURST)
    assert found.delay_s == pytest.approx(delay, rel=0.1)
    assert found.low_s <= delay <= found.high_s


@pytest.mark.parametrize("seed", range(50))
def test_noise_alone_is_no_recovery(seed: int) -> None:
    assert recovery(PAUSES, rates(PAUSES, 1e9, 1, 0.02, seed), BURST).delay_s is None


def test_five_bursts_are_too_few() -> None:
    with pytest.raises(ValueError, match="six"):
        recovery([1, 2, 3, 4, 5], [1e6] * 5, BURST)


@pytest.mark.parametrize("delay", [2.2, 17, 90])
def test_reads_at_the_end_of_a_pause_tell_when_slow_work_begins(delay: float) -> None:
    waits = [1e-4 if pause < delay else 5e-3 for pause in PAUSES]
    found = recovery(PAUSES, rates(PAUSES, delay, 0.2e6), BURST, waits)
    assert found.delay_s == pytest.approx(delay, rel=0.1)
    assert found.low_s <= delay <= found.high_s


@pytest.mark.parametrize("place", [5, 20])
def test_one_read_that_hangs_is_no_work_in_idle_time(place: int) -> None:
    waits = [1e-4] * len(PAUSES)
    waits[place] = 5e-3
    assert recovery(PAUSES, rates(PAUSES, 1e9, 1, 0.02), BURST, waits).delay_s is None


def test_bursts_that_take_turns_at_free_blocks_hide_no_beginning_from_reads() -> None:
    turns = np.array([1.0 if index % 3 else 8.0 for index in range(len(PAUSES))])
    speeds = np.where(np.array(PAUSES) < 17, TIRED * turns, RESTED)
    found = recovery(PAUSES, speeds.tolist(), BURST, [1e-4 if pause < 17 else 5e-3 for pause in PAUSES])
    assert found.low_s <= 17 <= found.high_s


def test_gains_that_came_by_chance_before_are_no_sign_of_work_when_they_come_again_just_before_it() -> None:
    pauses = [1.15**number for number in range(40)]
    rates = [38e6 if (number // 3) % 3 else 66e6 for number in range(40)]
    begins = 34
    rates = [66e6 if begins - 3 <= number < begins else rate for number, rate in enumerate(rates)]
    rates = [298e6 if number >= begins else rate for number, rate in enumerate(rates)]
    found = recovery(pauses, rates, 32e6)
    assert found.delay_s is not None
    assert pauses[begins - 1] <= found.delay_s <= pauses[begins]
    assert found.low_s < pauses[begins - 1] < found.high_s


QUICK_PAUSES = [1.4**k for k in range(14)]
"""The third is shorter than 2 s, the fourth is not."""


def test_pauses_that_grow_fast_still_show_work_that_begins_after_two_seconds() -> None:
    waits = [5e-5 if pause < 2 else 1e-4 + 1e-5 * (index % 3) for index, pause in enumerate(QUICK_PAUSES)]
    found = recovery(QUICK_PAUSES, [10e6] * len(QUICK_PAUSES), BURST, waits)
    assert found.low_s <= 2 <= found.high_s
    assert found.delay_s == pytest.approx(2, rel=0.25)


def test_bursts_that_are_all_alike_would_have_shown_a_gain_of_a_tenth() -> None:
    found = recovery(QUICK_PAUSES, [10e6] * len(QUICK_PAUSES), BURST, [1e-4] * len(QUICK_PAUSES))
    assert found.delay_s is None
    assert not found.chance
    assert found.limit_ratio == pytest.approx(1.1)


def test_bursts_that_differ_without_a_pause_tell_nothing_of_small_gains() -> None:
    speeds = [10e6, 10e6, 10e6, 10e6, *[10e6 + 3e6 * (index % 2) for index in range(10)]]
    found = recovery(QUICK_PAUSES, speeds, BURST, [1e-4] * len(QUICK_PAUSES))
    assert found.delay_s is None
    assert found.chance
    wild = [10e6, 6e6, 14e6, 20e6] * 3 + [10e6, 20e6]
    assert recovery(QUICK_PAUSES, wild, BURST).chance


def test_reads_that_wait_a_little_before_the_first_that_wait_long_widen_the_interval() -> None:
    begun = 8  # after 14.8 s; the pause before is 10.5 s, and the work begins after 10 s
    waits = [224e-6] * (begun - 1) + [283e-6] + [20e-3] * (len(QUICK_PAUSES) - begun)
    speeds = [4.17e6] * begun + [4.5e6 * 1.5**index for index in range(len(QUICK_PAUSES) - begun)]
    found = recovery(QUICK_PAUSES, speeds, BURST, waits)
    assert found.low_s <= 10 <= found.high_s
