"""Reading back: every block is compared with the map of generations, and a wrong one is reported.

    read a piece -> all stamps at once -> each wrong block alone, twice more -> its kind

A block whose reads differ is unstable, whatever the last read gave: it is recorded as unstable, with the kinds that
were seen. A piece that the drive cannot read is read block by block.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from flashscope.drives.held.direct_file import aligned
from flashscope.endurance.real.block_stamp import Expected, Kind, Stamper, classify
from flashscope.endurance.real.generation_map import UNKNOWN, GenerationMap
from flashscope.endurance.real.layout import Layout
from flashscope.endurance.real.run_state import Intent, add
from flashscope.endurance.real.traffic import sampled_pieces

_PIECE_BYTES = 4 << 20
_SAMPLE_PIECE_BYTES = 256 << 10
_SAMPLE_RATIO, _SAMPLE_LEAST_BYTES = 1 / 64, 64 << 20
_EXAMPLES_MOST = 20
_MORE_READS = 2

OLD, NEW, TORN = "old", "new", "torn"
"""How a block that was in doubt after a crash was found; any other word is a `Kind`, and a fault of the drive."""


class Readable(Protocol):
    """What is verified: anything that reads into a buffer."""

    def read_into(self, buffer: memoryview, offset: int) -> None:
        """Fill the buffer from a place on the drive [bytes]. Raises OSError when the drive cannot."""


@dataclass
class Tally:
    """What a verification found. counts: blocks of each kind. read_bytes: from the drive, more reads included.

    examples: the first wrong blocks, each with kind, address_bytes, expected_generation, seen, wrong_bits.
    """

    counts: dict[str, int] = field(default_factory=dict)
    read_bytes: int = 0
    examples: list[dict[str, Any]] = field(default_factory=list)

    @property
    def checked_blocks(self) -> int:
        """How many blocks were compared with what is expected."""
        return sum(self.counts.values())

    @property
    def wrong_blocks(self) -> int:
        """How many of them were not good."""
        return self.checked_blocks - self.counts.get(Kind.GOOD.value, 0)

    def add(self, other: Tally) -> None:
        """Add another verification."""
        add(self.counts, other.counts)
        self.read_bytes += other.read_bytes
        self.examples = [*self.examples, *other.examples][:_EXAMPLES_MOST]

    def to_json(self) -> dict[str, Any]:
        """Plain data for the journal and the record."""
        return {
            "checked_blocks": self.checked_blocks,
            "wrong_blocks": self.wrong_blocks,
            "counts": dict(self.counts),
            "read_bytes": self.read_bytes,
            "examples": list(self.examples),
        }


class Verifier:
    """Reads blocks of one run back. on_piece: called after each piece with the bytes read since the last call."""

    def __init__(
        self,
        drive: Readable,
        stamper: Stamper,
        layout: Layout,
        generations: GenerationMap,
        on_piece: Callable[[int], None] = lambda read_bytes: None,
    ) -> None:
        self._drive, self._stamper, self._layout, self._generations = drive, stamper, layout, generations
        self._on_piece = on_piece
        self._block_bytes = layout.block_bytes
        self._buffer = aligned(_PIECE_BYTES)
        self._one = aligned(layout.block_bytes)

    def everything(self) -> Tally:
        """All blocks whose contents are known."""
        tally = Tally()
        step = _PIECE_BYTES // self._block_bytes
        for first in range(0, self._layout.blocks, step):
            tally.add(self.stretch(first, min(step, self._layout.blocks - first)))
        return tally

    def sample(self, *, seed: int, checkpoint: int, least_bytes: int = _SAMPLE_LEAST_BYTES) -> Tally:
        """Random pieces: 1/64 of the drive, at least 64 MiB; different ones at each checkpoint."""
        tally = Tally()
        piece = _SAMPLE_PIECE_BYTES // self._block_bytes
        wanted = max(least_bytes, int(self._layout.blocks * self._block_bytes * _SAMPLE_RATIO))
        pieces = max(1, wanted // _SAMPLE_PIECE_BYTES)
        firsts = sampled_pieces(self._layout, seed=seed, checkpoint=checkpoint, piece_blocks=piece, pieces=pieces)
        for first in firsts.tolist():
            tally.add(self.stretch(first, min(piece, self._layout.blocks - first)))
        return tally

    def answers(self, looks: int = 16) -> bool:
        """Whether the drive still reads any of some blocks, spread over it."""
        spread = np.linspace(0, self._layout.blocks - 1, looks).astype(int).tolist()
        return any(self._read_one(block) is not None for block in spread)

    def stretch(self, first: int, count: int) -> Tally:
        """Consecutive blocks, up to 4 MiB; blocks with unknown contents are read but not counted."""
        tally = Tally()
        expected = self._generations.known(slice(first, first + count))
        if not expected.any():
            return tally
        blocks = np.arange(first, first + count)
        view = self._buffer[: count * self._block_bytes]
        arrived = self._read_piece(view, first)
        good = self._stamper.good(view, self._addresses(blocks), expected) & arrived
        tally.read_bytes += len(view)
        tally.counts[Kind.GOOD.value] = int(np.count_nonzero(good & (expected > 0)))
        for block in blocks[~good & (expected > 0)].tolist():
            tally.add(self._look_closely(block, int(expected[block - first])))
        self._on_piece(tally.read_bytes)
        return tally

    def in_doubt(self, intent: Intent) -> tuple[dict[str, int], np.ndarray, np.ndarray, np.ndarray]:
        """Look at the blocks of a write that a crash cut short.

        Returns (blocks of each outcome, blocks whose entry in the map changes, their entries, those of them that are
        torn and must be written again: until then what they hold is unknown). Old and new are both right there, and so
        is a torn block: none of it was acknowledged.
        """
        found: dict[str, int] = {}
        blocks = intent.blocks
        before = self._generations.known(blocks)
        outcomes = [
            self._outcome(block, int(before[place]), int(intent.generations[place]))
            for place, block in enumerate(blocks.tolist())
        ]
        for outcome in outcomes:
            add(found, {outcome: 1})
        torn = np.array([outcome == TORN for outcome in outcomes])
        settled = torn | np.array([outcome == NEW for outcome in outcomes])
        entries = np.where(torn, intent.generations | UNKNOWN, intent.generations)
        return found, blocks[settled], entries[settled], blocks[torn]

    def _outcome(self, block: int, before: int, after: int) -> str:
        address = self._layout.offset_bytes(block)
        data = self._read_one(block)
        kind = Kind.UNREADABLE if data is None else classify(data, Expected(self._stamper.drive_id, address, after))
        if kind is Kind.GOOD:
            return NEW
        if before == 0:
            return OLD  # whatever was there before this run
        if data is not None and classify(data, Expected(self._stamper.drive_id, address, before)) is Kind.GOOD:
            return OLD
        if kind in (Kind.CORRUPTED, Kind.UNREADABLE):
            return TORN
        return kind.value

    def _look_closely(self, block: int, generation: int) -> Tally:
        address = self._layout.offset_bytes(block)
        expected = Expected(self._stamper.drive_id, address, generation)
        reads = [self._read_one(block) for _ in range(1 + _MORE_READS)]
        kinds = [Kind.UNREADABLE if data is None else classify(data, expected) for data in reads]
        # It was wrong in the read of the piece, so a good read now differs from that one.
        differs = len(set(reads)) > 1 or Kind.GOOD in kinds
        kind = Kind.UNSTABLE if differs else kinds[0]
        example: dict[str, Any] = {
            "kind": kind.value,
            "address_bytes": address,
            "expected_generation": generation,
            "seen": [seen.value for seen in kinds],
        }
        if kind is Kind.CORRUPTED and reads[0] is not None:
            example["wrong_bits"] = self._stamper.wrong_bits(reads[0], expected)
        return Tally({kind.value: 1}, len(reads) * self._block_bytes, [example])

    def _read_piece(self, view: memoryview, first: int) -> np.ndarray:
        """Read blocks in a row: at once, or one by one when the drive cannot. Returns which of them arrived."""
        size = self._block_bytes
        arrived = np.ones(len(view) // size, dtype=bool)
        try:
            self._drive.read_into(view, self._layout.offset_bytes(first))
        except OSError:
            for place in range(len(arrived)):
                try:
                    self._drive.read_into(
                        view[place * size : (place + 1) * size], self._layout.offset_bytes(first + place)
                    )
                except OSError:
                    arrived[place] = False
        return arrived

    def _read_one(self, block: int) -> bytes | None:
        try:
            self._drive.read_into(self._one, self._layout.offset_bytes(block))
        except OSError:
            return None
        return bytes(self._one)

    def _addresses(self, blocks: np.ndarray) -> np.ndarray:
        return self._layout.offset_bytes(0) + blocks * self._block_bytes
