"""A dump that is being read: the readers fill it in, `finished` makes the `Dump`."""

from __future__ import annotations

from dataclasses import dataclass, field

from flashscope.records.smart_snapshot import SmartAttribute
from flashscope.smart.dump import Dump, PrintedAttribute, Statistic
from flashscope.smart.readers.text import shortened

_LAST_OF_HEALTH_LOG = ("media_errors", "num_err_log_entries")


@dataclass
class Draft:
    """The fields of `Dump`, to be filled in. A second, different value of one thing never overwrites the first."""

    source: str
    format: str
    protocol: str = ""
    model: str = ""
    firmware: str = ""
    serial: str = ""
    family_printed: str = ""
    wwn: str = ""
    user_bytes: int | None = None
    rotation_rpm: int | None = None
    taken_at_s: float | None = None
    attributes: list[SmartAttribute] = field(default_factory=list)
    printed: dict[int, PrintedAttribute] = field(default_factory=dict)
    statistics: list[Statistic] = field(default_factory=list)
    nvme_health: dict[str, int] = field(default_factory=dict)
    vendor_logs: dict[str, dict[str, int]] = field(default_factory=dict)
    pages: dict[str, bytes] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    cut: str = ""

    def tell(self, name: str, value: str | int | float) -> None:
        """Set a plain field; a different later value is added to `unread`, with a remark."""
        known = getattr(self, name)
        if known in (None, ""):
            setattr(self, name, value)
        elif known != value:
            self.remark(f"two values of {name}: {known!r} is kept, {value!r} is not")
            self.unread.append(f"{name}: {value}")

    def health(self, name: str, value: int) -> None:
        """Set a field of the NVMe health log."""
        self._put("NVMe log 02h", self.nvme_health, name, value)

    def log(self, log: str, name: str, value: int) -> None:
        """Set a field of a vendor log."""
        self._put(log, self.vendor_logs.setdefault(log, {}), name, value)

    def _put(self, where: str, fields: dict[str, int], name: str, value: int) -> None:
        known = fields.setdefault(name, value)
        if known != value:
            self.remark(f"two values of {name} in {where}: {known} is kept, {value} is not")
            self.unread.append(f"{where} {name}: {value}")

    def attribute(self, attribute: SmartAttribute, printed: PrintedAttribute) -> None:
        """Add an attribute; of two with one id both are kept, in order, with a remark."""
        if attribute.id in self.printed:
            self.remark(f"attribute {attribute.id} appears more than once; all are kept, the first is believed")
        self.attributes.append(attribute)
        self.printed.setdefault(attribute.id, printed)

    def remark(self, text: str) -> None:
        """Add a remark, once."""
        if text not in self.remarks:
            self.remarks.append(text)

    def breaks_off(self, text: str) -> None:
        """Set where the dump ends too early, in words; only the first call has an effect."""
        self.cut = self.cut or text
        self.remark(text)

    def not_read(self, line: str) -> None:
        """Keep text that looked like data and was not understood."""
        self.unread.append(shortened(line))

    @property
    def holds_anything(self) -> bool:
        """Whether anything about a drive was read."""
        return bool(
            self.attributes
            or self.statistics
            or self.nvme_health
            or self.vendor_logs
            or self.pages
            or self.model
            or self.user_bytes
        )

    def finished(self) -> Dump:
        """The dump."""
        if self.nvme_health and self.nvme_health.keys().isdisjoint(_LAST_OF_HEALTH_LOG):
            self.breaks_off("the health log breaks off before its counts of errors, which every NVMe drive has")
        return Dump(
            source=self.source,
            format=self.format,
            protocol=self.protocol or ("NVMe" if self.nvme_health else "ATA" if self.attributes else ""),
            model=self.model,
            firmware=self.firmware,
            serial=self.serial,
            family_printed=self.family_printed,
            user_bytes=self.user_bytes,
            rotation_rpm=self.rotation_rpm,
            taken_at_s=self.taken_at_s,
            attributes=tuple(self.attributes),
            printed=self.printed,
            statistics=tuple(self.statistics),
            nvme_health=self.nvme_health,
            vendor_logs=self.vendor_logs,
            pages=self.pages,
            remarks=tuple(self.remarks),
            unread=tuple(self.unread),
            wwn=self.wwn,
            cut=self.cut,
        )
