"""The bars of ATTO: write and read rate for each request size."""

from __future__ import annotations

from flashscope import units
from flashscope.records import Finding, Record
from flashscope.reports.plotting.bar_pairs import Bar, draw_bars
from flashscope.reports.plotting.chart import Chart


def build(record: Record) -> list[Chart]:
    """One chart of the sizes that were measured; none when none was."""
    found = {finding.key: finding for finding in record.findings}
    reads, writes = found.get("read_rate_max"), found.get("write_rate_max")
    bars = sorted(
        [*_bars(reads, is_write=False), *_bars(writes, is_write=True)], key=lambda pair: (pair[0], pair[1].is_second)
    )
    if not bars:
        return []
    told = [
        f"{word} {units.format_rate(float(finding.value or 0))}"
        for word, finding in (("reads", reads), ("writes", writes))
        if finding is not None
    ]
    size = found.get("read_size_for_full_rate_bytes")
    enough = f"; reads need {units.format_bytes_binary(float(size.value or 0))}" if size else ""
    title = f"ATTO: {', '.join(told)}{enough}"
    return [
        Chart(
            name="sizes",
            title=title,
            caption="Sequential requests of each size, four outstanding, zeros as data. Blue: read; orange: write.",
            description=f"{title}. " + " ".join(f"{bar.row}: {bar.exact}." for _, bar in bars),
            draw=lambda layout: draw_bars([bar for _, bar in bars], "MB/s", layout),
        )
    ]


def _bars(finding: Finding | None, *, is_write: bool) -> list[tuple[int, Bar]]:
    word = "write" if is_write else "read"
    bars = finding.details.get("bars", ()) if finding else ()
    return [
        (
            int(bar["request_bytes"]),
            Bar(
                units.format_bytes_binary(bar["request_bytes"]),
                bar["rate"] / 1e6,
                f"{units.format_rate(bar['rate'])} {word}",
                f"{word} {units.format_rate(bar['rate'])}",
                is_write,
            ),
        )
        for bar in bars
    ]
