"""The charts of a report as files of their own: SVG for print, PNG (twice the pixels) for everything else."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from flashscope.dossier.judge.judge import judge
from flashscope.errors import WrongUse
from flashscope.outputs import OWN_FILES, PNG, SVG, Replacing, ResultFile, write_results
from flashscope.records import Record
from flashscope.reports.charts import charts_of
from flashscope.reports.glass.inside import build_inside
from flashscope.reports.glass.view import charts_inside
from flashscope.reports.plotting import vega_lite
from flashscope.reports.plotting.theme import WIDE
from flashscope.reports.summary import drive_kind, drive_name

FORMATS = ("svg", "png")


def export_charts(
    records: Sequence[Record],
    directory: Path,
    formats: Sequence[str] = FORMATS,
    replacing: Replacing = OWN_FILES,
    *,
    by_experiment: bool = False,
) -> list[Path]:
    """Write each chart as `<record id>-<chart>.<format>` with its title in it, light on white.

    by_experiment: the name begins with that of the experiment instead, so that a later run replaces it.

    Returns the paths written, record by record; empty when no record has a chart. Raises WrongUse for
    an unknown format or a file that may not be replaced, before anything is written; or when one cannot be written.
    """
    return write_results(chart_files(records, directory, formats, by_experiment=by_experiment), replacing)


def chart_files(
    records: Sequence[Record], directory: Path, formats: Sequence[str] = FORMATS, *, by_experiment: bool = False
) -> list[ResultFile]:
    """What `export_charts` writes. Raises WrongUse for an unknown format."""
    for name in formats:
        if name not in FORMATS:
            raise WrongUse(f'"{name}" is not a format of charts', accepted=", ".join(FORMATS))
    charts: list[ResultFile] = []
    for record in judge(records).records:
        subtitle = f"{drive_name(record)}, {drive_kind(record)}, {record.created_utc[:10]}; record {record.id}"
        for chart in [*charts_of(record), *charts_inside(record), *build_inside(record)]:
            spec = vega_lite.titled(chart.draw(WIDE), chart.title, subtitle)
            stem = directory / f"{record.experiment if by_experiment else record.id}-{chart.name}"
            for name in formats:
                content = vega_lite.to_svg(spec).encode() if name == "svg" else vega_lite.to_png(spec)
                charts.append(ResultFile(stem.with_name(f"{stem.name}.{name}"), SVG if name == "svg" else PNG, content))
    return charts
