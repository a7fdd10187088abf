"""The record of an eight-hour run is small, on disk and in memory: it is kept in rows and histograms, not in requests.

A job that thinks between its requests makes eight hours of virtual time cheap. Rows and buckets do not grow with the
number of requests, so a run with more of them leaves no more.
"""

import tracemalloc
from pathlib import Path

import pytest

from flashscope.drives.virtual.simulated import SimulatedDrive
from flashscope.records import Status
from flashscope.runner.asked import Asked
from flashscope.runner.jobs_experiment import JobsExperiment
from flashscope.runner.progress.progress import Silent
from flashscope.runner.run import run_experiment
from flashscope.store.store import Store
from flashscope.workloads.job import BlockSizes, Job
from flashscope.workloads.steps import Workload

pytest.importorskip("flashscope._core", reason="the Rust core is not built")
_HOUR_NS = 3600 * 10**9


def test_eight_hours_leave_a_small_record(tmp_path: Path) -> None:
    sizes = BlockSizes(weighted=((4096, 100.0),))
    job = Job(
        "mixed", "randrw", read_sizes=sizes, write_sizes=sizes, size_bytes=1 << 30, runtime_ns=8 * _HOUR_NS,
        time_based=True, thinktime_ns=10**8, random_map=False,
    )  # fmt: skip
    drive = SimulatedDrive.open("onyx-32", 1)
    path = tmp_path / "s.sqlite"
    tracemalloc.start()
    try:
        with Store(path) as store:
            record = run_experiment(
                JobsExperiment("long", [job]), drive, Asked(seed=1, command="test"), store=store, progress=Silent()
            )
            loaded = store.load(record.id)
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert record.status is Status.DONE
    (workload,) = [step.workload for step in loaded.steps if step.workload is not None]
    assert workload.duration_ns >= 7.99 * _HOUR_NS
    assert len(workload.series) <= 501
    assert sum(len(histogram.counts) for histogram in workload.latency.values()) < 5000
    assert sum(each.stat().st_size for each in tmp_path.iterdir()) < 5_000_000  # a tenth of what it may be
    assert peak_bytes < 30_000_000


def test_a_second_group_of_jobs_has_rows_of_its_own_and_no_more() -> None:
    jobs = [Job(f"j{group}", "read", size_bytes=1 << 30, runtime_ns=4 * _HOUR_NS, group=group) for group in range(2)]
    steps = JobsExperiment("two", jobs).steps(SimulatedDrive.open("onyx-32", 1).facts)
    rows = [step.jobs[0].runtime_ns / step.sample_interval_ns for step in steps if isinstance(step, Workload)]
    assert rows == [500, 500]
