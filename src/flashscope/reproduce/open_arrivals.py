"""Requests that arrive whether or not earlier ones were answered: the wait of M/D/1.

    exponential gaps --> [ waiting | the one die ] --> answers       every read takes the same time

The job's queue is so deep that it never fills, so arrivals do not depend on the drive (fio's rate_process=poisson).
The time of a read without a wait is measured first, one request at a time.
"""

from __future__ import annotations

from collections.abc import Iterator

from flashscope.laws import queueing
from flashscope.reproduce.bench_configuration import BenchConfiguration
from flashscope.reproduce.case import Case, OpenDrive
from flashscope.reproduce.row import Row

NAME = "open-arrivals"
_DEPTH = 16_384


def cases(quick: bool) -> list[Case]:
    """A die that is busy 30, 50 and 80 % of the time; 50 % when quick."""
    return [_case(load, 500_000 if quick else 3_000_000) for load in ((0.5,) if quick else (0.3, 0.5, 0.8))]


def _case(load: float, requests: int) -> Case:
    said = f"reads of one die at random times, u {load:g}: mean wait S u / (2 (1 - u)) [ns]"

    def measure(open_drive: OpenDrive) -> Iterator[Row]:
        drive = open_drive(BenchConfiguration(blocks=64, spare_ratio=0.5))
        drive.fill()
        service_ns = drive.run(drive.job("randread", requests=1000)).mean_latency_ns
        rate = round(load * 1e9 / service_ns)
        job = drive.job(
            "randread", requests=requests, depth=_DEPTH, rate_requests_per_second=(rate, 0, 0), rate_process="poisson"
        )
        waited_ns = drive.run(job).mean_latency_ns - service_ns
        yield Row(NAME, said, queueing.wait_constant_service(service_ns, rate * service_ns / 1e9), waited_ns, 0.02)

    return Case(f"{NAME}: {said}", 0.6 * requests / 1e6, measure)
