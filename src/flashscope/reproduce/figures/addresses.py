"""The virtual drive that stands for a drive of the published table.

    mobi3000-raid0x2     two of a part, striped; the document gives no size of chunks: 128 KiB, as for the other set
    jmf602-32, n drives  striped behind an ICH10R, 128 KiB

The limits of a striped set come from the host: an ICH10R is connected by DMI, which carries about 660 MB/s (10 Gb/s,
8b/10b coded, minus packet headers), and its driver sends a member no command longer than a chunk; each takes time.
"""

from __future__ import annotations

import re

CHUNK = "128KiB"
_HOST = "host_rate=660MB/s&host_command_size=128KiB&host_command_cost=20us"
_PAIR = re.compile(r"(?P<part>.+)-raid0x(?P<count>\d+)")


def address_of(drive: str) -> str:
    """The address of the drive of that name in the table; the limits of a pair's host are not known."""
    pair = _PAIR.fullmatch(drive)
    return f"stripe:{CHUNK}:sim:{pair['part']}*{pair['count']}" if pair else f"sim:{drive}"


def stripe_of(part: str, count: int) -> str:
    """That many drives of a part side by side behind an ICH10R; a single one alone."""
    return f"stripe:{CHUNK}:sim:{part}*{count}?{_HOST}" if count > 1 else f"sim:{part}"
