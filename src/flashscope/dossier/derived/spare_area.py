"""The spare area, inferred from the write amplification of random writes, or from the flash that is in the drive.

    by amplification    the spare factor at which greedy collection would give the measured amplification
    by raw bytes        (flash - user) / flash, where the drive or its part states how much flash there is

Assumed for the first: pages mapped one by one (mapping unit = 4 KiB, or the amplification is divided by unit / 4 KiB),
greedy collection of large blocks (256 units; the law hardly depends on it), uniform writes for long enough. Another
policy needs more spare for the same amplification, so the interval reaches up to that of cleaning in order (FIFO).
The second is an upper bound: bad blocks, firmware and map lie in it, too. Not modelled: pSLC, parity, compression.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from flashscope.dossier.derived.found import AT_MOST, finding_of
from flashscope.laws.write_amplification import fifo, greedy
from flashscope.records import Doubt, Finding, Record
from flashscope.units import format_number, format_percent

_PAGE_BYTES = 4096
_UNITS_PER_BLOCK = 256
_LEAST, _MOST = 0.002, 0.9
_LEAST_AMPLIFICATION = 1.05
"""Below it, the drive hardly collected: any large spare area gives that."""
_MOST_AMPLIFICATION = 40.0
"""Above it, no drive maps single units and collects greedily: less than 1.3 % would be spare."""


def spare_by_amplification(records: Sequence[Record]) -> Finding | None:
    """spare_ratio_by_amplification [ratio of all flash pages]."""
    found = finding_of(records, "smart-inference", "write_amplification_random")
    if found is None or not isinstance(found.value, int | float):
        return None
    unit = _unit_bytes(records)
    if unit is None:
        return None
    ratio = spare_at(float(found.value), unit)
    if ratio is None:
        return None
    per_unit = _times_per_unit(unit)
    collecting = float(found.value) / per_unit
    high = _inverse(fifo, (found.low or float(found.value)) / per_unit)
    low = _inverse(_greedy, (found.high or float(found.value)) / per_unit)
    statement = (
        f"About {format_percent(ratio)} of its flash is spare: greedy collection with so much spare area writes "
        f"{format_number(collecting)} units for each unit of the host."
    )
    message = "greedy collection of single units is assumed; another policy needs more spare area for the same"
    doubts = (*found.doubts, Doubt("LawAssumed", message, ""))
    return Finding("spare_ratio_by_amplification", statement, ratio, "ratio", low, max(high, ratio), doubts=doubts)


def spare_at(amplification: float, unit_bytes: float) -> float | None:
    """The spare factor at which greedy collection gives that amplification of 4 KiB writes; None beyond the law."""
    collecting = amplification / _times_per_unit(unit_bytes)
    if not _LEAST_AMPLIFICATION < collecting < _MOST_AMPLIFICATION:
        return None
    return _inverse(_greedy, collecting)


def amplification_at(spare_factor: float, unit_bytes: float) -> float:
    """The amplification of 4 KiB writes that greedy collection gives with so much spare area."""
    return _greedy(spare_factor) * _times_per_unit(unit_bytes)


def spare_by_raw_bytes(records: Sequence[Record]) -> Finding | None:
    """spare_ratio_by_raw_bytes [ratio of all flash]; None where nobody states how much flash there is."""
    facts = records[-1].drive_facts
    if not facts.raw_bytes > facts.user_bytes > 0:
        return None
    ratio = 1 - facts.user_bytes / facts.raw_bytes
    statement = f"At most {format_percent(ratio)} of its flash is spare: bad blocks, map and firmware are in that."
    return Finding("spare_ratio_by_raw_bytes", statement, ratio, "ratio", details={AT_MOST: True})


def _unit_bytes(records: Sequence[Record]) -> int | None:
    """The mapping unit; None when it is not known, since the amplification then does not tell the spare area."""
    for experiment in ("small-write-matrix", "misalignment"):
        found = finding_of(records, experiment, "mapping_unit_bytes")
        if found is not None and isinstance(found.value, int):
            return found.value
    return None


def _times_per_unit(unit_bytes: float) -> float:
    """Units rewritten for a 4 KiB write, as multiples of its bytes."""
    return max(unit_bytes / _PAGE_BYTES, 1.0)


def _greedy(spare_factor: float) -> float:
    return greedy(spare_factor, _UNITS_PER_BLOCK)


def _inverse(law: Callable[[float], float], amplification: float) -> float:
    """The spare factor at which the law, which falls, gives that amplification; the nearest end beyond its range."""
    low, high = _LEAST, _MOST
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if law(middle) > amplification else (low, middle)
    return (low + high) / 2
