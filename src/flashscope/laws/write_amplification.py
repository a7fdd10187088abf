"""Write amplification of garbage collection under uniform random writes, in steady state.

    host page  -->  [open block]          write amplification =  programs by host + moves
    moved page -->  [open block]                                 -------------------------
                    [victim: X of b valid] -> erased                 programs by host

Every law takes the *spare factor* Sf = (T - U) / T: T physical pages that hold data, U pages the host
can address. Vendors state the over-provisioning OP = (T - U) / U; `spare_factor_from_overprovisioning`
converts it. b is pages per erase unit of the collector (a superblock counts as one block).

Assumed: page mapping, one stream, writes uniform over the whole drive, no TRIM, one host page = one mapping unit.
Not modelled here: skewed writes, read-modify-write below the mapping unit (`laws/alignment.py`), parity.
"""

import math


def spare_factor_from_overprovisioning(overprovisioning_ratio: float) -> float:
    """The spare factor (T - U) / T [ratio] of a drive with over-provisioning (T - U) / U [ratio, > 0]."""
    if not overprovisioning_ratio > 0:
        raise ValueError(f"overprovisioning_ratio must be above 0, found {overprovisioning_ratio}")
    return overprovisioning_ratio / (1 + overprovisioning_ratio)


def effective_spare_factor(
    physical_blocks: float, logical_pages: float, pages_per_block: int, *, free_blocks: float, open_blocks: float = 1
) -> float:
    """The spare factor [ratio] that the laws need when a collector keeps blocks free.

    Free blocks hold no stale pages, so they do not count as spare: T = physical - free - open blocks.

    physical_blocks: blocks usable for data in one pool that is collected on its own [count].
    logical_pages: host pages stored in that pool [pages]. pages_per_block: b [pages].
    free_blocks: mean number of erased blocks kept ready [count]. open_blocks: spare lost to the blocks being filled
    [blocks]; 1 is about right, `finite_drives.open_blocks_lost` is exact.
    Raises ValueError when no spare would be left. Source: Monte Carlo, docs/laws/finite-drives.md.
    """
    usable_pages = (physical_blocks - free_blocks - open_blocks) * pages_per_block
    if not 0 < logical_pages < usable_pages:
        raise ValueError(f"{logical_pages} host pages leave no spare in {usable_pages} usable pages")
    return 1 - logical_pages / usable_pages


def random_victim(spare_factor: float) -> float:
    """Write amplification when the victim is drawn at random [NAND pages per host page].

    A block drawn at random has the mean share 1 - Sf of valid pages, so the answer is 1 / Sf for any block size.
    spare_factor: (T - U) / T [ratio, 0 < s < 1]. Raises ValueError outside (0, 1).
    """
    _check(spare_factor)
    return 1 / spare_factor


def fifo(spare_factor: float) -> float:
    """Write amplification of FIFO (circular log) cleaning [NAND pages per host page].

    A page survives one pass of the log with probability x = exp(-(1 - x) / rho), rho = 1 - Sf;
    x = -rho W0(-exp(-1 / rho) / rho) and the amplification is 1 / (1 - x).
    spare_factor: (T - U) / T [ratio, 0 < s < 1]. Exact for infinitely many blocks, for any block size.
    Raises ValueError outside (0, 1). Source: Xiang & Kurkoski, arXiv:1110.4245; Desnoyers, SYSTOR 2012.
    """
    _check(spare_factor)
    utilisation = 1 - spare_factor
    survivors = -utilisation * _lambert_w0(-math.exp(-1 / utilisation) / utilisation)
    return 1 / (1 - survivors)


def greedy(spare_factor: float, pages_per_block: int) -> float:
    """Write amplification when the victim has the fewest valid pages [NAND pages per host page].

    Solves b rho (H_b - H_j + (j - X) / j) = b - X, j = ceil(X), for X, the valid pages in the victim
    (H_n: harmonic numbers); the amplification is b / (b - X). Linear in X between whole pages.
    spare_factor: (T - U) / T [ratio, 0 < s < 1]. pages_per_block: b [pages, >= 1].
    Exact for infinitely many blocks; with few blocks the true value is higher (docs/laws/greedy.md).
    Raises ValueError outside those ranges. Source: flow balance of Robinson 1996, Bux & Iliadis 2010.
    """
    _check(spare_factor, pages_per_block)
    load = pages_per_block * (1 - spare_factor)
    tail = 0.0  # H_b - H_j
    for threshold in range(pages_per_block, 0, -1):
        # On (threshold - 1, threshold]:  load (tail + 1 - X / threshold) = b - X
        slope = 1 - load / threshold
        if slope:
            valid = (pages_per_block - load * (tail + 1)) / slope
            if threshold - 1 <= valid <= threshold and valid < pages_per_block:
                return pages_per_block / (pages_per_block - valid)
        tail += 1 / threshold
    return 1.0  # b = 1: a victim always has no valid page


