"""Jobs printed as a job file for the real fio: everything explicit, nothing left to defaults.

fio ends a line at `;` and at a blank with `#`, drops blanks at its end, replaces `${NAME}` and `$ncpus`, and separates
files by `:`. So this text contains no name that a person chose: sections are called job-1, job-2 ... in order, and
`with_names` puts the names back into fio's messages. File names contain only characters that fio does not change.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from flashscope.errors import WrongUse
from flashscope.workloads.job import BlockSizes, Distribution, Job

_PLAIN_NAME = re.compile(r"[A-Za-z0-9/_.-]+")
_SECTION = re.compile(r"\bjob-([1-9][0-9]*)\b")


def to_fio_job_text(
    jobs: Sequence[Job], *, filename: str, engine: str, more: Callable[[Job], Sequence[str]] = lambda job: ()
) -> str:
    """A job file with one section per job, for one file or block device.

    filename: the drive, as a path of letters, digits and any of `/_.-`, such as that of a descriptor. engine: fio's
    ioengine. more: lines for a job that are no part of it, such as what marks its data.
    Raises WrongUse for jobs that fio cannot express, and for a path that fio could read as another path.
    """
    if not _PLAIN_NAME.fullmatch(filename):
        raise WrongUse(
            f"fio could read {filename!r} as the name of another file",
            accepted="letters, digits and any of / _ . -",
            advice="nothing was written",
        )
    sections = []
    group = jobs[0].group if jobs else 0
    for number, job in enumerate(jobs, start=1):
        lines = [f"[job-{number}]", f"filename={filename}", f"ioengine={engine}", "direct=1"]
        if job.group != group:
            lines.append("stonewall")
            group = job.group
        sections.append("\n".join([*lines, *option_lines(job), *more(job)]))
    return "\n\n".join(sections) + "\n"


def with_names(said: str, jobs: Sequence[Job]) -> str:
    """fio's message about jobs that were printed here, with the names that people gave them."""

    def name(match: re.Match[str]) -> str:
        number = int(match[1])
        return f"[{jobs[number - 1].name}]" if number <= len(jobs) else match[0]

    return _SECTION.sub(name, said)


def as_fio_runs(job: Job) -> Job:
    """The same job in the only form fio has for it.

    Kinds of requests that the job never makes get the sizes of those it makes: fio's random map takes the smallest size
    of all kinds, even of unused ones. A grid of its own turns the random map off.
    The span ends with the last whole request, since fio would send one that begins in it and ends beyond it.
    Raises WrongUse when requests of two sizes have no such end in common.
    """
    sizes = {"read": job.read_sizes, "write": job.write_sizes, "trim": job.trim_sizes}
    made = [kind for kind in sizes if kind in job.direction] or ["read", "write"]
    sizes = {kind: size if kind in made else sizes[made[-1]] for kind, size in sizes.items()}
    own_grid = any(size.align_bytes != size.smallest_bytes for size in sizes.values())
    span_bytes = _whole_requests(job, [sizes[kind] for kind in made])
    return replace(
        job,
        size_bytes=span_bytes,
        io_bytes=job.io_bytes or (job.size_bytes if span_bytes != job.size_bytes else 0),
        read_sizes=sizes["read"],
        write_sizes=sizes["write"],
        trim_sizes=sizes["trim"],
        random_map=job.random_map and not own_grid,
    )


def _whole_requests(job: Job, made: Sequence[BlockSizes]) -> int:
    """The span without the rest at its end that is too short for a request [bytes].

    Of requests of several sizes fio picks those that fit.

    made: the sizes of the kinds of requests that the job makes.
    """
    fixed = {sizes.weighted[0][0] for sizes in made if len(sizes.weighted) == 1}
    common_bytes = math.lcm(*fixed)
    if job.size_bytes < common_bytes and job.size_bytes and len(fixed) > 1:
        sizes = " and ".join(str(size) for size in sorted(fixed))
        raise WrongUse(
            f"job [{job.name}] makes requests of {sizes} bytes in a span of "
            f"{job.size_bytes} bytes, and fio would go beyond its end",
            accepted=f"a size that is a multiple of {common_bytes} bytes",
            advice="nothing was written",
        )
    return job.size_bytes - job.size_bytes % common_bytes or job.size_bytes


