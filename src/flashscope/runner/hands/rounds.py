"""Jobs in rounds until they are steady: one result out of many.

    round 0 | round 1 | ... | round n-4 ... round n       the last five are judged together
    every round has its own seeds, so that it does not write to the same places as the round before

The same for virtual and real drives: the hands run one round, this file decides whether another is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from flashscope.analysis.steady_state import Window, last_window
from flashscope.records import Table, WorkloadResult
from flashscope.records.columns import Column
from flashscope.workloads.job import Job
from flashscope.workloads.steps import UntilSteady

_SEED_STRIDE = 0x9E37_79B9  # far apart, so that round 1 of one job is never round 0 of the next


def jobs_of_round(jobs: Sequence[Job], number: int) -> tuple[Job, ...]:
    """The jobs with the seeds of a round (from 0); those of round 0 are as written."""
    return tuple(replace(job, seed=(job.seed + number * _SEED_STRIDE) % 2**64) for job in jobs)


def run_rounds(until: UntilSteady, run_round: Callable[[int], tuple[WorkloadResult, bool]]) -> WorkloadResult:
    """Run rounds until the tracked rate is steady or all rounds are used up.

    run_round: runs the round of that number; returns its result and whether there may be another.
    Totals gain `rounds`, and `steady_rounds`:
    the rounds of the last window when it was steady, else 0.
    """
    results: list[WorkloadResult] = []
    window: Window | None = None
    go_on = True
    while go_on and len(results) < until.most_rounds and not (window and window.steady):
        result, go_on = run_round(len(results))
        results.append(result)
        rates = [each.totals.get(until.tracked, 0) / max(each.duration_ns, 1) for each in results]
        window = last_window(rates, until.window_rounds)
    whole = joined(results)
    steady = until.window_rounds if window and window.steady else 0
    return replace(whole, totals=whole.totals | {"rounds": len(results), "steady_rounds": steady})


def joined(results: Sequence[WorkloadResult]) -> WorkloadResult:
    """Results of several rounds as one: times follow each other, counts and histograms are added."""
    first, *rest = results
    columns = {name: [column.values] for name, column in first.series.columns.items()}
    latency, totals, duration_ns = dict(first.latency), dict(first.totals), first.duration_ns
    for result in rest:
        for name, column in result.series.columns.items():
            shift = duration_ns if name == "elapsed_ns" else 0
            columns[name].append(column.values + column.values.dtype.type(shift))
        for kind, histogram in result.latency.items():
            latency[kind] = latency[kind].merged(histogram) if kind in latency else histogram
        totals = {name: totals.get(name, 0) + result.totals.get(name, 0) for name in totals | result.totals}
        duration_ns += result.duration_ns
    series = {name: Column(first.series.columns[name].unit, np.concatenate(values)) for name, values in columns.items()}
    return WorkloadResult(duration_ns, Table(series), latency, totals)
