"""Counters that wrapped between two readings of one drive: an apparent fall is growth.

    4294967000 sectors        216 sectors        wrapped at 2^32: 512 sectors were written in between

A fall from the top 16th of 32 or 48 bits to the bottom 16th counts as a wrap; so does one where the growth would fit
the rate of the drive's life so far, by its power-on hours (the rule is in counters.py). Because there are only two
readings, the new drive with all counters at 0 is the third. Other falls are not changed.
"""

from __future__ import annotations

from flashscope.smart.decoding.reading import Field, Reading
from flashscope.smart.watching.counters import COUNTERS, comparable, step
from flashscope.smart.watching.sample import Number, Value

_HOURS = "power_on_time_hours"


def growth_round(key: str, first: Reading, second: Reading) -> Number | None:
    """Growth of a counter that wrapped, in its unit; None when it did not wrap, or when this is unknown."""
    before, after = _value(first.fields[key]), _value(second.fields[key])
    if key not in COUNTERS or after.value >= before.value or not comparable(before, after):
        return None
    hours = first.value(_HOURS), second.value(_HOURS)
    if hours[0] is not None and hours[1] is not None:
        if hours[1] < hours[0]:
            return None
        birth = Value(0, before.unit, 0, 0, 0, before.provenance, before.origin)
        kind, growth = step(before, after, key, birth, (hours[0], hours[1] - hours[0]))
        if kind == "wrapped":
            return growth
    kind, growth = step(before, after, key)
    return growth if kind == "wrapped" else None


def _value(field: Field) -> Value:
    return Value(field.value, field.unit, field.raw, field.low, field.high, field.provenance, field.origin)
