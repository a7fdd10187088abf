"""Jobs on a real drive, by fio. Groups of jobs are separate runs of fio, one after another.

    jobs --fio_text--> job file --fio_process--> JSON and logs --fio_output--> WorkloadResult

fio never gets the drive's name: it inherits the descriptor by which the drive is held, and opens /proc/self/fd/N.
Before each group it is checked whether the drive's name still leads to the held drive.
Every job gets what every measurement here needs: direct I/O, incompressible data with flashscope's mark (data_mark.py),
logs of the mean rate per sampling interval.
Not done here: reading the page cache back, rates below one request per interval.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

import numpy as np

from flashscope.drives.held.held import Held
from flashscope.drives.own_folders.own_folder import folder_for_notes
from flashscope.errors import DriveFailed, WrongUse
from flashscope.records import Doubt, Histogram, Table, WorkloadResult
from flashscope.runner.engines.engine import Load, Loaded, Watch
from flashscope.runner.engines.fio.data_mark import lines_that_mark_data
from flashscope.runner.engines.fio.jobs import read_jobs
from flashscope.runner.engines.fio.options import without_missing
from flashscope.runner.engines.fio.output import read_json, read_result
from flashscope.runner.engines.fio.process import fio_version, has_engine, run_fio, try_jobs
from flashscope.workloads.fio_text import to_fio_job_text, with_names
from flashscope.workloads.job import Job

__all__ = ["FioEngine", "doubts_about", "fio_version", "run_jobs"]

_ENGINES = ("libaio", "psync")
_LEAST_LOG_MS = 10


class FioEngine:
    """fio as the engine of a file or a block device. Raises WrongUse when fio is missing."""

    def __init__(self, target: Held) -> None:
        self._target = target
        self._version = fio_version()

    def run(self, load: Load, watch: Watch) -> Loaded:
        """As `Engine.run`; a stop passes through, since fio then leaves no complete result."""
        result = run_jobs(
            self._target,
            load.jobs,
            sample_interval_ns=load.sample_interval_ns,
            on_progress=watch,
            by_job=load.by_job,
        )
        return Loaded(result)

    def doubts_about(self, jobs: Sequence[Job]) -> tuple[Doubt, ...]:
        """Deviations because an old fio lacks an option."""
        return doubts_about(jobs)

    def versions(self) -> dict[str, str]:
        """fio's."""
        return {"fio": self._version}


def run_jobs(
    target: Held,
    jobs: Sequence[Job],
    *,
    sample_interval_ns: int,
    on_progress: Callable[[int, int], None],
    by_job: bool = False,
) -> WorkloadResult:
    """Run jobs on a file or a block device and return what fio measured.

    sample_interval_ns: length of a row of the series, at least 10 ms. on_progress: called with (bytes moved,
    elapsed ns); what it raises stops fio and goes on to the caller. by_job: also what each job of the only group did.
    Raises WrongUse when fio is missing or does not accept the jobs, or when they do not fit the drive; DriveFailed when
    fio or the drive fails, or another drive took its place.
    """
    target.check()
    _check_fit(target, jobs)
    interval_ns = max(sample_interval_ns, _LEAST_LOG_MS * 1_000_000)
    engine = next((name for name in _ENGINES if has_engine(name)), "psync")
    began_ns = time.monotonic_ns()
    done_bytes = 0
    results: list[WorkloadResult] = []
    for _, group in groupby(jobs, key=lambda job: job.group):
        earlier_bytes = done_bytes

        def glance(moved_bytes: int, earlier_bytes: int = earlier_bytes) -> None:
            on_progress(earlier_bytes + moved_bytes, time.monotonic_ns() - began_ns)

        target.check()
        results.append(_run_group(target, list(group), engine, Measuring(interval_ns, by_job), glance))
        done_bytes += sum(results[-1].totals[name] for name in ("read_bytes", "written_bytes"))
    return results[0] if len(results) == 1 else _one_after_another(results)


