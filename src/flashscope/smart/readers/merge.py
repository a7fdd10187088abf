"""Joins neighbouring dumps of one moment: health log, OCP log, Intel log of one drive.

Two dumps are joined when they have no data in common and their times do not differ.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from flashscope.smart.dump import Dump

_PLAIN = (
    "protocol", "model", "firmware", "serial", "family_printed", "user_bytes", "rotation_rpm", "taken_at_s", "wwn",
)  # fmt: skip


def merged(dumps: Iterable[Dump]) -> tuple[Dump, ...]:
    """The dumps; neighbours that complete each other are joined."""
    together: list[Dump] = []
    for dump in dumps:
        if together and _complete(together[-1], dump):
            together[-1] = both(together[-1], dump)
        else:
            together.append(dump)
    return tuple(together)


def _complete(one: Dump, other: Dump) -> bool:
    if one.attributes or other.attributes or one.statistics or other.statistics:
        return False
    if (one.nvme_health and other.nvme_health) or one.vendor_logs.keys() & other.vendor_logs.keys():
        return False
    return all(
        getattr(one, name) in (None, "")
        or getattr(other, name) in (None, "")
        or getattr(one, name) == getattr(other, name)
        for name in _PLAIN
    )


def both(one: Dump, other: Dump) -> Dump:
    """One dump with the data of two dumps of one drive; where both have a value, it is the first dump's."""
    told = {
        name: getattr(one, name) if getattr(one, name) not in (None, "") else getattr(other, name) for name in _PLAIN
    }
    return replace(
        one,
        **told,
        format=one.format if one.format == other.format else f"{one.format}, {other.format}",
        attributes=one.attributes or other.attributes,
        printed=one.printed or other.printed,
        statistics=one.statistics or other.statistics,
        nvme_health=one.nvme_health or other.nvme_health,
        vendor_logs={**other.vendor_logs, **one.vendor_logs},
        pages={**other.pages, **one.pages},
        remarks=(*one.remarks, *(remark for remark in other.remarks if remark not in one.remarks)),
        unread=(*one.unread, *other.unread),
        cut=one.cut or other.cut,
    )
