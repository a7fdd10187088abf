"""13 archives copied, unpacked at once and one after another, at the document's full size (F212-F269)."""

from __future__ import annotations

from collections.abc import Mapping

from flashscope.drives.parts.published_figures import Figure
from flashscope.experiments.archives import Archives
from flashscope.reproduce.figures.addresses import address_of
from flashscope.reproduce.figures.scenario import Laboratory, Scenario, figures_where, ids_of

_KEYS = (
    ("copy of", "copy_duration_s"),
    ("processes at once", "parallel_duration_s"),
    ("one after another", "serial_duration_s"),
)


def scenarios() -> list[Scenario]:
    """One for each drive."""
    figures = figures_where("extract-parallel-serial")
    drives = dict.fromkeys(figure.drive for figure in figures)
    return [_scenario(drive, [figure for figure in figures if figure.drive == drive]) for drive in drives]


def _scenario(drive: str, figures: list[Figure]) -> Scenario:
    def measure(laboratory: Laboratory) -> Mapping[str, float]:
        record = laboratory.run(address_of(drive), Archives(1.0))
        found = {finding.key: finding.value for finding in record.findings}
        values = {}
        for figure in figures:
            value = found[next(key for words, key in _KEYS if words in figure.condition)]
            if isinstance(value, int | float):
                values[figure.id] = float(value)
        return values

    return Scenario(f"{drive}: archives", ids_of(figures), 8.0, measure)
