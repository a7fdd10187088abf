"""How long a drive makes the host wait, and how much data it accepts before that.

    accepted |      ,--------- drain rate           a buffer, or a cache of fast cells, takes the difference
             |    ,'  <- full                       between arrival and drain until it is full
             |  ,'  arrival rate
             +------------------------- time

Times of the flash are in ns, times of the host in seconds. Assumed: constant rates.
Not modelled here: collection that is spread or interrupted; it bounds the wait by one program or one erase.
"""


def collection_stall_ns(
    valid_pages: float, *, read_ns: float, program_ns: float, erase_ns: float, transfer_ns: float
) -> float:
    """Time a die is busy with one blocking collection, X (tR + tPROG + 2 tX) + tBERS [ns].

    valid_pages: X, moved out of the victim [pages, >= 0]. Times of one page and one erase [ns, >= 0].
    Raises ValueError on a negative value.
    """
    _not_negative(
        valid_pages=valid_pages, read_ns=read_ns, program_ns=program_ns, erase_ns=erase_ns, transfer_ns=transfer_ns
    )
    return valid_pages * (read_ns + program_ns + 2 * transfer_ns) + erase_ns


def host_pages_per_collection(write_amplification: float, pages_per_block: int) -> float:
    """Host pages of one die between two collected blocks, b - X = b / A [pages].

    write_amplification: A [ratio, >= 1]. pages_per_block: b [pages, >= 1]. Raises ValueError outside those ranges.
    """
    if not write_amplification >= 1 or pages_per_block < 1:
        raise ValueError(f"A and b must be at least 1, found {write_amplification}, {pages_per_block}")
    return pages_per_block / write_amplification


def burst_s(buffer_bytes: float, arrival_rate: float, drain_rate: float) -> float:
    """Time until a burst has filled an empty buffer, size / (arrival - drain) [s].

    buffer_bytes [bytes, >= 0]. arrival_rate, drain_rate [bytes/s, 0 <= drain < arrival].
    Raises ValueError outside those ranges: a buffer that drains as fast as it is filled is never full.
    """
    _not_negative(buffer_bytes=buffer_bytes, drain_rate=drain_rate)
    if not arrival_rate > drain_rate:
        raise ValueError(f"arrival_rate must be above drain_rate, found {arrival_rate}, {drain_rate}")
    return buffer_bytes / (arrival_rate - drain_rate)


def fast_cells_cliff_s(cache_bytes: float, arrival_rate: float, fold_rate: float) -> float:
    """Time until a pSLC cache is full, C / (R_in - R_fold) [s]; the same balance as `burst_s`."""
    return burst_s(cache_bytes, arrival_rate, fold_rate)


def fold_rate(
    pages_per_fast_block: int, *, read_ns: float, program_ns: float, erase_ns: float, transfer_ns: float
) -> float:
    """Pages one die moves out of fast cells in a second when it does nothing else [pages/s].

    A full block of n pages takes n (tR + 2 tX + tPROG) + tBERS, as a collection of a block with all pages valid.
    pages_per_fast_block: n [pages, >= 1]. read_ns, erase_ns: of fast cells. program_ns: of dense ones [ns, >= 0].
    Raises ValueError outside those ranges.
    """
    if pages_per_fast_block < 1:
        raise ValueError(f"pages_per_fast_block must be at least 1, found {pages_per_fast_block}")
    block_ns = collection_stall_ns(
        pages_per_fast_block, read_ns=read_ns, program_ns=program_ns, erase_ns=erase_ns, transfer_ns=transfer_ns
    )
    return pages_per_fast_block * 1e9 / block_ns


def rate_while_folding(fast_rate: float, fold_rate: float) -> float:
    """Write rate behind the cliff when data still goes through the cache, 1 / (1/R_slc + 1/R_fold) [unit of the rates].

    fast_rate: of programming in fast cells. fold_rate: of moving them into dense cells. Raises ValueError unless > 0.
    """
    if not fast_rate > 0 or not fold_rate > 0:
        raise ValueError(f"rates must be above 0, found {fast_rate}, {fold_rate}")
    return 1 / (1 / fast_rate + 1 / fold_rate)


def _not_negative(**values: float) -> None:
    for name, value in values.items():
        if not value >= 0:
            raise ValueError(f"{name} must not be negative, found {value}")
