"""Compression: a drive compresses or does not, whichever way it is asked.

compressibility     compares rates and counters for data of several kinds: the direct method
three-states        sees it only where a fill with random data slows the drive down
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flashscope.dossier.judge.objection import Objection
from flashscope.dossier.judge.rule import Rule
from flashscope.dossier.judge.told import Told, both_doubted, numbers_told, told, withdrawn
from flashscope.records import Record

_FEWER = 0.9


def _objections(records: Sequence[Record]) -> Iterator[Objection]:
    direct = told(records, "compresses")
    for one in direct:
        yes = one.finding.value == "yes"
        for fill in told(records, "fill_data_matters"):
            if yes and fill.finding.value == "no":
                yield withdrawn(fill, "compressibility sees that it compresses, by rates or counters of such data", one)
            elif not yes and fill.finding.value == "yes":
                reason = "one experiment finds that the drive compresses, another that it does not"
                yield from both_doubted(one, fill, reason)
        if not yes:
            yield from _counted(one, records)


def _counted(no: Told, records: Sequence[Record]) -> Iterator[Objection]:
    """Fewer bytes of zeros reach the flash although the drive is said not to compress."""
    for counted in numbers_told(records, "flash_bytes_per_host_byte_zeros"):
        if counted.high < _FEWER:
            yield withdrawn(no, "a counter shows that of zeros not all bytes reach the flash", counted)


RULE = Rule("compression", "A drive compresses what it is given, or it does not.", _objections)
