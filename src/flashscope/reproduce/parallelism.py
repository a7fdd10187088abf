"""Dies at work under a constant queue depth, and Little's law, which holds for every run.

Each die has its own channel; link, bus and controller take almost no time, so a read takes only tR, and the rate of
reads times tR is the mean number of dies at work.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flashscope.laws import parallelism, queueing
from flashscope.reproduce.bench_configuration import BenchConfiguration
from flashscope.reproduce.bench_drive import BenchDrive
from flashscope.reproduce.case import Case, OpenDrive
from flashscope.reproduce.row import Row

DEPTH, LITTLE = "queue-depth", "little"
_REQUESTS = 200_000


def depth_cases(quick: bool) -> list[Case]:
    """4 to 32 dies, queue depths of 1 to 64."""
    points = [(8, 8)] if quick else [(dies, depth) for dies in (4, 8, 10, 16, 32) for depth in (1, 2, 4, 8, 16, 32, 64)]
    return [_depth_case(*point) for point in points]


def _depth_case(dies: int, depth: int) -> Case:
    said = f"random reads, {dies} dies, queue depth {depth}: dies at work"

    def measure(open_drive: OpenDrive) -> Iterator[Row]:
        drive = open_drive(BenchConfiguration(channels=dies, blocks=32, spare_ratio=0.5))
        drive.fill()
        measured = drive.run(drive.job("randread", requests=_REQUESTS, depth=depth))
        at_work = measured.requests_per_second * drive.configuration.read_ns / 1e9
        yield Row(DEPTH, said, parallelism.busy_dies(dies, depth), at_work, 0.02)

    return Case(f"{DEPTH}: {said}", 0.3, measure)


def little_cases(quick: bool) -> list[Case]:
    """Reads, writes with collection, both, and writes into a buffer. Other runs are checked too (`bench_drive.py`)."""
    kinds: list[tuple[str, str, dict[str, Any]]] = [
        ("randread", "random reads, depth 16", {}),
        ("randwrite", "random writes under collection, depth 16", {}),
        ("randrw", "random reads and writes under collection, depth 16", {"pacing": "spread"}),
        ("randwrite", "random writes into a buffer of 1 MiB, depth 16", {"buffer_bytes": 1 << 20}),
    ]
    return [_little_case(*kind) for kind in (kinds[1:2] if quick else kinds)]


def _little_case(direction: str, said: str, changes: dict[str, Any]) -> Case:
    def measure(open_drive: OpenDrive) -> Iterator[Row]:
        drive: BenchDrive[BenchConfiguration] = open_drive(BenchConfiguration(channels=4, blocks=128, **changes))
        drive.fill()
        drive.write_randomly(3)
        measured = drive.run(drive.job(direction, requests=_REQUESTS, depth=16))
        found = queueing.outstanding(measured.requests_per_second, measured.mean_latency_ns / 1e9)
        yield Row(LITTLE, f"{said}: mean outstanding", 16.0, found, 0.01)

    return Case(f"{LITTLE}: {said}", 1.0, measure)
