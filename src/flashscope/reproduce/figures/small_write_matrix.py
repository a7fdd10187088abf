"""The small-write matrix of three drives: requests/s for 512 B to 4 KiB, on sectors and on 4 KiB (F016-F039)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from flashscope.drives.parts.published_figures import Figure
from flashscope.experiments.small_write_matrix import SmallWriteMatrix
from flashscope.reproduce.figures.scenario import Laboratory, Scenario, figures_where, ids_of
from flashscope.units import parse

_CONDITION = re.compile(r"(?P<size>\d+ K?i?B) random write, aligned to (?P<grid>512 B|4 KiB)")


def scenarios() -> list[Scenario]:
    """One for each drive."""
    figures = figures_where("small-write-matrix")
    return [_scenario(drive, [figure for figure in figures if figure.drive == drive]) for drive in _drives(figures)]


def _drives(figures: list[Figure]) -> list[str]:
    return list(dict.fromkeys(figure.drive for figure in figures))


def _scenario(drive: str, figures: list[Figure]) -> Scenario:
    def measure(laboratory: Laboratory) -> Mapping[str, float]:
        record = laboratory.run(f"sim:{drive}", SmallWriteMatrix())
        cells = {
            (cell["request_bytes"], cell["aligned"]): cell["requests_per_second"]
            for cell in record.findings[0].details["cells"]
        }
        return {figure.id: cells[_cell(figure)] for figure in figures if _cell(figure) in cells}

    return Scenario(f"{drive}: small-write matrix", ids_of(figures), 3.0, measure)


def _cell(figure: Figure) -> tuple[int, bool]:
    """Request size [bytes], and whether it is aligned to 4 KiB."""
    found = _CONDITION.match(figure.condition)
    assert found, figure.condition
    return parse(found["size"], "bytes", key=figure.id), found["grid"] == "4 KiB"
