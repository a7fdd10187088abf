"""A dump: all that one reading of a drive's SMART said, in one shape, whatever program or page it came from.

    smartctl JSON, smartctl text, nvme-cli, raw pages, a live device, a virtual drive
        --readers/-->  Dump  --recognise, decode-->  Reading  --health-->  what it means

Nothing is interpreted here and nothing is lost: what a reader sees and cannot place goes into `unread`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from flashscope.records.record import SmartAttribute, SmartSnapshot


@dataclass(frozen=True)
class PrintedAttribute:
    """What a printed attribute table says beside the twelve bytes of an attribute.

    threshold: normalized byte; None when the drive or the program gives none. raw_text: the raw column as printed.
    when_failed: "", "now" or "past". pre_failure: whether the drive calls it a sign of failure.
    """

    threshold: int | None = None
    raw_text: str = ""
    when_failed: str = ""
    pre_failure: bool = False


@dataclass(frozen=True)
class Statistic:
    """One entry of the ATA Device Statistics (log 04h). page, offset_bytes: its place. value: None when not valid.

    normalized: the drive says the value runs from 0 to 100 by its own rule. name: as printed; no meaning is taken
    from it.
    """

    page: int
    offset_bytes: int
    value: int | None
    normalized: bool = False
    name: str = ""


@dataclass(frozen=True)
class Dump:
    """One reading of one drive.

    source: the file, the command or the address it was read from. format: which reader understood it.
    protocol: "ATA", "NVMe", "SCSI" or "" when it cannot be told.
    model, firmware, serial: as printed; empty when not told. family_printed: what the printing program's own
        database calls the drive; evidence at best, since labels lie.
    user_bytes: capacity shown to the host. rotation_rpm: 0 for a drive that says it has no disks; None: not told.
    taken_at_s: when it was read, seconds since 1970 (UTC); None: not told.
    attributes: ATA attributes in the order given; `printed` by id. statistics: ATA Device Statistics.
    nvme_health: the fields of NVMe log 02h by nvme-cli's names ("data_units_written", "percent_used",
        "temperature" in kelvin, ...), whole numbers.
    vendor_logs: vendor and OCP pages, by "ocp_c0", "intel_ca", ..., each field -> whole number.
    pages: raw pages that a reader keeps because they hold more than it printed, such as "gp_03" (GP log 03h).
    remarks: in words, what the printing program and the drive said of the reading itself (exit status, refusals).
    unread: what looked like data and was not understood, with where it stood.
    wwn: the world wide name as printed (of an NVMe drive: of its first namespace); empty when not told.
    cut: in words where the dump breaks off and what is missing; empty when nothing says that it does.
    """

    source: str
    format: str
    protocol: str = ""
    model: str = ""
    firmware: str = ""
    serial: str = ""
    family_printed: str = ""
    user_bytes: int | None = None
    rotation_rpm: int | None = None
    taken_at_s: float | None = None
    attributes: tuple[SmartAttribute, ...] = ()
    printed: Mapping[int, PrintedAttribute] = field(default_factory=dict)
    statistics: tuple[Statistic, ...] = ()
    nvme_health: Mapping[str, int] = field(default_factory=dict)
    vendor_logs: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    pages: Mapping[str, bytes] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    wwn: str = ""
    cut: str = ""

    def attribute(self, id: int) -> SmartAttribute | None:
        """The ATA attribute with this id; None when the drive has none. Of two with one id, the first."""
        return next((one for one in self.attributes if one.id == id), None)

    def statistic(self, page: int, offset_bytes: int) -> int | None:
        """A device statistic's value; None when it is absent or not valid."""
        for one in self.statistics:
            if (one.page, one.offset_bytes) == (page, offset_bytes):
                return one.value
        return None


def dump_of_snapshot(snapshot: SmartSnapshot) -> Dump:
    """The dump a snapshot of a record is: attributes or health log, model, firmware, capacity and rotation; no more."""
    return Dump(
        source=snapshot.source,
        format="snapshot of a record",
        protocol="ATA" if snapshot.attributes else "NVMe" if snapshot.nvme_health else "",
        model=snapshot.model,
        firmware=snapshot.firmware,
        user_bytes=snapshot.user_bytes or None,
        rotation_rpm=snapshot.rotation_rpm,
        attributes=snapshot.attributes,
        nvme_health=snapshot.nvme_health,
    )
