"""Batches: what they write, that no block comes twice, and that the enterprise mix is what its source says."""

import numpy as np
import pytest

from flashscope.endurance.real.layout import Layout
from flashscope.endurance.real.traffic import (
    JESD219_PLACES,
    JESD219_SIZES,
    PATTERNS,
    Pattern,
    batch_blocks,
    read_requests,
    write_requests,
)

LARGE = Layout.of(64 << 30, 4096, 0.0)


@pytest.mark.parametrize("pattern", PATTERNS)
def test_no_block_comes_twice_in_a_batch_and_static_data_is_left_alone(pattern: Pattern) -> None:
    layout = Layout.of(256 << 20, 4096, 0.5)
    cursor = 0
    for number in range(40):
        made = write_requests(pattern, layout, seed=1, number=number, cursor=cursor, blocks=batch_blocks(layout))
        blocks = made.blocks
        assert len(np.unique(blocks)) == len(blocks)
        assert 0 <= blocks.min() <= blocks.max() < layout.worn_blocks
        cursor = made.cursor


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_batch_is_a_function_of_seed_and_number(pattern: Pattern) -> None:
    def blocks(seed: int, number: int) -> bytes:
        return write_requests(pattern, LARGE, seed=seed, number=number, cursor=9, blocks=500).blocks.tobytes()

    assert blocks(1, 2) == blocks(1, 2)
    if pattern != "sequential":
        assert blocks(1, 2) != blocks(1, 3)
        assert blocks(1, 2) != blocks(2, 2)


def test_writing_in_order_goes_round_and_leaves_nothing_out() -> None:
    layout = Layout.of(32 << 20, 4096, 0.0)
    seen: list[np.ndarray] = []
    cursor = 0
    while sum(len(one) for one in seen) < layout.worn_blocks:
        made = write_requests("sequential", layout, seed=0, number=0, cursor=cursor, blocks=97)
        seen.append(made.blocks)
        cursor = made.cursor
    assert np.concatenate(seen).tolist() == list(range(layout.worn_blocks))
    assert cursor == 0


def test_the_enterprise_mix_has_the_sizes_and_places_of_its_source() -> None:
    made = [write_requests("jesd219", LARGE, seed=3, number=n, cursor=0, blocks=batch_blocks(LARGE)) for n in range(12)]
    counts = np.concatenate([one.counts for one in made])
    places = np.concatenate([one.firsts for one in made]) / LARGE.worn_blocks
    wanted: dict[int, float] = {}
    for size, percent in JESD219_SIZES:
        blocks = -(-size // 4096)
        wanted[blocks] = wanted.get(blocks, 0) + percent / 100
    for blocks, share in wanted.items():
        assert np.mean(counts == blocks) == pytest.approx(share, abs=0.006)
    for share, low, high in JESD219_PLACES:
        assert np.mean((places >= low) & (places < high)) == pytest.approx(share, abs=0.01)
    reads = read_requests(LARGE, seed=3, number=0, writes=6000)
    assert len(reads.firsts) / (len(reads.firsts) + 6000) == pytest.approx(0.40, abs=0.001)
