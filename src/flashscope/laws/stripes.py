"""Several drives side by side (RAID-0).

    stripe unit   | 0 | 1 | 2 | 3 | 4 | 5 | ...
    drive           a   b   c   a   b   c

Assumed: drives alike, units dealt in turn, requests that lie within one unit unless said otherwise.
Not modelled here: drives that pause at different times for collection, except in `none_stalled_ratio`.
"""

from __future__ import annotations

from flashscope.laws.parallelism import busy_dies, busy_dies_in_step
from flashscope.laws.queueing import wait_within_ratio
from flashscope.laws.throughput import copy_rate as copy_rate_of_one


def random_gain(drives: int, outstanding: int) -> float:
    """Rate of random requests over that of one drive at depth 1, P(N, q) [ratio]: `busy_dies` with drives for dies.

    Holds for drives that serve one request at a time; a drive that queues has q / N requests, so use its own law there.
    drives: N [count, >= 1]. outstanding: q [count, >= 1]. Raises ValueError outside those ranges.
    """
    return busy_dies(drives, outstanding)


def random_gain_in_step(drives: int, outstanding: int) -> float:
    """The same, exact for drives that take the same time for every request: `busy_dies_in_step` [ratio].

    2 - 1/q for two drives. `random_gain` lies up to 4 % below. Parameters and errors as there.
    """
    return busy_dies_in_step(drives, outstanding)


def sequential_rate(drives: int, drive_rate: float, link_rate: float) -> float:
    """Rate of large sequential requests, min(N x one drive, what they share) [unit of the rates].

    drives: N [count, >= 1]. drive_rate, link_rate [> 0]. Raises ValueError outside those ranges.
    """
    if drives < 1 or not drive_rate > 0 or not link_rate > 0:
        raise ValueError(f"drives and rates must be positive, found {drives}, {drive_rate}, {link_rate}")
    return min(drives * drive_rate, link_rate)


def slowest_of(drives: int) -> float:
    """Mean latency of a request that waits for all of k drives, over that of one, H_k [ratio].

    1, 1.5, 2.08, 2.72 for k = 1, 2, 4, 8. For exponential latencies. drives: k [count, >= 1]; else ValueError.
    """
    if drives < 1:
        raise ValueError(f"drives must be at least 1, found {drives}")
    return sum(1 / count for count in range(1, drives + 1))


def slowest_wait(drives: int, service_s: float, utilisation_ratio: float) -> float:
    """Mean wait of a request that touches k drives, each busy with other work, for the slowest of them [s].

    The integral of 1 - F^k, where F is the distribution of the waits of M/D/1: each drive serves its own requests,
    which arrive at random and take `service_s`. For k = 1 it is the law of `queueing.wait_constant_service`; as u
    nears 1, waits become exponential and the ratio of the two nears H_k. Parameters and errors as for `slowest_of` and
    `queueing.wait_constant_service`.
    """
    slowest_of(drives)
    steps = 40  # of Simpson's rule in a service time; F has a kink at each whole one
    total, begin = 0.0, 0
    while True:
        beyond = [
            1 - wait_within_ratio(service_s, utilisation_ratio, (begin + step / steps) * service_s) ** drives
            for step in range(steps)
        ]
        # From the left: exactly at the end of an interval, F is computed by the next one, with the same value.
        beyond.append(1 - wait_within_ratio(service_s, utilisation_ratio, (begin + 1) * service_s) ** drives)
        weights = [1, *([4, 2] * (steps // 2))[:-1], 1]
        total += service_s / steps / 3 * sum(weight * value for weight, value in zip(weights, beyond, strict=True))
        begin += 1
        if beyond[-1] < 1e-9 or begin > 1000:
            return total


def copy_rate(drives: int, read_rate: float, write_rate: float) -> float:
    """Rate of a copy within an array by requests that touch every drive, N / (1/R + 1/W) [unit of the rates].

    drives: N [count, >= 1]. read_rate, write_rate: of one drive [> 0]. Raises ValueError outside those ranges.
    """
    if drives < 1:
        raise ValueError(f"drives must be at least 1, found {drives}")
    return drives * copy_rate_of_one(read_rate, write_rate)


def wear_ratio(drives: int) -> float:
    """Erase cycles of each drive over those of one drive that takes all the writes, 1 / N [ratio].

    drives: N [count, >= 1; else ValueError], with the same share of spare as the one drive.
    """
    if drives < 1:
        raise ValueError(f"drives must be at least 1, found {drives}")
    return 1 / drives


def none_stalled_ratio(drives: int, stalled_ratio: float) -> float:
    """Share of the time in which none of k drives is stalled by its own collection, (1 - g)^k [ratio].

    drives: k [count, >= 1]. stalled_ratio: g of one drive [ratio, 0..1]. Drives collect independently.
    Raises ValueError outside those ranges. Source: Kim et al., Harmonia, MSST 2011.
    """
    if drives < 1 or not 0 <= stalled_ratio <= 1:
        raise ValueError(f"drives must be at least 1 and stalled_ratio 0 to 1, found {drives}, {stalled_ratio}")
    return float((1 - stalled_ratio) ** drives)
