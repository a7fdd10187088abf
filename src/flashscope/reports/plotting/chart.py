"""A chart answers one question; its title is the answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from flashscope.reports.plotting.theme import Layout, Spec


@dataclass(frozen=True)
class Chart:
    """One chart of one record.

    name: short, unique within the record; part of file names.
    title: the answer, e.g. "Falls to 240 MB/s after 120 GiB".
    caption: what is drawn and where it comes from, below the chart.
    description: the content for a person who cannot see the chart.
    draw: makes the Vega-Lite specification for a layout.
    """

    name: str
    title: str
    caption: str
    description: str
    draw: Callable[[Layout], Spec]
