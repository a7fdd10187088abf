"""What is shown of a drive's SMART data, computed once for terminal and page.

readings of one drive, oldest first --> SmartView
                                        +- verdict, sentences
                                        +- clocks, contradictions
                                        +- groups of rows: name, value, interval, provenance, raw, history
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from flashscope import units
from flashscope.errors import WrongUse
from flashscope.reports.numbers import Said, plain
from flashscope.reports.smart.numbers import (
    say_middle_of_bytes,
    say_middle_of_hours,
    say_span_of_ratio,
)
from flashscope.reports.smart.rows import FieldRow, Seen, grouped_rows
from flashscope.reports.smart.sentences import sentences
from flashscope.smart.decoding.as_json import reading_json
from flashscope.smart.decoding.clocks import Clock, clocks
from flashscope.smart.decoding.rated_writes import promised_writes
from flashscope.smart.decoding.reading import Reading
from flashscope.smart.decoding.span import Span
from flashscope.smart.decoding.verdict import Verdict, judge
from flashscope.smart.dump import Dump
from flashscope.units import counted

if TYPE_CHECKING:
    from flashscope.smart.watching.past import Past


@dataclass(frozen=True)
class ClockRow:
    """One clock for display. bar_percent: the length of its bar, 0 to 100; bar_low, bar_high: its interval."""

    clock: Clock
    used: str
    used_interval: str
    bar_percent: float
    bar_low_percent: float
    bar_high_percent: float
    left_bytes: str
    left_time: str


@dataclass(frozen=True)
class SmartView:
    """All that is shown of the last reading, with the earlier ones as history.

    clock_notes: (titles of clocks, what their end means), each meaning once.
    """

    name: str
    kind: str
    facts: list[tuple[str, Said]]
    verdict: Verdict
    sentences: list[str]
    clocks: list[ClockRow]
    clock_notes: list[tuple[str, str]]
    contradictions: list[str]
    groups: list[tuple[str, str, list[FieldRow]]]
    evidence: list[str]
    remarks: list[str]
    undecoded: list[str]
    unread: list[str]
    reading_count: int
    data: dict[str, Any]


def view_smart(
    seen: Sequence[Seen], *, rated_written_bytes: float | None = None, past: Past | None = None
) -> SmartView:
    """The view of one drive's readings; they are sorted by the time of reading.

    rated_written_bytes: as the user gave it. past: earlier readings of this drive from a series store.
    Raises WrongUse for no readings, or readings of several drives.
    """
    newest = newest_of(seen)
    _refuse_several_drives(seen)
    ordered = _in_order(seen, past)
    dump, reading = newest
    promised = promised_writes(dump)
    life = clocks(
        [(one.taken_at_s, other) for one, other in ordered],
        rated_written_bytes=rated_written_bytes,
        promised=promised,
    )
    return SmartView(
        name=dump.model or "A drive that does not state its model",
        kind=_kind(dump, reading),
        facts=_facts(dump, reading, ordered),
        verdict=judge(reading, life, dump),
        sentences=[*sentences(reading, life), *_said_past(past)],
        clocks=[_clock_row(clock) for clock in life],
        clock_notes=_clock_notes(life),
        contradictions=[one.message[:1].upper() + one.message[1:] for one in reading.contradictions],
        groups=grouped_rows(ordered),
        evidence=list(reading.evidence),
        remarks=list(dump.remarks),
        undecoded=[_undecoded(dump, number) for number in reading.undecoded],
        unread=list(dump.unread),
        reading_count=len(ordered),
        data=reading_json(reading, life, dump)
        | {"history": _past_json(past), "promised_writes": asdict(promised) if promised else None},
    )


def newest_of(seen: Sequence[Seen]) -> Seen:
    """The reading that is shown: the one with the most hours of power-on time, then the latest. WrongUse for none."""
    if not seen:
        raise WrongUse("there is no reading to show", accepted="one or more dumps of one drive")
    return sorted(seen, key=_age)[-1]


def _in_order(seen: Sequence[Seen], past: Past | None) -> list[Seen]:
    *before, newest = sorted(seen, key=_age)
    if past is None or not past.readings:
        return [*before, newest]
    before = [*past.readings, *before]
    if all(dump.taken_at_s is not None for dump, _ in before):
        before.sort(key=lambda one: one[0].taken_at_s or 0.0)
    return [*before, newest]


def _refuse_several_drives(seen: Sequence[Seen]) -> None:
    for what, names in (
        ("models", {dump.model for dump, _ in seen if dump.model}),
        ("serial numbers", {dump.serial for dump, _ in seen if dump.serial.strip("-0Xx* ")}),
    ):
        if len(names) > 1:
            raise WrongUse(
                f"these dumps are of {len(names)} drives ({what}: {', '.join(sorted(names)[:4])})",
                accepted="dumps of one drive, taken at different times",
                advice="for many drives: flashscope smart fleet",
            )


def _age(one: Seen) -> tuple[float, float]:
    dump, reading = one
    return reading.value("power_on_time_hours") or 0.0, dump.taken_at_s or 0.0


def _kind(dump: Dump, reading: Reading) -> str:
    if dump.source.startswith("sim:"):
        return "virtual drive"
    if reading.is_flash is None:
        return "drive"
    return "solid-state drive" if reading.is_flash else "disk"


def _facts(dump: Dump, reading: Reading, ordered: Sequence[Seen]) -> list[tuple[str, Said]]:
    facts = [
        ("Controller", Said(reading.title, f"family {reading.family}, {reading.confidence_ratio:.0%} sure")),
        ("Firmware", Said(dump.firmware, dump.firmware)),
        ("Serial number", Said(dump.serial.strip("-"), dump.serial)),
    ]
    shown = [(label, value) for label, value in facts if value.text]
    if dump.user_bytes:
        shown.append(("Capacity", Said(units.format_bytes(dump.user_bytes), f"{plain(dump.user_bytes)} bytes")))
    if len(ordered) > 1:
        shown.append(("Readings", Said(str(len(ordered)), f"{len(ordered)} readings; the last is shown")))
    short = dump.source if ":" in dump.source else dump.source.rsplit("/", 1)[-1]
    shown.append(("Read from", Said(short, f"{dump.source} ({dump.format})")))
    return shown


def _said_past(past: Past | None) -> list[str]:
    """How many readings came from the store, since when, and what was left out, in sentences."""
    if past is None:
        return []
    said = [f"{remark[:1].upper()}{remark[1:]}." for remark in past.remarks]
    if past.since_s is None:
        return said or ["The store holds no earlier reading of this drive."]
    used, kept = len(past.readings), past.kept_count
    readings = counted(kept, "reading", plain(kept))
    few = "" if used == kept else f", of which {plain(used)}, evenly spaced in time, are drawn"
    # A series whose clock was once set to the far future can begin before the first date of the calendar.
    since = f" since {datetime.fromtimestamp(past.since_s, UTC):%Y-%m-%d}" if past.since_s >= 0 else ""
    return [f"Its history: {readings} kept by a watch{since}{few}.", *said]


def _past_json(past: Past | None) -> dict[str, Any] | None:
    if past is None:
        return None
    return {
        "store": past.store,
        "kept_count": past.kept_count,
        "used_count": len(past.readings),
        "since_s": past.since_s,
        "remarks": list(past.remarks),
    }


def _clock_row(clock: Clock) -> ClockRow:
    used, basis = clock.used_ratio, " of power-on time" if clock.time_basis == "power-on" else ""
    return ClockRow(
        clock,
        used=say_span_of_ratio(Span.exactly(used.value)),
        used_interval=say_span_of_ratio(used),
        bar_percent=_percent(used.value),
        bar_low_percent=_percent(used.low),
        bar_high_percent=_percent(used.high),
        left_bytes=say_middle_of_bytes(clock.remaining_host_bytes) if clock.remaining_host_bytes else "",
        left_time=say_middle_of_hours(clock.remaining_time_hours, basis) if clock.remaining_time_hours else "",
    )


def _clock_notes(life: Sequence[Clock]) -> list[tuple[str, str]]:
    meanings = dict.fromkeys(clock.meaning_at_end for clock in life)
    return [(", ".join(one.title for one in life if one.meaning_at_end == meaning), meaning) for meaning in meanings]


def _percent(ratio: float) -> float:
    return round(100 * max(0.0, min(1.0, ratio)), 2)


def _undecoded(dump: Dump, number: int) -> str:
    attribute = dump.attribute(number)
    raw = f": raw {int.from_bytes(attribute.raw, 'little')}" if attribute else ""
    return f"attribute {number} ({number:02X}h){raw}"
