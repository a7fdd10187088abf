"""Two records side by side: the results of the same steps in both, and the conclusions from them.

Steps and findings are matched by name; those in only one of the two are listed and not compared.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flashscope.analysis.comparison import Ratio, quantile_ratio, rate_ratio
from flashscope.dossier.judge.judge import judged_alone
from flashscope.errors import WrongUse
from flashscope.records import Finding, Record, WorkloadResult
from flashscope.records.build import is_same_build, name_of_build

QUANTILES = (0.5, 0.99, 0.999)


@dataclass(frozen=True)
class StepRow:
    """One quantity of one step. measure: "read rate", "write p99" and so on; unit: of first and second."""

    step: str
    measure: str
    unit: str
    first: float
    second: float
    ratio: Ratio


@dataclass(frozen=True)
class FindingRow:
    """One finding of both. differs: True or False when values and intervals decide it, else None."""

    key: str
    unit: str
    first: float | int | str | None
    second: float | int | str | None
    differs: bool | None


@dataclass(frozen=True)
class SideBySide:
    """Everything that two records have in common, and what only one of them has.

    builds: the build of each as `name_of_build` names it, when they are not known to be the same; else None.
    """

    steps: tuple[StepRow, ...]
    findings: tuple[FindingRow, ...]
    only_in_first: tuple[str, ...]
    only_in_second: tuple[str, ...]
    builds: tuple[str, str] | None = None


def compare_records(first: Record, second: Record) -> SideBySide:
    """Compare two records, each judged alone: they may be of different states.

    Raises WrongUse when no step and no finding has the same name in both.
    """
    first, second = judged_alone(first), judged_alone(second)
    ours, theirs = (
        {name: step.workload for name, step in record.by_name().items() if step.workload is not None}
        for record in (first, second)
    )
    found = {finding.key: finding for finding in first.findings}
    then = {finding.key: finding for finding in second.findings}
    shared = [name for name in ours if name in theirs]
    keys = [key for key in found if key in then]
    if not shared and not keys:
        raise WrongUse(
            f"{first.id} ({first.experiment}) and {second.id} ({second.experiment}) have nothing in common",
            accepted="two records with steps or findings of the same names, as two runs of one experiment have",
        )
    return SideBySide(
        steps=tuple(row for name in shared for row in _step_rows(name, ours[name], theirs[name])),
        findings=tuple(_finding_row(found[key], then[key]) for key in keys),
        only_in_first=(*(n for n in ours if n not in theirs), *(k for k in found if k not in then)),
        only_in_second=(*(n for n in theirs if n not in ours), *(k for k in then if k not in found)),
        builds=_builds(first, second),
    )


def _builds(first: Record, second: Record) -> tuple[str, str] | None:
    if is_same_build(first.versions, second.versions):
        return None
    return name_of_build(first.versions), name_of_build(second.versions)


def _step_rows(name: str, first: WorkloadResult, second: WorkloadResult) -> list[StepRow]:
    rows = []
    for kind, column in (("read", "read_bytes"), ("write", "written_bytes")):
        rate = compared_rate(first, second, column)
        if rate is not None:
            rows.append(StepRow(name, f"{kind} rate", "bytes/s", *rate))
        for share in QUANTILES:
            histograms = [result.latency.get(kind) for result in (first, second)]
            if histograms[0] is None or histograms[1] is None:
                continue
            latency = quantile_ratio(histograms[0], histograms[1], share)
            if latency is not None:
                values = [histogram.percentile_ns(share) for histogram in histograms if histogram is not None]
                rows.append(StepRow(name, f"{kind} p{100 * share:g}", "ns", values[0], values[1], latency))
    return rows


def compared_rate(first: WorkloadResult, second: WorkloadResult, column: str) -> tuple[float, float, Ratio] | None:
    """The rates of two results [bytes/s] and their ratio; None where they cannot be compared.

    column: "read_bytes" or "written_bytes".
    """
    pairs = [_rate_series(result, column) for result in (first, second)]
    ratio = rate_ratio(*pairs)
    if ratio is None:
        return None
    before, after = (float(amounts.sum() / lengths.sum() * 1e9) for amounts, lengths in pairs)
    return before, after, ratio


def _rate_series(result: WorkloadResult, column: str) -> tuple[np.ndarray, np.ndarray]:
    if not len(result.series) or column not in result.series.columns:
        return np.array([result.totals.get(column, 0)]), np.array([max(result.duration_ns, 1)])
    return np.asarray(result.series[column]), np.diff(np.asarray(result.series["elapsed_ns"]), prepend=0)


def _finding_row(first: Finding, second: Finding) -> FindingRow:
    return FindingRow(first.key, first.unit, first.value, second.value, _differs(first, second))


def _differs(first: Finding, second: Finding) -> bool | None:
    """True when the intervals do not touch, or, where there are none, when the values are not equal."""
    if first.value is None or second.value is None:
        return None if first.value is second.value else True
    bounds = [first.low, first.high, second.low, second.high]
    if any(bound is None for bound in bounds):
        return bool(first.value != second.value)
    low_a, high_a, low_b, high_b = (float(bound) for bound in bounds if bound is not None)
    return high_a < low_b or high_b < low_a
