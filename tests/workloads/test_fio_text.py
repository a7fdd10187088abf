"""Jobs printed for fio: fio accepts them, and they read back as the same jobs."""

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flashscope.errors import WrongUse
from flashscope.vocabulary import RATE_PROCESS_NAMES, RateProcess
from flashscope.workloads.fio_text import as_fio_runs, to_fio_job_text, with_names
from flashscope.workloads.job import BlockSizes, Distribution, Job
from flashscope.workloads.job_file import parse_job_file

DRIVE_BYTES = 1 << 40
SIZES = st.sampled_from([512, 1024, 4096, 8192, 65536, 1 << 20])


@st.composite
def fixed_sizes(draw: st.DrawFn) -> BlockSizes:
    size = draw(SIZES)
    return BlockSizes(weighted=((size, 100.0),), align_bytes=draw(st.sampled_from([512, size])))


@st.composite
def weighted_sizes(draw: st.DrawFn) -> BlockSizes:
    share = draw(st.integers(1, 99))
    return BlockSizes(weighted=((4096, float(share)), (65536, float(100 - share))), align_bytes=4096)


def ranges() -> st.SearchStrategy[BlockSizes]:
    return st.just(BlockSizes(range_bytes=(4096, 65536), align_bytes=4096))


DISTRIBUTIONS = st.one_of(
    st.just(Distribution()),
    st.sampled_from([0.5, 0.9, 1.2]).map(lambda theta: Distribution("zipf", theta)),
    st.sampled_from([0.1, 0.2, 0.9]).map(lambda theta: Distribution("pareto", theta)),
    st.integers(1, 99).map(
        lambda share: Distribution(
            "zoned", zones=((float(share), float(100 - share)), (float(100 - share), float(share)))
        )
    ),
)


NO_LIMITS = (0, 0, 0)


@st.composite
def any_job(draw: st.DrawFn) -> Job:
    sizes = draw(st.sampled_from([fixed_sizes(), weighted_sizes(), ranges()]))
    runtime_ns = draw(st.sampled_from([0, 10**6, 10**10]))
    limits = st.tuples(*[st.sampled_from([0, 1 << 20])] * 3)
    in_bytes = draw(st.booleans())
    rates = draw(limits)
    process: RateProcess = "linear" if in_bytes or not any(rates) else draw(st.sampled_from(RATE_PROCESS_NAMES))
    return Job(
        name="job",
        direction=draw(st.sampled_from(["read", "write", "randread", "randwrite", "rw", "randrw", "randtrim"])),
        read_sizes=draw(sizes),
        write_sizes=draw(sizes),
        trim_sizes=draw(sizes),
        read_share_ratio=draw(st.integers(0, 100)) / 100,
        offset_bytes=draw(st.sampled_from([0, 1 << 20])),
        size_bytes=draw(st.sampled_from([0, 1 << 30])),
        io_bytes=draw(st.sampled_from([0, 1 << 20])),
        runtime_ns=runtime_ns,
        time_based=runtime_ns > 0 and draw(st.booleans()),
        queue_depth=draw(st.integers(1, 64)),
        random_map=draw(st.booleans()),
        distribution=draw(DISTRIBUTIONS),
        rate_bytes_per_second=rates if in_bytes else NO_LIMITS,
        rate_requests_per_second=NO_LIMITS if in_bytes else rates,
        rate_process=process,
        thinktime_ns=draw(st.sampled_from([0, 5000])),
        thinktime_blocks=draw(st.integers(1, 9)),
        compressible_ratio=draw(st.integers(0, 100)) / 100,
        zero_buffers=draw(st.booleans()),
        end_fsync=draw(st.booleans()),
        seed=draw(st.integers(0, 2**31)),
    )


@given(any_job())
def test_jobs_read_back_as_they_were_printed(job: Job) -> None:
    text = to_fio_job_text([job], filename="x", engine="libaio").replace("filename=x\n", "")
    assert parse_job_file(text, source="printed", drive_bytes=DRIVE_BYTES) == [replace(as_fio_runs(job), name="job-1")]


@pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed")
@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(jobs=st.lists(any_job(), min_size=8, max_size=8))
def test_fio_itself_accepts_what_is_printed(jobs: list[Job], tmp_path: Path) -> None:
    path = tmp_path / "printed.fio"
    path.write_text(to_fio_job_text([*jobs, jobs[0]], filename="/proc/self/fd/3", engine="libaio"))
    done = subprocess.run(["fio", "--parse-only", str(path)], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, f"{done.stdout}{done.stderr}\n{path.read_text()}"


@pytest.mark.parametrize("name", ["a;b", "a #b", "a b", "a:b", "${HOME}", "$ncpus", "a\nb", "a ", "ü", "[a]", ""])
def test_a_file_that_fio_could_read_as_another_one_is_refused(name: str) -> None:
    with pytest.raises(WrongUse, match="name of another file"):
        to_fio_job_text([Job("a", "write")], filename=name, engine="psync")


NAMES = ["global", "a;b", "a #b", "a]\nfilename=/dev/sda", "$HOME", "${HOME}", "include other.fio", "a", "a"]


def test_no_name_that_a_person_gave_stands_in_the_text_and_each_comes_back_in_what_fio_says() -> None:
    jobs = [Job(name, "write", size_bytes=4096) for name in NAMES]

    text = to_fio_job_text(jobs, filename="/proc/self/fd/3", engine="psync")

    sections = [line for line in text.splitlines() if line.startswith("[")]
    assert sections == [f"[job-{number}]" for number in range(1, len(NAMES) + 1)]
    assert not any(name in text for name in NAMES[1:7])
    assert with_names("fio: job-2, job-4: err; job-10 of job-1x", jobs) == (
        "fio: [a;b], [a]\nfilename=/dev/sda]: err; job-10 of job-1x"
    )
