"""A reading as plain data for other programs: what `flashscope smart --json` prints (docs/reference/smart.md).

Infinite ends of intervals and NaN become null.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from flashscope.smart.decoding.clocks import Clock
from flashscope.smart.decoding.life import Life, life_of
from flashscope.smart.decoding.rated_writes import promised_writes
from flashscope.smart.decoding.reading import Field, Reading
from flashscope.smart.decoding.span import Span
from flashscope.smart.decoding.verdict import judge
from flashscope.smart.dump import Dump

Number = int | float


def reading_json(reading: Reading, clocks: Sequence[Clock], dump: Dump) -> dict[str, Any]:
    """Everything in one reading, as dictionaries, lists, text and finite numbers."""
    verdict = judge(reading, clocks, dump)
    return {
        "family": reading.family,
        "is_flash": reading.is_flash,
        "confidence": reading.confidence_ratio,
        "fields": {key: field_json(field) for key, field in reading.fields.items()},
        "contradictions": [
            {"kind": one.kind, "message": one.message, "believed": one.believed} for one in reading.contradictions
        ],
        "clocks": [clock_json(clock) for clock in clocks],
        "verdict": {
            "level": verdict.level,
            "statement": verdict.statement,
            "reasons": list(verdict.reasons),
            "causes": list(verdict.causes),
            "advice": verdict.advice,
        },
        "life": _life_json(life_of(reading, promised_writes(dump))),
        "title": reading.title,
        "evidence": list(reading.evidence),
        "undecoded_attributes": list(reading.undecoded),
        "drive": {
            "model": dump.model,
            "firmware": dump.firmware,
            "serial": dump.serial,
            "protocol": dump.protocol,
            "user_bytes": dump.user_bytes,
            "taken_at_s": dump.taken_at_s,
        },
        "source": dump.source,
        "format": dump.format,
        "incomplete": dump.cut,
        "remarks": list(dump.remarks),
        "unread": list(dump.unread),
    }


def _life_json(life: Life | None) -> dict[str, Any] | None:
    """The rated life with all that the drive says of it; null where it says nothing that can be believed."""
    if life is None:
        return None
    return {
        "used_ratio": _span(life.used),
        "left_ratio": _span(life.left),
        "by_erases": life.by_erases,
        "promise": life.promise,
        "claims": [
            {"key": one.key, "words": one.words, "used_ratio": _span(one.used), "set_aside": one.set_aside}
            for one in life.claims
        ],
    }


def field_json(field: Field) -> dict[str, Any]:
    """One field: value, unit, low, high, provenance, raw, origin, meaning."""
    return {
        "value": _finite(field.value),
        "unit": field.unit,
        "low": _finite(field.low),
        "high": _finite(field.high),
        "provenance": field.provenance,
        "raw": field.raw,
        "origin": field.origin,
        "meaning": field.meaning,
    }


def clock_json(clock: Clock) -> dict[str, Any]:
    """One clock; its spans as {value, low, high}."""
    return {
        "key": clock.key,
        "title": clock.title,
        "used_ratio": _span(clock.used_ratio),
        "remaining_host_bytes": _span(clock.remaining_host_bytes),
        "remaining_time_hours": _span(clock.remaining_time_hours),
        "time_basis": clock.time_basis,
        "rate_basis": clock.rate_basis,
        "window_count": clock.window_count,
        "rating_reached": clock.rating_reached,
        "ends_in_failure": clock.ends_in_failure,
        "provenance": clock.provenance,
        "statement": clock.statement,
        "meaning_at_end": clock.meaning_at_end,
        "doubts": list(clock.doubts),
    }


def _span(span: Span | None) -> dict[str, Any] | None:
    if span is None:
        return None
    return {"value": _finite(span.value), "low": _finite(span.low), "high": _finite(span.high)}


def _finite(value: Number) -> Number | None:
    return value if isinstance(value, int) or math.isfinite(value) else None
