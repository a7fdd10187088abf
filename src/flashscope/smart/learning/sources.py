"""From dumps of one drive, in any order, to a series: sorted by time, with all information on the bytes written.

The yardstick is, in this order: a known write that the caller states, the Device Statistics (ATA log 04h, page 1),
the NVMe health log. Their units are fixed by the caller or by standards. Hours come from the statistics, the
NVMe log, or attribute 9, which means power-on hours on every maker's drives.
Not read here: vendor logs and the NVMe log itself, whose fields are documented.
"""

from __future__ import annotations

from collections.abc import Sequence

from flashscope.errors import WrongUse
from flashscope.records.smart_snapshot import SmartAttribute
from flashscope.smart.dump import Dump
from flashscope.smart.learning.observation import Moment, Observation, Series, Yardstick

_SECTOR_BYTES = 512
_NVME_UNIT_BYTES = 512_000
_HOURS_ID = 9
_WRITTEN, _READ, _WRITE_COMMANDS, _READ_COMMANDS = (1, 0x18), (1, 0x28), (1, 0x20), (1, 0x30)
_HOURS, _LIFE = (1, 0x10), (7, 0x08)
_SURPLUS_RATIO, _SURPLUS_WHEN_IDLE_RATIO = 0.08, 0.03
"""A host writes a little more than the known write: other programs, and the file system even when idle
[share of the known write]."""


def series_of(
    dumps: Sequence[Dump],
    *,
    written_bytes: int | None = None,
    otherwise_idle: bool = False,
    user_bytes: int | None = None,
) -> Series:
    """The series of one drive.

    written_bytes: known to have been written between the first two readings [bytes]. otherwise_idle: nothing else was
    written, so the amount is nearly exact, and it is zero between later readings. user_bytes: of the drive, where the
    dumps do not contain it. With one of the first two given, dumps are taken in the order given.
    Raises WrongUse without dumps, with a known write but only one dump, or with dumps of several drives.
    """
    if not dumps:
        raise WrongUse("there is no dump to learn from", accepted="one dump or more of one drive")
    _check_one_drive(dumps)
    stated = written_bytes is not None or otherwise_idle
    if stated and len(dumps) < 2:
        raise WrongUse(
            "a known write lies between two dumps, and one is given",
            accepted="the dump before, the dump after",
        )
    ordered, remarks = (list(dumps), ()) if stated else _ordered(dumps)
    moments = tuple(_moment(dump) for dump in ordered)
    yardstick: Yardstick | None
    if stated:
        known = written_bytes or 0
        moments = _with_known_write(moments, known, otherwise_idle)
        surplus = _SURPLUS_WHEN_IDLE_RATIO if otherwise_idle else _SURPLUS_RATIO
        words = "the known write" if written_bytes is not None else "nothing, as --idle says"
        yardstick = Yardstick(words, lifetime=False, surplus_ratio=surplus, documented=False)
        if not (otherwise_idle or len(moments) == 2):
            moments, remarks = moments[:2], ("only the two dumps around the known write are used",)
    else:
        yardstick = _yardstick(ordered, moments)
    kept = ordered[: len(moments)]
    return Series(
        moments=moments,
        observations=tuple(one for time, dump in enumerate(kept) for one in _observations(time, dump)),
        user_bytes=user_bytes or next((dump.user_bytes for dump in kept if dump.user_bytes), None),
        yardstick=yardstick,
        remarks=tuple(remarks),
        names={one.id: one.name for dump in kept for one in dump.attributes if one.name},
    )


def _check_one_drive(dumps: Sequence[Dump]) -> None:
    for what in ("serial", "model"):
        told = sorted({str(getattr(dump, what)) for dump in dumps} - {"", "--"})
        if len(told) > 1:
            raise WrongUse(
                f"the dumps are of several drives: {what} {', '.join(told[:3])}",
                accepted="dumps of one drive",
                advice="give the dumps of one drive at a time",
            )


