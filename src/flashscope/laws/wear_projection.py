"""How long it takes to wear a drive to a given erase count.

    host bytes  x  write amplification  =  flash bytes  =  erase count  x  bytes of all blocks in use

The documents' arithmetic: 32 GB written at 55 MB/s wears by one cycle in 582 s, so 5000 cycles take 33.67 days. It sets
the write amplification to 1 and counts the capacity, not the flash. Under wear levelling the spare blocks wear as well,
so the time is longer by the factor raw flash / capacity.
"""

DAY_S = 86_400


def days_to_wear(
    erase_count: float, *, bytes_per_cycle: float, host_bytes_per_second: float, write_amplification: float = 1.0
) -> float:
    """Days of writing without a pause until all blocks have that erase count on average [days].

    erase_count: cycles still to go [>= 0]. bytes_per_cycle: flash in use, or the capacity as the documents take it.
    Raises ValueError for a negative count or a size, rate or amplification that is not positive.
    """
    if erase_count < 0 or min(bytes_per_cycle, host_bytes_per_second, write_amplification) <= 0:
        raise ValueError(f"not possible: {erase_count}, {bytes_per_cycle}, {host_bytes_per_second}")
    return erase_count * bytes_per_cycle / (host_bytes_per_second * write_amplification) / DAY_S
