"""A sample: one reading of one drive in a series; and a notice: an event of the series itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from flashscope.moment import Moment
from flashscope.smart.decoding.reading import Reading
from flashscope.smart.decoding.signs import failing_attributes, self_assessment
from flashscope.smart.dump import Dump

Number = int | float


@dataclass(frozen=True)
class Value:
    """One field of a sample: as `smart.reading.Field`, without its sentence."""

    value: Number
    unit: str
    raw: int | None
    low: Number
    high: Number
    provenance: str
    origin: str


@dataclass(frozen=True)
class Sample:
    """id: grows with every sample of a store. drive: identity key. place: where it was read.

    moment: when it was taken. steady_s: the series' own time [s], which never goes back.
    every_s: the interval it was taken at; None when it was taken by hand.
    values: field key -> value. contradictions: their number in the reading.
    """

    id: int
    drive: str
    place: str
    moment: Moment
    steady_s: float
    every_s: float | None
    model: str
    serial: str
    firmware: str
    family: str
    is_flash: bool | None
    values: Mapping[str, Value]
    contradictions: int = 0

    def number(self, key: str) -> Number | None:
        """The value of a field; None when the drive does not report it."""
        return self.values[key].value if key in self.values else None


@dataclass(frozen=True)
class Notice:
    """Something about the series, not about the drive's health.

    kind: "gap", "clock jumped", "counter reset", "counter wrapped", "reading doubted", "drive replaced",
    "firmware changed". key: of the counter, or "". details: numbers behind the message.
    """

    kind: str
    message: str
    key: str = ""
    details: Mapping[str, Number | str] = field(default_factory=dict)


_TEMPERATURE_LIMIT = (0x05, 0x58)  # Device Statistics: specified maximum operating temperature
_LIKELY_LIMITS_CELSIUS = range(30, 126)


def values_of(reading: Reading, dump: Dump) -> dict[str, Value]:
    """The fields of a reading as a sample keeps them, and three more that only the conditions use.

    temperature_limit_celsius: the drive's own highest operating temperature. failing_attribute_count: attributes of
    the kind "pre-failure" that are at the drive's own threshold now. self_assessment_failed: 1 where the drive says so.
    """
    values = {
        key: Value(one.value, one.unit, one.raw, one.low, one.high, one.provenance, one.origin)
        for key, one in reading.fields.items()
    }
    limit = dump.statistic(*_TEMPERATURE_LIMIT)
    if limit is not None and limit in _LIKELY_LIMITS_CELSIUS:
        origin = "Device Statistics 05h:058h"
        values["temperature_limit_celsius"] = Value(limit, "celsius", limit, limit, limit, "documented", origin)
    passed = self_assessment(dump)
    if passed is not None:
        failed = int(not passed)
        values["self_assessment_failed"] = Value(failed, "flag", None, failed, failed, "documented", "self-assessment")
    failing = len(failing_attributes(dump))
    if dump.printed:
        values["failing_attribute_count"] = Value(failing, "count", None, failing, failing, "documented", "thresholds")
    return values
