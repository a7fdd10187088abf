"""Dumps written for the tests: attributes by hand, and drives that fit a family's table without any name."""

from __future__ import annotations

from flashscope.records.smart_snapshot import SmartAttribute
from flashscope.smart.decoding.table import FamilyTable
from flashscope.smart.dump import Dump, Statistic

OLD_AGE = 0x32


def attribute(id: int, raw: int = 0, value: int = 100, flags: int = OLD_AGE) -> SmartAttribute:
    return SmartAttribute(id, flags, value, value, raw.to_bytes(6, "little"))


def words(lowest: int, middle: int, highest: int) -> int:
    """Three 16-bit words as one raw number."""
    return lowest | middle << 16 | highest << 32


def dump(
    attributes: tuple[SmartAttribute, ...] = (),
    *,
    model: str = "",
    firmware: str = "",
    rotation_rpm: int | None = 0,
    user_bytes: int = 240_057_409_536,
    statistics: dict[tuple[int, int], int] | None = None,
    nvme_health: dict[str, int] | None = None,
    vendor_logs: dict[str, dict[str, int]] | None = None,
) -> Dump:
    told = tuple(Statistic(page, offset, value) for (page, offset), value in (statistics or {}).items())
    return Dump(
        source="made up",
        format="test",
        protocol="NVMe" if nvme_health else "ATA",
        model=model,
        firmware=firmware,
        user_bytes=user_bytes,
        rotation_rpm=rotation_rpm,
        attributes=attributes,
        statistics=told,
        nvme_health=nvme_health or {},
        vendor_logs=vendor_logs or {},
    )


def nameless(
    table: FamilyTable,
    numbers: dict[int, int] | None = None,
    values: dict[int, int] | None = None,
    *,
    user_bytes: int = 240_057_409_536,
    statistics: dict[tuple[int, int], int] | None = None,
) -> Dump:
    """A drive with the ids that a family always has, which bears its marks and tells no name.

    numbers: id -> raw number, values: id -> value byte, over what the marks need. An id that the family has only
    sometimes is there when it has a number.
    """
    raws: dict[int, int] = {}
    tops: dict[int, int] = {}
    order, flags = sorted(table.recognise.always), OLD_AGE
    for mark in table.recognise.marks:
        if mark.bits < 0:
            continue
        if mark.flags_zero:
            flags = 0
        if mark.first and set(mark.first) <= set(order):
            order = [*mark.first, *(id for id in order if id not in mark.first)]
        if mark.over_100:
            tops[mark.over_100] = 180
        if mark.equal:
            raws |= dict.fromkeys(mark.equal, 1234)
        if mark.ordered:
            id, *places = mark.ordered
            raws[id] = sum(count << 16 * place for count, place in zip((3, 17, 40), places, strict=True))
        if mark.raw_is_value:
            raws[mark.raw_is_value] = tops.setdefault(mark.raw_is_value, 97)
    raws |= numbers or {}
    tops |= values or {}
    order += [id for id in numbers or {} if id not in order]
    return dump(
        tuple(attribute(id, raws.get(id, 0), tops.get(id, 100), flags) for id in order),
        rotation_rpm=0 if table.is_flash else None,
        user_bytes=user_bytes,
        statistics=statistics,
    )
