"""smartctl's JSON put together again from what a collector kept of it, and read as such."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from flashscope.smart.dump import Dump
from flashscope.smart.readers.smartctl_json import read_smartctl_json

FORMAT_PROMETHEUS = "metrics of smartctl_exporter"
FORMAT_SCRUTINY = "InfluxDB of Scrutiny"


def attribute_row(
    id: int,
    value: int | None,
    worst: int | None,
    threshold: int | None,
    raw: int | None,
    name: str = "",
    *,
    is_pre_failure: bool = False,
    when_failed: str | None = None,
) -> dict[str, Any]:
    """A row of an attribute as smartctl writes it; what is missing stays missing, and the reader says so.

    when_failed: as the collector kept it; None: it did not, and the value byte is held against the threshold.
    """
    if when_failed is None:
        failing = value is not None and threshold is not None and 0 < value <= threshold
        when_failed = "now" if failing else ""
    return {
        "id": id,
        "name": name,
        "value": value,
        "worst": worst,
        "thresh": threshold,
        "when_failed": when_failed,
        "flags": {"value": int(is_pre_failure)},
        "raw": {"value": raw},
    }


def dump_of(
    document: dict[str, Any],
    source: str,
    format: str,
    taken_at_s: float | None,
    remarks: Sequence[str],
    cut: str = "",
) -> Dump:
    """The dump in a document that was put together."""
    dump = read_smartctl_json({"smartctl": {}, **document}, source)
    return replace(
        dump,
        format=format,
        taken_at_s=taken_at_s,
        remarks=(*dump.remarks, *remarks),
        cut=cut or dump.cut,
    )
