"""The GCC source tree copied with 512 B and with 4096 B logical sectors, three passes each (F042-F056)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from flashscope.drives.parts.published_figures import Figure
from flashscope.experiments.sector_emulation_copy import SectorEmulationCopy
from flashscope.reproduce.figures.scenario import Laboratory, Scenario, figures_where, ids_of
from flashscope.workloads.file_trees import SOURCE_FILE_COUNT

_CONDITION = re.compile(r".*volume, (?P<sector>\d+) B logical sectors.*pass (?P<number>\d)")


def scenarios() -> list[Scenario]:
    """One for each drive."""
    figures = figures_where("sector-emulation-copy")
    drives = dict.fromkeys(figure.drive for figure in figures)
    return [_scenario(drive, [figure for figure in figures if figure.drive == drive]) for drive in drives]


def _scenario(drive: str, figures: list[Figure]) -> Scenario:
    def measure(laboratory: Laboratory) -> Mapping[str, float]:
        record = laboratory.run(f"sim:{drive}", SectorEmulationCopy(SOURCE_FILE_COUNT))
        gain = next(finding for finding in record.findings if finding.key == "sector_emulation_gain_ratio")
        values = {}
        for figure in figures:
            found = _CONDITION.match(figure.condition)
            assert found, figure.condition
            durations = gain.details.get(f"durations_{found['sector']}_s", [])
            if int(found["number"]) <= len(durations):
                values[figure.id] = durations[int(found["number"]) - 1]
        return values

    return Scenario(f"{drive}: copy of a source tree", ids_of(figures), 12.0, measure)
