"""What a drive or a file carries: partition tables, file systems, memberships of pools.

wipefs reads them from the bytes themselves; udev's data base is not used, since it can be missing or old.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from flashscope.drives.held.held import Held
from flashscope.drives.system.tools import run_json

_POOL_TYPES = frozenset({"bcache", "ceph_bluestore", "drbd"})


@dataclass(frozen=True)
class Signature:
    """One signature. kind: its name as wipefs says it, e.g. "ext4", "gpt", "LVM2_member".

    usage: "filesystem", "raid", "crypto", "partition-table" or "other". where: the device or file that carries it.
    """

    kind: str
    usage: str
    where: str

    @property
    def role(self) -> Literal["partition table", "pool member", "file system"]:
        """Which rule it concerns. Swap areas and encrypted volumes count as file systems: data lies in them."""
        if self.usage == "partition-table":
            return "partition table"
        if self.usage == "raid" or self.kind.endswith("_member") or self.kind in _POOL_TYPES:
            return "pool member"
        return "file system"


def read_signatures(path: Path, held: Held | None = None) -> tuple[Signature, ...] | None:
    """All signatures on a block device or in a file; None when they cannot be read (no wipefs, no permission).

    held: the same device or file, when it is held: then this one is read, wherever the path leads.
    """
    words = ("--no-act", "--json", "--output", "DEVICE,TYPE,USAGE", "--")
    answer = run_json("wipefs", *words, path=held.path if held else path, handles=(held.handle,) if held else ())
    if answer is None:
        return None
    # A GPT is found twice, at both ends of the drive.
    found = dict.fromkeys((entry.get("type"), entry.get("usage")) for entry in answer.get("signatures", ()))
    return tuple(Signature(kind or "unknown", usage or "other", str(path)) for kind, usage in found)
