"""What bursts tell of a write buffer: its size, how fast it drains, what it does when full, when it is free again."""

from __future__ import annotations

import math
from typing import Any

from flashscope.analysis.write_buffer import BufferEstimate, gap_drain_rate
from flashscope.experiments.streams import SECOND_NS
from flashscope.records import Doubt, Finding
from flashscope.records.abstention import could_not_tell, visible
from flashscope.units import format_bytes_binary, format_rate, format_time

GapCurve = list[tuple[float, float, str]]
"""(gap [s], room regained in it [bytes], step name), in order; the gap as measured, not as requested."""

_KEEPS_UP = "the flash keeps up with single requests, which hides a buffer of any size"


def size_of(
    estimate: BufferEstimate, evidence: tuple[str, ...], doubts: tuple[Doubt, ...], details: dict[str, Any]
) -> Finding:
    """write_buffer_bytes; without a value where no buffer was seen, or none could have been."""
    if estimate.buffer_bytes is None:
        if estimate.keeps_up or not math.isfinite(estimate.limit_bytes):
            statement = f"Could not tell whether there is a write buffer, because {_KEEPS_UP}."
            details = details | could_not_tell(_KEEPS_UP)
        else:
            why = f"a buffer of {format_bytes_binary(estimate.limit_bytes)} or more would have been seen"
            statement = f"No write buffer is seen; {why}. Do not count on bursts being faster than long writes."
            details = details | visible(least=estimate.limit_bytes)
        return Finding(
            "write_buffer_bytes", statement, None, "bytes", evidence=evidence, doubts=doubts, details=details
        )
    statement = (
        f"About {format_bytes_binary(estimate.buffer_bytes)} are taken at the speed of the link before the "
        f"flash limits the rate ({format_rate(estimate.drain_rate)}): writes in bursts up to that size feel fast."
    )
    return Finding(
        "write_buffer_bytes",
        statement,
        round(estimate.buffer_bytes),
        "bytes",
        estimate.low_bytes,
        estimate.high_bytes,
        evidence=evidence,
        doubts=doubts,
        details=details,
    )


def drain_of(estimate: BufferEstimate, curve: GapCurve, evidence: tuple[str, ...]) -> Finding:
    """drain_rate_bytes_per_second, of a drive with a buffer."""
    key, size = "drain_rate_bytes_per_second", estimate.buffer_bytes or 0.0
    gaps, rooms = [gap for gap, _, _ in curve], [room for _, room, _ in curve]
    # The gaps of a drive that stalls begin in the middle of a pause or of a burst, and do not show the rate.
    slope = None if estimate.stalls else gap_drain_rate(gaps, rooms, size)
    rates = [fit.slow for fit in estimate.fits]
    details = {"by_gaps": slope, "by_bursts": estimate.drain_rate}
    words = "" if slope is None else f"; idle gaps give {format_rate(slope)}"
    statement = f"A full buffer drains at {format_rate(estimate.drain_rate)}{words}: no faster rate lasts."
    return Finding(
        key, statement, estimate.drain_rate, "bytes/s", min(rates), max(rates), evidence=evidence, details=details
    )


def when_full(estimate: BufferEstimate, evidence: tuple[str, ...]) -> Finding:
    """full_buffer_behaviour: "until-drained" or "until-room"."""
    if estimate.stalls:
        pause = (estimate.buffer_bytes or 0.0) / max(estimate.drain_rate, 1.0)
        statement = (
            f"A full buffer takes nothing until most of it has drained: expect pauses of up to "
            f"{format_time(round(pause * SECOND_NS))} under long writes."
        )
        return Finding("full_buffer_behaviour", statement, "until-drained", "", evidence=evidence)
    statement = (
        "A full buffer takes each write as soon as there is room: long writes are slowed evenly, without pauses."
    )
    return Finding("full_buffer_behaviour", statement, "until-room", "", evidence=evidence)


def regained(estimate: BufferEstimate, curve: GapCurve) -> list[Finding]:
    """idle_gap_for_full_burst_ns: the shortest after which a burst is fast again over nine tenths of the buffer."""
    whole = max((room for _, room, _ in curve), default=0.0)
    if not curve or whole < 0.5 * (estimate.buffer_bytes or 0.0):
        return []
    index = next(index for index, (_, room, _) in enumerate(curve) if room >= 0.9 * whole)
    gap, before = curve[index][0], curve[index - 1][0] if index else 0.0
    statement = f"After {format_time(round(gap * SECOND_NS))} without writes the buffer takes a whole burst again."
    evidence = tuple(name for _, _, name in curve)
    key = "idle_gap_for_full_burst_ns"
    return [
        Finding(key, statement, round(gap * SECOND_NS), "ns", before * SECOND_NS, gap * SECOND_NS, evidence=evidence)
    ]
