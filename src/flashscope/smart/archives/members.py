"""The newest row of each living drive as a dump, so that it gets the verdict that any dump gets.

Living: not failed, and seen within the last days of the archive. A daily row has no thresholds, flags or worst values;
the worst value is taken as the value, and what takes a threshold is not judged.
"""

from __future__ import annotations

import itertools
import multiprocessing
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, date, datetime, time
from typing import Any

from flashscope.records.smart_snapshot import SmartAttribute
from flashscope.smart.archives.day_files import attribute_of
from flashscope.smart.archives.keeper import Keeper
from flashscope.smart.dump import Dump
from flashscope.smart.fleets.member import Member, member_of
from flashscope.smart.fleets.parallel import core_count

STILL_SEEN_DAYS = 7
"""A drive that was seen within so many days of the last one is still there."""

LIVING = (
    "(failure_day IS NULL OR failure_day < last_day) AND "
    f"last_day > (SELECT max(last_day) FROM lives) - INTERVAL {STILL_SEEN_DAYS} DAY"
)
"""The SQL condition of a living drive, on `lives`."""

_CHUNK_DRIVES = 4000
_FEW_DRIVES = 4 * _CHUNK_DRIVES  # below this, starting processes takes longer than judging

Row = tuple[Any, ...]


def members_of(keeper: Keeper, workers: int | None = None) -> list[Member]:
    """Each living drive with its verdict, in the order of models and serial numbers. workers: processes."""
    living = keeper.query(f"SELECT count(*) FROM lives WHERE {LIVING}")
    count = living[0][0] if living else 0
    if not count:
        return []
    names, chunks = keeper.in_chunks(
        f"SELECT l.capacity_bytes, r.* FROM lives l JOIN last_rows r USING (model, serial) WHERE {LIVING} "
        "ORDER BY model, serial",
        _CHUNK_DRIVES,
    )
    workers = core_count() if workers is None else workers
    if count < _FEW_DRIVES or workers < 2:
        return [member for chunk in chunks for member in _judged(names, chunk)]
    found: list[Member] = []
    with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as pool:
        for some in _some_at_a_time(chunks, 2 * workers):
            for members in pool.map(_judged, itertools.repeat(names), some):
                found += members
    return found


def _some_at_a_time(chunks: Iterator[list[Row]], count: int) -> Iterator[list[list[Row]]]:
    while some := list(itertools.islice(chunks, count)):
        yield some


def _judged(names: Sequence[str], rows: Sequence[Row]) -> list[Member]:
    """A member for each row; one that cannot be judged is a member with the reason."""
    from flashscope.smart.decoding.decode import read

    found = []
    for row in rows:
        dump = dump_of(dict(zip(names, row, strict=True)))
        try:
            found.append(member_of(dump.source, dump, read(dump)))
        except Exception as fault:  # an error of flashscope about one drive must not stop the others
            found.append(Member(dump.source, f"a fault in flashscope: {type(fault).__name__}: {fault}"))
    return found


def dump_of(row: Mapping[str, Any]) -> Dump:
    """A row of a drive on a day as a dump: model, serial, day, capacity_bytes, smart_ID_raw and smart_ID_normalized."""
    attributes, unread = [], []
    for column, raw in row.items():
        found = attribute_of(column)
        if found is None or found[1] != "raw" or raw is None:
            continue
        value = row.get(f"smart_{found[0]}_normalized")
        if value is None or not 0 <= value <= 255 or not 0 <= raw < 1 << 48:
            unread.append(f"attribute {found[0]}: {raw}, normalized {value}")
        else:
            attributes.append(SmartAttribute(found[0], 0, value, value, int(raw).to_bytes(6, "little")))
    day: date = row["day"]
    return Dump(
        source=f"{row['model']} {row['serial']}",
        format="daily row",
        protocol="ATA" if attributes else "",
        model=row["model"],
        serial=row["serial"],
        user_bytes=row.get("capacity_bytes"),
        taken_at_s=datetime.combine(day, time(), UTC).timestamp(),
        attributes=tuple(sorted(attributes, key=lambda one: one.id)),
        unread=tuple(unread),
    )
