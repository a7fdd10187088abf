"""A comparison in words, for a terminal."""

from __future__ import annotations

from flashscope.analysis.comparison import Ratio
from flashscope.records import Record
from flashscope.reports.comparison.page import VERDICTS
from flashscope.reports.comparison.partition_gain import gain_in_words, partition_gain
from flashscope.reports.comparison.side_by_side import FindingRow, SideBySide, StepRow
from flashscope.reports.numbers import named, say
from flashscope.units import format_number, format_percent

_STEPS_SHOWN = 40


def compare_text(first: Record, second: Record, comparison: SideBySide) -> str:
    """Findings first, then the steps (those that differ first), then what only one of the records has."""
    lines = [f"first   {first.id}  {first.drive}", f"second  {second.id}  {second.drive}"]
    if first.configuration_hash == second.configuration_hash:
        lines.append("both ran the same configuration")
    if comparison.builds is not None:
        lines.append(_builds(*comparison.builds))
    if gain := gain_in_words(first, second, partition_gain(first, second)):
        lines += ["", *gain]
    if comparison.findings:
        lines += ["", "findings", *(f"  {_finding(row)}" for row in comparison.findings)]
    rows = sorted(comparison.steps, key=lambda row: not row.ratio.differs)
    differing = sum(row.ratio.differs for row in rows)
    if rows:
        lines += ["", f"steps: {differing} of {len(rows)} measures differ"]
        lines += [f"  {_step(row)}" for row in rows[:_STEPS_SHOWN]]
    if len(rows) > _STEPS_SHOWN:
        lines.append(f"  ... and {len(rows) - _STEPS_SHOWN} more (--json has all)")
    for name, only in (("first", comparison.only_in_first), ("second", comparison.only_in_second)):
        if only:
            lines.append(f"only in the {name}: {', '.join(only[:6])}{' ...' if only[6:] else ''}")
    return "\n".join(lines)


def _builds(first: str, second: str) -> str:
    """A warning: a difference may come from flashscope rather than from the drive."""
    if first == second:  # both unknown
        return "the builds of flashscope that made them are unknown: they may be different ones"
    return f"made by different builds of flashscope ({first}; {second}): a difference may come from that alone"


def _finding(row: FindingRow) -> str:
    values = [say(value, row.unit, key=row.key).text for value in (row.first, row.second)]
    return f"{named(row.key)}: {values[0]} -> {values[1]}: {VERDICTS[row.differs]}"


def _step(row: StepRow) -> str:
    first, second = (say(value, row.unit).text for value in (row.first, row.second))
    return f"{row.step}, {row.measure}: {first} -> {second}: {_ratio(row.ratio)}"


def _ratio(ratio: Ratio) -> str:
    if ratio.low == ratio.high:
        return f"{_change(ratio.value)}; too few rows to say how sure that is"
    bounds = f"{_change(ratio.low)} to {_change(ratio.high)}"
    size = "" if ratio.effect_size is None else f", effect size {ratio.effect_size:+.1f}"
    return f"{_change(ratio.value)} ({bounds}{size})" if ratio.differs else f"no difference seen ({bounds})"


def _change(ratio: float) -> str:
    """ "+12 %", or "3.1 times" from twice on."""
    if ratio >= 2 or ratio <= 0.5:
        return f"{format_number(ratio)} times"
    return f"{'+' if ratio >= 1 else ''}{format_percent(ratio - 1)}"
