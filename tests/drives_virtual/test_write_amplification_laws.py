"""The timed drive agrees with the closed forms for uniform random writes: value, trend and named correction.

Conditions: one pool, 4 KiB units, six drive-fills to reach the steady state, eight measured. Blocks that are kept
free or are being filled are not spare (docs/laws/greedy.md), so the law is taken at the spare factor without them.
"""

from itertools import pairwise

import pytest

from flashscope.laws import write_amplification as law
from flashscope.vocabulary import GcPolicy

from .bench import Bench

WARM_UP_FILLS, MEASURED_FILLS = 6, 8


def steady_state(drive: Bench) -> tuple[float, float]:
    """Measured write amplification, and the spare factor without what the collector keeps."""
    drive.write_randomly(WARM_UP_FILLS)
    rose = drive.write_randomly(MEASURED_FILLS)
    drive.core.check()
    # A collection ends with one block more than the low water mark, which is taken at once; the two blocks that
    # are being filled are half full on average.
    kept, geometry = drive.configuration["gc"]["low_water_blocks"], drive.configuration["geometry"]
    spare_left = law.effective_spare_factor(
        geometry["blocks_per_plane"], drive.user_units, geometry["pages_per_block"], free_blocks=kept, open_blocks=1
    )
    return (rose["host_programmed_pages"] + rose["gc_programmed_pages"]) / rose["host_programmed_pages"], spare_left


@pytest.mark.parametrize("spare", [0.07, 0.10, 0.20])
@pytest.mark.parametrize("pages", [64, 128])
@pytest.mark.parametrize("policy", ["greedy", "fifo"])
def test_greedy_and_fifo_are_within_one_per_cent_of_their_laws(policy: GcPolicy, pages: int, spare: float) -> None:
    measured, spare_left = steady_state(Bench(blocks=131_072 // pages, pages=pages, spare=spare, policy=policy))
    expected = law.greedy(spare_left, pages) if policy == "greedy" else law.fifo(spare_left)
    assert measured == pytest.approx(expected, rel=0.01)


@pytest.mark.parametrize(("policy", "choices", "tolerance"), [("d-choices", 10, 0.01), ("random", 1, 0.03)])
def test_drawn_victims_follow_their_laws(policy: GcPolicy, choices: int, tolerance: float) -> None:
    measured, spare_left = steady_state(Bench(blocks=2048, pages=64, spare=0.10, policy=policy, choices=choices))
    expected = law.d_choices(spare_left, 64, choices) if choices > 1 else law.random_victim(spare_left)
    assert measured == pytest.approx(expected, rel=tolerance)


def test_smaller_blocks_amplify_less_under_greedy_and_not_under_fifo() -> None:
    def at(policy: GcPolicy, pages: int) -> float:
        return steady_state(Bench(blocks=65_536 // pages, pages=pages, spare=0.10, policy=policy))[0]

    assert at("greedy", 16) < at("greedy", 64) < at("fifo", 64)
    assert at("fifo", 16) == pytest.approx(at("fifo", 64), rel=0.02)


def test_the_gap_to_the_infinite_drive_shrinks_as_the_drive_grows() -> None:
    def gap(blocks: int) -> float:
        measured, _ = steady_state(Bench(blocks=blocks, pages=64, spare=0.10, policy="greedy"))
        return measured / law.greedy(0.10, 64) - 1

    gaps = [gap(blocks) for blocks in (64, 128, 256, 512)]
    assert gaps == sorted(gaps, reverse=True), gaps
    for larger, smaller in pairwise(gaps):
        assert smaller / larger == pytest.approx(0.5, abs=0.15), f"as 1/blocks: {gaps}"


def test_blocks_kept_free_are_not_spare() -> None:
    for low_water in (1, 32, 100):
        measured, spare_left = steady_state(Bench(blocks=2048, pages=64, spare=0.10, low_water=low_water))
        assert measured == pytest.approx(law.greedy(spare_left, 64), rel=0.01), f"{low_water} blocks kept free"


def test_the_same_seed_and_jobs_give_the_same_counters_and_times() -> None:
    def one() -> tuple[dict[str, int], int]:
        drive = Bench(blocks=128, pages=32, spare=0.1)
        drive.write_randomly(2)
        return drive.core.counters(), drive.core.now_ns

    assert one() == one()
