"""Job files in fio's language: what is written is understood as fio understands it, or refused with its line."""

import pytest

from flashscope.errors import WrongUse
from flashscope.workloads.job import Distribution, Job
from flashscope.workloads.job_file import parse_job_file

DRIVE_BYTES = 32 * 10**9


def jobs(text: str) -> list[Job]:
    return parse_job_file(text, source="test.fio", drive_bytes=DRIVE_BYTES)


def test_global_options_hold_for_the_jobs_after_them_and_can_change() -> None:
    first, second = jobs("[global]\nrw=write\nbs=4k\n[a]\n# words\n; words\n[global]\nbs=8k\n[b]\nrw = randread\n")
    assert (first.direction, first.write_sizes.weighted) == ("write", ((4096, 100.0),))
    assert (second.direction, second.read_sizes.weighted) == ("randread", ((8192, 100.0),))


def test_stonewall_starts_a_new_group_and_numjobs_copies_share_one() -> None:
    names = [(job.name, job.group) for job in jobs("[a]\nrw=read\nnumjobs=2\n[b]\nstonewall\nrw=read\n[c]\nrw=read\n")]
    assert names == [("a.0", 0), ("a.1", 0), ("b", 1), ("c", 1)]


@pytest.mark.parametrize(
    ("written", "read_bytes", "write_bytes", "trim_bytes"),
    [
        ("8k", 8192, 8192, 8192),
        ("8k,32k", 8192, 32768, 32768),
        ("8k,32k,", 8192, 32768, 4096),
        (",8k", 4096, 8192, 8192),
        ("8k,", 8192, 4096, 4096),
    ],
)
def test_sizes_by_kind_follow_fios_commas(written: str, read_bytes: int, write_bytes: int, trim_bytes: int) -> None:
    (job,) = jobs(f"[a]\nrw=randrw\nbs={written}\n")
    sizes = [kind.weighted[0][0] for kind in (job.read_sizes, job.write_sizes, job.trim_sizes)]
    assert sizes == [read_bytes, write_bytes, trim_bytes]


def test_every_supported_form_reaches_the_job() -> None:
    (job,) = jobs(
        "[a]\nrw=readwrite\nrwmixread=1\nrwmixwrite=30 ; words\nbssplit=4k/60:64k\nba=512\n"
        "size=50%\noffset=1m\nio_size=25%\nruntime=2m\n"
        "time_based\niodepth=8\nioengine=libaio\nrandseed=7\nnorandommap=1\nrandom_distribution=zoned:60/10:40/90\n"
        "rate=1m,2m\nthinktime=5\nthinktime_blocks=4\nbuffer_compress_percentage=46\nzero_buffers\n"
    )
    assert job.direction == "rw"
    assert job.read_share_ratio == pytest.approx(0.7)
    assert job.write_sizes.weighted == ((4096, 60.0), (65536, 40.0))
    assert job.write_sizes.align_bytes == 512
    half = (DRIVE_BYTES - (1 << 20)) // 2 // 4096 * 4096
    assert (job.size_bytes, job.offset_bytes, job.io_bytes) == (half, 1 << 20, half // 4 // 4096 * 4096)
    assert (job.runtime_ns, job.time_based, job.queue_depth, job.seed) == (120 * 10**9, True, 8, 7)
    assert not job.random_map
    assert job.distribution == Distribution("zoned", zones=((60.0, 10.0), (40.0, 90.0)))
    assert job.rate_bytes_per_second == (1 << 20, 2 << 20, 2 << 20)
    assert (job.thinktime_ns, job.thinktime_blocks) == (5000, 4)
    assert (job.compressible_ratio, job.zero_buffers) == (0.46, True)


def test_sizes_take_every_form_fio_takes() -> None:
    first, second, third = jobs(
        "[a]\nrw=read\nbs=0x1000\n[b]\nrw=read\nbsrange=4k:8k\nrate_iops=1k\n[c]\nrw=read\nbssplit=4k:8kib:16ki\n"
    )
    assert first.read_sizes.weighted == ((4096, 100.0),)
    assert second.read_sizes.range_bytes == (4096, 8192)
    assert second.rate_requests_per_second == (1024, 1024, 1024)
    assert third.read_sizes.weighted == ((4096, 33.0), (8000, 33.0), (16384, 34.0))


def test_arrivals_at_random_reach_the_job() -> None:
    steady, random = jobs("[a]\nrw=randread\nrate_iops=500\n[b]\nrw=randread\nrate_iops=500\nrate_process=poisson\n")
    assert (steady.rate_process, random.rate_process) == ("linear", "poisson")
    assert random.rate_requests_per_second == (500, 500, 500)


def test_a_share_of_the_span_may_follow_an_offset() -> None:
    (job,) = jobs("[a]\nrw=read\noffset=50%\nsize=100%\n")
    assert job.offset_bytes + job.size_bytes <= DRIVE_BYTES
    assert job.offset_bytes + job.size_bytes > DRIVE_BYTES - 8192


def test_a_grid_of_its_own_turns_the_random_map_off() -> None:
    plain, gridded = jobs("[a]\nrw=randread\n[b]\nrw=randread\nba=512\n")
    assert plain.random_map
    assert not gridded.random_map


def test_a_synchronous_engine_keeps_one_request_outstanding() -> None:
    (job,) = jobs("[a]\nrw=read\nioengine=psync\niodepth=32\n")
    assert job.queue_depth == 1


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("iodeph=4", "`iodepth`"),
        ("rate_min=4k", "`rate"),
        ("bs=4q", "4096, 4k, 1m"),
        ("bs=0", "above 0"),
        ("rwmixread=101", "0 to 100"),
        ("direct=0", "page cache"),
        ("filename=/dev/sda", "command line"),
        ("size=${SIZE}", "variable"),
        ("bssplit=4k/60:8k/60", "add up to 100"),
        ("bsrange=8k-4k", "smaller size first"),
        ("random_distribution=zipf:1", "other than 1"),
        ("random_distribution=zoned:50/50", "adding up to 100"),
        ("rw=randread:8", "without a count"),
        ("runtime=5x", "a time"),
        ("ioengine=splice", "libaio"),
        ("time_based", "runtime"),
        ("rate_process=poisson", "rate_iops"),
        ("rate_process=normal", "linear, poisson"),
        ("randrepeat=0", "randseed"),
        ("size=33g", "at or before 32000000000 B"),
    ],
)
def test_what_is_not_understood_is_refused_with_its_line(line: str, said: str) -> None:
    with pytest.raises(WrongUse) as refused:
        jobs(f"[global]\nbs=4k\n[a]\nrw=write\n{line}\n")
    assert "test.fio:5" in refused.value.what
    assert said in str(refused.value)
    assert refused.value.exit_code == 2


@pytest.mark.parametrize("text", ["", "# nothing\n", "[global]\nbs=4k\n", "bs=4k\n[a]\n", "[a\nrw=read", "[a]\nbs=4k"])
def test_a_file_without_a_complete_job_is_refused(text: str) -> None:
    with pytest.raises(WrongUse, match=r"test\.fio"):
        jobs(text)
