"""A job: one request stream, in base units, after fio's job language was read and resolved.

The same `Job` is printed back as a fio job file for a real drive (`workloads/fio_text.py`) and handed
as JSON to the virtual-time runner (crates/workload), so both use its field names.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from flashscope.vocabulary import Direction, DistributionKind, RateProcess

ONLY_READS: tuple[Direction, ...] = ("read", "randread")
_READS: tuple[Direction, ...] = (*ONLY_READS, "rw", "randrw")
_WRITES: tuple[Direction, ...] = ("write", "randwrite", "rw", "randrw", "trimwrite", "randtrimwrite")


@dataclass(frozen=True)
class BlockSizes:
    """Request sizes of one kind of request: a weighted list (one entry: a fixed size) or a range.

    weighted: ((size_bytes, weight), ...); weights sum to 100. Empty when `range_bytes` is set.
    range_bytes: (low, high), both included, in steps of low (fio's bsrange).
    align_bytes: grid on which requests start; fio's blockalign, by default the smallest size.
    """

    weighted: tuple[tuple[int, float], ...] = ()
    range_bytes: tuple[int, int] | None = None
    align_bytes: int = 4096

    @property
    def smallest_bytes(self) -> int:
        """The smallest size a request can have [bytes]."""
        return self.range_bytes[0] if self.range_bytes else min(size for size, _ in self.weighted)


@dataclass(frozen=True)
class Distribution:
    """Where random requests go. kind: "uniform", "zipf" (theta), "pareto" (h), "zoned" (zones).

    zones: ((access_share, span_share), ...) in per cent, each summing to 100.
    """

    kind: DistributionKind = "uniform"
    theta: float = 0.0
    zones: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True)
class Job:
    """One request stream.

    span: offset_bytes .. offset_bytes + size_bytes of the drive. size_bytes 0 = to the end of the drive.
    io_bytes: bytes to transfer (fio's io_size); 0 = size_bytes.
    runtime_ns: stop after this time; 0 = no limit. time_based: repeat until runtime_ns is over.
    read_share_ratio: of a mixed stream (rwmixread / 100).
    random_map: True = every block once before any twice (fio without norandommap).
    rate_bytes_per_second, rate_requests_per_second: (read, write, trim), 0 = unlimited.
    rate_process: when requests are due under rate_requests_per_second: "linear", at equal intervals, or "poisson", at
    random with that mean rate (one process for each kind of request).
    thinktime_ns after every thinktime_blocks requests.
    compressible_ratio: share of each buffer that is zeros/repeats (buffer_compress_percentage / 100).
    repeated_ratio: share of the blocks that repeat an earlier block (dedupe_percentage / 100); every virtual drive
        stores them like any others.
    end_fsync: at the end, flush everything to the medium; the job's time includes this.
    group: jobs of one group run together; the next group starts when it is finished (stonewall).
    seed: fio's randseed, mixed with the run's seed.
    """

    name: str
    direction: Direction
    read_sizes: BlockSizes = BlockSizes(weighted=((4096, 100.0),))
    write_sizes: BlockSizes = BlockSizes(weighted=((4096, 100.0),))
    trim_sizes: BlockSizes = BlockSizes(weighted=((4096, 100.0),))
    read_share_ratio: float = 0.5
    offset_bytes: int = 0
    size_bytes: int = 0
    io_bytes: int = 0
    runtime_ns: int = 0
    time_based: bool = False
    queue_depth: int = 1
    random_map: bool = True
    distribution: Distribution = field(default_factory=Distribution)
    rate_bytes_per_second: tuple[int, int, int] = (0, 0, 0)
    rate_requests_per_second: tuple[int, int, int] = (0, 0, 0)
    rate_process: RateProcess = "linear"
    thinktime_ns: int = 0
    thinktime_blocks: int = 1
    compressible_ratio: float = 0.0
    zero_buffers: bool = False
    repeated_ratio: float = 0.0
    end_fsync: bool = False
    group: int = 0
    seed: int = 0

    @property
    def only_reads(self) -> bool:
        """True when it changes nothing on the drive."""
        return self.direction in ONLY_READS

    @property
    def reads(self) -> bool:
        """True when some of its requests read."""
        return self.direction in _READS

    @property
    def writes(self) -> bool:
        """True when some of its requests write; a trim is not a write."""
        return self.direction in _WRITES
