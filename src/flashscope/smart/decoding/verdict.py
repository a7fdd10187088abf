"""What a person should do about a drive: one of four levels, the reasons, and the advice.

    copy now   it may refuse writes or lose data soon: copy everything to another drive first
    watch      it has used up its rating, has lost data once, or its numbers contradict each other
    good       no number is a reason for concern
    unknown    the reading says nothing about its state, or is incomplete

A sign of failure counts more than any percentage. Counters that also grow in healthy solid-state drives (corrected
errors, link errors, power cycles, program failures with spare left) are no reason for an alarm.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from flashscope.smart.decoding.clocks import Clock
from flashscope.smart.decoding.reading import NO_SMART, Reading
from flashscope.smart.dump import Dump

COPY_NOW = "copy now"
WATCH = "watch"
GOOD = "good"
UNKNOWN = "unknown"

_LITTLE_LIFE_RATIO = 0.1
# Bits of the critical warning of NVMe log 02h.
_SPARE_LOW, _TOO_HOT, _UNRELIABLE, _READ_ONLY, _BACKUP_FAILED = 1, 2, 4, 8, 16


@dataclass(frozen=True)
class Verdict:
    """level: COPY_NOW, WATCH, GOOD or UNKNOWN. statement: one sentence. reasons: why. advice: what to do."""

    level: str
    statement: str
    reasons: tuple[str, ...] = ()
    advice: str = ""


Reason = tuple[str, str]
"""Level and words."""


def judge(reading: Reading, clocks: Sequence[Clock], dump: Dump) -> Verdict:
    """The verdict on one reading, with the clocks made of it."""
    reasons = [reason for rule in _RULES for reason in rule(reading, clocks, dump)]
    urgent = tuple(words for level, words in reasons if level == COPY_NOW)
    watched = tuple(words for level, words in reasons if level == WATCH)
    if dump.cut and (urgent or watched):
        watched += (f"the dump is incomplete ({dump.cut}): there may be problems that it does not show",)
    if urgent:
        statement = "This drive is failing or has no reserve left."
        return Verdict(COPY_NOW, statement, urgent + watched, _advice_to_copy(reading))
    if watched:
        statement = "This drive works, but watch it."
        return Verdict(
            WATCH, statement, watched, "Keep a copy of everything on it elsewhere, and read its SMART again soon."
        )
    if dump.cut:
        statement = "This dump is incomplete, so the condition of the drive is not known."
        return Verdict(UNKNOWN, statement, (dump.cut,), _advice_to_read(dump))
    if reading.family == NO_SMART or not _tells_of_state(reading):
        return Verdict(UNKNOWN, "The readings do not show the condition of this drive.", (), _advice_to_read(dump))
    return Verdict(
        GOOD, _good_words(reading), (), "Nothing needs to be done, except to keep copies, as for every drive."
    )


def _advice_to_copy(reading: Reading) -> str:
    warning = int(reading.value("critical_warning") or 0)
    if warning & _READ_ONLY or reading.value("write_protect_flag"):
        return (
            "Copy everything to another drive now, before it is switched off: it is read-only, and such a drive "
            "may not start again. Do not try to repair or format it."
        )
    return "Copy everything to another drive now, before anything else. Write as little as possible to it until then."


def _advice_to_read(dump: Dump) -> str:
    return "Read it again with `smartctl -x --json`, as root." if dump.format else ""


def _good_words(reading: Reading) -> str:
    life = reading.value("remaining_life_ratio")
    if life is None:
        return "No sign of a problem was found on this drive."
    return f"No sign of a problem was found on this drive; about {100 * life:.0f} % of its rated life is left."


def _tells_of_state(reading: Reading) -> bool:
    """Whether the reading has any number that would show a problem."""
    telling = {
        "remaining_life_ratio", "spare_left_percent", "reallocated_sector_count", "grown_bad_block_count",
        "retired_block_count", "uncorrectable_error_count", "media_error_count", "critical_warning",
        "pending_sector_count", "read_failure_block_count", "program_failure_block_count", "endurance_used_percent",
    }  # fmt: skip
    return not telling.isdisjoint(reading.fields)


def _critical_warnings(reading: Reading, _: Sequence[Clock], __: Dump) -> Iterator[Reason]:
    warning = int(reading.value("critical_warning") or 0)
    for bit, level, words in (
        (_READ_ONLY, COPY_NOW, "it has gone into read-only mode: it refuses every write"),
        (_SPARE_LOW, COPY_NOW, "it warns that its spare is below the threshold"),
        (_UNRELIABLE, COPY_NOW, "it warns that it has become unreliable"),
        (_BACKUP_FAILED, WATCH, "its protection against power loss has failed"),
        (_TOO_HOT, WATCH, "it warns of its temperature"),
    ):
        if warning & bit:
            yield level, words


def _write_protected(reading: Reading, _: Sequence[Clock], __: Dump) -> Iterator[Reason]:
    if reading.value("write_protect_flag"):
        yield COPY_NOW, "it has gone into read-only mode: it refuses every write"


def _own_thresholds(_: Reading, __: Sequence[Clock], dump: Dump) -> Iterator[Reason]:
    for number, printed in sorted(dump.printed.items()):
        if printed.pre_failure and printed.when_failed == "now":
            yield COPY_NOW, f"attribute {number} is past the threshold at which the maker predicts failure"
    if any("failing" in remark.lower() for remark in dump.remarks):
        yield COPY_NOW, "the drive reports that it is failing"


def _clocks_up(reading: Reading, clocks: Sequence[Clock], _: Dump) -> Iterator[Reason]:
    for clock in clocks:
        doubted = clock.key == "maker_percentage" and any(one.kind == "LifeDisagrees" for one in reading.contradictions)
        if clock.ends_in_failure and clock.used_ratio.value >= 1:
            yield COPY_NOW, f"its spare is used up ({clock.statement})"
        elif clock.key == "bit_errors" and clock.used_ratio.low >= 1:
            yield COPY_NOW, f"more bits are wrong than any usual code corrects ({clock.statement})"
        elif clock.rating_reached and not doubted and clock.key != "bit_errors":
            yield WATCH, f"the rating is reached ({clock.statement}); that alone is not a sign of failure"
        elif clock.ends_in_failure and clock.used_ratio.value >= 1 - _LITTLE_LIFE_RATIO:
            yield WATCH, f"little spare is left ({clock.statement})"


def _little_life(reading: Reading, clocks: Sequence[Clock], _: Dump) -> Iterator[Reason]:
    life = reading.value("remaining_life_ratio")
    if life is not None and life < _LITTLE_LIFE_RATIO and not any(clock.rating_reached for clock in clocks):
        yield WATCH, f"only {100 * life:.2g} % of its rated life is left; reaching the rating alone is not a failure"


def _lost_data(reading: Reading, _: Sequence[Clock], __: Dump) -> Iterator[Reason]:
    for key, words in (
        ("uncorrectable_error_count", "reads failed that could not be corrected"),
        ("media_error_count", "errors of the medium were not corrected"),
        ("read_failure_block_count", "blocks were taken out of use because they could not be read"),
        ("pending_sector_count", "sectors that could not be read wait to be written again"),
        ("end_to_end_error_count", "data was damaged inside the drive"),
    ):
        if count := reading.value(key):
            yield WATCH, f"{words} ({count:.0f}); after the first such error, others are more likely"


def _life_contradicted(reading: Reading, _: Sequence[Clock], __: Dump) -> Iterator[Reason]:
    if any(one.kind == "LifeDisagrees" for one in reading.contradictions):
        yield WATCH, "the life that the drive reports contradicts its erase counts"


def _disk_sectors(reading: Reading, _: Sequence[Clock], __: Dump) -> Iterator[Reason]:
    if reading.is_flash is False and (count := reading.value("reallocated_sector_count")):
        yield WATCH, f"sectors of this disk were moved elsewhere ({count:.0f})"


_RULES: tuple[Callable[[Reading, Sequence[Clock], Dump], Iterator[Reason]], ...] = (
    _critical_warnings,
    _write_protected,
    _own_thresholds,
    _clocks_up,
    _little_life,
    _lost_data,
    _life_contradicted,
    _disk_sectors,
)
