"""The marks of a drive that is filled, rested and given free space, as bars; recovery and test-file size as curves."""

from __future__ import annotations

from typing import Any

from flashscope.records import Finding, Record
from flashscope.reports.plotting.chart import Chart
from flashscope.reports.plotting.curve import Curve, Line, draw_bars, draw_curve
from flashscope.reports.plotting.theme import ACCENT, CONTRAST, SERIES
from flashscope.reports.plotting.ticks import say_time
from flashscope.units import format_bytes, format_percent, format_rate

_METRIC = "rand_write_512k"


def build(record: Record) -> list[Chart]:
    """Marks, recovery, files: each where it was measured."""
    found = {finding.key: finding for finding in record.findings}
    charts = (
        _marks(record, found.get(f"collapse_ratio_{_METRIC}")),
        _recovery(found.get("recovery_idle_ns")),
        _files(found.get("largest_full_rate_file_bytes")),
    )
    return [chart for chart in charts if chart is not None]


def _marks(record: Record, collapse: Finding | None) -> Chart | None:
    marks = collapse.details.get("marks", {}) if collapse else {}
    if collapse is None or not isinstance(collapse.value, int | float) or not marks:
        return None
    title = (
        f"512 KiB random writes fall to {format_percent(collapse.value)} on a drive just filled"
        if collapse.value < 0.9
        else "512 KiB random writes keep their rate on a drive just filled"
    )
    rows = mark_bars(record, marks, _METRIC)
    return Chart(
        name="marks",
        title=title,
        caption="512 KiB random writes of each mark, in the order they were made.",
        description=f"{title}. {collapse.statement}",
        draw=lambda layout: draw_bars(rows, "MB/s", layout),
    )


def _recovery(recovery: Finding | None) -> Chart | None:
    if recovery is None:
        return None
    lines = tuple(
        _line(words, colour, recovery.details["pauses_ns"], recovery.details[f"{probe}_bytes_per_second"])
        for words, colour, probe in (("512 KiB", ACCENT, _METRIC), ("4 KiB", CONTRAST, "rand_write_4k"))
    )
    title = (
        f"Back after {say_time(float(recovery.value))} of idleness"
        if recovery.value
        else "Nothing to recover from"
        if recovery.value == 0
        else "Idle time does not bring it back"
    )
    return Chart(
        name="recovery",
        title=title,
        caption="Random writes on a full drive, after a load and then a pause.",
        description=f"{title}. {recovery.statement}",
        draw=lambda layout: draw_curve(Curve("pause, s", "MB/s", lines), layout),
    )


def _files(files: Finding | None) -> Chart | None:
    if files is None or not isinstance(files.value, int | float):
        return None
    points = tuple(
        (size / 1e6, rate / 1e6, f"{format_bytes(size)}: {format_rate(rate)}")
        for size, rate in zip(files.details["file_bytes"], files.details["rates_bytes_per_second"], strict=True)
    )
    title = f"4 KiB random writes keep their rate in files of up to {format_bytes(files.value)}"
    return Chart(
        name="files",
        title=title,
        caption="4 KiB random writes in one file, three idle minutes before each.",
        description=f"{title}. {files.statement}",
        draw=lambda layout: draw_curve(Curve("test file, MB", "MB/s", (Line("", ACCENT, points),), x_log=True), layout),
    )


def mark_bars(record: Record, marks: dict[str, dict[str, float]], metric: str) -> list[tuple[str, float, str, str]]:
    """One bar per mark that has the metric, in the order of the steps; the first one, of the new drive, in grey.

    The order of the marks in the record has no meaning: a store sorts the details of a finding by name.
    """
    in_order = dict.fromkeys(step.labels.word("condition") for step in record.steps)
    rows: list[tuple[str, float, str, str]] = []
    for condition in [*(word for word in in_order if word in marks), *(word for word in marks if word not in in_order)]:
        rate: Any = marks[condition].get(metric)
        if rate:
            words = condition.removesuffix(", CDM 1000 MB")
            rows.append((words, rate / 1e6, ACCENT if rows else SERIES, f"{words}: {format_rate(rate)}"))
    return rows


def _line(words: str, colour: str, pauses_ns: list[float], rates: list[float]) -> Line:
    points = tuple(
        (pause / 1e9, rate / 1e6, f"{words} after {say_time(pause)}: {format_rate(rate)}")
        for pause, rate in zip(pauses_ns, rates, strict=True)
    )
    return Line(words, colour, points)