def option_lines(job: Job) -> list[str]:
    """The options of a job, one per line, as `job_file.py` reads them back."""
    job = as_fio_runs(job)
    kinds = (job.read_sizes, job.write_sizes, job.trim_sizes)
    own_grid = any(sizes.align_bytes != sizes.smallest_bytes for sizes in kinds)
    lines = [
        f"rw={job.direction}",
        f"rwmixread={round(job.read_share_ratio * 100)}",
        *_size_lines(kinds),
        f"offset={job.offset_bytes}",
        f"iodepth={job.queue_depth}",
        f"random_distribution={_distribution(job.distribution)}",
        f"thinktime_blocks={job.thinktime_blocks}",
        # Buffers that differ from write to write, so that a drive that compresses gains no advantage.
        "refill_buffers" if job.compressible_ratio or not job.zero_buffers else "refill_buffers=0",
    ]
    optional: list[tuple[bool, str]] = [
        (job.size_bytes > 0, f"size={job.size_bytes}"),
        (job.io_bytes > 0, f"io_size={job.io_bytes}"),
        (job.runtime_ns > 0, f"runtime={job.runtime_ns // 1000}us"),
        (job.time_based, "time_based"),
        (own_grid, "blockalign=" + _by_kind(kinds, lambda sizes: str(sizes.align_bytes))),
        (not job.random_map, "norandommap"),
        (any(job.rate_bytes_per_second), "rate=" + _limits(job.rate_bytes_per_second)),
        (any(job.rate_requests_per_second), "rate_iops=" + _limits(job.rate_requests_per_second)),
        (job.rate_process != "linear", f"rate_process={job.rate_process}"),
        (job.thinktime_ns > 0, f"thinktime={job.thinktime_ns // 1000}us"),
        (job.compressible_ratio > 0, f"buffer_compress_percentage={round(job.compressible_ratio * 100)}"),
        (job.zero_buffers, "zero_buffers"),
        (job.repeated_ratio > 0, f"dedupe_percentage={round(job.repeated_ratio * 100)}"),
        (job.end_fsync, "end_fsync=1"),
        (job.seed > 0, f"randseed={job.seed}"),
    ]
    return lines + [text for wanted, text in optional if wanted]


def _size_lines(kinds: Sequence[BlockSizes]) -> list[str]:
    """The sizes of reads, writes and trims: fixed, weighted or a range, the same form for all three."""
    if all(sizes.range_bytes for sizes in kinds):
        return ["bsrange=" + _by_kind(kinds, lambda sizes: "{}-{}".format(*(sizes.range_bytes or (0, 0))))]
    if any(sizes.range_bytes for sizes in kinds):
        raise WrongUse(
            "a job has a range of sizes for some kinds of requests and other sizes for the rest",
            accepted="bsrange for reads, writes and trims, or for none",
        )
    if all(len(sizes.weighted) == 1 for sizes in kinds):
        return ["bs=" + _by_kind(kinds, lambda sizes: str(sizes.weighted[0][0]))]
    return ["bssplit=" + _by_kind(kinds, _weights)]


def _by_kind(kinds: Sequence[BlockSizes], text: Callable[[BlockSizes], str]) -> str:
    return ",".join(text(sizes) for sizes in kinds)


def _weights(sizes: BlockSizes) -> str:
    return ":".join(f"{size}/{weight:g}" for size, weight in sizes.weighted)


def _distribution(distribution: Distribution) -> str:
    match distribution.kind:
        case "uniform":
            return "random"
        case "zoned":
            return "zoned:" + ":".join(f"{access:g}/{span:g}" for access, span in distribution.zones)
        case kind:
            return f"{kind}:{distribution.theta!r}"


def _limits(limits: tuple[int, int, int]) -> str:
    # An omitted limit must keep its comma, or the limit before it would apply to it too.
    return ",".join(str(limit) if limit else "" for limit in limits)
