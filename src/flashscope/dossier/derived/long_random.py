"""Random writing all over a drive until it is tired, by the size of its requests: two rates that differ several times.

    4 KiB     smart-inference: the last third of the chunks that it writes at random
    64 KiB    idle-recovery: bursts on a drive that was overwritten before, without a pause between

Assumed: smart-inference was not stopped before its last third; with fewer than three chunks nothing is said.
"""

from __future__ import annotations

from collections.abc import Sequence

from flashscope.dossier.derived.found import finding_of
from flashscope.records import Finding, Record
from flashscope.units import format_rate

_COUNTING = "smart-inference"
_RESTING = "idle-recovery"
_THIRDS = 3
_SECOND_NS = 10**9


def long_small_writes(records: Sequence[Record]) -> Finding | None:
    """long_random_write_rate [bytes/s]: 4 KiB requests; None without enough of them."""
    record = next((each for each in reversed(records) if each.experiment == _COUNTING), None)
    chunks = [] if record is None else _random_chunks(record)
    if len(chunks) < _THIRDS:
        return None
    late = chunks[-(len(chunks) // _THIRDS) :]
    written, taken_ns = (sum(each[column] for each in late) for column in range(2))
    if not written or not taken_ns:
        return None
    rate = written * _SECOND_NS / taken_ns
    statement = f"Random 4 KiB writes all over the drive, for long, run at {format_rate(rate)}."
    return Finding("long_random_write_rate", statement, rate, "bytes/s")


def _random_chunks(record: Record) -> list[tuple[float, float]]:
    """(bytes written, time taken [ns]) of each chunk written at random, in order."""
    return [
        (float(step.workload.totals.get("written_bytes", 0)), float(step.workload.duration_ns))
        for step in record.steps
        if step.workload is not None and step.labels.word("phase") == "random"
    ]


def long_large_writes(records: Sequence[Record]) -> Finding | None:
    """long_random_write_rate_64k [bytes/s]: 64 KiB requests on a tired drive, before any pause."""
    idle = finding_of(records, _RESTING, "idle_collection_delay_ns")
    rate = None if idle is None else idle.details.get("tired_bytes_per_second")
    if idle is None or not rate:
        return None
    statement = f"Random 64 KiB writes all over the drive, for long, run at {format_rate(rate)}."
    return Finding("long_random_write_rate_64k", statement, float(rate), "bytes/s", doubts=idle.doubts)
