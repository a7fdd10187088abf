"""Stalls of blocking collection, and the time until a burst fills a buffer."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from flashscope.laws import stalls as law
from flashscope.reproduce.bench_configuration import BenchConfiguration
from flashscope.reproduce.case import Case, OpenDrive
from flashscope.reproduce.kink import kink_s
from flashscope.reproduce.row import Row
from flashscope.reproduce.write_amplification import expected

STALL, BURST = "collection-stall", "buffer-burst"
_SLOW_BUS = 40_000_000


def stall_cases(quick: bool) -> list[Case]:
    """Two spare factors: fuller drives stall longer."""
    return [_stall_case(spare) for spare in ((0.2,) if quick else (0.1, 0.2))]


def _stall_case(spare: float) -> Case:
    configuration = BenchConfiguration(blocks=1024, spare_ratio=spare, bus_bytes_per_second=_SLOW_BUS)
    amplification = expected(configuration)
    said = f"blocking, greedy, one die, Sf {spare:g}, depth 1"

    def measure(open_drive: OpenDrive) -> Iterator[Row]:
        drive = open_drive(configuration)
        drive.fill()
        drive.write_randomly(6)
        begin_ns = drive.core.now_ns
        # The core keeps its last 4096 decisions; this many writes cause fewer.
        requests = round(3500 * law.host_pages_per_collection(amplification, configuration.pages))
        measured = drive.run(drive.job("randwrite", requests=requests))
        inside = drive.core.inside()
        here = inside["decision_at_ns"] >= begin_ns
        times, victims = inside["decision_at_ns"][here], inside["decision_valid_slots"][here]
        # Every victim of one moment is collected before the host's next page.
        _, first = np.unique(times, return_index=True)
        moved, erased = np.add.reduceat(victims, first), np.diff([*first, len(times)])
        stalls = [
            law.collection_stall_ns(
                float(pages), read_ns=configuration.read_ns, program_ns=configuration.program_ns,
                erase_ns=float(blocks) * configuration.erase_ns, transfer_ns=configuration.transfer_ns,
            )
            for pages, blocks in zip(moved, erased, strict=True)
        ]  # fmt: skip
        own_ns = configuration.transfer_ns + configuration.program_ns
        longest_ns = measured.latency["write"][3]
        yield Row(
            STALL, f"longest write latency, {said}: the X that was moved [ns]", max(stalls) + own_ns, longest_ns, 1e-4
        )
        mean_ns = sum(stalls) / measured.requests + own_ns
        yield Row(
            STALL,
            f"mean write latency, {said}: all stalls over all writes [ns]",
            mean_ns,
            measured.mean_latency_ns,
            1e-4,
        )
        between = law.host_pages_per_collection(amplification, configuration.pages)
        yield Row(
            STALL, f"host pages per collected block, {said}: b / A", between, measured.requests / len(times), 0.01
        )

    return Case(f"{STALL}: {said}", 0.7, measure)


def burst_cases(quick: bool) -> list[Case]:
    """Buffers of two sizes under two rates."""
    points = [(1 << 20, 2.0)] if quick else [(1 << 20, 2.0), (1 << 20, 1.25), (8 << 20, 2.0), (8 << 20, 10.0)]
    return [_burst_case(*point) for point in points]


def _burst_case(buffer_bytes: int, times_drain: float) -> Case:
    configuration = BenchConfiguration(channels=4, blocks=512, buffer_bytes=buffer_bytes, spare_ratio=0.2)
    drain = configuration.dies * configuration.page_bytes * 1e9 / (configuration.program_ns + configuration.transfer_ns)
    arrival = round(times_drain * drain)
    wanted = law.burst_s(buffer_bytes, arrival, drain)
    said = f"buffer of {buffer_bytes >> 20} MiB, arrival {times_drain:g} times the drain: time until full [s]"

    def measure(open_drive: OpenDrive) -> Iterator[Row]:
        drive = open_drive(configuration)
        job = drive.job(
            "write", size_bytes=drive.core.user_bytes, runtime_ns=round(4e9 * wanted), time_based=True, depth=1,
            rate_bytes_per_second=(0, arrival, 0),
        )  # fmt: skip
        measured = drive.run(job, sample_interval_ns=max(round(1e9 * wanted / 100), 1))
        yield Row(BURST, said, wanted, kink_s(measured.series, wanted), 0.02)

    return Case(f"{BURST}: {said}", 0.1, measure)
