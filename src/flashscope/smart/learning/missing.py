"""The data that a series lacks, in words, so that a missing result is not taken for a missing attribute."""

from __future__ import annotations

from collections.abc import Sequence

from flashscope.smart.learning.axes import Axis
from flashscope.smart.learning.counters import Counter
from flashscope.smart.learning.erases import KEY, LEAST_STEPS
from flashscope.smart.learning.hypothesis import Hypothesis
from flashscope.smart.learning.observation import Series
from flashscope.units import format_bytes


def missing(
    series: Series, axis: Axis | None, hypotheses: Sequence[Hypothesis], movers: Sequence[Counter]
) -> tuple[str, ...]:
    """Sentences, the most useful first; empty when host writes and erase count are both claimed."""
    claimed = {one.key for one in hypotheses if one.is_claim}
    found = []
    if not series.observations:
        return ("the dumps hold no attributes, so there is nothing undocumented to learn",)
    if len(series.moments) == 1 and KEY not in claimed:
        found.append("one reading shows no movement: add dumps of the same drive read at other times")
    if axis is None and "host_written_bytes" not in claimed:
        found.append(
            "it is not known how much was written: add the Device Statistics (smartctl -x), or read SMART "
            "before and after a known write and give --written"
        )
    if KEY not in claimed and len(series.moments) > 1:
        found.append(_about_erases(series, axis))
    if series.user_bytes is None:
        found.append("the capacity is not known, so growth per fill of the drive is not known either: give --capacity")
    if axis is not None and axis.growth > 0 and "host_written_bytes" not in claimed and movers:
        found.append("no attribute moved as the bytes written by the host do, in any usual unit")
    return tuple(found)


def _about_erases(series: Series, axis: Axis | None) -> str:
    words = (
        f"no attribute is claimed to count erases: at least {LEAST_STEPS} steps of a counter are needed to see "
        f"what it follows"
    )
    if axis is None or not series.user_bytes:
        return words + ", often that many fills of the drive"
    fills = axis.growth / series.user_bytes
    written = f"{format_bytes(axis.growth)}, {fills:.2g} fills of the drive, were written between the readings"
    if fills < LEAST_STEPS:
        return f"{words}, and only {written}; about {format_bytes(LEAST_STEPS * series.user_bytes)} would be enough"
    return f"{words}; {written}, and no counter grew with them"
