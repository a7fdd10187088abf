"""Dumps, readings and samples for the tests of the watch, written for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Unpack

from flashscope.moment import Moment
from flashscope.records.smart_snapshot import SmartAttribute
from flashscope.smart.decoding.reading import Field, Reading
from flashscope.smart.dump import Dump, PrintedAttribute, Statistic
from flashscope.smart.watching.history import History
from flashscope.smart.watching.sample import Sample
from flashscope.smart.watching.series_store import SeriesStore
from tests.smart.readings import DumpParts

START_S = 1_800_000_000.0


def make_dump(**told: Unpack[DumpParts]) -> Dump:
    made = Dump(
        source="test",
        format="test",
        protocol="ATA",
        model="ACME  X1",
        firmware="1.0",
        serial="S-1",
        user_bytes=32 * 10**9,
        attributes=(SmartAttribute(199, 0, 7, 0, bytes([1, 2, 3, 4, 5, 255]), "written"),),
        printed={199: PrintedAttribute(raw_text="7")},
        statistics=(Statistic(5, 0x58, 70, name="limit"), Statistic(1, 8, None)),
        nvme_health={"data_units_written": 2**100},
        vendor_logs={"ocp_c0": {"bad": 3}},
        pages={"gp_03": b"\0\xff"},
        remarks=("a remark",),
        unread=("a line",),
    )
    return replace(made, **told)


def make_reading(is_flash: bool | None = True, scale: int = 1, /, **values: float) -> Reading:
    """Fields by key; whole numbers have a raw number, that times `scale` is the value."""
    fields = {
        key: Field(
            key,
            value * scale if isinstance(value, int) else value,
            "count",
            "",
            "documented",
            value * scale,
            value * scale,
            value if isinstance(value, int) else None,
            "attribute 1",
        )
        for key, value in values.items()
    }
    return Reading("test", "a test's family", is_flash, 1.0, (), fields)


def moment(at_s: float, boot_id: str = "boot") -> Moment:
    return Moment(START_S + at_s, boot_id, at_s if boot_id else 0.0)


def keep(
    store: SeriesStore, at_s: float, is_flash: bool | None = True, every_s: float | None = 600.0, /, **values: float
) -> Sample:
    return store.append(make_dump(), make_reading(is_flash, **values), "/dev/sdx", moment(at_s), every_s).sample


def history_of(
    path: Path, rows: Sequence[Mapping[str, float]], every_s: float, is_flash: bool | None = True
) -> History:
    """The history of readings taken every `every_s`, through a store, as the watch takes them."""
    history = History()
    with SeriesStore(path) as store:
        first_s = len(store.samples("ACME X1/S-1")) * every_s
        for index, row in enumerate(rows):
            history.add(keep(store, first_s + index * every_s, is_flash, **row))
    return history
