"""The requests of one batch: they depend on pattern, seed, batch number, and where the last sequential batch ended.

    sequential   one range; it continues through the worn space and starts again at its end
    random       single blocks, uniform
    mixed        half of the bytes each way
    jesd219      the enterprise mix: sizes and places below, and 40 % of the requests are reads

No block is written twice within a batch, so that afterwards its generation is one number: a request that meets a block
of its own batch is left out. Batches are at most 1/256 of the worn space, so at most about 1 request in 25 is.

Of JESD219's requests 10 % are smaller than 4 KiB. Here they have one block, since less than a block has no stamp.
Source of the mix: JESD219 (2010), as described in SNIA's CBW: sizes and places in the two tables.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from flashscope.endurance.real.layout import Layout
from flashscope.vocabulary import WEAR_PATTERN_NAMES, WearPattern

Pattern = WearPattern | Literal["jesd219"]
PATTERNS: tuple[Pattern, ...] = (*WEAR_PATTERN_NAMES, "jesd219")

JESD219_SIZES = (
    *((512, 4), (1024, 1), (1536, 1), (2048, 1), (2560, 1), (3072, 1), (3584, 1)),
    *((4096, 67), (8192, 10), (16384, 7), (32768, 3), (65536, 3)),
)
"""(request size [bytes], share of requests [per cent])."""
JESD219_PLACES = ((0.50, 0.00, 0.05), (0.30, 0.05, 0.20), (0.20, 0.20, 1.00))
"""(share of requests, from, to [shares of the space])."""
JESD219_READ_RATIO = 0.40

_BATCH_MOST_RATIO = 1 / 256
_BATCH_MOST_BYTES = 64 << 20
_BATCH_LEAST_BYTES = 64 << 10
_STREAM_WRITES, _STREAM_READS, _STREAM_SAMPLES = 1, 2, 3


@dataclass(frozen=True)
class Requests:
    """Requests in the order they are sent. firsts, counts: first block and number of blocks of each.

    cursor: where the next stretch in order begins [block].
    """

    firsts: np.ndarray
    counts: np.ndarray
    cursor: int

    @property
    def blocks(self) -> np.ndarray:
        """Every block, in the order of the requests."""
        return blocks_of(self.firsts, self.counts)


def blocks_of(firsts: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """All blocks of stretches, one after another."""
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    blocks: np.ndarray = np.arange(total, dtype=np.int64) + np.repeat(firsts.astype(np.int64) - (ends - counts), counts)
    return blocks


def batch_blocks(layout: Layout) -> int:
    """How many blocks a batch has; this many are in doubt after a crash."""
    wanted = min(_BATCH_MOST_BYTES, max(_BATCH_LEAST_BYTES, int(layout.worn_bytes * _BATCH_MOST_RATIO)))
    return max(1, min(wanted // layout.block_bytes, layout.worn_blocks))


def fill_requests(layout: Layout, cursor: int) -> Requests:
    """The next batch of the first writing of all blocks, static ones included, in order."""
    count = min(max(batch_blocks(layout), (4 << 20) // layout.block_bytes), layout.blocks - cursor)
    return Requests(np.array([cursor]), np.array([count]), cursor + count)


def write_requests(pattern: Pattern, layout: Layout, *, seed: int, number: int, cursor: int, blocks: int) -> Requests:
    """The writes of batch `number`, about `blocks` blocks of them."""
    chance = np.random.default_rng([seed, _STREAM_WRITES, number])
    match pattern:
        case "sequential":
            return _in_order(layout, cursor, blocks)
        case "random":
            drawn = chance.integers(0, layout.worn_blocks, blocks)
            return _distinct(drawn, np.ones(blocks, dtype=np.int64), cursor, np.zeros(0, dtype=np.int64))
        case "mixed":
            ordered = _in_order(layout, cursor, max(1, blocks // 2))
            drawn = chance.integers(0, layout.worn_blocks, max(1, blocks - blocks // 2))
            ones = np.ones(len(drawn), dtype=np.int64)
            apart = _distinct(drawn, ones, ordered.cursor, ordered.blocks)
            firsts = np.concatenate([ordered.firsts, apart.firsts])
            return Requests(firsts, np.concatenate([ordered.counts, apart.counts]), ordered.cursor)
        case "jesd219":
            firsts, counts = _jesd219(layout, chance, blocks)
            return _distinct(firsts, counts, cursor, np.zeros(0, dtype=np.int64))


def read_requests(layout: Layout, *, seed: int, number: int, writes: int) -> Requests:
    """The reads that belong to so many writes of the enterprise mix; each is verified."""
    chance = np.random.default_rng([seed, _STREAM_READS, number])
    count = round(writes * JESD219_READ_RATIO / (1 - JESD219_READ_RATIO))
    firsts, counts = _jesd219(layout, chance, count * 16)
    return Requests(firsts[:count], counts[:count], 0)


def sampled_pieces(layout: Layout, *, seed: int, checkpoint: int, piece_blocks: int, pieces: int) -> np.ndarray:
    """First blocks of pieces to read at a checkpoint, in order, each once: shape (up to `pieces`,)."""
    chance = np.random.default_rng([seed, _STREAM_SAMPLES, checkpoint])
    places = -(-layout.blocks // piece_blocks)
    taken: np.ndarray = np.sort(chance.choice(places, size=min(pieces, places), replace=False)) * piece_blocks
    return taken


def _in_order(layout: Layout, cursor: int, blocks: int) -> Requests:
    begin = cursor % layout.worn_blocks
    count = min(blocks, layout.worn_blocks - begin)
    return Requests(np.array([begin]), np.array([count]), (begin + count) % layout.worn_blocks)


def _jesd219(layout: Layout, chance: np.random.Generator, blocks: int) -> tuple[np.ndarray, np.ndarray]:
    """Requests of the mix, of about so many blocks together."""
    shares = np.array([share for _, share in JESD219_SIZES], dtype=float) / 100
    sizes = np.array([-(-size // layout.block_bytes) for size, _ in JESD219_SIZES])
    count = max(1, round(blocks / float(shares @ sizes)))
    counts = np.minimum(chance.choice(sizes, size=count, p=shares), layout.worn_blocks)
    region = chance.choice(len(JESD219_PLACES), size=count, p=[share for share, _, _ in JESD219_PLACES])
    low = np.array([begin for _, begin, _ in JESD219_PLACES])[region]
    high = np.array([end for _, _, end in JESD219_PLACES])[region]
    firsts = ((low + (high - low) * chance.random(count)) * layout.worn_blocks).astype(np.int64)
    return np.minimum(firsts, layout.worn_blocks - counts), counts


def _distinct(firsts: np.ndarray, counts: np.ndarray, cursor: int, taken: np.ndarray) -> Requests:
    """The requests without those that meet a block of an earlier one, or one of `taken`."""
    if (counts == 1).all():
        _, first_seen = np.unique(firsts, return_index=True)
        kept = firsts[np.sort(first_seen)]
        kept = kept[~np.isin(kept, taken)]
        return Requests(kept, np.ones(len(kept), dtype=np.int64), cursor)
    seen: set[int] = set(taken.tolist())
    keep = []
    for place, (first, count) in enumerate(zip(firsts.tolist(), counts.tolist(), strict=True)):
        wanted = range(first, first + count)
        if seen.isdisjoint(wanted):
            seen.update(wanted)
            keep.append(place)
    return Requests(firsts[keep], counts[keep], cursor)
