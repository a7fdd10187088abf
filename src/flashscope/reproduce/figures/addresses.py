"""The virtual drive that stands for a drive of the published table.

    mobi3000-raid0x2     two of a part, striped; the document does not say in which chunks: 128 KiB, as the other has it
    jmf602-32, n drives  striped behind an ICH10R, 128 KiB

What limits a striped set is the host's: an ICH10R hangs on DMI, of which about 660 MB/s arrive (10 Gb/s, 8b/10b coded,
less packet headers).
"""

from __future__ import annotations

import re

CHUNK = "128KiB"
HOST_RATE = "660MB/s"
_PAIR = re.compile(r"(?P<part>.+)-raid0x(?P<count>\d+)")


def address_of(drive: str) -> str:
    """The address of the drive of that name in the table."""
    pair = _PAIR.fullmatch(drive)
    return stripe_of(pair["part"], int(pair["count"])) if pair else f"sim:{drive}"


def stripe_of(part: str, count: int) -> str:
    """That many drives of a part side by side; a single one alone."""
    return f"stripe:{CHUNK}:sim:{part}*{count}?host_rate={HOST_RATE}" if count > 1 else f"sim:{part}"
