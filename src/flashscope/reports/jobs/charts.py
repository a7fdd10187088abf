"""A job file in charts: rates, requests per second and latencies over time, their distribution, the jobs compared.

MB/s | ----------  all        ms |  ..:..::..  p99.9      ms |            .--- writer
     | ..........  reader        |  ----------  p99           |   .--------
     +---------- s               |  __________  p50           | --------       reader
                                 +------------- s             +-- 50 % -- 99 % -- 99.99 % of the requests
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from flashscope import units
from flashscope.records import Record
from flashscope.records.job_result import JobResult
from flashscope.reports.jobs.drawing import (
    draw_bars_of_jobs,
    draw_distribution,
    draw_latency,
    draw_over_time,
    has_latency,
)
from flashscope.reports.jobs.tracks import EACH_MOST, Tracks, tracks_of
from flashscope.reports.numbers import say
from flashscope.reports.plotting.chart import Chart
from flashscope.vocabulary import RequestKind


def job_charts(record: Record) -> list[Chart]:
    """The charts of each step: rates, requests per second, latencies over time and in all, the jobs compared."""
    return [chart for number, tracks in enumerate(tracks_of(record)) for chart in _of_step(tracks, number)]


def _of_step(tracks: Tracks, number: int) -> list[Chart]:
    charts = [_amounts(tracks, number, "rate"), _amounts(tracks, number, "requests")]
    charts += [_latency(tracks, number, kind) for kind in tracks.kinds if has_latency(tracks.whole, kind)]
    if any(tracks.whole.latency.values()):
        charts.append(_distribution(tracks, number))
    if 2 <= len(tracks.each) <= 2 * EACH_MOST:
        charts.append(_compared(tracks, number))
    if 2 <= len(tracks.each) <= EACH_MOST:
        for kind in tracks.kinds:
            makers = [job for job in tracks.each if has_latency(job, kind)]
            charts += [_latency(tracks, number, kind, job) for job in makers if len(makers) > 1]
    return charts


def _chart(tracks: Tracks, number: int, name: str, title: str, caption: str, draw: partial[dict[str, object]]) -> Chart:
    return Chart(f"job-{number}-{name}", title, caption, f"Step {tracks.step.name}: {title}.", draw)


def _total(job: JobResult, kind: RequestKind, what: str) -> float:
    return float(job.series[f"{kind}_{what}"].sum()) if f"{kind}_{what}" in job.series.columns else 0.0


def _amounts(tracks: Tracks, number: int, what: str) -> Chart:
    """Rate or requests per second over time, of each kind in sum, and of each job."""
    seconds = max(tracks.duration_ns, 1) / 1e9
    if what == "rate":
        said = [f"{kind}s {units.format_rate(_total(tracks.whole, kind, 'bytes') / seconds)}" for kind in tracks.kinds]
        caption = "Bytes completed in each interval, per second."
    else:
        said = [
            f"{units.format_number(_total(tracks.whole, kind, 'requests') / seconds)} {kind}s a second"
            for kind in tracks.kinds
        ]
        caption = "Requests completed in each interval, per second."
    title = " and ".join(said)
    shared = any(sum(f"{kind}_bytes" in job.series.columns for job in tracks.each) > 1 for kind in tracks.kinds)
    if shared and len(tracks.each) <= EACH_MOST:
        caption += " Thick: all jobs together; thin: each job."
    elif len(tracks.each) > EACH_MOST:
        caption += f" All {len(tracks.each)} jobs together; the table has each one."
    title = f"{title[0].upper()}{title[1:]} on average"
    return _chart(tracks, number, what, title, caption, partial(draw_over_time, tracks, what))


def _latency(tracks: Tracks, number: int, kind: RequestKind, job: JobResult | None = None) -> Chart:
    """Percentiles of one kind over time, of all jobs or of one."""
    shown = job or tracks.whole
    histogram = shown.latency[kind]
    half, rare = (say(histogram.percentile_ns(share), "ns").text for share in (0.5, 0.99))
    whose = f"{kind}s of {job.name}" if job else f"{kind}s"
    title = f"Half of the {whose} take up to {half}, one in a hundred over {rare}"
    caption = f"Of the {kind}s that ended in each interval, 50, 90, 99 and 99.9 % took at most so long."
    position = 1 + tracks.each.index(job) if job else 0
    return _chart(tracks, number, f"latency-{kind}-{position}", title, caption, partial(draw_latency, shown, kind))


def _distribution(tracks: Tracks, number: int) -> Chart:
    """Latency against the share of requests that it covers, for each job and kind."""
    shown: Sequence[JobResult] = tracks.each if 2 <= len(tracks.each) <= EACH_MOST else (tracks.whole,)
    rows = [(f"{job.name} {kind}s".strip(), job.latency[kind]) for job in shown for kind in job.latency][:EACH_MOST]
    tails = {name: histogram.percentile_ns(0.999) for name, histogram in rows}
    worst = max(tails, key=lambda name: tails[name])
    title = f"One in a thousand {worst} takes more than {say(tails[worst], 'ns').text}"
    caption = (
        "The share of the requests that took at most so long, from half of them on; each step to the "
        "right is ten times as rare."
    )
    return _chart(tracks, number, "distribution", title, caption, partial(draw_distribution, rows))


def _compared(tracks: Tracks, number: int) -> Chart:
    """The rate of each job as bars."""
    totals = {job.name: sum(_total(job, kind, "bytes") for kind in tracks.kinds) for job in tracks.each}
    first = max(totals, key=lambda name: totals[name])
    share = totals[first] / max(sum(totals.values()), 1.0)
    title = f"{first} moved {units.format_percent(share)} of all bytes"
    caption = "Rate of each job over the whole step, with the latency that 99 of 100 of its requests did not exceed."
    if len(tracks.kinds) > 1:
        caption += " Blue: read; orange: write."
    return _chart(tracks, number, "compared", title, caption, partial(draw_bars_of_jobs, tracks))
