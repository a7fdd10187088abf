"""The fleet page: models with their usual values, unusual drives, files that could not be read; one HTML file.

Fleet --> fleet.html.jinja + style.css --> one file that needs nothing but a browser
"""

from __future__ import annotations

from pathlib import Path

from flashscope.outputs import HTML, OWN_FILES, Replacing, ResultFile, write_result
from flashscope.smart.decoding.verdict import COPY_NOW, UNKNOWN, WATCH
from flashscope.smart.fleets.measures import MEASURES
from flashscope.smart.fleets.outliers import MEMBERS_AT_LEAST, said
from flashscope.smart.fleets.summary import Fleet
from flashscope.units import counted

_UNREADABLE_SHOWN = 500
_OUTLIERS_SHOWN = 1000


def write_fleet_page(fleet: Fleet, path: Path, replacing: Replacing = OWN_FILES) -> Path:
    """Write the page of a fleet; returns the path.

    The file appears complete or not at all. Raises WrongUse when no result may go there, or it cannot be written.
    """
    return write_result(ResultFile(path, HTML, render(fleet).encode("utf-8", "replace")), replacing)


def render(fleet: Fleet) -> str:
    """The page as HTML text."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("flashscope.reports", "."),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
    )
    told = {key for model in fleet.models for key in model.spreads}
    return environment.get_template("smart/fleet.html.jinja").render(
        fleet=fleet,
        summary=fleet_summary(fleet),
        measures=[measure for measure in MEASURES if measure.key in told],
        standing=[(model.model, one) for model in fleet.models for one in model.outliers][:_OUTLIERS_SHOWN],
        standing_count=sum(len(model.outliers) for model in fleet.models),
        to_do=fleet.to_do[:_OUTLIERS_SHOWN],
        unreadable=fleet.unreadable[:_UNREADABLE_SHOWN],
        members_at_least=MEMBERS_AT_LEAST,
        said=said,
        style=(Path(__file__).parents[1] / "style.css").read_text(encoding="utf-8"),
    )


def fleet_summary(fleet: Fleet) -> str:
    """A fleet in a sentence or two."""
    drives = counted(fleet.drive_count, "drive")
    models = "1 model" if len(fleet.models) == 1 else f"{len(fleet.models)} models"
    standing = {one.path for model in fleet.models for one in model.outliers}
    parts = [f"{drives} of {models}; {len(standing) or 'none'} of them stand{'s' * (len(standing) == 1)} out"]
    counts = fleet.verdict_counts
    urgent = [f"{counts[level]} to {level}" for level in (COPY_NOW, WATCH) if counts.get(level)]
    silent = counts.get(UNKNOWN, 0)
    urgent += [f"{silent} {'does not show its' if silent == 1 else 'do not show their'} condition"] if silent else []
    parts.insert(1, ", ".join(urgent) if urgent else "none needs anything done")
    if fleet.older_dump_count:
        parts.append(f"{fleet.older_dump_count} older dumps of the same drives were left out")
    if fleet.unreadable:
        count = len(fleet.unreadable)
        parts.append(f"{count} {'file' if count == 1 else 'files'} could not be read")
    return "; ".join(parts) + "."
