"""Time of small random requests: a 512 B write that takes longer than a 4 KiB one costs a read and a rewrite."""

from __future__ import annotations

from flashscope import units
from flashscope.records import Finding, Record
from flashscope.reports.numbers import say
from flashscope.reports.plotting.bar_pairs import Bar, draw_bars
from flashscope.reports.plotting.chart import Chart

_KEYS = (
    ("access_time_write_ns", True),
    ("access_time_write_4k_ns", True),
    ("access_time_read_ns", False),
    ("access_time_read_4k_ns", False),
)


def build(record: Record) -> list[Chart]:
    """One chart of the times that were measured; none when none was."""
    found = {finding.key: finding for finding in record.findings if isinstance(finding.value, int | float)}
    shown = [(found[key], is_write) for key, is_write in _KEYS if key in found]
    longest_ns = max((float(finding.high or finding.value or 0) for finding, _ in shown), default=0.0)
    unit, unit_ns = ("milliseconds", 1e6) if longest_ns >= 2e6 else ("microseconds", 1e3)
    bars = [_bar(finding, is_write, unit_ns) for finding, is_write in shown]
    if not bars:
        return []
    cost = found.get("small_write_cost_ratio")
    if cost is not None and (cost.low or 0) > 1:
        title = f"A 512 B write takes {float(cost.value or 0):.1f} times as long as a 4 KiB one"
    elif cost is not None:
        title = "A 512 B write takes no longer than a 4 KiB one"
    else:
        title = f"Random requests: {bars[0].label}"
    return [
        Chart(
            name="times",
            title=title,
            caption="Mean time of a random request, one at a time: writes (orange) inside a written gigabyte, reads "
            "(blue) anywhere on the drive.",
            description=f"{title}. " + " ".join(f"{bar.exact}." for bar in bars),
            draw=lambda layout: draw_bars(bars, unit, layout),
        )
    ]


def _bar(finding: Finding, is_write: bool, unit_ns: float) -> Bar:
    size = units.format_bytes_binary(finding.details.get("request_bytes", 0))
    value = float(finding.value or 0)
    low, high = ((bound or 0) / unit_ns for bound in (finding.low, finding.high))
    text = say(value, "ns").text
    return Bar(
        f"{size} {'write' if is_write else 'read'}",
        value / unit_ns,
        text,
        finding.statement.rstrip("."),
        is_write,
        low or None,
        high or None,
    )
