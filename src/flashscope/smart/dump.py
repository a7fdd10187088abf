"""A dump: the complete content of one reading of a drive's SMART, in one form, from any program or page.

    smartctl JSON, smartctl text, nvme-cli, raw pages, a live device, a virtual drive
        --readers/-->  Dump  --recognise, decode-->  Reading  --health-->  conclusions

Nothing is interpreted here and nothing is lost: data that a reader cannot assign goes into `unread`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from flashscope.records.smart_snapshot import SmartAttribute, SmartSnapshot


@dataclass(frozen=True)
class PrintedAttribute:
    """Columns of a printed attribute table besides the twelve bytes of an attribute.

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
    protocol: "ATA", "NVMe", "SCSI" or "" when unknown.
    model, firmware, serial: as printed; empty when unknown. family_printed: the drive's name in the printing program's
        own database; weak evidence, since labels may be wrong.
    user_bytes: capacity shown to the host. rotation_rpm: 0 for a drive that reports no disks; None: unknown.
    taken_at_s: when it was read, seconds since 1970 (UTC); None: unknown.
    attributes: ATA attributes in the order given; `printed` by id. statistics: ATA Device Statistics.
    nvme_health: the fields of NVMe log 02h by nvme-cli's names ("data_units_written", "percent_used",
        "temperature" in kelvin, ...), whole numbers.
    vendor_logs: vendor and OCP pages, by "ocp_c0", "intel_ca", ..., each field -> whole number.
    pages: raw pages that a reader keeps because they hold more than it printed, such as "gp_03" (GP log 03h).
    remarks: in words, notes of the printing program and the drive about the reading itself (exit status, refusals).
    unread: what looked like data and was not understood, with its place.
    wwn: the world wide name as printed (of an NVMe drive: of its first namespace); empty when unknown.
    cut: in words, where the dump ends too early and what is missing; empty when it seems complete.
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
    """A snapshot of a record as a dump: only attributes or health log, model, firmware, capacity and rotation."""
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
