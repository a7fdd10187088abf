"""Queues in general: what is outstanding, and how long requests that come at random wait.

    arrivals --> [ waiting | in service ] --> answers        outstanding = rate x mean latency, always

Assumed for the waits: one server, arrivals with independent exponential gaps, first come first served.
Not modelled here: several servers (`parallelism.py` has n dies under a constant number outstanding).
"""


def outstanding(requests_per_second: float, mean_latency_s: float) -> float:
    """Mean requests under way: Little's law, an identity [requests].

    requests_per_second: completed [1/s, >= 0]. mean_latency_s: from submission to completion [s, >= 0].
    It holds for any drive and any order of service, so a run that breaks it was booked wrongly.
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
