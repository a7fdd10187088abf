"""The published figures that the virtual drives are compared with: parts/figures/*.csv as data."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from flashscope.drives.parts.shipped import shipped_folder


@dataclass(frozen=True)
class Figure:
    """One published number.

    id: "F001" and so on. drive: the part it was measured on. experiment, condition, metric: what was measured, as the
    document has it. value: as printed, None when it is to be predicted [unit]. document: number of its source.
    """

    id: str
    drive: str
    experiment: str
    condition: str
    metric: str
    value: float | None
    unit: str
    document: str


@cache
def published_figures() -> tuple[Figure, ...]:
    """All rows of all files, in their order."""
    return tuple(figure for path in sorted((shipped_folder() / "figures").glob("*.csv")) for figure in _figures(path))


def _figures(path: Path) -> Iterator[Figure]:
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            value = float(row["value"]) if row["value"] else None
            what = (row["drive"], row["experiment"], row["condition"], row["metric"])
            yield Figure(row["id"], *what, value, row["unit"], row["seed"])


def figures_of(part: str) -> tuple[Figure, ...]:
    """The rows of one part that have a number; a pair of equal drives counts as the drive that it is made of."""
    return tuple(
        figure
        for figure in published_figures()
        if figure.value is not None and (figure.drive == part or figure.drive.startswith(f"{part}-raid"))
    )
