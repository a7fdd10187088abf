"""The latency table of a record: a row for each step, or for each family of steps when they are many (`Labels`)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

from flashscope.records import Histogram, Record
from flashscope.reports.numbers import Said, say
from flashscope.vocabulary import REQUEST_KIND_NAMES

_ROWS_MAX = 20  # workload steps; when there are more, one row is for a family


@dataclass(frozen=True)
class LatencyRow:
    """Latency of one kind of request in one step; each number rounded and exact."""

    step: str
    requests: Said
    times: tuple[Said, ...]  # p50, p99, p99.9, max


def latency_rows(record: Record) -> list[LatencyRow]:
    """A row for each step and kind of request; steps of one family together when they are many."""
    rows: dict[tuple[str, str], list[Histogram]] = {}
    many = sum(1 for step in record.steps if step.workload) > _ROWS_MAX
    for step in record.steps:
        latency = step.workload.latency if step.workload else {}
        for kind in REQUEST_KIND_NAMES:  # a fixed order, because a store sorts them by name
            histogram = latency.get(kind)
            if histogram is not None and histogram.total:
                name = (many and step.labels.family) or step.name
                rows.setdefault((name, kind), []).append(histogram)
    kinds = {kind for _, kind in rows}
    return [
        _row(
            name
            + (f", {kind}" if len(kinds) > 1 else "")
            + (f" ({len(histograms)} steps)" if len(histograms) > 1 else ""),
            reduce(Histogram.merged, histograms),
        )
        for (name, kind), histograms in rows.items()
    ]


def _row(step: str, histogram: Histogram) -> LatencyRow:
    times = [*(histogram.percentile_ns(share) for share in (0.5, 0.99, 0.999)), histogram.max_ns]
    return LatencyRow(step, say(histogram.total, "count"), tuple(say(value, "ns") for value in times))
