"""The write amplification of the last writes of one kind, from counters that were kept at each reading of SMART.

    readings   ... | sequential | random | random | random |
    requests         1 MiB each   4 KiB    4 KiB    4 KiB      back from the last reading, as long as they stay alike

Not modelled here: requests of several sizes at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

_ALIKE_RATIO = 2.0


@dataclass(frozen=True)
class Traffic:
    """All that was written until a reading of SMART: by the host, to flash [bytes]; the host's write requests."""

    host_bytes: int
    flash_bytes: int
    write_requests: int


def late_write_amplification(readings: Sequence[Traffic], window_bytes: int) -> float | None:
    """Flash bytes per host byte over the last window_bytes of the host, or fewer where requests changed their size.

    None when nothing was written between the last two readings.
    """
    late = _of_one_size([each for each in readings if each.host_bytes > 0])
    if len(late) < 2:
        return None
    last = late[-1]
    before = [each for each in late[:-1] if each.host_bytes <= last.host_bytes - window_bytes]
    first = before[-1] if before else late[0]
    return (last.flash_bytes - first.flash_bytes) / (last.host_bytes - first.host_bytes)


def _of_one_size(readings: Sequence[Traffic]) -> list[Traffic]:
    """The last readings between which requests were of about the size of the last ones, in order."""
    found: list[Traffic] = []
    last_bytes = 0.0
    for earlier, later in reversed(list(pairwise(readings))):
        requests = later.write_requests - earlier.write_requests
        if not requests:
            continue
        mean_bytes = (later.host_bytes - earlier.host_bytes) / requests
        last_bytes = last_bytes or mean_bytes
        if not last_bytes / _ALIKE_RATIO <= mean_bytes <= last_bytes * _ALIKE_RATIO:
            break
        found = [earlier, later] if not found else [earlier, *found]
    return found
