"""The rate that falls after one drive-full: where, and to what (F354-F356)."""

from __future__ import annotations

from collections.abc import Mapping

from flashscope.drives.parts.published_figures import Figure
from flashscope.experiments.sustained_sequential_write import SustainedSequentialWrite
from flashscope.reproduce.figures.scenario import Laboratory, Scenario, figures_where, ids_of


def scenarios() -> list[Scenario]:
    """One for the one drive whose numbers are printed."""
    figures = figures_where("sustained-sequential-write")
    drive = figures[0].drive
    return [Scenario(f"{drive}: sustained write", ids_of(figures), 12.0, lambda lab: _measure(drive, figures, lab))]


def _measure(drive: str, figures: list[Figure], laboratory: Laboratory) -> Mapping[str, float]:
    record = laboratory.run(f"sim:{drive}", SustainedSequentialWrite())
    found = {finding.key: finding.value for finding in record.findings}
    values = {
        "user_area": record.drive_facts.user_bytes / 2**30,
        "written": None if found["rate_fall"] is None else float(found["rate_fall"]) / 2**30,
        "throughput": float(found["settled_rate_bytes_per_second"] or 0) / 1e6,
    }
    return {figure.id: value for figure in figures if (value := values[figure.metric]) is not None}
