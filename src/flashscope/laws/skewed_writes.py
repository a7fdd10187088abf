"""Write amplification when some data is hotter than other data: mixed in one log, or kept apart in pools.

    mixed    [hhchhhch] [hchhhhhc]   every pass of the log moves the cold data along
    apart    [hhhhhhhh] [cccccccc]   cold blocks stay full of valid data; hot ones empty themselves

A class k of data is a share f_k of the addresses that gets a share r_k of the writes; within a class all addresses
are alike. Assumed: page mapping, steady state, many blocks, no TRIM.
Not modelled here: classes that drift, a greedy victim rule under mixed data (it is worse than its uniform law), victim
rules that look at age, and drives that guess the class from the past.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class DataClass:
    """A share of the addresses and the share of the writes it gets [ratio, 0..1]."""

    address_ratio: float
    write_ratio: float


def fifo_mixed(spare_factor: float, classes: Sequence[DataClass]) -> float:
    """Write amplification of FIFO cleaning with all classes in one log [NAND pages per host page].

    A page of class k survives a pass of the log with probability exp(-lam_k), lam_k = r_k / (f_k rho A), so
    A = sum_k r_k / (1 - exp(-lam_k)). With one class it is `write_amplification.fifo`.
    spare_factor: (T - U) / T [ratio, 0 < s < 1]. Exact for infinitely many blocks and a single write frontier.
    Raises ValueError outside (0, 1), or when the shares of the classes do not sum to 1.
    Source: Desnoyers, ACM TOS 2014; the balance is FIFO's, class by class.
    """
    _check(spare_factor, classes)
    utilisation = 1 - spare_factor

    def excess(amplification: float) -> float:
        cleaned = sum(
            each.write_ratio / -math.expm1(-each.write_ratio / (each.address_ratio * utilisation * amplification))
            for each in classes
            if each.write_ratio > 0
        )
        # A class that is never written is moved in every pass and adds nothing to the host's writes.
        still = sum(each.address_ratio for each in classes if each.write_ratio == 0) * utilisation * amplification
        return cleaned + still - amplification

    low, high = 1.0, 1e9
    for _ in range(200):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if excess(middle) > 0 else (low, middle)
        if high / low < 1 + 1e-14:
            break
    return math.sqrt(low * high)


def separated_pools(
    law: Callable[[float], float], spare_factor: float, classes: Sequence[DataClass], spare_shares: Sequence[float]
) -> float:
    """Write amplification when each class has a pool of its own [NAND pages per host page].

    A = sum_k r_k law(Sf_k), Sf_k = s_k / (u_k + s_k): the uniform law in each pool, with the spare of that pool.
    law: write amplification of a spare factor. spare_factor: of the whole drive [ratio, 0 < s < 1].
    spare_shares: how the spare is split over the classes [ratio, each > 0, sum 1].
    Split in proportion to size, every pool has the drive's spare factor and nothing is gained.
    Raises ValueError outside those ranges. Source: Stoica & Ailamaki, PVLDB 2013; Desnoyers, ACM TOS 2014.
    """
    _check(spare_factor, classes)
    if len(spare_shares) != len(classes) or min(spare_shares) <= 0 or not math.isclose(sum(spare_shares), 1):
        raise ValueError(f"spare_shares must be one share above 0 per class and sum to 1, found {list(spare_shares)}")
    total = 0.0
    for each, share in zip(classes, spare_shares, strict=True):
        spare = share * spare_factor
        total += each.write_ratio * law(spare / (each.address_ratio * (1 - spare_factor) + spare))
    return total


def best_separated_pools(
    law: Callable[[float], float], spare_factor: float, classes: Sequence[DataClass]
) -> tuple[float, float]:
    """The least write amplification of two pools, and the share of the spare that the first class then has.

    The ceiling for any scheme that keeps two classes apart by quota. The best split is near half and half, whatever
    the sizes. Parameters as for `separated_pools`. Raises ValueError unless there are two classes.
    """
    if len(classes) != 2:
        raise ValueError(f"there must be two classes, found {len(classes)}")

    def at(share: float) -> float:
        return separated_pools(law, spare_factor, classes, (share, 1 - share))

    golden = (math.sqrt(5) - 1) / 2
    low, high = 1e-3, 1 - 1e-3
    while high - low > 1e-7:
        left, right = high - golden * (high - low), low + golden * (high - low)
        low, high = (low, right) if at(left) < at(right) else (left, high)
    share = (low + high) / 2
    return at(share), share


def _check(spare_factor: float, classes: Sequence[DataClass]) -> None:
    if not 0 < spare_factor < 1:
        raise ValueError(f"spare_factor must lie between 0 and 1, found {spare_factor}")
    for name in ("address_ratio", "write_ratio"):
        shares = [getattr(each, name) for each in classes]
        if not shares or min(shares) < 0 or not math.isclose(sum(shares), 1):
            raise ValueError(f"{name} of the classes must not be negative and must sum to 1, found {shares}")
    if any(each.address_ratio == 0 for each in classes):
        raise ValueError("a class without addresses cannot be written")
