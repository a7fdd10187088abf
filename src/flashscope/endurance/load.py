"""The load that wears the drive: the same kind of writes all the time (crates/workload, `wear/load.rs`)."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from flashscope.vocabulary import WearPattern

KIB = 1024


@dataclass(frozen=True)
class WearLoad:
    """A load. pattern: where writes go; "mixed" is half of the bytes each way. static_ratio: share of the space whose
    data is never written again. Sizes in bytes."""

    pattern: WearPattern = "sequential"
    sequential_block_bytes: int = 128 * KIB
    random_block_bytes: int = 4 * KIB
    queue_depth: int = 8
    static_ratio: float = 0.0

    def to_json(self) -> str:
        """As the core takes it."""
        return json.dumps(asdict(self))
