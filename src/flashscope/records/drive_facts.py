"""What is known about a drive before anything is done to it. Drives state it, experiments use it, records keep it.

    identity          address, kind_name, model, firmware, serial
    numbers           user_bytes, sector_bytes, ...; 0 when unknown
    what time costs   `time_cost.py`
    what it can do    `capability.py`, with the drive's own reason for what it cannot do
    more, by where it is: partition, place, device, virtual, members; None or empty where it does not apply

No code asks which kind of drive it is: `kind_name` is a word for people, and a new kind states what it can do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from flashscope.records.capability import Capability
from flashscope.records.doubt import Doubt
from flashscope.records.plain import plain
from flashscope.records.time_cost import PerTimeCost, TimeCost, Value

_CLOCK_LINK_BYTES_PER_SECOND = 8_000_000_000  # PCIe 4.0 with four lanes


@dataclass(frozen=True)
class SeenPart:
    """A drive seen from a later start, or with larger sectors: where it begins on the drive below, and its sectors."""

    offset_bytes: int
    sector_bytes_below: int


@dataclass(frozen=True)
class FilePlace:
    """Where a file or a directory lies.

    drives: names of the block devices below the file system. smart_path: the one of them whose SMART can be read.
    direct_io: requests can bypass the page cache. free_bytes, physical_sector_bytes: 0 when not asked.
    """

    file_system: str
    mount_point: str
    drives: tuple[str, ...] = ()
    path: str = ""
    direct_io: bool = True
    free_bytes: int = 0
    physical_sector_bytes: int = 0
    smart_path: str = ""


@dataclass(frozen=True)
class DeviceFacts:
    """What the system reports about a block device. partition_of: of a partition; backing_file: of a loop device."""

    path: str
    physical_sector_bytes: int
    transport: str = ""
    rotational: bool = False
    partition_of: str = ""
    backing_file: str = ""


@dataclass(frozen=True)
class AgedFacts:
    """The used state that a virtual drive was built in (`drives/addresses/aged_state.py`)."""

    fill_ratio: float
    overwrites: str
    erase_count_mean: int
    erase_count_spread_ratio: float


@dataclass(frozen=True)
class VirtualFacts:
    """What a virtual drive is made of. part_kind: e.g. "ssd", or "stripe". part: empty for a stripe."""

    part_kind: str
    seed: int
    part: str = ""
    smart_layout: str = ""
    aged: AgedFacts | None = None


@dataclass(frozen=True)
class DriveFacts:
    """What is known about a drive before anything is done to it.

    kind_name: what people call such a drive, e.g. "block device". user_bytes: capacity shown to the host.
    sector_bytes: smallest addressable request. rated_pe_cycles, raw_bytes: 0 when unknown.
    why_not: this drive's own reasons for what it cannot do; without one, `Capability.missing` is used.
    file_room_ratio: share of user_bytes that files can have, where there are files.
    link_bytes_per_second: highest possible rate; it bounds work that is limited only by time.
    never_written: built for this run, so that no place of it was ever written.
    when_written: what a run that writes does to the data on the drive; for the plan.
    file_id: of a file, and of the file below a loop device: which one it is, since its name may lead to another one
    later; "" when unknown.
    members: parts of an array, in order.
    warnings: sentences for the reader (e.g. a compressing file system below).
    doubts: those of the warnings that have a kind and a workaround; their messages are among `warnings`.
    """

    address: str
    kind_name: str
    model: str
    firmware: str
    serial: str
    user_bytes: int
    time_cost: TimeCost
    capabilities: frozenset[Capability]
    why_not: Mapping[Capability, str] = field(default_factory=dict)
    sector_bytes: int = 512
    raw_bytes: int = 0
    rated_pe_cycles: int = 0
    file_room_ratio: float = 1.0
    link_bytes_per_second: int = _CLOCK_LINK_BYTES_PER_SECOND
    never_written: bool = False
    when_written: str = "DESTRUCTIVE, everything on the drive is lost"
    warnings: tuple[str, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    partition: SeenPart | None = None
    place: FilePlace | None = None
    device: DeviceFacts | None = None
    virtual: VirtualFacts | None = None
    members: tuple[str, ...] = ()
    file_id: str = ""

    def can(self, capability: Capability) -> bool:
        """True when the drive states that it can."""
        return capability in self.capabilities

    def why_it_cannot(self, capability: Capability) -> str:
        """The clause that says why the drive cannot, "" when it can."""
        return "" if self.can(capability) else self.why_not.get(capability, capability.missing)

    def per_time(self, values: PerTimeCost[Value]) -> Value:
        """The value for what time costs here."""
        return values.at(self.time_cost)

    @property
    def in_virtual_time(self) -> bool:
        """True when its time is virtual: waiting costs nothing, and no host takes part."""
        return self.time_cost is TimeCost.FREE

    @property
    def can_trim(self) -> bool:
        """`Capability.TRIM`."""
        return self.can(Capability.TRIM)

    @property
    def can_secure_erase(self) -> bool:
        """`Capability.SECURE_ERASE`."""
        return self.can(Capability.SECURE_ERASE)

    @property
    def has_smart(self) -> bool:
        """Either form of SMART."""
        return self.can(Capability.SMART_ATTRIBUTES) or self.can(Capability.HEALTH_LOG)

    @property
    def is_rotational(self) -> bool:
        """It has platters, not flash."""
        return not self.can(Capability.SOLID_STATE)

    @property
    def offset_bytes(self) -> int:
        """Where it begins on the drive below [bytes], 0 without an offset."""
        return self.partition.offset_bytes if self.partition else 0

    @property
    def takes_direct_requests(self) -> bool:
        """Requests can bypass the page cache."""
        return self.place is None or self.place.direct_io

    def to_json(self) -> dict[str, Any]:
        """Plain data for the record; `facts_json.py` reads it again."""
        kept: dict[str, Any] = plain(self)
        return kept

    def all_doubts(self) -> list[Doubt]:
        """Every warning as a doubt for the record: typed where it has a kind, else as "DriveWarning"."""
        typed = {doubt.message: doubt for doubt in self.doubts}
        return [typed.get(warning, Doubt("DriveWarning", warning, "")) for warning in self.warnings]
