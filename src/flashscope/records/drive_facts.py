"""What is known of a drive before anything is done to it. Drives state it, experiments ask it, records keep it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from flashscope.records.doubt import Doubt


@dataclass(frozen=True)
class DriveFacts:
    """What is known of a drive before anything is done to it.

    kind: "virtual", "file", "directory" or "block device".
    user_bytes: capacity shown to the host. sector_bytes: smallest addressable request.
    rated_pe_cycles, raw_bytes: 0 when unknown.
    can_trim, can_secure_erase, has_smart: which steps it can take. is_rotational: it has platters, not flash.
    warnings: sentences for the reader (e.g. a compressing file system below).
    doubts: those of the warnings that have a kind and a way round; their messages are among `warnings`.
    """

    address: str
    kind: str
    model: str
    firmware: str
    serial: str
    user_bytes: int
    sector_bytes: int = 512
    raw_bytes: int = 0
    rated_pe_cycles: int = 0
    can_trim: bool = False
    can_secure_erase: bool = False
    has_smart: bool = False
    is_rotational: bool = False
    warnings: tuple[str, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    extra: dict[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Plain data for the record."""
        return asdict(self)

    def all_doubts(self) -> list[Doubt]:
        """Every warning as a doubt for the record: typed where it has a kind, else as "DriveWarning"."""
        typed = {doubt.message: doubt for doubt in self.doubts}
        return [typed.get(warning, Doubt("DriveWarning", warning, "")) for warning in self.warnings]
