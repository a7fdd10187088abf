"""Facts of a drive in the layout of old records, without capabilities: "kind", four booleans, a dictionary "extra".

    {"kind": "virtual", "can_trim": true, "extra": {"kind": "ssd", "seed": 7}}
 -> {"kind_name": "virtual drive", "time_cost": "free", "capabilities": ["bare", "trim", ...], "virtual": {...}}

There were four kinds: virtual, block device, file, directory. This file lists what each could do, as programs of that
time assumed. The record itself is not changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_VIRTUAL, _DEVICE, _DIRECTORY = "virtual", "block device", "directory"
_SMALLEST_WITH_FILES_BYTES = 64 << 20
_VIRTUAL_LINK_BYTES_PER_SECOND = 600_000_000
_SEEN = {"partition_offset_bytes": "offset_bytes", "sector_bytes_below": "sector_bytes_below"}


def is_older(kept: Mapping[str, Any]) -> bool:
    """True for facts of that layout."""
    return "kind" in kept


def newer(kept: Mapping[str, Any]) -> dict[str, Any]:
    """The same facts in the current layout."""
    kind, extra = str(kept["kind"]), dict(kept.get("extra") or {})
    virtual = kind == _VIRTUAL
    facts = {
        **kept,
        "kind_name": "virtual drive" if virtual else kind,
        "time_cost": {_VIRTUAL: "free", _DEVICE: "own"}.get(kind, "shared"),
        "capabilities": [
            *(["bare"] if kind in (_VIRTUAL, _DEVICE) else []),
            *([] if kept.get("is_rotational") else ["solid state"]),
            *(["trim"] if kept.get("can_trim") else []),
            *(["secure erase"] if kept.get("can_secure_erase") else []),
            *(_smart(kept, extra, virtual=virtual)),
            *(_only_virtual(kept, extra) if virtual else []),
            *(["files"] if kind == _DIRECTORY else []),
            *(["volumes"] if kind == _DIRECTORY and not extra.get("why_no_volumes") else []),
        ],
    }
    if extra.get("why_no_volumes"):
        facts["why_not"] = {"volumes": extra["why_no_volumes"]}
    if "partition_offset_bytes" in extra:
        facts["partition"] = {new: int(extra.get(old, 0)) for old, new in _SEEN.items()}
    return facts | (_virtual(kept, extra) if virtual else _real(kind, extra))


def _smart(kept: Mapping[str, Any], extra: Mapping[str, Any], *, virtual: bool) -> list[str]:
    if not kept.get("has_smart"):
        return []
    nvme = extra.get("transport") == "nvme" or extra.get("smart_layout") == "nvme-health"
    counts = not virtual or extra.get("smart_layout") == "indilinx"
    return ["health log" if nvme else "SMART attributes", *(["error bits"] if counts else [])]


def _only_virtual(kept: Mapping[str, Any], extra: Mapping[str, Any]) -> list[str]:
    files = int(kept.get("user_bytes", 0)) >= _SMALLEST_WITH_FILES_BYTES
    return [
        *(["files"] if files else []),
        *(["volumes"] if files and kept.get("sector_bytes", 512) == 512 else []),
        *(["laid out"] if kept.get("can_secure_erase") else []),
        *(["members"] if len(extra.get("parts", ())) > 1 else []),
        *(["glass"] if extra.get("kind") == "ssd" else []),
    ]


def _virtual(kept: Mapping[str, Any], extra: Mapping[str, Any]) -> dict[str, Any]:
    part_kind = str(extra.get("kind", ""))
    return {
        "file_room_ratio": 0.75,
        "link_bytes_per_second": _VIRTUAL_LINK_BYTES_PER_SECOND,
        "never_written": part_kind == "ssd" and "aged" not in extra,
        "members": extra.get("parts", ()),
        "virtual": {
            "part_kind": part_kind,
            "seed": int(extra.get("seed", 0)),
            "part": extra.get("part", ""),
            "smart_layout": extra.get("smart_layout", ""),
            "aged": extra.get("aged"),
        },
    }


def _real(kind: str, extra: Mapping[str, Any]) -> dict[str, Any]:
    if kind != _DEVICE:
        return {"place": {"file_system": "", "mount_point": "", **extra}}
    return {"device": {"path": "", "physical_sector_bytes": 0, **extra}}
