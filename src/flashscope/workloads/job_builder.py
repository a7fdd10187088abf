"""From the options of a section to jobs in base units, with fio's defaults and fio's order of precedence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

from flashscope.errors import WrongUse
from flashscope.vocabulary import REQUEST_KIND_NAMES, Direction, RequestKind
from flashscope.workloads.job import BlockSizes, Distribution, Job
from flashscope.workloads.options import SYNCHRONOUS_ENGINES
from flashscope.workloads.section import Section

_DEFAULT_BYTES = 4096
_KIND_INDEX = {kind: index for index, kind in enumerate(REQUEST_KIND_NAMES)}


def build_jobs(sections: Sequence[Section], *, source: str, drive_bytes: int) -> list[Job]:
    """The jobs of a file in order; a section with numjobs gives that many copies named NAME.0, NAME.1 ...

    Raises WrongUse when a section contradicts itself or does not fit the drive of drive_bytes.
    """
    jobs: list[Job] = []
    group = 0
    for section in sections:
        if section.options.get("stonewall") and jobs:
            group += 1
        job = _job(section, source, drive_bytes, group)
        copies = section.options.get("numjobs", 1)
        jobs += [job] if copies == 1 else [replace(job, name=f"{job.name}.{copy}") for copy in range(copies)]
    return jobs


def _job(section: Section, source: str, drive_bytes: int, group: int) -> Job:
    _check(section, source)
    options = section.options
    offset_bytes, size_bytes, io_bytes = _extent(section, source, drive_bytes)
    synchronous = options.get("ioengine") in SYNCHRONOUS_ENGINES
    sizes = [_sizes(options, kind) for kind in _KIND_INDEX]
    return Job(
        name=options.get("name", section.name),
        direction=cast(Direction, options["rw"]),
        read_sizes=sizes[0],
        write_sizes=sizes[1],
        trim_sizes=sizes[2],
        read_share_ratio=options.get("rwmixread", 50) / 100,
        offset_bytes=offset_bytes,
        size_bytes=size_bytes,
        io_bytes=io_bytes,
        runtime_ns=options.get("runtime", 0),
        time_based=options.get("time_based", False),
        queue_depth=1 if synchronous else options.get("iodepth", 1),
        random_map=not options.get("norandommap", False) and "blockalign" not in options,
        distribution=options.get("random_distribution", Distribution()),
        rate_bytes_per_second=_limits(options.get("rate")),
        rate_requests_per_second=_limits(options.get("rate_iops")),
        rate_process=options.get("rate_process", "linear"),
        thinktime_ns=options.get("thinktime", 0),
        thinktime_blocks=options.get("thinktime_blocks", 1),
        compressible_ratio=options.get("buffer_compress_percentage", 0) / 100,
        zero_buffers=options.get("zero_buffers", False),
        repeated_ratio=options.get("dedupe_percentage", 0) / 100,
        end_fsync=options.get("end_fsync", False),
        group=group,
        seed=options.get("randseed", 0),
    )


def _check(section: Section, source: str) -> None:
    """Raises WrongUse when options are missing or contradict each other."""
    options = section.options
    if "rw" not in options:
        raise WrongUse(
            f"{source}:{section.line}: job [{section.name}] does not say what to do",
            accepted="rw=read, write, randread, randwrite, randrw ...",
        )
    if options.get("time_based") and not options.get("runtime"):
        raise WrongUse(
            f"{source}:{section.lines['time_based']}: job [{section.name}] is time_based without an end",
            accepted="runtime beside time_based, such as runtime=30",
        )
    if options.get("rate") and options.get("rate_iops"):
        raise WrongUse(
            f"{source}:{section.lines['rate_iops']}: job [{section.name}] limits both bytes and requests",
            accepted="rate or rate_iops, as in fio",
        )
    if options.get("rate_process") == "poisson" and not options.get("rate_iops"):
        raise WrongUse(
            f"{source}:{section.lines['rate_process']}: job [{section.name}] has arrivals at random but no rate",
            accepted="rate_iops beside rate_process=poisson, such as rate_iops=1000",
        )


def _extent(section: Section, source: str, drive_bytes: int) -> tuple[int, int, int]:
    """Where the job works and how much [bytes]: offset, size, bytes to transfer.

    Raises WrongUse when it ends after the drive.
    """
    options = section.options
    offset_bytes = _bytes(options.get("offset", 0), drive_bytes)
    rest_bytes = drive_bytes - offset_bytes
    size_bytes = _bytes(options.get("size", 0), rest_bytes)
    if offset_bytes + max(size_bytes, 512) > drive_bytes:
        raise WrongUse(
            f"{source}:{section.lines.get('size', section.line)}: job [{section.name}] ends at "
            f"{offset_bytes + size_bytes} B, but the drive has {drive_bytes} B",
            accepted=f"offset and size that end at or before {drive_bytes} B",
            advice="make size smaller, or leave it out to use the whole drive",
        )
    return offset_bytes, size_bytes, _bytes(options.get("io_size", 0), size_bytes or rest_bytes)


def _bytes(size: int | float, whole_bytes: int) -> int:
    """A size as bytes; a share of the whole is rounded down to 4 KiB."""
    return int(size * whole_bytes) // _DEFAULT_BYTES * _DEFAULT_BYTES if isinstance(size, float) else size


def _sizes(options: dict[str, Any], kind: RequestKind) -> BlockSizes:
    """Request sizes of one kind; as in fio, bssplit takes precedence over bsrange, and bsrange over bs."""
    index = _KIND_INDEX[kind]

    def given(name: str) -> Any:
        return options.get(name, (None, None, None))[index]

    split, span, fixed = given("bssplit"), given("bsrange"), given("bs") or _DEFAULT_BYTES
    if split:
        smallest, sizes = min(size for size, _ in split), BlockSizes(weighted=split)
    elif span:
        smallest, sizes = span[0], BlockSizes(range_bytes=span)
    else:
        smallest, sizes = fixed, BlockSizes(weighted=((fixed, 100.0),))
    return replace(sizes, align_bytes=given("blockalign") or smallest)


def _limits(limits: tuple[int | None, int | None, int | None] | None) -> tuple[int, int, int]:
    reads, writes, trims = limits or (None, None, None)
    return reads or 0, writes or 0, trims or 0
