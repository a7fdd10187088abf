"""The SMART data of a drive at one moment, exactly as the drive reported it.

Apart from `record.py`, so that a program that only reads dumps loads no numpy.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class SmartAttribute:
    """One ATA SMART attribute exactly as the drive reported it; nothing is decoded or lost.

    value, worst: normalized bytes. raw: the six raw bytes, least significant first.
    name: from the program that read it (may be empty); it is not interpreted.
    """

    id: int
    flags: int
    value: int
    worst: int
    raw: bytes
    name: str = ""


@dataclass(frozen=True)
class SmartSnapshot:
    """The SMART data of a drive at one moment: ATA attributes, or the health log of an NVMe drive.

    elapsed_ns: since the run began (virtual time on a virtual drive).
    source: "virtual drive" or the command that read it.
    model, firmware: as the drive reports them. user_bytes: capacity shown to the host.
    rotation_rpm: of a disk; 0 for a drive that reports that it does not rotate; None: not reported.
    nvme_health: the fields of log 02h by nvme-cli's names; empty for a drive without NVMe.
    """

    elapsed_ns: int
    source: str
    model: str
    firmware: str
    user_bytes: int
    attributes: tuple[SmartAttribute, ...]
    rotation_rpm: int | None = None
    nvme_health: dict[str, int] = field(default_factory=dict)
