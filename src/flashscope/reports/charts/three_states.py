"""Sequential rates in four states of one drive, as bars: the loss by a fill, and the loss by random writing."""

from __future__ import annotations

from flashscope.records import Finding, Record
from flashscope.reports.plotting.chart import Chart
from flashscope.reports.plotting.curve import draw_bars
from flashscope.reports.plotting.theme import ACCENT, SERIES
from flashscope.units import format_percent, format_rate

_STATES = {
    "fresh": "secure erase",
    "after_zero_fill": "zero fill",
    "after_random_fill": "random-data fill",
    "after_random_writes": "4 KiB random writing",
}


def build(record: Record) -> list[Chart]:
    """One chart of all rates; none when no state was measured."""
    found = {finding.key: finding for finding in record.findings}
    rows = []
    for kind, colour in (("write", ACCENT), ("read", SERIES)):
        for state, words in _STATES.items():
            rate = _value(found.get(f"{kind}_rate_{state}_bytes_per_second"))
            if rate is not None:
                name = f"{kind}, {words}"
                rows.append((name, rate / 1e6, colour, f"{name}: {format_rate(rate)}"))
    if not rows:
        return []
    ratios = {state: _value(found.get(f"write_ratio_{state}")) for state in _STATES if state != "fresh"}
    known = {state: ratio for state, ratio in ratios.items() if ratio is not None}
    worst = min(known, key=lambda state: known[state]) if known else None
    title = (
        f"Writes at {format_percent(known[worst])} of its fresh rate after {_STATES[worst]}"
        if worst and known[worst] < 0.95
        else "Writes at its fresh rate in every state"
    )
    return [
        Chart(
            name="states",
            title=title,
            caption="Sequential rate after each state was made from a secure erase, in the last quarter of the run.",
            description=f"{title}. " + " ".join(f.statement for f in record.findings),
            draw=lambda layout: draw_bars(rows, "MB/s", layout),
        )
    ]


def _value(finding: Finding | None) -> float | None:
    return float(finding.value) if finding and isinstance(finding.value, int | float) else None