def doubts_about(jobs: Sequence[Job]) -> tuple[Doubt, ...]:
    """How these jobs deviate because this fio is too old for an option; one doubt for each."""
    text = Measuring(_LEAST_LOG_MS * 1_000_000).text() + to_fio_job_text(jobs, filename="drive", engine=_ENGINES[-1])
    return without_missing(text)[1]


def _check_fit(target: Held, jobs: Sequence[Job]) -> None:
    """Jobs must end inside the drive: fio would extend a file that is too short, or delete it when it cannot."""
    drive_bytes = target.was.size_bytes
    for job in jobs:
        if job.offset_bytes + job.size_bytes > drive_bytes:
            raise WrongUse(
                f"job [{job.name}] ends at {job.offset_bytes + job.size_bytes} B, "
                f"but {target.name} has {drive_bytes} B",
                accepted=f"offset and size that end at or before {drive_bytes} B",
                advice="make the job smaller; nothing was written",
            )
        if "trim" in job.direction and target.was.kind == "file":
            raise WrongUse(
                f"job [{job.name}] trims, and {target.name} is a file",
                accepted="jobs that trim on block devices and virtual drives",
                advice="a trim step of an experiment punches a hole into the file instead",
            )


def _run_group(
    target: Held, jobs: Sequence[Job], engine: str, measuring: Measuring, glance: Callable[[int], None]
) -> WorkloadResult:
    with folder_for_notes(Path(tempfile.gettempdir()), "fio") as own:
        folder = own.path
        job_file, output = folder / "jobs.fio", folder / "result.json"
        text, _ = without_missing(
            measuring.text()
            + to_fio_job_text(jobs, filename=str(target.path), engine=engine, more=lines_that_mark_data)
        )
        job_file.write_text(text)
        with _in_our_words(target, jobs):
            try:
                run_fio(job_file, output, target, glance)
            except DriveFailed:
                # fio reads all jobs before it begins the first. So whether it refused them is asked only now: at each
                # start fio measures its clock for a tenth of a second.
                try_jobs(job_file, target)
                raise
            document = read_json(output)
            result = read_result(document, folder, measuring.interval_ns)
            if not measuring.by_job:
                return result
            return replace(result, jobs=read_jobs(document, folder, result, [job.name for job in jobs]))


@contextmanager
def _in_our_words(target: Held, jobs: Sequence[Job]) -> Iterator[None]:
    """fio's message about its jobs and its file, with the names that people gave them."""
    try:
        yield
    except (WrongUse, DriveFailed) as error:
        error.what = with_names(error.what, jobs).replace(str(target.path), str(target.name))
        raise


@dataclass(frozen=True)
class Measuring:
    """What fio is to measure. interval_ns: length of a row. by_job: latencies of each job over time, too."""

    interval_ns: int
    by_job: bool = False

    def text(self) -> str:
        """The [global] lines that make fio measure so."""
        interval_ms = self.interval_ns // 1_000_000
        lines = ["[global]", "thread=1", f"log_avg_msec={interval_ms}", "write_bw_log=rate", "write_iops_log=rate"]
        lines += [f"log_hist_msec={interval_ms}", "write_hist_log=latency"] if self.by_job else []
        return "\n".join([*lines, "allow_file_create=0"]) + "\n\n"


def _one_after_another(results: Sequence[WorkloadResult]) -> WorkloadResult:
    """The results of groups that ran one after another as one result."""
    latency: dict[str, Histogram] = {}
    totals: dict[str, int] = {}
    starts_ns = np.cumsum([0, *(result.duration_ns for result in results)])
    for result in results:
        for kind, histogram in result.latency.items():
            latency[kind] = latency.get(kind, Histogram()).merged(histogram)
        for name, value in result.totals.items():
            totals[name] = totals.get(name, 0) + value
    columns = {}
    for name, column in results[0].series.columns.items():
        shifts = starts_ns[:-1] if name == "elapsed_ns" else np.zeros(len(results), dtype=np.int64)
        parts = [result.series[name] + shift for result, shift in zip(results, shifts, strict=True)]
        columns[name] = (column.unit, np.concatenate(parts))
    return WorkloadResult(int(starts_ns[-1]), Table.of(**columns), latency, totals)
