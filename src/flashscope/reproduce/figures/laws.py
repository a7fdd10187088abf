"""Figures that follow from sizes and rates: computed wear, raw flash, the alignment law (F009-F011, F069-F071)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from flashscope.drives.parts.published_figures import Figure
from flashscope.laws.wear_projection import days_to_wear
from flashscope.reproduce import alignment
from flashscope.reproduce.bench_drive import BenchDrive
from flashscope.reproduce.figures.scenario import Laboratory, Scenario, figures_where, ids_of
from flashscope.units import parse

_RATE = re.compile(r"(?P<rate>\d+ MB/s) continuous write, WAF 1, to average erase count (?P<cycles>\d+)")
_UNIT = re.compile(r"units of (?P<unit>\d+ KiB)")


def scenarios() -> list[Scenario]:
    """Three: no drive is written for the first two."""
    projection, geometry = figures_where("endurance-projection"), figures_where("geometry")
    law = figures_where("alignment-law")
    return [
        Scenario("onyx-32: projected wear", ids_of(projection), 0.1, lambda lab: _projection(projection, lab)),
        Scenario("onyx-32: raw flash", ids_of(geometry), 0.1, lambda lab: _raw_flash(geometry, lab)),
        Scenario("alignment law", ids_of(law), 3.0, lambda lab: _alignment(law)),
    ]


def _projection(figures: list[Figure], laboratory: Laboratory) -> Mapping[str, float]:
    """Days until the drive has reached that erase count, at the rate the document states.

    The document's arithmetic: a write amplification of 1, and one erase of every block for each capacity written. In
    fact spare blocks wear as well, so each erase count takes longer by the factor raw flash / capacity.
    """
    values = {}
    for figure in figures:
        found = _RATE.match(figure.condition)
        assert found, figure.condition
        user_bytes = laboratory.open(f"sim:{figure.drive}").facts.user_bytes
        rate = parse(found["rate"], "rate", key=figure.id)
        values[figure.id] = days_to_wear(int(found["cycles"]), bytes_per_cycle=user_bytes, host_bytes_per_second=rate)
    return values


def _raw_flash(figures: list[Figure], laboratory: Laboratory) -> Mapping[str, float]:
    return {figure.id: laboratory.open(f"sim:{figure.drive}").facts.raw_bytes / 2**30 for figure in figures}


def _alignment(figures: list[Figure]) -> Mapping[str, float]:
    """Measured on a bench drive in which nothing but read-modify-write acts, as `reproduce laws` does."""
    measured = {}
    for figure in figures:
        found = _UNIT.search(figure.condition)
        assert found, figure.condition
        measured[figure.id] = alignment.shifted_rate_ratio(BenchDrive, parse(found["unit"], "bytes", key=figure.id))
    return measured
