"""The page of the figures: scores, where the model fails and why, and the charts beside the published numbers.

Written completely by the command, so no number on it is typed by hand; the reasons are in parts/figures/reasons.toml.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path

from flashscope.drives.parts.shipped import shipped_folder
from flashscope.outputs import MARKDOWN, ResultFile
from flashscope.reproduce.figures.result import CLOSE_RATIO, Result, score

NAME = "README.md"


def page_file(results: Sequence[Result], charts: Sequence[Path], directory: Path) -> ResultFile:
    """The page, to be written beside its charts."""
    sections = [
        "# The documents' figures, and the model's",
        f"Written by `flashscope reproduce figures --charts {directory}`. Every model value was measured in that run; a"
        " row without a published value is a prediction. An error is the share of the published value that the model"
        f" is off; close means up to {100 * CLOSE_RATIO:.0f} %.",
        _scores("By drive", results, lambda result: result.figure.drive),
        _scores("By experiment", results, lambda result: result.figure.experiment),
        _misses(results),
        "## Charts\n\nCircles are published, dots the model, diamonds predictions; rows as in the table.\n\n"
        + "\n\n".join(f"![{chart.stem}]({chart.name})" for chart in charts),
    ]
    return ResultFile(directory / NAME, MARKDOWN, ("\n\n".join(sections) + "\n").encode())


def _scores(title: str, results: Sequence[Result], key: Callable[[Result], str]) -> str:
    groups: dict[str, list[Result]] = {}
    for result in results:
        groups.setdefault(key(result), []).append(result)
    groups["fitted to"] = [result for result in results if result.fitted]
    groups["not fitted to"] = [result for result in results if not result.fitted]
    groups["**all**"] = list(results)
    lines = [f"## {title}", "", "| | rows | compared | predicted | median error | close |", "|---|---|---|---|---|---|"]
    for name, group in groups.items():
        of = score(group)
        median = "" if of.median_error_ratio is None else f"{100 * of.median_error_ratio:.1f} %"
        close = "" if of.close_share_ratio is None else f"{100 * of.close_share_ratio:.0f} %"
        lines.append(f"| {name} | {of.count} | {of.compared} | {of.predicted} | {median} | {close} |")
    return "\n".join(lines)


def _misses(results: Sequence[Result]) -> str:
    """Every row that is not close, by drive and experiment, with the reason as far as it is known."""
    groups: dict[tuple[str, str], list[Result]] = {}
    for result in results:
        error = result.error_ratio
        if result.model is None or (error is not None and abs(error) > CLOSE_RATIO):
            groups.setdefault((result.figure.drive, result.figure.experiment), []).append(result)
    reasons = reasons_known()
    parts = ["## Where the model fails"]
    for place, group in groups.items():
        rows = ["| | condition | metric | published | model | error |", "|---|---|---|---|---|---|"]
        rows += [_row(result) for result in group]
        why = reasons.get(place, "Why is not known.")
        parts.append(f"### {place[0]}, {place[1]}\n\n{why}\n\n" + "\n".join(rows))
    return "\n\n".join(parts if groups else [*parts, "Nowhere: every compared row is close."])


def _row(result: Result) -> str:
    figure, error = result.figure, result.error_ratio
    published = "" if figure.value is None else f"{figure.value:g}"
    model = result.note if result.model is None else f"{result.model:.4g}"
    said = "" if error is None else f"{100 * error:+.0f} %"
    return f"| {figure.id} | {figure.condition} | {figure.metric} [{figure.unit}] | {published} | {model} | {said} |"


def reasons_known() -> dict[tuple[str, str], str]:
    """(drive, experiment) -> why the model is not close there."""
    document = tomllib.loads((shipped_folder() / "figures" / "reasons.toml").read_text(encoding="utf-8"))
    return {(entry["drive"], entry["experiment"]): entry["why"] for entry in document["reason"]}
