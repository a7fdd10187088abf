"""A reading: the named numbers of a dump with units, intervals and provenance, and their contradictions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

UNKNOWN = "unknown"
NO_SMART = "no SMART"
PROVENANCES = {
    "verified": "checked against dumps of real drives or a second counter of the same drive",
    "documented": "stated by the maker, a standard or several independent programs",
    "inferred": "follows from how the number moves or from other numbers",
    "assumed": "a guess",
}
"""How certain a meaning is, the most certain first."""


@dataclass(frozen=True)
class Field:
    """One named number. value: in `unit`; low, high: the true number lies between them, in the same unit.

    A counter that counts whole units of 32 MiB is up to one unit low, so its interval is one unit wide.
    provenance: a key of `PROVENANCES`. raw: the number as the drive gave it, None for a number derived from others.
    origin: where it came from ("attribute 241", "Device Statistics 01h:018h", "NVMe log 02h", or the keys it was
    derived from). meaning: one sentence for a person. attribute_id: of an ATA attribute; None otherwise.
    """

    key: str
    value: int | float
    unit: str
    meaning: str
    provenance: str
    low: int | float
    high: int | float
    raw: int | None = None
    origin: str = ""
    attribute_id: int | None = None


@dataclass(frozen=True)
class Contradiction:
    """Two numbers of a drive that cannot both be true. believed: the key of the field that is used, or ""."""

    kind: str
    message: str
    believed: str


@dataclass(frozen=True)
class Reading:
    """The decoded content of one dump. family: a table's name, `UNKNOWN`, or `NO_SMART` when it has no numbers.

    is_flash: False for disks; None when unknown. confidence_ratio: of the family, 0 to 1, with the
    evidence for it in words. fields: key -> field. undecoded: attribute ids that gave no field.
    """

    family: str
    title: str
    is_flash: bool | None
    confidence_ratio: float = 0.0
    evidence: tuple[str, ...] = ()
    fields: Mapping[str, Field] = field(default_factory=dict)
    contradictions: tuple[Contradiction, ...] = ()
    undecoded: tuple[int, ...] = ()

    def value(self, key: str) -> int | float | None:
        """The value of a field; None when the drive does not report it."""
        return self.fields[key].value if key in self.fields else None
