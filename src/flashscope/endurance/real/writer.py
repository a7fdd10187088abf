"""Sends the writes of a run, each through the ledger: intend, write, flush, done.

One entry of the journal states that a write is done and that the next is about to be sent, so a batch costs one fsync
of the store's disk and one flush of the drive.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from flashscope.drives.held.direct_file import DirectFile, aligned
from flashscope.endurance.real.block_stamp import Stamper
from flashscope.endurance.real.layout import HEAD_BYTES, Layout
from flashscope.endurance.real.ledger import Ledger
from flashscope.endurance.real.run_state import Intent
from flashscope.endurance.real.traffic import Requests

_ALIGNED_BYTES = 4096
BLANKED_BYTES = 2 * HEAD_BYTES
"""What `Writer.blank_ends` writes [bytes]."""


class WriteFailed(Exception):
    """The drive did not take a write; its intent stays in the journal. error: from the system."""

    def __init__(self, error: OSError) -> None:
        super().__init__(error.strerror)
        self.error = error


class Writer:
    """Writes stamped blocks. now_ns: the run's time at work [ns]."""

    def __init__(
        self, drive: DirectFile, stamper: Stamper, layout: Layout, ledger: Ledger, now_ns: Callable[[], int]
    ) -> None:
        self._drive, self._stamper, self._layout, self._ledger = drive, stamper, layout, ledger
        self._now_ns = now_ns
        self._buffer = aligned(layout.block_bytes)

    def intent_of(self, kind: str, requests: Requests) -> Intent:
        """The intent to write these requests next."""
        blocks = requests.blocks
        size = len(blocks) * self._layout.block_bytes
        generations = self._ledger.next_generations(blocks)
        return Intent(kind, size, requests.cursor, requests.firsts, requests.counts, generations)

    def send(self, intent: Intent) -> None:
        """Write the intended blocks, and flush. Raises WriteFailed."""
        size = self._layout.block_bytes
        blocks = intent.blocks
        if len(self._buffer) < len(blocks) * size:
            self._buffer = aligned(len(blocks) * size)
        view = self._buffer[: len(blocks) * size]
        addresses = self._layout.offset_bytes(0) + blocks * size
        self._stamper.fill(view, addresses, intent.generations)
        places = [
            (self._layout.offset_bytes(first), count * size)
            for first, count in zip(intent.firsts.tolist(), intent.counts.tolist(), strict=True)
        ]
        try:
            self._drive.write(view, places)
            self._drive.flush()
        except OSError as error:
            raise WriteFailed(error) from error

    def acknowledge(self, next_intent: Intent | None = None, *, written_bytes: int | None = None) -> None:
        """What was sent is done; and the next is about to be sent. written_bytes: by default all that was intended."""
        under_way = self._ledger.state.intent
        assert under_way is not None, "nothing was sent"
        written = under_way.most_bytes if written_bytes is None else written_bytes
        self._ledger.done(written_bytes=written, elapsed_ns=self._now_ns(), next_intent=next_intent)

    def repair(self, blocks: np.ndarray, room_bytes: int) -> None:
        """Write blocks again whose last write was torn. room_bytes: the most that may be written. Raises WriteFailed.

        Blocks beyond that stay unknown and are not verified.
        """
        blocks = blocks[: max(0, room_bytes) // self._layout.block_bytes]
        if not len(blocks):
            return
        ones = np.ones(len(blocks), dtype=np.int64)
        intent = self.intent_of("repair", Requests(np.sort(blocks), ones, self._ledger.state.cursor))
        self._ledger.intend(intent)
        self.send(intent)
        self.acknowledge()

    def blank_ends(self, user_bytes: int) -> None:
        """Zeros over the head and the last MiB, where partition tables and file systems are recognised."""
        none = np.zeros(0, dtype=np.int64)
        self._ledger.intend(Intent("blank", BLANKED_BYTES, 0, none, none, none.astype(np.uint32)))
        zeros = aligned(HEAD_BYTES)
        try:
            self._drive.write(zeros, [(0, HEAD_BYTES)])
            self._drive.write(zeros, [(user_bytes // _ALIGNED_BYTES * _ALIGNED_BYTES - HEAD_BYTES, HEAD_BYTES)])
            self._drive.flush()
        except OSError as error:
            raise WriteFailed(error) from error
        self._ledger.blanked(elapsed_ns=self._now_ns())
