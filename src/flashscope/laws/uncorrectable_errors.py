"""From wrong bits to lost sectors: the errors that remain after a code that corrects t bits.

    codeword  | user data (512 B or 1 KiB)     | parity t x m bits |      n = user bits + parity
              more than t of n bits wrong -> uncorrectable

UBER = P(more than t of n bits are wrong) / user bits.
Assumed: bits err independently (binomial); real errors cluster, which makes UBER worse by orders of magnitude, so it
is a lower bound. `overdispersed_probability` is the same for codewords of unequal quality (beta-binomial).
Bounded-distance decoding, as BCH decoders do.
Not modelled here: soft decoding and LDPC, which have no t; miscorrection; whole-block failures.
"""

import math

import numpy as np


def code_bits(user_bytes: int, correctable_bits: int) -> int:
    """Bits of a binary BCH codeword, parity included, n = 8 B + t m [bits].

    m is the degree of the field: the least with 2^m - 1 >= n. user_bytes: B [>= 1]. correctable_bits: t [>= 0].
    Raises ValueError outside those ranges.
    """
    if user_bytes < 1 or correctable_bits < 0:
        raise ValueError(f"user_bytes and correctable_bits must not be negative: {user_bytes}, {correctable_bits}")
    user_bits, degree = 8 * user_bytes, 1
    while (1 << degree) - 1 < user_bits + correctable_bits * degree:
        degree += 1
    return user_bits + correctable_bits * degree


def uncorrectable_probability(raw_error_ratio: float, bits: int, correctable_bits: int) -> float:
    """P(more than t of n bits are wrong), the binomial tail [ratio].

    raw_error_ratio: RBER [ratio, 0..1]. bits: n. correctable_bits: t [0 <= t < n].
    By the incomplete beta function, which stays exact far down the tail. Raises ValueError outside those ranges.
    """
    if not 0 <= raw_error_ratio <= 1 or not 0 <= correctable_bits < bits:
        raise ValueError(f"no such code or rate: {raw_error_ratio}, n = {bits}, t = {correctable_bits}")
    from scipy import special

    return float(special.betainc(correctable_bits + 1, bits - correctable_bits, raw_error_ratio))


def overdispersed_probability(raw_error_ratio: float, bits: int, correctable_bits: int, spread_cv: float) -> float:
    """P(more than t of n bits are wrong) when codewords have error rates of their own, the beta-binomial tail [ratio].

    raw_error_ratio: RBER, their mean [ratio, 0 < p < 1]. spread_cv: their standard deviation over that mean [ratio,
    > 0]; 0.3 to 0.6 is reported for MLC. bits: n. correctable_bits: t. The beta distribution has
    Var = p (1 - p) / (a + b + 1) = (cv p)^2.
    Raises ValueError outside those ranges and for a spread that is impossible for a beta distribution.
    Source: Taranalli, Uchikawa & Siegel, arXiv:1602.07743.
    """
    if not 0 < raw_error_ratio < 1 or not spread_cv > 0 or not 0 <= correctable_bits < bits:
        raise ValueError(f"no such code, rate or spread: {raw_error_ratio}, n = {bits}, {spread_cv}")
    both = (1 - raw_error_ratio) / (raw_error_ratio * spread_cv * spread_cv) - 1
    if both <= 0:
        raise ValueError(f"spread_cv must leave room between 0 and 1 for the rates, found {spread_cv}")
    from scipy import special

    alpha, beta = raw_error_ratio * both, (1 - raw_error_ratio) * both
    wrong = np.arange(correctable_bits + 1, bits + 1, dtype=float)
    ways = special.gammaln(bits + 1) - special.gammaln(wrong + 1) - special.gammaln(bits - wrong + 1)
    logs = ways + special.betaln(wrong + alpha, bits - wrong + beta) - special.betaln(alpha, beta)
    return float(np.exp(logs).sum())


def read_failure_probability(codeword_probability: float, codewords: int) -> float:
    """P(a read of several codewords fails), 1 - (1 - p)^k [ratio]. They fail independently of each other.

    codeword_probability: p [ratio, 0 <= p < 1]. codewords: k [count, >= 1]. Raises ValueError outside those ranges.
    """
    if not 0 <= codeword_probability < 1 or codewords < 1:
        raise ValueError(f"no such probability or count: {codeword_probability}, {codewords}")
    return -math.expm1(codewords * math.log1p(-codeword_probability))


def uber(raw_error_ratio: float, user_bytes: int, correctable_bits: int) -> float:
    """Uncorrectable codewords per user bit read [1/bit].

    raw_error_ratio: RBER [ratio, 0..1]. user_bytes, correctable_bits: as for `code_bits`, with the same errors.
    Source: JESD218; agrees with Hetzler's figure for BCH-15 on 512 B (3.4e-4 for 1e-15).
    """
    bits = code_bits(user_bytes, correctable_bits)
    return uncorrectable_probability(raw_error_ratio, bits, correctable_bits) / (8 * user_bytes)


def raw_error_ratio_for(uber_limit: float, user_bytes: int, correctable_bits: int) -> float:
    """The RBER that gives this UBER, the highest rate at which the code stays within the limit [ratio].

    uber_limit: 1e-15 for client drives, 1e-16 for enterprise (JESD218B) [1/bit, > 0].
    Raises ValueError when uber_limit is not positive or not reached at any rate below 1/2.
    """
    low, high = 1e-15, 0.5
    if not 0 < uber_limit < uber(high, user_bytes, correctable_bits):
        raise ValueError(f"uber_limit must be positive and one the code can have, found {uber_limit}")
    for _ in range(200):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if uber(middle, user_bytes, correctable_bits) < uber_limit else (low, middle)
        if high / low < 1 + 1e-12:
            break
    return math.sqrt(low * high)
