"""A hybrid disk's cache: random reads of a warmed region (F012-F015).

The region is warmed for ten minutes and then left idle, as in the document; "wins" means faster by a tenth, as in the
experiment. F013 is a disk without a cache: the same drive before its idle time, when nothing of the region is cached.
"""

from __future__ import annotations

from collections.abc import Mapping

from flashscope.drives.parts.published_figures import Figure
from flashscope.experiments.hybrid_cache import COLD, WARM, HybridCache
from flashscope.records import Record
from flashscope.reproduce.figures.scenario import Laboratory, Scenario, figures_where, ids_of
from flashscope.runner.effort import Effort, Extent

_KIB = 1024
_LARGE_BYTES = 256 * _KIB


def scenarios() -> list[Scenario]:
    """One run for all four."""
    figures = figures_where("hybrid-read-cache")
    drive = figures[0].drive
    return [Scenario(f"{drive}: read cache", ids_of(figures), 8.0, lambda lab: _measure(drive, figures, lab))]


def _measure(drive: str, figures: list[Figure], laboratory: Laboratory) -> Mapping[str, float]:
    record = laboratory.run(f"sim:{drive}", HybridCache(), Effort(Extent.FULL))
    found = {finding.key: finding.value for finding in record.findings}
    values: dict[str, float | None] = {
        "region warmed": _rate(record, WARM, 4 * _KIB),
        "ordinary": _rate(record, COLD, 4 * _KIB),
        "256 KiB and more": _rate(record, WARM, _LARGE_BYTES),
    }
    largest = found.get("hybrid_cache_largest_request_bytes")
    if isinstance(largest, int | float):
        values["largest request size"] = largest / _KIB
    measured = {}
    for figure in figures:
        value = next((value for words, value in values.items() if words in figure.condition), None)
        if value is not None:
            measured[figure.id] = value
    return measured


def _rate(record: Record, role: str, request_bytes: int) -> float | None:
    """MB/s of the reads of a size, None when the run has none."""
    step = record.step_with(role, request_bytes=request_bytes)
    workload = None if step is None else step.workload
    return None if workload is None else workload.totals["read_bytes"] * 1e3 / workload.duration_ns
