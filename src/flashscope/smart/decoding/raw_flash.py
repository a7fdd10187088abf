"""How much flash a drive of a capacity has inside, when nobody says: packages come in powers of two, or a few."""

from __future__ import annotations

from flashscope.smart.decoding.span import Span

GIB = 2**30
_MOST_SPARE = 1.45  # the widest spare area of drives on sale: 400 GB from 528 GiB and more
_SHAPES = (4, 5, 6, 7)  # quarters of a power of two: 1, 1.25, 1.5 and 1.75 times it (ten channels make 160 GiB)


def raw_flash_bytes(user_bytes: int) -> Span:
    """Bytes of flash in a drive that shows `user_bytes` to the host.

    The smallest usual sum of packages that holds them; between none in reserve and the most that is sold.
    60 GB -> 64 GiB, 120 GB -> 128 GiB, 160 GB -> 160 GiB. Needs user_bytes > 0.
    """
    power = GIB
    while 2 * power <= user_bytes:
        power *= 2
    sums = [shape * power // 4 for shape in _SHAPES] + [2 * power]
    value = next((one for one in sums if one >= 1.02 * user_bytes), 2 * power)
    return Span(value, user_bytes, max(float(value), _MOST_SPARE * user_bytes))
