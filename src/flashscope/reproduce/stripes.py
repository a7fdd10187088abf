"""Drives side by side: their gain in rate, their lower wear, and the wait of a request that needs all of them.

Members are bench drives of one die, so a member serves one request at a time and takes the same time for each.
The rate of one member is measured on the same drive without a stripe.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from flashscope.laws import stripes as law
from flashscope.reproduce.bench_configuration import KIB, BenchConfiguration
from flashscope.reproduce.bench_stripe import BenchStripe
from flashscope.reproduce.case import Case, OpenDrive
from flashscope.reproduce.row import Row

NAME = "stripes"
_MEMBER = BenchConfiguration(blocks=256, spare_ratio=0.5)
_HOST_LIMIT = 4.5  # times one member: five and six drives cannot all be used
_RANDOM_READS = 100_000


def cases(quick: bool) -> list[Case]:
    """Large, random, worn, copied, waited for."""
    if quick:
        return [
            _large_case("read", (1, 2, 5)),
            _random_case(2, (1, 2, 4)),
            _wear_case(4, "write"),
            _copy_case((2,)),
            _slowest_case((2,), 30_000),
        ]
    return [
        *(_large_case(direction, (1, 2, 3, 4, 5, 6)) for direction in ("read", "write")),
        *(_random_case(drives, (1, 2, 4, 8, 16)) for drives in (2, 3, 4, 6)),
        *(_wear_case(4, direction) for direction in ("write", "randwrite")),
        _copy_case((1, 2, 3, 4)),
        _slowest_case((1, 2, 4, 8), 300_000),
    ]


def _large_case(direction: str, counts: tuple[int, ...]) -> Case:
    """Large requests in order: N times one drive, until the bus of the host is full."""

    def rate(open_drive: OpenDrive, configuration: BenchConfiguration | BenchStripe) -> float:
        drive = open_drive(configuration)
        if direction == "read":
            drive.fill()
        # Once over the drive. Writes begin on an empty drive, so there is no collection.
        job = drive.job(direction, request_bytes=1024 * KIB, depth=32)
        return drive.run(job).bytes_per_second

    def measure(open_drive: OpenDrive) -> Iterator[Row]:
        alone = rate(open_drive, _MEMBER)
        limit = round(_HOST_LIMIT * alone)
        for drives in counts:
            found = rate(open_drive, BenchStripe(_MEMBER, drives, host_bytes_per_second=limit))
            said = f"{direction}s of 1 MiB in order, N {drives}, host's bus of {_HOST_LIMIT} drives [bytes/s]"
            yield Row(NAME, said, law.sequential_rate(drives, alone, limit), found, 0.01)

    return Case(f"{NAME}: large {direction}s", 0.4, measure)


def _random_case(drives: int, depths: tuple[int, ...]) -> Case:
    """Random requests of one unit: drives at work as in the exact chain of equal service times."""

    def measure(open_drive: OpenDrive) -> Iterator[Row]:
        alone = open_drive(_MEMBER)
        alone.fill()
        one = alone.run(alone.job("randread", requests=10_000)).requests_per_second
        stripe = open_drive(BenchStripe(_MEMBER, drives))
        stripe.fill()
        for depth in depths:
            found = stripe.run(stripe.job("randread", requests=_RANDOM_READS, depth=depth)).requests_per_second / one
            said = f"random reads, N {drives}, q {depth}, over one drive"
            yield Row(NAME, said, law.random_gain_in_step(drives, depth), found, 0.01)

    return Case(f"{NAME}: random reads, {drives} drives", 0.1 * len(depths), measure)


def _wear_case(drives: int, direction: str) -> Case:
    """The same bytes wear each of N drives 1/N as much."""
    member = BenchConfiguration(blocks=256)
    fills = 24  # of one drive

    def erased(open_drive: OpenDrive, configuration: BenchConfiguration | BenchStripe) -> list[int]:
        drive = open_drive(configuration)
        drive.fill(fills=2)
        if direction == "randwrite":
            drive.write_randomly(4)
        before = [each["erased_blocks"] for each in drive.core.member_counters() or [drive.core.counters()]]
        units = fills * member.user_units
        drive.run(drive.job(direction, requests=units, depth=64, time_based=False))
        after = [each["erased_blocks"] for each in drive.core.member_counters() or [drive.core.counters()]]
        return [end - begin for begin, end in zip(before, after, strict=True)]

    def measure(open_drive: OpenDrive) -> Iterator[Row]:
        (alone,) = erased(open_drive, member)
        for place, blocks in enumerate(erased(open_drive, BenchStripe(member, drives, chunk_bytes=4 * KIB))):
            order = "in order" if direction == "write" else "at random"
            said = f"blocks erased in drive {place} of {drives}, written {order}, over one drive that takes it all"
            yield Row(NAME, said, law.wear_ratio(drives), blocks / alone, 0.01)

    return Case(f"{NAME}: wear, {direction}", 3.0 if direction == "write" else 14.0, measure)


def _copy_case(counts: tuple[int, ...]) -> Case:
    """Reading and writing in turn, every request on all members."""
    chunk_bytes, program_ns = 4 * KIB, 200_000
    member = BenchConfiguration(program_ns=program_ns, spare_ratio=0.5)

    def rate(
        open_drive: OpenDrive, configuration: BenchConfiguration | BenchStripe, direction: str, size: int
    ) -> float:
        drive = open_drive(configuration)
        drive.fill()
        return drive.run(drive.job(direction, request_bytes=size, requests=20_000)).bytes_per_second

    def measure(open_drive: OpenDrive) -> Iterator[Row]:
        read, write = (rate(open_drive, member, direction, chunk_bytes) for direction in ("read", "write"))
        for drives in counts:
            stripe = BenchStripe(member, drives, chunk_bytes)
            found = rate(open_drive, stripe, "rw", drives * chunk_bytes) / 2
            said = f"copied by requests over all drives, N {drives}, depth 1 [bytes copied/s]"
            yield Row(NAME, said, law.copy_rate(drives, read, write), found, 0.01)

    return Case(f"{NAME}: copy", 0.4, measure)


def _slowest_case(counts: tuple[int, ...], writes_per_drive: int) -> Case:
    """Reads that need all drives, each of which is busy with its own writes, which arrive at random.

    A read itself takes almost no time, so its latency is the wait for the slowest of k independent drives.
    """
    load, service_ns = 0.6, 1_000_000
    member = replace(_MEMBER, blocks=8192, spare_ratio=0.9, read_ns=100, program_ns=service_ns)

    def measure(open_drive: OpenDrive) -> Iterator[Row]:
        for drives in counts:
            stripe = open_drive(BenchStripe(member, drives, chunk_bytes=member.unit_bytes))
            stripe.fill()
            writes = writes_per_drive * drives
            rate = round(drives * load * 1e9 / service_ns)
            paced: dict[str, Any] = {"depth": 8192, "rate_process": "poisson"}
            measured = stripe.run(
                stripe.job("randwrite", requests=writes, rate_requests_per_second=(0, rate, 0), **paced),
                stripe.job(
                    "randread", request_bytes=drives * member.unit_bytes, requests=2 * writes_per_drive,
                    rate_requests_per_second=(round(2 * writes_per_drive * rate / writes), 0, 0), **paced,
                ),
            )  # fmt: skip
            assert measured.rose["host_write_requests"] == writes
            count, sum_ns, shortest_ns, _ = measured.latency["read"]
            said = f"slowest of {drives}: wait for drives that are busy {load:.0%} of the time (M/D/1 each) [ns]"
            wanted_ns = 1e9 * law.slowest_wait(drives, service_ns / 1e9, load)
            yield Row(NAME, said, wanted_ns, sum_ns / count - shortest_ns, 0.02)

    return Case(f"{NAME}: slowest", sum(counts) * 1.5 * writes_per_drive / 1e6, measure)
