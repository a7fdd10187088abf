"""The past of one drive, from the series that the watch keeps: earlier readings for the one that is shown now.

    series   x x x x | x x x x x x x x x ? x x x   now         | a life counter went back    ? a reading doubted
                       o   o   o   o   o     o      o          thinned evenly in time, decoded by today's tables

The drive is identified as in the watch (`identity.py`). When a counter that clocks use went back, older readings are no
longer comparable: the firmware lost it, a workshop reset it, or another drive has the same serial number.
Where only model and place identify the drive, another drive at that place ends its past as well.
Times are those of the series; jumps of the wall clock do not change them.
Not read here: alerts and misses.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from flashscope.errors import WrongUse
from flashscope.moment import Moment, elapsed_s
from flashscope.smart.decoding.decode import read
from flashscope.smart.decoding.reading import Reading
from flashscope.smart.dump import Dump
from flashscope.smart.identity import Identity
from flashscope.smart.watching.continuity import notices
from flashscope.smart.watching.dump_rows import unpacked
from flashscope.smart.watching.read_only import asked
from flashscope.smart.watching.sample import Notice, Sample, values_of
from flashscope.smart.watching.series_store import sample_rows
from flashscope.store.damage import damage_of_series
from flashscope.units import counted

LIFE_COUNTERS = frozenset(("power_on_time_hours", "host_written_bytes", "nand_written_bytes", "erase_count_average"))
"""Counters that the clocks use; when one of them starts again, earlier readings are not comparable."""

READINGS_MOST = 192
"""Earlier readings that are decoded: two for each point of a sparkline's width, far more than the twelve windows of a
clock. Decoding one takes about a millisecond."""


@dataclass(frozen=True)
class Past:
    """Earlier readings of a drive, oldest first, each dump with the time of the series as `taken_at_s`.

    store: the file they are from. kept_count: comparable readings in it, `readings` is a part of them, evenly spaced
    in time. remarks: in words, what was left out and why.
    """

    store: str
    readings: tuple[tuple[Dump, Reading], ...] = ()
    kept_count: int = 0
    remarks: tuple[str, ...] = ()

    @property
    def since_s(self) -> float | None:
        """When the first of them was taken [seconds since 1970]; None without any."""
        return self.readings[0][0].taken_at_s if self.readings else None


@dataclass(frozen=True)
class Now:
    """The reading that is shown. moment: when it was taken. is_saved: it is an old dump; then only readings
    taken before it count."""

    dump: Dump
    reading: Reading
    identity: Identity
    moment: Moment
    is_saved: bool = False


def past_of(path: Path, now: Now, *, at_most: int = READINGS_MOST) -> Past:
    """The earlier readings of a drive that a series store has, thinned evenly in time to `at_most`.

    The first and the last of them are always kept. Nothing is written. Raises WrongUse as `read_only.asked`, and when
    a dump in the store is damaged.
    """
    with damage_of_series("the past of this drive"):
        return asked(path, lambda store: _past(store, path, now, at_most))


def thinned(times_s: Sequence[float], at_most: int) -> list[int]:
    """Which of these points in time to keep, as indices: no more than `at_most`, evenly in time, with both ends.

    times_s: ascending [s]. at_most: 2 or more.
    """
    if len(times_s) <= at_most:
        return list(range(len(times_s)))
    first_s, span_s = times_s[0], times_s[-1] - times_s[0]
    wanted = (first_s + span_s * step / (at_most - 1) for step in range(1, at_most - 1))
    return sorted({0, len(times_s) - 1, *(_nearest(times_s, time_s) for time_s in wanted)})


def _nearest(times_s: Sequence[float], time_s: float) -> int:
    after = min(bisect_left(times_s, time_s), len(times_s) - 1)
    return after - (after > 0 and time_s - times_s[after - 1] < times_s[after] - time_s)


def _past(store: sqlite3.Connection, path: Path, now: Now, at_most: int) -> Past:
    until_s = now.moment.wall_s if now.is_saved else float("inf")
    rows = store.execute(
        "SELECT sample_id, wall_s, boot_id, boot_s, steady_s FROM samples JOIN drives USING (drive_id) "
        "WHERE identity = ? AND wall_s < ? ORDER BY sample_id",
        (now.identity.key, until_s),
    ).fetchall()
    if not rows:
        return Past(str(path))
    newest = rows[-1]
    passed_s = elapsed_s(Moment(newest["wall_s"], newest["boot_id"], newest["boot_s"]), now.moment)[0]
    told = _notices(store, now.identity)
    against = _against_now(store, now, newest["sample_id"], newest["steady_s"] + passed_s)
    if cut := next((one for one in against if _ends_the_past(one, now.identity)), None):
        return Past(str(path), remarks=(_left_out(len(rows), cut),))
    ids = [row["sample_id"] for row in rows]
    doubted = {before for before, after in pairwise(ids) if _is_doubted(told.get(after, ()))}
    if _is_doubted(against):
        doubted.add(ids[-1])
    cuts = [(id, one) for id in ids for one in told.get(id, ()) if _ends_the_past(one, now.identity)]
    first_id, cut = cuts[-1] if cuts else (0, None)
    kept = [row for row in rows if row["sample_id"] >= first_id and row["sample_id"] not in doubted]
    remarks = (_left_out(sum(id < first_id for id in ids), cut),) if cut is not None and ids[0] < first_id else ()
    shown_s = now.moment.wall_s if now.dump.taken_at_s is None else min(now.moment.wall_s, now.dump.taken_at_s)
    to_calendar_s = shown_s - passed_s - newest["steady_s"]
    chosen = [kept[index] for index in thinned([row["steady_s"] for row in kept], at_most)]
    readings = tuple(_decoded(store, path, row["sample_id"], row["steady_s"] + to_calendar_s) for row in chosen)
    return Past(str(path), readings, len(kept), remarks)


def _notices(store: sqlite3.Connection, identity: Identity) -> dict[int, list[Notice]]:
    """The notices that decide which readings are comparable, by sample."""
    rows = store.execute(
        "SELECT sample_id, kind, notices.key, message FROM notices JOIN samples USING (sample_id) "
        "JOIN drives USING (drive_id) WHERE identity = ? "
        "AND kind IN ('counter reset', 'reading doubted', 'drive replaced') ORDER BY notice_id",
        (identity.key,),
    )
    told: dict[int, list[Notice]] = {}
    for row in rows:
        told.setdefault(row["sample_id"], []).append(Notice(row["kind"], row["message"], row["key"]))
    return told


def _against_now(store: sqlite3.Connection, now: Now, newest_id: int, steady_s: float) -> tuple[Notice, ...]:
    """The notices of the watch if the present reading were the next sample."""
    before, earlier = (*sample_rows(store, now.identity.key, 2, up_to_id=newest_id), None, None)[:2]
    sample = Sample(
        id=newest_id + 1,
        drive=now.identity.key,
        place="",
        moment=now.moment,
        steady_s=steady_s,
        every_s=None,
        model=now.identity.model,
        serial=now.identity.serial,
        firmware=now.dump.firmware,
        family=now.reading.family,
        is_flash=now.reading.is_flash,
        values=values_of(now.reading, now.dump),
    )
    return notices(sample, before, earlier)


def _ends_the_past(notice: Notice, identity: Identity) -> bool:
    if notice.kind == "drive replaced":
        return identity.kind == "hash"
    return notice.kind == "counter reset" and notice.key in LIFE_COUNTERS


def _is_doubted(told: Sequence[Notice]) -> bool:
    return any(one.kind == "reading doubted" for one in told)


def _left_out(count: int, cut: Notice) -> str:
    why = "another drive was at this place after them" if cut.kind == "drive replaced" else f"{cut.key} went back"
    return f"{counted(count, 'older reading')} left out: {why}"


def _decoded(store: sqlite3.Connection, path: Path, sample_id: int, taken_at_s: float) -> tuple[Dump, Reading]:
    row = store.execute("SELECT dump FROM samples WHERE sample_id = ?", (sample_id,)).fetchone()
    try:
        dump = replace(unpacked(row["dump"]), taken_at_s=taken_at_s)
    except (zlib.error, json.JSONDecodeError, UnicodeDecodeError, TypeError, ValueError, KeyError) as error:
        raise WrongUse(
            f"the store {path} is damaged: sample {sample_id} cannot be unpacked ({error})",
            advice="name another file with --store, or show the reading alone with --no-store",
        ) from None
    return dump, read(dump)