def greedy_closed_form(spare_factor: float, pages_per_block: int) -> float:
    """`greedy` with H_n replaced by ln(n + 1/2): Desnoyers' expression [NAND pages per host page].

    Off by at most 0.75 % at b = 32, Sf = 0.07, and below 0.15 % from b = 128.
    spare_factor: (T - U) / T [ratio, 0 < s < 1]. pages_per_block: b [pages, >= 1].
    Raises ValueError outside those ranges. Source: Desnoyers, SYSTOR 2012.
    """
    _check(spare_factor, pages_per_block)
    load = pages_per_block * (1 - spare_factor)
    ratio = (pages_per_block + 0.5) / load
    valid = max(-load * _lambert_w0(-ratio * math.exp(-ratio)) - 0.5, 0.0)
    return pages_per_block / (pages_per_block - valid)


def d_choices(spare_factor: float, pages_per_block: int, choices: int) -> float:
    """Write amplification when the victim is the emptiest of d blocks drawn at random [NAND pages per host page].

    With S_i the share of blocks that hold at least i valid pages, S_i + S_i^d / (K i) = S_(i+1) + 1 / (K i);
    K is chosen so that the S_i sum to b rho, and the amplification is 1 / (K rho).
    spare_factor: (T - U) / T [ratio, 0 < s < 1]. pages_per_block: b [pages, >= 1]. choices: d [count, >= 1].
    d = 1 is a random victim; large d tends to `greedy`. Exact for infinitely many blocks.
    Raises ValueError outside those ranges. Source: Van Houdt, SIGMETRICS 2013; Li, Lee & Lui, SIGMETRICS 2013.
    """
    _check(spare_factor, pages_per_block)
    if choices < 1:
        raise ValueError(f"choices must be at least 1, found {choices}")
    utilisation = 1 - spare_factor
    low, high = 1e-9, 1 / utilisation  # K at amplification 1e9 / rho, and at amplification 1
    for _ in range(200):
        middle = math.sqrt(low * high)
        # More host writes per erase (K) leave fewer pages valid.
        if _mean_valid_pages(middle, pages_per_block, choices) > pages_per_block * utilisation:
            low = middle
        else:
            high = middle
        if high / low < 1 + 1e-13:
            break
    return 1 / (math.sqrt(low * high) * utilisation)


def _mean_valid_pages(rate: float, pages_per_block: int, choices: int) -> float:
    """Sum of S_i over i for K = rate: the mean valid pages per block [pages]."""
    total, above = 0.0, 0.0
    for level in range(pages_per_block, 0, -1):
        weight = 1 / (rate * level)
        share = above
        # Newton from the left bracket of an increasing, convex function: converges from above after one step.
        for _ in range(100):
            step = (share + weight * share**choices - above - weight) / (1 + weight * choices * share ** (choices - 1))
            share -= step
            if abs(step) < 1e-15:
                break
        share = min(share, 1.0)
        total += share
        above = share
    return total


def _lambert_w0(argument: float) -> float:
    """The principal branch of w exp(w) = argument for -1/e <= argument < 0, by Halley's iteration."""
    w = -1 + math.sqrt(max(2 * (1 + math.e * argument), 0.0))  # the series at the branch point
    for _ in range(100):
        excess = w * math.exp(w) - argument
        step = excess / (math.exp(w) * (w + 1) - (w + 2) * excess / (2 * w + 2)) if w != -1 else 0.0
        w -= step
        if abs(step) < 1e-15:
            break
    return w


def _check(spare_factor: float, pages_per_block: int = 1) -> None:
    if not 0 < spare_factor < 1:
        raise ValueError(f"spare_factor must lie between 0 and 1, found {spare_factor}")
    if pages_per_block < 1:
        raise ValueError(f"pages_per_block must be at least 1, found {pages_per_block}")
