"""The two streams of writes that experiments use, in order and at random, and the span they run over."""

from __future__ import annotations

from flashscope.workloads.job import BlockSizes, Job

MIB = 1 << 20
SECOND_NS = 1_000_000_000


def large_request_bytes(user_bytes: int) -> int:
    """The size of a "large" sequential request: 1 MiB, less on a small drive, a power of two [bytes].

    At least 8192 requests make a drive-fill, so that a sampling interval holds many of them.
    """
    return min(MIB, max(4096, 1 << max((user_bytes // 8192).bit_length() - 1, 0)))


def whole_requests(span_bytes: int, request_bytes: int) -> int:
    """The span cut to whole requests [bytes]."""
    return span_bytes // request_bytes * request_bytes


def sequential_writes(
    name: str,
    *,
    request_bytes: int,
    offset_bytes: int = 0,
    size_bytes: int,
    io_bytes: int = 0,
    runtime_ns: int = 0,
    queue_depth: int = 8,
) -> Job:
    """Writes from offset_bytes upwards, around again until io_bytes (0: once) or runtime_ns (0: no limit)."""
    return Job(
        name=name,
        direction="write",
        write_sizes=BlockSizes(weighted=((request_bytes, 100.0),), align_bytes=request_bytes),
        offset_bytes=offset_bytes,
        size_bytes=size_bytes,
        io_bytes=io_bytes,
        runtime_ns=runtime_ns,
        queue_depth=queue_depth,
    )


def random_writes(
    name: str,
    *,
    request_bytes: int,
    grid_bytes: int,
    size_bytes: int,
    io_bytes: int,
    runtime_ns: int = 0,
    queue_depth: int = 1,
    seed: int = 0,
) -> Job:
    """Uniform random writes on a grid over the first size_bytes, until io_bytes or runtime_ns is reached.

    Jobs that must not write the same places again need different seeds.
    """
    return Job(
        name=name,
        direction="randwrite",
        write_sizes=BlockSizes(weighted=((request_bytes, 100.0),), align_bytes=grid_bytes),
        size_bytes=size_bytes,
        io_bytes=io_bytes,
        runtime_ns=runtime_ns,
        queue_depth=queue_depth,
        random_map=False,
        seed=seed,
    )
