"""Results for a person: a line for each figure, grouped by drive and experiment, and scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.table import Table

from flashscope.reproduce.figures.result import CLOSE_RATIO, Result, score


def table_of(results: Sequence[Result]) -> Table:
    """All rows; the drive and the experiment at their first one only."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for name in ("id", "drive", "experiment"):
        table.add_column(name, no_wrap=True)
    table.add_column("condition")
    table.add_column("metric", no_wrap=True)
    for name in ("published", "model", "error", "fitted"):
        table.add_column(name, justify="right", no_wrap=True)
    before = ("", "")
    for result in results:
        figure, error = result.figure, result.error_ratio
        place = (figure.drive, figure.experiment)
        table.add_row(
            figure.id,
            "" if figure.drive == before[0] else figure.drive,
            "" if place == before else figure.experiment,
            figure.condition,
            f"{figure.metric} [{figure.unit}]".replace("[", "\\["),
            "to predict" if figure.value is None else f"{figure.value:g}",
            result.note if result.model is None else f"{result.model:.4g}",
            "" if error is None else f"{100 * error:+.1f} %",
            "fitted" if result.fitted else "",
            style="red" if error is not None and abs(error) > CLOSE_RATIO else None,
        )
        before = place
    return table


def summary(results: Sequence[Result]) -> Table:
    """Scores by drive, by experiment, of fitted and of other figures, and of all."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("figures of", no_wrap=True)
    for name in ("rows", "compared", "predicted", "missing", "median error", f"within {100 * CLOSE_RATIO:.0f} %"):
        table.add_column(name, justify="right", no_wrap=True)
    for key in (lambda result: result.figure.drive, lambda result: result.figure.experiment):
        for name, group in _groups(results, key).items():
            _add(table, name, group)
        table.add_row()
    _add(table, "fitted to", [result for result in results if result.fitted])
    _add(table, "not fitted to", [result for result in results if not result.fitted])
    _add(table, "all", results)
    return table


def _groups(results: Sequence[Result], key: Callable[[Result], str]) -> dict[str, list[Result]]:
    groups: dict[str, list[Result]] = {}
    for result in results:
        groups.setdefault(key(result), []).append(result)
    return groups


def _add(table: Table, name: str, results: Sequence[Result]) -> None:
    of = score(results)
    table.add_row(
        name,
        str(of.count),
        str(of.compared),
        str(of.predicted),
        str(of.missing),
        "" if of.median_error_ratio is None else f"{100 * of.median_error_ratio:.1f} %",
        "" if of.close_share_ratio is None else f"{100 * of.close_share_ratio:.0f} %",
    )