def _ordered(dumps: Sequence[Dump]) -> tuple[list[Dump], tuple[str, ...]]:
    """Sorted by power-on hours, then by date; of dumps with exactly the same numbers only one."""
    hours = [_hours(dump) for dump in dumps]
    clock = [dump.taken_at_s for dump in dumps]
    if None not in hours:
        keys = [(hour or 0.0, when or 0.0) for hour, when in zip(hours, clock, strict=True)]
    elif None not in clock:
        keys = [(when or 0.0, 0.0) for when in clock]
    else:
        remark = "not every dump states hours or times, so the dumps are taken in the order given"
        return list(dumps), (remark,) * (len(dumps) > 1)
    order = sorted(range(len(dumps)), key=lambda index: keys[index])
    return [dumps[index] for index in order], ()


def _hours(dump: Dump) -> float | None:
    told = dump.statistic(*_HOURS)
    if told is None:
        told = dump.nvme_health.get("power_on_hours")
    attribute = dump.attribute(_HOURS_ID)
    if attribute is not None:
        # Milliseconds may be stored above the lower 32 bits; on some drives the number begins at the value byte.
        low = _raw(attribute) & 0xFFFF_FFFF
        shown = low if low or not attribute.worst else attribute.value | attribute.worst << 8
        if attribute.worst > attribute.value or (attribute.flags == 0 and low < 1 << 16):
            shown = low << 16 | attribute.worst << 8 | attribute.value
        return float(shown)
    return None if told is None else float(told)


def _raw(attribute: SmartAttribute) -> int:
    return int.from_bytes(attribute.raw, "little")


def _moment(dump: Dump) -> Moment:
    def sectors(place: tuple[int, int]) -> int | None:
        told = dump.statistic(*place)
        return None if told is None else told * _SECTOR_BYTES

    written, read = sectors(_WRITTEN), sectors(_READ)
    commands = dump.statistic(*_WRITE_COMMANDS), dump.statistic(*_READ_COMMANDS)
    health = dump.nvme_health
    if written is None and "data_units_written" in health:
        written = health["data_units_written"] * _NVME_UNIT_BYTES
        read = health.get("data_units_read", 0) * _NVME_UNIT_BYTES or None
        commands = health.get("host_write_commands"), health.get("host_read_commands")
    life = dump.statistic(*_LIFE)
    return Moment(_hours(dump), dump.taken_at_s, written, read, *commands, life)


def _with_known_write(moments: Sequence[Moment], written: int, otherwise_idle: bool) -> tuple[Moment, ...]:
    """Host bytes since the first reading: the known write between the first two, then nothing (if that is known)."""
    kept = moments if otherwise_idle else moments[:2]
    if len(kept) < len(moments):
        moments = kept
    return tuple(
        Moment(one.power_on_hours, one.taken_at_s, written if index else 0, None, None, None, one.life_used_percent)
        for index, one in enumerate(moments)
    )


def _yardstick(dumps: Sequence[Dump], moments: Sequence[Moment]) -> Yardstick | None:
    column = [moment.written_bytes for moment in moments]
    if None in column:
        return None
    if dumps[0].statistic(*_WRITTEN) is None:
        return Yardstick("the NVMe log's data units written")
    whole = [value for value in column if value is not None]
    # A statistic that has never passed 32 bits may have only 32 bits.
    turns = (1 << 32) * _SECTOR_BYTES if max(whole) < (1 << 32) * _SECTOR_BYTES else 0
    return Yardstick("sectors written by the Device Statistics", modulus_bytes=turns)


def _observations(time: int, dump: Dump) -> list[Observation]:
    found = []
    for one in dump.attributes:
        found += [
            Observation(time, one.id, "raw-48", _raw(one)),
            Observation(time, one.id, "value", one.value),
            Observation(time, one.id, "worst", one.worst),
            Observation(time, one.id, "flags", one.flags),
        ]
    return found
