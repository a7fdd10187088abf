"""The page of an archive: what to do, how long drives live, what tells failed ones, what was left out; one HTML file.

Archive --charts.py--> charts
   +----------------------> archive/page.html.jinja + style.css + hover.js --> one file that needs nothing but a browser
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from flashscope.outputs import HTML, OWN_FILES, Replacing, ResultFile, write_result
from flashscope.reports.archive.charts import ATTRIBUTE_NAMES, archive_charts, years
from flashscope.reports.numbers import bound
from flashscope.reports.section import drawn_as
from flashscope.smart.archives.attributes import AttributeSpread
from flashscope.smart.archives.summary import Archive, Share, shares
from flashscope.smart.archives.survival import DAYS_PER_YEAR, Survival
from flashscope.smart.decoding.verdict import COPY_NOW, UNKNOWN, WATCH
from flashscope.units import counted, format_number, format_percent

_ROWS_SHOWN = 1000
_MODELS_SHOWN = 200
_MODELS_WITH_ATTRIBUTES = 30


@dataclass(frozen=True)
class ModelRow:
    """A model with a failure rate, for the table. reached: how many reach which age, or why that is not known."""

    one: Survival
    reached: str


def write_archive_page(archive: Archive, path: Path, replacing: Replacing = OWN_FILES) -> Path:
    """Write the page of an archive; returns the path.

    The file appears complete or not at all. Raises WrongUse when no result may go there, or it cannot be written.
    """
    return write_result(ResultFile(path, HTML, render(archive).encode("utf-8", "replace")), replacing)


def render(archive: Archive) -> str:
    """The page as HTML text."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("flashscope.reports", "."),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters |= {"bound": bound, "number": format_number, "percent": format_percent}
    charts = {chart.name: drawn_as(chart.name, chart) for chart in archive_charts(archive)}
    told = [one for one in archive.models if one.rate is not None]
    here = Path(__file__).parents[1]
    return environment.get_template("archive/page.html.jinja").render(
        archive=archive,
        summary=archive_summary(archive),
        charts=charts,
        curves=[one for name, one in charts.items() if name.startswith("survival")],
        to_do=archive.fleet.to_do[:_ROWS_SHOWN] if archive.fleet is not None else [],
        told=[ModelRow(one, reached(one)) for one in told[:_MODELS_SHOWN]],
        silent=[one for one in archive.models if one.rate is None][:_MODELS_SHOWN],
        attributes=_attributes_of_models(archive),
        attribute_names=ATTRIBUTE_NAMES,
        shown=_ROWS_SHOWN,
        style=(here / "style.css").read_text(encoding="utf-8"),
        script=(here / "hover.js").read_text(encoding="utf-8"),
    )


def archive_summary(archive: Archive) -> str:
    """An archive in two sentences."""
    totals = archive.totals
    if not totals.drive_count:
        return "No row of any drive was read."
    failures = sum(one.lives.failure_count for one in archive.models)
    drives = counted(totals.drive_count, "drive", format_number(totals.drive_count))
    first = (
        f"{drives} of {counted(len(archive.models), 'model')} from {totals.first_day} to {totals.last_day}, of which "
        f"{format_number(failures) if failures else 'none'} failed."
    )
    if archive.fleet is None:
        return first
    counts = archive.fleet.verdict_counts
    urgent = [f"{counts[level]} to {level}" for level in (COPY_NOW, WATCH) if counts.get(level)]
    silent = counts.get(UNKNOWN, 0)
    urgent += [f"{silent} that {'does' if silent == 1 else 'do'} not show their condition"] if silent else []
    living = counted(archive.fleet.drive_count, "living drive", format_number(archive.fleet.drive_count))
    return f"{first} Of {living}: {', '.join(urgent) or 'none needs anything done'}."


def reached(one: Survival) -> str:
    """How many drives of a model reach which age, or why that is not known."""
    if one.curve is None:
        return f"not known: {'; '.join(one.missing)}"
    said = [_share(share) for share in shares(one.curve)]
    left_out = one.lives.left_out
    return (
        f"of drives with {years(one.curve.from_days / DAYS_PER_YEAR)} "
        f"{'of power-on time' if one.lives.by_power_on_time else 'since their first row'}: {'; '.join(said)}"
        + f"; {left_out} without a believable power-on time are left out"
        * bool(left_out)
    )


def _share(share: Share) -> str:
    span = f"{format_percent(share.low)} to {format_percent(share.high)}"
    return f"{format_percent(share.ratio)} reach {years(share.to_years)} ({span})"


def _attributes_of_models(archive: Archive) -> list[tuple[str, Sequence[AttributeSpread]]]:
    """The models with most drives, each with the spreads of its attributes that are not 0 on every drive."""
    found: list[tuple[str, Sequence[AttributeSpread]]] = []
    for model in [one.lives.model for one in archive.models][:_MODELS_WITH_ATTRIBUTES]:
        of_model = [one for one in archive.spreads if one.model == model]
        moving = {one.attribute_id for one in of_model if one.most}
        rows = [one for one in of_model if one.attribute_id in moving]
        if rows:
            found.append((model, rows))
    return found
