"""One measurement that can be run on its own, and the laws it belongs to.

    Law "greedy" --cases(quick)--> Case, Case, ... --measure(open_drive)--> Row, Row, ...

A case opens its drives through the function it is given, so that its caller can stop it (`run.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from flashscope.reproduce.bench_drive import BenchDrive, Built
from flashscope.reproduce.row import Row


class OpenDrive(Protocol):
    """How a case gets its drives."""

    def __call__(self, configuration: Built) -> BenchDrive[Built]:
        """A new drive, fresh."""


@dataclass(frozen=True)
class Case:
    """One measurement.

    name: for progress, and for the row that is shown when the core refuses the drive.
    cost: expected work, in million pages read, programmed and moved; only ratios between cases matter.
    measure: runs it; yields its rows.
    """

    name: str
    cost: float
    measure: Callable[[OpenDrive], Iterable[Row]]


@dataclass(frozen=True)
class Law:
    """A law and its comparison with the virtual drive.

    name: as in `--only` and in rows. title: its content in a few words. page: in docs/laws/.
    cases: the measurements, fewer of them when quick.
    """

    name: str
    title: str
    page: str
    cases: Callable[[bool], list[Case]]
