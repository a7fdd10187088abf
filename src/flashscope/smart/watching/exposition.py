"""The data of the watch in Prometheus' text format 0.0.4.

    # HELP flashscope_host_written_bytes_total ...
    # TYPE flashscope_host_written_bytes_total counter
    flashscope_host_written_bytes_total{device="/dev/sda",drive="ACME X1/123"} 1.5e+12

Field keys become names in Prometheus' base units: percent -> ratio, hours and minutes -> seconds; counters end in
`_total`. Values are as the drive reports them, with resets: `rate()` handles these.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from flashscope.smart.watching.conditions import EVERY_NAME
from flashscope.smart.watching.counters import COUNTERS
from flashscope.smart.watching.sample import Number, Sample

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_SPELLED = (("_percent", "_ratio", 0.01), ("_hours", "_seconds", 3600), ("_minutes", "_seconds", 60))
_HELP = {
    "write_amplification": "bytes written to flash per byte the host wrote",
    "remaining_life_ratio": "share of the rated life that is left, recomputed",
    "rber": "wrong bits per bit read, over the whole life",
}


@dataclass
class PlaceState:
    """The state of one place. sample: the newest, None before the first. raised: conditions that hold.

    notices: kind -> their number since this watch began.
    """

    place: str
    sample: Sample | None = None
    is_readable: bool = False
    readings: int = 0
    failures: int = 0
    raised: frozenset[str] = frozenset()
    notices: dict[str, int] = field(default_factory=dict)


@dataclass
class _Family:
    help: str
    kind: str
    lines: list[tuple[Mapping[str, str], Number]] = field(default_factory=list)


class _Add(Protocol):
    def __call__(self, name: str, help: str, kind: str, labels: Mapping[str, str], value: Number) -> None: ...


def metric(key: str) -> tuple[str, Number]:
    """(metric name, factor to its unit) of a field key: "power_on_time_hours" -> (..._seconds_total, 3600)."""
    name, factor = re.sub(r"[^a-zA-Z0-9_]", "_", key), 1.0
    for ending, instead, scale in _SPELLED:
        if name.endswith(ending):
            name, factor = name.removesuffix(ending) + instead, scale
    if name in ("write_amplification", "rber"):
        name += "_ratio"
    return f"flashscope_{name}{'_total' if _only_grows(key) else ''}", factor


def _only_grows(key: str) -> bool:
    """Averages, minima and maxima over blocks may fall when a block is retired: gauges to Prometheus."""
    return key in COUNTERS and not key.endswith(("_average", "_min", "_max"))


def exposition(places: Sequence[PlaceState]) -> str:
    """The whole text, ending in a newline; families and series in a fixed order."""
    families: dict[str, _Family] = {}

    def add(name: str, help: str, kind: str, labels: Mapping[str, str], value: Number) -> None:
        families.setdefault(name, _Family(help, kind)).lines.append((labels, value))

    for state in places:
        at = {"device": state.place}
        add("flashscope_reading_success", "1 when the last reading succeeded", "gauge", at, int(state.is_readable))
        add("flashscope_readings_total", "readings that succeeded", "counter", at, state.readings)
        add("flashscope_reading_failures_total", "readings that gave nothing", "counter", at, state.failures)
        for kind, count in sorted(state.notices.items()):
            labels = at | {"kind": kind.replace(" ", "_")}
            add("flashscope_series_notices_total", "gaps, resets and the like", "counter", labels, count)
        for condition in EVERY_NAME:
            labels = at | {"condition": condition}
            holds = int(condition in state.raised)
            add("flashscope_alert_raised", "1 while the alert holds", "gauge", labels, holds)
        if state.sample is not None:
            _add_sample(state.sample, at, add)
    return "".join(_written(name, family) for name, family in sorted(families.items()))


def _add_sample(sample: Sample, at: Mapping[str, str], add: _Add) -> None:
    of = {**at, "drive": sample.drive}
    facts = {"model": sample.model, "serial": sample.serial, "firmware": sample.firmware, "family": sample.family}
    add("flashscope_drive_info", "what the drive is; always 1", "gauge", {**of, **facts}, 1)
    taken = ("flashscope_reading_time_seconds", "when the reading was taken, since 1970")
    add(*taken, "gauge", of, sample.moment.wall_s)
    add(
        "flashscope_contradictions",
        "contradictions between the numbers of the drive",
        "gauge",
        of,
        sample.contradictions,
    )
    if sample.is_flash is not None:
        add("flashscope_is_flash", "1 for flash, 0 for a disk", "gauge", of, int(sample.is_flash))
    for key, value in sample.values.items():
        name, factor = metric(key)
        kind = "counter" if _only_grows(key) else "gauge"
        add(name, _HELP.get(key, key.replace("_", " ")), kind, of, value.value * factor if factor != 1 else value.value)


def _written(name: str, family: _Family) -> str:
    lines = [f"# HELP {name} {_escaped(family.help)}", f"# TYPE {name} {family.kind}"]
    lines += [f"{name}{{{_labels(labels)}}} {_number(value)}" for labels, value in family.lines]
    return "\n".join(lines) + "\n"


def _labels(labels: Mapping[str, str]) -> str:
    return ",".join(f'{name}="{_quoted(text)}"' for name, text in sorted(labels.items()))


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", "\\n")


def _quoted(text: str) -> str:
    # A lone surrogate stands for a byte that was no UTF-8; Prometheus takes UTF-8 only.
    return _escaped(text).replace('"', '\\"').encode("utf-8", "replace").decode()


def _number(value: Number) -> str:
    if isinstance(value, int):
        return str(value)
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "+Inf" if value > 0 else "-Inf"
    return repr(float(value))
