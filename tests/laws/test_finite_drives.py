"""What open and free blocks take: against the Monte Carlo of science that knows nothing of the derivation."""

from functools import partial

import pytest

from flashscope.laws import write_amplification as law
from flashscope.laws.finite_drives import in_finite_drive, open_blocks_lost

greedy64 = partial(law.greedy, pages_per_block=64)

# Independent Monte Carlo, Sf 0.10, b 64, nothing kept free: one frontier, and host and collector apart.
ONE = {64: 4.895, 128: 4.864, 256: 4.842, 512: 4.831, 1024: 4.825, 2048: 4.822}
TWO = {64: 5.231, 128: 5.026, 256: 4.922, 512: 4.868, 1024: 4.844, 2048: 4.833}


@pytest.mark.parametrize(("frontiers", "simulated"), [(1, ONE), (2, TWO)])
def test_the_corrected_law_is_the_monte_carlo_of_few_blocks(frontiers: int, simulated: dict[int, float]) -> None:
    for blocks, amplification in simulated.items():
        expected = in_finite_drive(greedy64, blocks, 0.9 * blocks * 64, 64, free_blocks=0, frontiers=frontiers)
        assert expected == pytest.approx(amplification, rel=0.0005 + 0.8 / blocks), blocks


@pytest.mark.parametrize(("free", "simulated"), [(0, 4.831), (7, 4.968), (31, 5.526), (63, 6.517), (127, 10.600)])
def test_the_corrected_law_is_the_monte_carlo_of_blocks_kept_free(free: int, simulated: float) -> None:
    expected = in_finite_drive(greedy64, 2048, 0.9 * 2048 * 64, 64, free_blocks=free)
    assert expected == pytest.approx(simulated, rel=0.0015)


def test_the_loss_is_between_a_half_and_one_block_apart_and_under_a_half_together() -> None:
    for amplification in (1.0, 1.5, 5.0, 1e6):
        assert open_blocks_lost(amplification) == pytest.approx(0.5 + open_blocks_lost(amplification, frontiers=1))
        assert 0.5 <= open_blocks_lost(amplification) <= 1
        assert 0 <= open_blocks_lost(amplification, frontiers=1) <= 0.5


def test_the_correction_vanishes_as_the_drive_grows() -> None:
    gaps = [in_finite_drive(law.fifo, n, 0.9 * n * 64, 64, free_blocks=1) / law.fifo(0.1) - 1 for n in (1e3, 1e4, 1e5)]
    assert gaps[0] / gaps[1] == pytest.approx(10, rel=0.05)
    assert gaps[1] / gaps[2] == pytest.approx(10, rel=0.01)


def test_values_outside_the_range_are_refused() -> None:
    for wrong in (0.9, float("nan")):
        with pytest.raises(ValueError, match="write_amplification"):
            open_blocks_lost(wrong)
    with pytest.raises(ValueError, match="frontiers"):
        open_blocks_lost(2.0, frontiers=3)
    with pytest.raises(ValueError, match="no spare"):
        in_finite_drive(law.fifo, 10, 640, 64, free_blocks=1)
