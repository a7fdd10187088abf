"""The virtual drive that stands for a drive of the published table.

    mobi3000-raid0x2     two of a part, striped; the document does not say in which chunks: 128 KiB, as the other has it
    jmf602-32, n drives  striped behind an ICH10R, 128 KiB

What limits a striped set is the host's: an ICH10R hangs on DMI, of which about 660 MB/s arrive (10 Gb/s, 8b/10b coded,
less packet headers), and its driver gives a member no longer commands than a chunk, each of which costs it time.
"""

from __future__ import annotations

import re

CHUNK = "128KiB"
_HOST = "host_rate=660MB/s&host_command_size=128KiB&host_command_cost=20us"
_PAIR = re.compile(r"(?P<part>.+)-raid0x(?P<count>\d+)")


def address_of(drive: str) -> str:
    """The address of the drive of that name in the table; what limits the host of a pair is not known."""
    pair = _PAIR.fullmatch(drive)
    return f"stripe:{CHUNK}:sim:{pair['part']}*{pair['count']}" if pair else f"sim:{drive}"


def stripe_of(part: str, count: int) -> str:
    """That many drives of a part side by side behind an ICH10R; a single one alone."""
    return f"stripe:{CHUNK}:sim:{part}*{count}?{_HOST}" if count > 1 else f"sim:{part}"
