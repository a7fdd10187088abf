"""The chunk of an array that a block device is: md by sysfs. 0 for a device that is no array, or has no chunks."""

from __future__ import annotations

from pathlib import Path


def array_chunk_bytes(name: str, sysfs: Path = Path("/sys/class/block")) -> int:
    """The chunk of the array with that kernel name [bytes]; 0 where it is none."""
    try:
        text = (sysfs / name / "md" / "chunk_size").read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return 0
    return int(text) if text.isdigit() else 0
