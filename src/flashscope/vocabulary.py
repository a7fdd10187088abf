"""The words that both languages use, as the Rust core spells them. Written by `make docs`; not to be edited.

Each list is stated once, where the core defines what the words mean (`choice!` in crates/); a test holds this file to
the built core. A list that crosses the border as numbers is an enumeration of its codes; any other is a type, so that
a misspelled word is found by mypy.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Literal, get_args

# fmt: off
DriveKind = Literal["ssd", "disk", "hybrid", "memory"]
DRIVE_KIND_NAMES: tuple[DriveKind, ...] = get_args(DriveKind)

SuperblockOf = Literal["drive", "channels"]
SUPERBLOCK_OF_NAMES: tuple[SuperblockOf, ...] = get_args(SuperblockOf)

GcPolicy = Literal["greedy", "fifo", "d-choices", "random", "cost-benefit"]
GC_POLICY_NAMES: tuple[GcPolicy, ...] = get_args(GcPolicy)

GcPacing = Literal["blocking", "spread"]
GC_PACING_NAMES: tuple[GcPacing, ...] = get_args(GcPacing)

MovedData = Literal["apart", "with-host"]
MOVED_DATA_NAMES: tuple[MovedData, ...] = get_args(MovedData)

class GcReason(IntEnum):
    """Codes of `gc_reason`."""

    LOW_WATER = 0
    IDLE = 1
    WEAR_LEVELING = 2
    READ_FAILURE = 3
    REFRESH = 4
    FOLD = 5


GC_REASON_NAMES = tuple(one.name.lower().replace("_", "-") for one in GcReason)

class BlockState(IntEnum):
    """Codes of `block_state`."""

    FREE = 0
    OPEN_FOR_HOST = 1
    OPEN_FOR_GC = 2
    CLOSED = 3
    BAD = 4
    RESERVED = 5
    GROWN_BAD_ERASE = 6
    GROWN_BAD_PROGRAM = 7
    GROWN_BAD_READ = 8


BLOCK_STATE_NAMES = tuple(one.name.lower().replace("_", "-") for one in BlockState)

FreeBlock = Literal["oldest-erased", "least-worn"]
FREE_BLOCK_NAMES: tuple[FreeBlock, ...] = get_args(FreeBlock)

LogBlockAssociation = Literal["block", "full"]
LOG_BLOCK_ASSOCIATION_NAMES: tuple[LogBlockAssociation, ...] = get_args(LogBlockAssociation)

PslcWhenFull = Literal["past", "fold", "reclaim"]
PSLC_WHEN_FULL_NAMES: tuple[PslcWhenFull, ...] = get_args(PslcWhenFull)

Beyond = Literal["wraps", "drops", "zeros"]
BEYOND_NAMES: tuple[Beyond, ...] = get_args(Beyond)

Acknowledge = Literal["buffered", "programmed"]
ACKNOWLEDGE_NAMES: tuple[Acknowledge, ...] = get_args(Acknowledge)

SubUnitWrites = Literal["buffered", "through", "merge-ends"]
SUB_UNIT_WRITES_NAMES: tuple[SubUnitWrites, ...] = get_args(SubUnitWrites)

FlushOrder = Literal["arrival", "sorted"]
FLUSH_ORDER_NAMES: tuple[FlushOrder, ...] = get_args(FlushOrder)

Stall = Literal["until-room", "until-drained"]
STALL_NAMES: tuple[Stall, ...] = get_args(Stall)

EndOfLife = Literal["read-only", "failed"]
END_OF_LIFE_NAMES: tuple[EndOfLife, ...] = get_args(EndOfLife)

Overwrites = Literal["none", "random"]
OVERWRITES_NAMES: tuple[Overwrites, ...] = get_args(Overwrites)

DiskFlushOrder = Literal["arrival", "elevator", "shortest-positioning"]
DISK_FLUSH_ORDER_NAMES: tuple[DiskFlushOrder, ...] = get_args(DiskFlushOrder)

DiskQueueOrder = Literal["arrival", "shortest-positioning"]
DISK_QUEUE_ORDER_NAMES: tuple[DiskQueueOrder, ...] = get_args(DiskQueueOrder)

SmartLayout = Literal[
    "indilinx", "micron", "sandforce", "none", "intel-x25", "intel-sandforce", "samsung-old", "toshiba-hg",
    "jmicron-602", "nvme-health",
]
SMART_LAYOUT_NAMES: tuple[SmartLayout, ...] = get_args(SmartLayout)

CompletionStatus = Literal["done", "out-of-range", "no-free-block", "read-only", "dead", "unreadable", "not-supported"]
COMPLETION_STATUS_NAMES: tuple[CompletionStatus, ...] = get_args(CompletionStatus)

USABLE_BLOCK_STATES = (BlockState.FREE, BlockState.OPEN_FOR_HOST, BlockState.OPEN_FOR_GC, BlockState.CLOSED)

GROWN_BAD_BLOCK_STATES = (BlockState.GROWN_BAD_ERASE, BlockState.GROWN_BAD_PROGRAM, BlockState.GROWN_BAD_READ)

NvmeHealthField = Literal[
    "critical_warning", "avail_spare", "spare_thresh", "percent_used", "data_units_read", "data_units_written",
    "host_read_commands", "host_write_commands", "power_cycles", "power_on_hours", "unsafe_shutdowns",
    "media_errors", "num_err_log_entries",
]
NVME_HEALTH_FIELD_NAMES: tuple[NvmeHealthField, ...] = get_args(NvmeHealthField)

RequestKind = Literal["read", "write", "trim"]
REQUEST_KIND_NAMES: tuple[RequestKind, ...] = get_args(RequestKind)

Direction = Literal[
    "read", "write", "trim", "randread", "randwrite", "randtrim", "rw", "randrw", "trimwrite", "randtrimwrite",
]
DIRECTION_NAMES: tuple[Direction, ...] = get_args(Direction)

DistributionKind = Literal["uniform", "zipf", "pareto", "zoned"]
DISTRIBUTION_KIND_NAMES: tuple[DistributionKind, ...] = get_args(DistributionKind)

RateProcess = Literal["linear", "poisson"]
RATE_PROCESS_NAMES: tuple[RateProcess, ...] = get_args(RateProcess)

WearPattern = Literal["sequential", "random", "mixed"]
WEAR_PATTERN_NAMES: tuple[WearPattern, ...] = get_args(WearPattern)

WearPause = Literal["reached", "working", "read-only", "dead", "no-free-block"]
WEAR_PAUSE_NAMES: tuple[WearPause, ...] = get_args(WearPause)

class TraceOperation(IntEnum):
    """Codes of `trace_operation`."""

    COMPUTE = 0
    READ = 1
    WRITE = 2
    READ_DIRECT = 3
    WRITE_DIRECT = 4
    CHANGE_METADATA = 5
    READ_METADATA = 6
    TRIM = 7
    LOCK_RECORDS = 8


TRACE_OPERATION_NAMES = tuple(one.name.lower().replace("_", "-") for one in TraceOperation)

class TraceMetadata(IntEnum):
    """Codes of `trace_metadata`."""

    JOURNAL = 0
    RECORD = 1
    INDEX = 2
    BITMAP = 3


TRACE_METADATA_NAMES = tuple(one.name.lower().replace("_", "-") for one in TraceMetadata)

SMART_IDS: dict[SmartLayout, tuple[int, ...]] = {
    "indilinx": (1, 9, 12, 184, 195, 196, 197, 198, 199, 200, 201, 202, 203, 204, 205, 206, 207, 208, 209, 211, 212,
        213),
    "micron": (1, 5, 9, 12, 170, 171, 172, 173, 174, 181, 183, 184, 187, 188, 189, 195, 196, 197, 198, 199, 202, 206),
    "sandforce": (5, 9, 12, 171, 172, 174, 177, 181, 182, 187, 194, 195, 196, 201, 204, 230, 231, 233, 234, 241, 242),
    "none": (),
    "intel-x25": (3, 4, 5, 9, 12, 192, 225, 226, 227, 228, 232, 233, 184),
    "intel-sandforce": (5, 9, 12, 170, 171, 172, 174, 184, 187, 192, 225, 226, 227, 228, 232, 233, 241, 242, 249),
    "samsung-old": (9, 12, 175, 176, 177, 178, 179, 180, 181, 182, 183, 187, 195, 198, 199),
    "toshiba-hg": (1, 2, 3, 5, 7, 8, 9, 10, 12, 167, 168, 169, 170, 173, 175, 192, 194, 197, 240),
    "jmicron-602": (12, 9, 194, 229, 232, 233, 234, 235),
    "nvme-health": (),
}
"""The ids of the attributes that a drive of each layout shows, in their order."""
