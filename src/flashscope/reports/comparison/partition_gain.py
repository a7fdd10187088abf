"""What moving a partition gained: two records of the experiment `misalignment`, before and after, in words.

    before: sim:PART@offset=63s        after: sim:PART
    "write 4 KiB from sector 0"   ->   "write 4 KiB from sector 0"      the same writes, from where the partition begins

In both records sector 0 is where what was measured begins: these steps are what the owner of the partition meets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flashscope.analysis.comparison import Ratio
from flashscope.laws.alignment import touched_units
from flashscope.records import Record, WorkloadResult
from flashscope.reports.comparison.side_by_side import compared_rate
from flashscope.units import format_bytes_binary, format_number, format_percent

EXPERIMENT = "misalignment"
_ROLE = "shifted"
SECTOR_BYTES = 512


@dataclass(frozen=True)
class Gain:
    """One size of random writes from the start of the partition: rates before and after [bytes/s].

    law_ratio: after over before by the law, where the unit is larger than the writes and known; else None.
    """

    request_bytes: int
    first: float
    second: float
    ratio: Ratio
    law_ratio: float | None = None


def partition_gain(first: Record, second: Record) -> tuple[Gain, ...]:
    """The gain of each size of writes, smallest first; empty unless both records are of `misalignment`."""
    if first.experiment != EXPERIMENT or second.experiment != EXPERIMENT:
        return ()
    before, after = _from_the_start(first), _from_the_start(second)
    gains = []
    for size in sorted(before.keys() & after.keys()):
        rate = compared_rate(before[size], after[size], "written_bytes")
        if rate is not None:
            gains.append(Gain(size, *rate, _law(size, first, second)))
    return tuple(gains)


def _from_the_start(record: Record) -> dict[int, WorkloadResult]:
    """The writes that begin where the partition does, by their size [bytes]."""
    return {
        step.labels.count("request_bytes"): step.workload
        for step in record.steps_with(_ROLE, kind="write")
        if step.workload is not None and step.labels.count("start_sectors") == 0
    }


def gain_in_words(first: Record, second: Record, gains: tuple[Gain, ...]) -> list[str]:
    """A sentence on where the partition was and is, then one for each size. Empty without gains."""
    if not gains:
        return []
    begins = [record.drive_facts.offset_bytes // SECTOR_BYTES for record in (first, second)]
    where = f"from sector {begins[0]} to sector {begins[1]}" if begins[0] != begins[1] else "between the two runs"
    return [f"what moving the partition {where} changed", *(f"  {sentence(gain)}" for gain in gains)]


def gain_title(gains: Sequence[Gain]) -> str:
    """The answer in a few words: what became of the smallest writes; empty without gains."""
    if not gains:
        return ""
    size = format_bytes_binary(gains[0].request_bytes)
    ratio = gains[0].ratio
    return f"Random {size} writes are {_change(ratio.value)}" if ratio.differs else f"No gain seen for {size} writes"


def gain_at_size(gain: Gain) -> str:
    """ "4 KiB: 24.7 % faster", or "64 KiB: no difference seen"."""
    said = _change(gain.ratio.value) if gain.ratio.differs else "no difference seen"
    return f"{format_bytes_binary(gain.request_bytes)}: {said}"


def sentence(gain: Gain) -> str:
    """What became of one size of writes, with the interval and what the law says."""
    rates = [format_number(rate / gain.request_bytes) for rate in (gain.first, gain.second)]
    said = f"random {format_bytes_binary(gain.request_bytes)} writes: {rates[0]} -> {rates[1]} a second, "
    if not gain.ratio.differs:
        return f"{said}no difference seen ({_range(gain.ratio)})"
    said += _change(gain.ratio.value)
    if gain.ratio.low != gain.ratio.high:
        said += f" ({_range(gain.ratio)})"
    return said if gain.law_ratio is None else f"{said}; by the law {_change(gain.law_ratio)}"


def _range(ratio: Ratio) -> str:
    """From low to high, the words once where they are the same: "23.1 % to 26.5 % faster"."""
    low, high = _change(ratio.low), _change(ratio.high)
    words = high.rpartition(" % ")[2]
    return f"{low.removesuffix(f' {words}')} to {high}" if low.endswith(f" % {words}") else f"{low} to {high}"


def _change(ratio: float) -> str:
    """ "25 % faster", "3.1 times as fast", "4 % slower"."""
    if ratio >= 2:
        return f"{format_number(ratio)} times as fast"
    return f"{format_percent(ratio - 1)} faster" if ratio >= 1 else f"{format_percent(1 - ratio)} slower"


def unit_of(first: Record, second: Record) -> int:
    """The mapping unit that the runs found, the second one first [bytes]; 0 where neither did."""
    units = [
        finding.value
        for record in (second, first)
        for finding in record.findings
        if finding.key == "mapping_unit_bytes" and isinstance(finding.value, int | float)
    ]
    return int(units[0]) if units else 0


def _law(request_bytes: int, first: Record, second: Record) -> float | None:
    """Rate after over rate before, by the law for writes below the unit, where both starts are known."""
    unit = unit_of(first, second)
    before, after = (record.drive_facts.offset_bytes for record in (first, second))
    if not request_bytes < unit or before == after:
        return None
    costs = [touched_units(request_bytes, unit, request_bytes, offset).total for offset in (before, after)]
    return costs[0] / costs[1]
