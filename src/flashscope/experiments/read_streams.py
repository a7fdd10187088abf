"""Request streams that read (`streams.py` has those that write): at random, in order, mixed with writes.

All of them can be written as fio jobs, so a virtual drive and a real one get the same requests.
"""

from __future__ import annotations

from flashscope.workloads.job import BlockSizes, Job

PAGE_BYTES = 4096


def random_reads(
    name: str,
    *,
    size_bytes: int,
    io_bytes: int = 0,
    runtime_ns: int = 0,
    time_based: bool = False,
    queue_depth: int = 1,
    seed: int = 0,
) -> Job:
    """Uniform random reads of 4 KiB over the first size_bytes, until io_bytes or runtime_ns is reached.

    Jobs that must not read the same places again need different seeds.
    """
    return Job(
        name=name,
        direction="randread",
        read_sizes=BlockSizes(weighted=((PAGE_BYTES, 100.0),), align_bytes=PAGE_BYTES),
        size_bytes=size_bytes,
        io_bytes=io_bytes,
        runtime_ns=runtime_ns,
        time_based=time_based,
        queue_depth=queue_depth,
        random_map=False,
        seed=seed,
    )


def sequential_reads(
    name: str,
    *,
    request_bytes: int,
    size_bytes: int,
    offset_bytes: int = 0,
    io_bytes: int = 0,
    runtime_ns: int = 0,
    queue_depth: int = 8,
) -> Job:
    """Reads from offset_bytes upwards, around again until io_bytes (0: once) or runtime_ns (0: no limit)."""
    return Job(
        name=name,
        direction="read",
        read_sizes=BlockSizes(weighted=((request_bytes, 100.0),), align_bytes=request_bytes),
        offset_bytes=offset_bytes,
        size_bytes=size_bytes,
        io_bytes=io_bytes,
        runtime_ns=runtime_ns,
        queue_depth=queue_depth,
    )


def mixed_requests(
    name: str,
    *,
    in_order: bool,
    request_bytes: int,
    size_bytes: int,
    read_share_ratio: float,
    io_bytes: int = 0,
    runtime_ns: int = 0,
    seed: int = 0,
) -> Job:
    """One stream of reads and writes, one request at a time, in order or at random, over the first size_bytes.

    Which request is a read is drawn at random with read_share_ratio, so the amounts of both differ a little from it.
    """
    sizes = BlockSizes(weighted=((request_bytes, 100.0),), align_bytes=request_bytes)
    return Job(
        name=name,
        direction="rw" if in_order else "randrw",
        read_sizes=sizes,
        write_sizes=sizes,
        read_share_ratio=read_share_ratio,
        size_bytes=size_bytes,
        io_bytes=io_bytes,
        runtime_ns=runtime_ns,
        random_map=in_order,
        seed=seed,
    )
