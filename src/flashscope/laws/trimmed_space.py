"""What TRIM, or leaving part of a drive unused, does to the spare space.

    addresses  [in use .................][trimmed or never written]
    flash      [valid ..................][spare: the drive's own + what the host does not use]

The laws of write amplification hold with the resulting spare factor. A drive that ignores TRIM keeps its own.
Assumed: writes uniform over all addresses; trims uniform over those in use; trimmed at once and as complete units.
Not modelled here: trims of ranges, trims that are carried out later, trimmed addresses that are never used again.
"""


def in_use_ratio(trim_ratio: float) -> float:
    """Mean share of the addresses that hold data, s = (1 - 2 q) / (1 - q) [ratio].

    trim_ratio: q, the share of trims among writes and trims, each trim of an address in use [ratio, 0 <= q < 1/2].
    Balance: a write fills an unused address with probability 1 - s, a trim frees one, so (1 - q) (1 - s) = q.
    Raises ValueError outside that range: from q = 1/2 on the drive becomes empty.
    Source: Frankie, Hughes & Kreutz-Delgado, arXiv:1208.1794 (2012).
    """
    if not 0 <= trim_ratio < 0.5:
        raise ValueError(f"trim_ratio must lie between 0 and 0.5, found {trim_ratio}")
    return (1 - 2 * trim_ratio) / (1 - trim_ratio)


def in_use_variance(trim_ratio: float, addresses: int) -> float:
    """Variance of the number of addresses in use, U (1 - s) [addresses squared].

    trim_ratio: as for `in_use_ratio`. addresses: U [count, >= 1]. Raises ValueError outside those ranges.
    """
    if addresses < 1:
        raise ValueError(f"addresses must be at least 1, found {addresses}")
    return addresses * (1 - in_use_ratio(trim_ratio))


def blind_trim_ratio(trim_ratio: float) -> float:
    """Share of trims to send when they hit any address, in use or not, q / (1 - q) [ratio].

    A load generator does not know which addresses are in use. Of its trims only the share s hits an address in use;
    this share of trims gives the share q of effective ones. trim_ratio: q [ratio, 0 <= q < 1/2].
    Raises ValueError outside that range.
    """
    in_use_ratio(trim_ratio)
    return trim_ratio / (1 - trim_ratio)


def spare_factor_in_use(spare_factor: float, used_ratio: float) -> float:
    """The spare factor of a drive of which only a share is in use, 1 - s (1 - Sf) [ratio].

    spare_factor: (T - U) / T, counting all addresses [ratio, 0 < Sf < 1]. used_ratio: s [ratio, 0 < s <= 1].
    Raises ValueError outside those ranges.
    """
    if not 0 < spare_factor < 1:
        raise ValueError(f"spare_factor must lie between 0 and 1, found {spare_factor}")
    if not 0 < used_ratio <= 1:
        raise ValueError(f"used_ratio must lie between 0 and 1, found {used_ratio}")
    return 1 - used_ratio * (1 - spare_factor)
