"""Random writes through a partition that begins at sector 63, over the same writes on the whole drive.

    one die, no buffer        mapped by pages: units of 4 to 64 KiB, writes of 4 KiB to 256 KiB
                              mapped by blocks: every write that misses a log block merges one
    shipped drives            sim:PART@offset=63s and sim:PART, with their buffers, banks and links

A row is the rate that is left, within 2 %. Of the shipped drives those stand here whose flash is what writes wait for,
mapped by pages, and writes no larger than a unit: docs/laws/alignment.md shows what others do, and why.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from flashscope.drives.addresses.address import parse_address
from flashscope.drives.drive import Drive
from flashscope.drives.open import open_drive, parts_of
from flashscope.drives.parts.unit_times import unit_times
from flashscope.drives.virtual.in_virtual_time import InVirtualTime
from flashscope.experiments.streams import MIB, random_writes, sequential_writes
from flashscope.laws import alignment as law
from flashscope.reproduce.bench_configuration import KIB, BenchConfiguration
from flashscope.reproduce.bench_drive import SECTOR_BYTES, BenchDrive
from flashscope.reproduce.case import Case, OpenDrive
from flashscope.reproduce.row import Row
from flashscope.workloads.job import Job

NAME = "partition-start"
_START_BYTES = 63 * SECTOR_BYTES
_TOLERANCE_RATIO = 0.02
_MOST_REQUESTS, _SETTLING = 6_000, 100
_SPARE_PAGES = 20_000  # of the bench drive: no collection within so many
_LOG_BLOCKS = 8
_SPAN_BYTES = 8192 * MIB  # much more than the buffers of the parts, so that neighbours seldom meet in them
_PART_REQUESTS, _PART_SETTLING = 40_000, 16_000
_SAMPLE_NS = 10**9
_PARTS = (("vertex-30", 4), ("vertex-30", 16), ("onyx-32", 4), ("onyx-32", 16), ("k5-64", 4))
_BY_PAGES = (
    (4, 4),
    (4, 16),
    (4, 256),
    (8, 4),
    (8, 64),
    (16, 4),
    (16, 16),
    (16, 64),
    (32, 4),
    (32, 64),
    (64, 4),
    (64, 64),
)
_BY_BLOCKS = ((4, 4), (4, 8), (8, 4), (16, 4), (16, 16), (64, 4), (64, 64))


def cases(quick: bool) -> list[Case]:
    """Units and requests [KiB] on bench drives of both mappings, and on shipped drives."""
    found = [_bench_case(*point, by_blocks=False) for point in (_BY_PAGES[:1] if quick else _BY_PAGES)]
    found += [_bench_case(*point, by_blocks=True) for point in (_BY_BLOCKS[:1] if quick else _BY_BLOCKS)]
    return found + [_part_case(*point) for point in (_PARTS[:1] if quick else _PARTS)]


def _bench_case(unit_kib: int, request_kib: int, *, by_blocks: bool) -> Case:
    mapped = "blocks" if by_blocks else "pages"
    said = f"mapped by {mapped}, unit {unit_kib} KiB: random {request_kib} KiB writes from sector 63, over those from 0"
    configuration = BenchConfiguration(
        unit_bytes=unit_kib * KIB,
        page_bytes=unit_kib * KIB,
        blocks=512,
        spare_ratio=0.1 if by_blocks else 0.7,
        log_blocks=_LOG_BLOCKS if by_blocks else 0,
    )

    def measure(open_drive: OpenDrive) -> Iterator[Row]:
        rates = [_bench_rate(open_drive(configuration), request_kib * KIB, start) for start in (0, _START_BYTES)]
        yield Row(NAME, said, _bench_law(configuration, request_kib * KIB), rates[1] / rates[0], _TOLERANCE_RATIO)

    return Case(f"{NAME}: {said}", 1.0 if by_blocks else 0.1, measure)


def _bench_rate(drive: BenchDrive[BenchConfiguration], request_bytes: int, start_bytes: int) -> float:
    drive.fill()
    span_bytes = (drive.core.user_bytes - MIB) // request_bytes * request_bytes
    job = drive.job(
        "randwrite", request_bytes=request_bytes, requests=_SETTLING, offset_bytes=start_bytes, size_bytes=span_bytes
    )
    drive.run(job)
    pages = request_bytes // drive.configuration.unit_bytes + 2  # touched by one request, at most
    requests = min(_MOST_REQUESTS, _SPARE_PAGES // pages - _SETTLING)
    measured = drive.run(replace(job, io_bytes=requests * request_bytes, seed=7))
    if not drive.configuration.log_blocks and measured.rose["erased_blocks"]:
        raise AssertionError("collection must not take part")
    return measured.requests_per_second


def _bench_law(drive: BenchConfiguration, request_bytes: int) -> float:
    modify_ns = drive.read_ns + drive.program_ns
    if not drive.log_blocks:
        return law.offset_rate_ratio(request_bytes, drive.unit_bytes, _START_BYTES, drive.program_ns, modify_ns)
    logical_blocks = drive.user_units / drive.pages
    merged = law.MergedBlocks(
        drive.program_ns, modify_ns, modify_ns, drive.erase_ns, drive.pages, 1 - drive.log_blocks / logical_blocks
    )
    return law.merged_offset_rate_ratio(request_bytes, drive.unit_bytes, _START_BYTES, merged)


def _part_case(part: str, request_kib: int) -> Case:
    said = f"random {request_kib} KiB writes to sim:{part}@offset=63s, over those to sim:{part}"

    def measure(_: OpenDrive) -> Iterator[Row]:
        times = unit_times(parts_of(parse_address(f"sim:{part}"))[0])
        if times.unit_bytes is None or times.read_share is None:
            raise AssertionError(f"{part} is no flash drive")
        expected = law.offset_rate_ratio(request_kib * KIB, times.unit_bytes, _START_BYTES, 1, 1 + times.read_share)
        aligned, moved = (written_a_second(f"sim:{part}{at}", request_kib * KIB) for at in ("", "@offset=63s"))
        yield Row(NAME, said, expected, moved / aligned, _TOLERANCE_RATIO)

    return Case(f"{NAME}: {said}", 3.0, measure)


def written_a_second(address: str, request_bytes: int, settling: int = _PART_SETTLING) -> float:
    """Random writes per second of virtual time, once the buffer is full. settling: so many writes before [requests].

    A buffer that sorts what it holds is settled only when it was emptied and filled several times.
    """
    drive = open_drive(parse_address(address), destructive=True)
    _run(drive, sequential_writes("fill", request_bytes=MIB, size_bytes=_SPAN_BYTES + MIB))
    job = replace(
        random_writes("settling", request_bytes=request_bytes, grid_bytes=request_bytes, size_bytes=_SPAN_BYTES,
                      io_bytes=settling * request_bytes, seed=3),
        random_map=False,
    )  # fmt: skip
    _run(drive, job)
    took_ns = _run(drive, replace(job, io_bytes=_PART_REQUESTS * request_bytes, seed=9))
    return _PART_REQUESTS * 1e9 / took_ns


def _run(drive: Drive, job: Job) -> int:
    """Run a job to its end; the virtual time that it took [ns]."""
    if not isinstance(drive, InVirtualTime):
        raise AssertionError(f"{drive.facts.address} is no virtual drive")
    before_ns = drive.now_ns
    run = drive.start((job,), _SAMPLE_NS)
    while not run.advance(200_000):
        pass
    return drive.now_ns - before_ns
