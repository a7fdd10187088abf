"""Read and write rates of a record's findings as pairs of bars, one pair for each line of the program's window."""

from __future__ import annotations

from collections.abc import Sequence

from flashscope import units
from flashscope.records import Finding, Record
from flashscope.reports.plotting.bar_pairs import Bar, draw_bars
from flashscope.reports.plotting.chart import Chart

CAPTION = "Blue: read; orange: write."


def build_rate_pairs(
    record: Record, rows: Sequence[tuple[str, str, str]], *, program: str, caption: str
) -> list[Chart]:
    """One chart with a row for each (label, key of the read, key of the write); none when nothing was measured."""
    findings = {found.key: found for found in record.findings if isinstance(found.value, int | float)}
    bars = [
        _bar(label, findings[key], is_write)
        for label, read, write in rows
        for key, is_write in ((read, False), (write, True))
        if key in findings
    ]
    if not bars:
        return []
    title = f"{program}: {_in_short(findings, rows)}"
    return [
        Chart(
            name="rates",
            title=title,
            caption=f"{caption} {CAPTION}",
            description=f"{title}. " + " ".join(f"{bar.row}: {bar.exact}." for bar in bars),
            draw=lambda layout: draw_bars(bars, "MB/s", layout),
        )
    ]


def _bar(label: str, finding: Finding, is_write: bool) -> Bar:
    rate = float(finding.value or 0)
    word = "write" if is_write else "read"
    spread = ""
    if finding.low is not None and finding.high is not None and finding.low < finding.high:
        spread = f", passes from {units.format_rate(finding.low)} to {units.format_rate(finding.high)}"
    low, high = (finding.low / 1e6, finding.high / 1e6) if spread and finding.low and finding.high else (None, None)
    text = units.format_rate(rate)
    return Bar(label, rate / 1e6, f"{text} {word}", f"{word} {text}{spread}", is_write, low, high)


def _in_short(findings: dict[str, Finding], rows: Sequence[tuple[str, str, str]]) -> str:
    """The first row, by custom sequential, and that of single 4 KiB requests."""
    told = []
    small = next((row for row in rows if row[1] == "rand_read_4k"), rows[-1])
    for label, read, write in (rows[0], small):
        rates = [
            units.format_rate(float(findings[key].value or 0)) if key in findings else "-" for key in (read, write)
        ]
        told.append(f"{label} {rates[0]} read" + (f", {rates[1]} write" if write in findings else ""))
    return "; ".join(told)
