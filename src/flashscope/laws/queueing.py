"""Queues in general: how many requests are outstanding, and how long requests that arrive at random wait.

    arrivals --> [ waiting | in service ] --> answers        outstanding = rate x mean latency, always

Assumed for the waits: one server, arrivals with independent exponential gaps, first come first served.
Not modelled here: several servers (`parallelism.py` has n dies under a constant number outstanding).
"""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import accumulate


def outstanding(requests_per_second: float, mean_latency_s: float) -> float:
    """Mean requests under way: Little's law, an identity [requests].

    requests_per_second: completed [1/s, >= 0]. mean_latency_s: from submission to completion [s, >= 0].
    It holds for any drive and any order of service, so a run that violates it was recorded wrongly.
    Raises ValueError on negative values. Source: Little, Operations Research 9(3), 1961.
    """
    if requests_per_second < 0 or mean_latency_s < 0:
        raise ValueError(f"rate and latency must not be negative, found {requests_per_second}, {mean_latency_s}")
    return requests_per_second * mean_latency_s


def wait_constant_service(service_s: float, utilisation_ratio: float) -> float:
    """Mean wait before service when every service takes the same time (M/D/1), S u / (2 (1 - u)) [s].

    service_s: S [s, > 0]. utilisation_ratio: u = arrivals per second x S [ratio, 0 <= u < 1].
    Raises ValueError outside those ranges. Source: Pollaczek-Khinchine.
    """
    _check(service_s, utilisation_ratio)
    return service_s * utilisation_ratio / (2 * (1 - utilisation_ratio))


def wait_within_ratio(service_s: float, utilisation_ratio: float, within_s: float) -> float:
    """Share of the waits before a constant service (M/D/1) that are no longer than `within_s` [ratio].

    For x from (k - 1) S to k S, with a = (k S - x) u / S and Q_i the chance of at most i waiting,
    P(W <= x) = exp(-a) (Q_(k-1) + Q_(k-2) a + ... + Q_0 a^(k-1) / (k-1)!). At x = 0 that is 1 - u.
    within_s: x [s]; none is negative. Other parameters and errors as for `wait_constant_service`; good for u to 0.9.
    Source: Franx, Operations Research Letters 29(5), 2001, for one server.
    """
    _check(service_s, utilisation_ratio)
    if within_s < 0:
        return 0.0
    services = math.floor(within_s / service_s) + 1
    ahead = utilisation_ratio * (services - within_s / service_s)
    chances = _waiting_at_most(utilisation_ratio, services)
    term, total = math.exp(-ahead), 0.0
    for place in range(services):
        total += chances[services - place - 1] * term
        term *= ahead / (place + 1)
    return min(total, 1.0)


@lru_cache(maxsize=64)
def _waiting_at_most(load: float, count: int) -> tuple[float, ...]:
    """P(at most i wait) for i = 0 .. count - 1, from the queue that a departure leaves behind."""
    arrivals = [math.exp(-load)]  # P(so many arrive during a service)
    arrivals += [arrivals[0] * math.exp(n * math.log(load) - math.lgamma(n + 1)) if load else 0.0
                 for n in range(1, count + 2)]  # fmt: skip
    present = [1 - load]
    for n in range(count):
        into = present[0] * arrivals[n] + sum(present[i] * arrivals[n - i + 1] for i in range(1, n + 1))
        present.append(max(present[n] - into, 0.0) / arrivals[0])
    # One of the requests present is in service.
    return tuple(accumulate(present))[1:]


def wait_exponential_service(service_s: float, utilisation_ratio: float) -> float:
    """Mean wait before service when service times are exponential (M/M/1), S u / (1 - u) [s].

    Parameters and errors as for `wait_constant_service`.
    """
    return 2 * wait_constant_service(service_s, utilisation_ratio)


def _check(service_s: float, utilisation_ratio: float) -> None:
    if not service_s > 0:
        raise ValueError(f"service_s must be above 0, found {service_s}")
    if not 0 <= utilisation_ratio < 1:
        raise ValueError(f"utilisation_ratio must lie from 0 to below 1, found {utilisation_ratio}")
