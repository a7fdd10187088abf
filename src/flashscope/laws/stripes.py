"""Several drives side by side (RAID-0).

    stripe unit   | 0 | 1 | 2 | 3 | 4 | 5 | ...
    drive           a   b   c   a   b   c

Assumed: drives alike, units dealt in turn, requests that lie within one unit unless said otherwise.
Not modelled here: drives that pause at different times for collection beyond `none_stalled_ratio`.
"""

from flashscope.laws.parallelism import busy_dies


def random_gain(drives: int, outstanding: int) -> float:
    """Rate of random requests over that of one drive at depth 1, P(N, q) [ratio]: `busy_dies` with drives for dies.

    Holds for drives that serve one request at a time; a drive that queues sees q / N of them, so use its own law there.
    drives: N [count, >= 1]. outstanding: q [count, >= 1]. Raises ValueError outside those ranges.
    """
    return busy_dies(drives, outstanding)


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


def none_stalled_ratio(drives: int, stalled_ratio: float) -> float:
    """Share of the time in which none of k drives is stalled by its own collection, (1 - g)^k [ratio].

    drives: k [count, >= 1]. stalled_ratio: g of one drive [ratio, 0..1]. Drives collect without regard to each other.
    Raises ValueError outside those ranges. Source: Kim et al., Harmonia, MSST 2011.
    """
    if drives < 1 or not 0 <= stalled_ratio <= 1:
        raise ValueError(f"drives must be at least 1 and stalled_ratio 0 to 1, found {drives}, {stalled_ratio}")
    return float((1 - stalled_ratio) ** drives)
