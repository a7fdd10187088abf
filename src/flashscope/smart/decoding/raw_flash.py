"""How much flash a drive of a given capacity has, when this is not documented: a usual sum of packages."""

from __future__ import annotations

from flashscope.smart.decoding.span import Span

GIB = 2**30
_MOST_SPARE = 1.45  # the widest spare area of drives on sale: 400 GB from 528 GiB and more
_SHAPES = (4, 5, 6, 7)  # quarters of a power of two: 1, 1.25, 1.5 and 1.75 times it (ten channels make 160 GiB)


def raw_flash_bytes(user_bytes: int) -> Span:
    """Bytes of flash in a drive that shows `user_bytes` to the host.

    The smallest usual sum of packages with at least that capacity; the spare is at most the largest on sale.
    60 GB -> 64 GiB, 120 GB -> 128 GiB, 160 GB -> 160 GiB. Needs user_bytes > 0.
    """
    power = GIB
    while 2 * power <= user_bytes:
        power *= 2
    sums = [shape * power // 4 for shape in _SHAPES] + [2 * power]
    value = next((one for one in sums if one >= 1.02 * user_bytes), 2 * power)
    return Span(value, user_bytes, max(float(value), _MOST_SPARE * user_bytes))
