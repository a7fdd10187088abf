"""The changes between two readings of one drive, and the ratios of the time between them.

    earlier reading, later reading --> changes (later less earlier, in units)
                                   --> write amplification, RBER and bits per event of the interval alone

A ratio over a drive's whole life hides its present behaviour; the same ratio over an interval shows it. Counters that
wrapped are corrected (`wraps.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from flashscope.smart.decoding.contradictions import Case
from flashscope.smart.decoding.health import bit_errors, write_amplification
from flashscope.smart.decoding.reading import Field, Reading
from flashscope.smart.decoding.signs import READ_ONLY, self_assessment
from flashscope.smart.decoding.words import in_words
from flashscope.smart.dump import Dump
from flashscope.smart.watching.wraps import growth_round
from flashscope.units import format_count

COUNTED = (
    "host_written_bytes", "host_read_bytes", "nand_written_bytes", "slc_nand_written_bytes", "host_program_page_count",
    "background_program_page_count", "erase_count_average", "error_bits", "corrected_read_count",
)  # fmt: skip
"""Keys that only grow, and from which ratios of an interval follow."""


LOSSES = (
    ("uncorrectable_error_count", "read that failed beyond correction", "reads that failed beyond correction"),
    ("media_error_count", "error of the medium that was not corrected", "errors of the medium that were not corrected"),
    ("end_to_end_error_count", "time data was damaged inside the drive", "times data was damaged inside the drive"),
    ("read_failure_block_count", "block that could not be read", "blocks that could not be read"),
    ("pending_sector_count", "sector that cannot be read", "sectors that cannot be read"),
)
"""Field whose growth endangers data, and its name for one and for several."""


@dataclass(frozen=True)
class Change:
    """One field in both readings. difference: later less earlier, in the field's unit; low, high: its interval.

    went_round: the counter wrapped in between; the difference includes the wrap.
    """

    before: Field
    after: Field
    difference: float
    low: float
    high: float
    went_round: bool = False


@dataclass(frozen=True)
class Difference:
    """changes: fields with another value, in the order of the later reading. same_count: fields that stayed.

    power_on_hours, calendar_hours: between the readings; None when not reported. interval: fields that hold for the
    interval alone (write_amplification, rber, ...). appeared, vanished: keys in one reading only. remarks: in words,
    reasons against a comparison. losses: what got worse in a way that endangers data, in words, the worst first.
    """

    changes: tuple[Change, ...]
    same_count: int
    power_on_hours: float | None
    calendar_hours: float | None
    interval: tuple[Field, ...]
    appeared: tuple[str, ...]
    vanished: tuple[str, ...]
    remarks: tuple[str, ...]
    losses: tuple[str, ...] = ()


def difference(before: tuple[Dump, Reading], after: tuple[Dump, Reading]) -> Difference:
    """What changed from the first reading to the second."""
    (dump_before, first), (dump_after, second) = before, after
    both = [key for key in second.fields if key in first.fields]
    changes = [_change(key, first, second) for key in both]
    times = dump_before.taken_at_s, dump_after.taken_at_s
    hours = first.value("power_on_time_hours"), second.value("power_on_time_hours")
    return Difference(
        changes=tuple(change for change in changes if change.difference),
        same_count=sum(1 for change in changes if not change.difference),
        power_on_hours=None if hours[0] is None or hours[1] is None else hours[1] - hours[0],
        calendar_hours=None if times[0] is None or times[1] is None else (times[1] - times[0]) / 3600,
        interval=_of_the_interval(changes, second, dump_after),
        appeared=tuple(key for key in second.fields if key not in first.fields),
        vanished=tuple(key for key in first.fields if key not in second.fields),
        remarks=tuple(_remarks(before, after, changes)),
        losses=tuple(_losses(before, after, changes)),
    )


def _losses(before: tuple[Dump, Reading], after: tuple[Dump, Reading], changes: list[Change]) -> Iterator[str]:
    """What a person must see before any other change."""
    if self_assessment(after[0]) is False and self_assessment(before[0]) is not False:
        yield "its own self-assessment fails now: copy everything to another drive first"
    grown = {one.after.key: one.difference for one in changes if one.difference > 0}
    if "write_protect_flag" in grown or _new_warnings(changes) & READ_ONLY:
        yield "it is read-only now: it refuses every write"
    for key, one, several in LOSSES:
        if (count := grown.get(key)) is not None:
            yield f"{format_count(count)} new {one if count == 1 else several}"


def _new_warnings(changes: list[Change]) -> int:
    """The bits of the critical warning that are set now and were not."""
    warnings = next((one for one in changes if one.after.key == "critical_warning"), None)
    return int(warnings.after.value) & ~int(warnings.before.value) if warnings else 0


def _change(key: str, first: Reading, second: Reading) -> Change:
    before, after = first.fields[key], second.fields[key]
    if (growth := growth_round(key, first, second)) is not None:
        low = growth - (before.high - before.value) - (after.value - after.low)
        return Change(
            before, after, growth, low, growth + (before.value - before.low) + (after.high - after.value), True
        )
    return Change(before, after, after.value - before.value, after.low - before.high, after.high - before.low)


def _of_the_interval(changes: list[Change], second: Reading, dump: Dump) -> tuple[Field, ...]:
    counted = [one for one in changes if one.after.key in COUNTED]
    if any(one.difference < 0 for one in counted):
        return ()
    grown = {
        one.after.key: replace(
            one.after, value=one.difference, low=max(0.0, one.low), high=max(0.0, one.high), raw=None
        )
        for one in counted
        if one.after.unit == one.before.unit
    }
    # Pages of logs and statistics are about the whole life, so only the capacity is taken from the dump.
    case = Case(replace(second, fields=grown), Dump(dump.source, dump.format, user_bytes=dump.user_bytes))
    return (*write_amplification(case), *bit_errors(case))


def _remarks(before: tuple[Dump, Reading], after: tuple[Dump, Reading], changes: list[Change]) -> list[str]:
    remarks = []
    for what, one, other in (
        ("model", before[0].model, after[0].model),
        ("serial number", before[0].serial, after[0].serial),
        ("family", before[1].family, after[1].family),
    ):
        if one and other and one != other:
            remarks.append(f"the {what} differs: {one} and {other}; these are two drives")
    if before[0].firmware and after[0].firmware and before[0].firmware != after[0].firmware:
        remarks.append(f"the firmware changed from {before[0].firmware} to {after[0].firmware}")
    backwards = [
        in_words(one.after.key)
        for one in changes
        if one.difference < 0 and one.after.key in (*COUNTED, "power_on_time_hours")
    ]
    remarks += [
        f"{in_words(one.after.key)} wrapped round: its counter passed its end and began again at zero; the change "
        "counts on across this"
        for one in changes
        if one.went_round
    ]
    if backwards:
        remarks.append(
            f"counters that only grow went backwards ({', '.join(backwards)}): the dumps are in the wrong order, the "
            "drive was reset, or it is another"
        )
    return remarks
