"""Signs in a reading that something is wrong: what the drive itself says of its state, and what its numbers say.

    copy now   the drive's own self-assessment failed; it is read-only; it warns that it is unreliable or out of
               spare; an attribute that its maker calls a sign of failure is past its threshold
    grave      one number alone says that it fails; a single such number may be a field that firmware never fills
               in, so two of different causes are needed for "copy now", and one is only watched
    watch      it has lost data, has used up what was promised, or is near a threshold

A number that is zero beside a healthy value byte never comes here: `unfilled.py` has left it out.
Not a sign, because healthy solid-state drives show it too: corrected errors, power cycles, program failures with spare
left, entries in error logs, and thresholds that were passed once and are not passed now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from flashscope.records.smart_snapshot import SmartAttribute
from flashscope.smart.decoding.clocks import Clock
from flashscope.smart.decoding.life import LITTLE_LEFT_RATIO, life_of
from flashscope.smart.decoding.reading import Reading
from flashscope.smart.decoding.unfilled import BLOCKS_GONE, MANY_BLOCKS, blocks_gone
from flashscope.smart.dump import Dump, PrintedAttribute
from flashscope.units import format_count, format_percent

COPY_NOW = "copy now"
GRAVE = "grave"
WATCH = "watch"

# Bits of the critical warning of NVMe log 02h.
SPARE_LOW, TOO_HOT, UNRELIABLE, READ_ONLY, BACKUP_FAILED, MEMORY_UNRELIABLE = 1, 2, 4, 8, 16, 32
_LITTLE_SPARE_RATIO = 0.1
_NEAR_RATIO = 0.25
"""Of the way from 100 down to its threshold that a value byte has left: less is near."""
_FLAG_MOST = 0xFF
"""A flag that is larger holds something else."""
_DAMAGED_TRANSFERS = 1_000_000
_WHOLE_COUNTER = 1 << 32
"""Larger counts of damaged transfers hold other numbers in their upper bytes."""
_NOTHING_BELOW = 1 << 8
"""A large count whose lowest byte is 0 is a packed number, too."""
_FAILING = ("the drive says it is failing",)
"""What the readers remark where only smartctl's exit status says it."""
_TEMPERATURES = frozenset({190, 194})
_RATES = frozenset({1, 7, 13, 195, 201, 204}) | _TEMPERATURES
"""Value bytes that go up and down: error rates and temperatures."""
_TIMES_AND_LIVES = frozenset({3, 9, 12, 173, 177, 202, 230, 231, 233, 240, 245})
"""Value bytes of times, and those of the life left, which is judged with all that the drive says of it."""


@dataclass(frozen=True)
class Sign:
    """level: COPY_NOW, GRAVE or WATCH. cause: what it is about, in one word. words: for a person."""

    level: str
    cause: str
    words: str


Rule = Callable[[Reading, Sequence[Clock], Dump], Iterator[Sign]]


def signs(reading: Reading, clocks: Sequence[Clock], dump: Dump) -> list[Sign]:
    """All signs; two grave ones of different causes are raised to COPY_NOW, one alone is lowered to WATCH."""
    found = [sign for rule in _RULES for sign in rule(reading, clocks, dump)]
    grave = {sign.cause for sign in found if sign.level == GRAVE}
    level = COPY_NOW if len(grave) > 1 else WATCH
    return [Sign(level, sign.cause, sign.words) if sign.level == GRAVE else sign for sign in found]


def self_assessment(dump: Dump) -> bool | None:
    """Whether the drive's own self-assessment passed; None where the dump does not say."""
    passed = dump.vendor_logs.get("smartctl", {}).get("smart_passed")
    if passed is not None:
        return bool(passed)
    return False if any(remark in _FAILING for remark in dump.remarks) else None


def failing_attributes(dump: Dump) -> frozenset[int]:
    """The attributes that the maker calls a sign of failure and that are past their threshold now, by number."""
    now = [number for number, one in dump.printed.items() if one.when_failed == "now" and one.pre_failure]
    return frozenset(number for number in now if not _never_moved(dump.attribute(number), dump.printed[number]))


def _never_moved(attribute: SmartAttribute | None, printed: PrintedAttribute) -> bool:
    """Whether the threshold is the very value that a new drive has: the firmware fills in neither."""
    if attribute is None or printed.threshold is None or printed.threshold < 100:
        return False
    return attribute.value == attribute.worst >= 100


def _own_judgement(_: Reading, __: Sequence[Clock], dump: Dump) -> Iterator[Sign]:
    if self_assessment(dump) is False:
        yield Sign(COPY_NOW, "self_assessment", "its own self-assessment failed: the drive expects to fail soon")


def _critical_warnings(reading: Reading, _: Sequence[Clock], __: Dump) -> Iterator[Sign]:
    warning = int(reading.value("critical_warning") or 0)
    for bit, level, cause, words in (
        (READ_ONLY, COPY_NOW, "read_only", "it has gone into read-only mode: it refuses every write"),
        (SPARE_LOW, COPY_NOW, "spare", "it warns that its spare is below the threshold"),
        (UNRELIABLE, COPY_NOW, "unreliable", "it warns that it has become unreliable"),
        (BACKUP_FAILED, WATCH, "power_loss", "its protection against power loss has failed"),
        (MEMORY_UNRELIABLE, WATCH, "memory", "it warns that its persistent memory has become unreliable"),
        (TOO_HOT, WATCH, "temperature", "it warns of its temperature"),
    ):
        if warning & bit:
            yield Sign(level, cause, words)


def _flags(reading: Reading, _: Sequence[Clock], dump: Dump) -> Iterator[Sign]:
    flag = reading.fields.get("write_protect_flag")
    if flag is None or not 0 < flag.value <= _FLAG_MOST:
        return
    attribute = dump.attribute(flag.attribute_id) if flag.attribute_id is not None else None
    if attribute is not None and attribute.value >= 100:
        yield Sign(GRAVE, "read_only", f"it says that it is read-only ({flag.origin}); if writes fail, copy everything")
    else:
        yield Sign(COPY_NOW, "read_only", "it has gone into read-only mode: it refuses every write")


def _panics(reading: Reading, _: Sequence[Clock], __: Dump) -> Iterator[Sign]:
    if reading.value("panic_code"):
        yield Sign(WATCH, "panic", "a fault inside has stopped its controller")


def _thresholds(reading: Reading, _: Sequence[Clock], dump: Dump) -> Iterator[Sign]:
    near: dict[str, list[str]] = {}
    failing = failing_attributes(dump)
    # A value byte may tell of the blocks that were bad from the factory; the same attribute counts those that grew.
    none_gone = {
        one.attribute_id for key in BLOCKS_GONE if (one := reading.fields.get(key)) is not None and not one.value
    }
    for number, printed in sorted(dump.printed.items()):
        attribute = dump.attribute(number)
        name, value, threshold = f"attribute {number}", 0, printed.threshold or 0
        if attribute is not None:
            name, value = name + _named(attribute.name), attribute.value
        if _never_moved(attribute, printed):
            continue
        if number in failing:
            words = f"{name} is past the threshold at which the maker predicts failure ({value} of {threshold})"
            yield Sign(*_how_grave(number, attribute, dump), words)
        elif printed.when_failed == "now" and number not in _RATES:
            yield Sign(WATCH, "threshold", f"{name} is past its threshold ({value} of {threshold})")
        elif printed.pre_failure and _is_near(value, threshold) and number not in _RATES | _TIMES_AND_LIVES | none_gone:
            near.setdefault(f"fallen from 100 to {value}; at {threshold} the maker predicts failure", []).append(name)
    for words, names in near.items():
        yield Sign(GRAVE, "threshold", f"{', '.join(names)} {'has' if len(names) == 1 else 'have'} {words}")


def _how_grave(number: int, attribute: SmartAttribute | None, dump: Dump) -> tuple[str, str]:
    """Level and cause of an attribute past its threshold.

    Where the drive passes its self-assessment all the same, heat is no failure, and a value byte that was always 0
    may be one that the firmware does not fill in.
    """
    passed = self_assessment(dump) is True
    if passed and number in _TEMPERATURES:
        return WATCH, "temperature"
    if passed and attribute is not None and attribute.value == attribute.worst == 0:
        return GRAVE, "threshold"
    return COPY_NOW, "threshold"


def _named(name: str) -> str:
    """The name that the printing program gives an attribute, in words; empty where it knows none."""
    return "" if not name or name.lower().startswith("unknown") else f" ({name.replace('_', ' ').lower()})"


def _is_near(value: int, threshold: int) -> bool:
    return 0 < threshold < value <= 100 and value - threshold <= _NEAR_RATIO * (100 - threshold)


def _spare(reading: Reading, clocks: Sequence[Clock], _: Dump) -> Iterator[Sign]:
    stated = bool(reading.value("spare_threshold_percent"))
    gone = any(reading.value(key) for key in (*BLOCKS_GONE, "bad_block_table_full"))
    for clock in clocks:
        if not clock.ends_in_failure:
            continue
        if clock.used_ratio.value >= 1:
            level = COPY_NOW if stated or gone else GRAVE
            yield Sign(level, "spare", f"its spare is used up ({clock.statement})")
        elif clock.used_ratio.value >= 1 - _LITTLE_SPARE_RATIO:
            yield Sign(WATCH, "spare", f"little spare is left ({clock.statement})")


def _wrong_bits(_: Reading, clocks: Sequence[Clock], __: Dump) -> Iterator[Sign]:
    for clock in clocks:
        if clock.key == "bit_errors" and clock.used_ratio.low >= 1:
            yield Sign(GRAVE, "bits", f"more bits are wrong than any usual code corrects ({clock.statement})")


def _lost_data(reading: Reading, _: Sequence[Clock], __: Dump) -> Iterator[Sign]:
    for key, one, several in (
        ("uncorrectable_error_count", "read failed beyond correction", "reads failed beyond correction"),
        ("media_error_count", "error of the medium was not corrected", "errors of the medium were not corrected"),
        (
            "read_failure_block_count",
            "block could not be read and is out of use",
            "blocks could not be read and are out of use",
        ),
        ("pending_sector_count", "sector cannot be read now", "sectors cannot be read now"),
        ("end_to_end_error_count", "time data was damaged inside the drive", "times data was damaged inside the drive"),
    ):
        count = reading.value(key)
        if count and not (key == "pending_sector_count" and _counts_moved_sectors(reading)):
            words = f"{format_count(count)} {one if count == 1 else several}"
            if key == "uncorrectable_error_count" and reading.value("uncorrectable_error_count_statistics") == 0:
                words += f" by {reading.fields[key].origin}, none by the Device Statistics"
            yield Sign(GRAVE, "lost", f"{words}; after the first such error, others are more likely")


def _self_tests(reading: Reading, _: Sequence[Clock], dump: Dump) -> Iterator[Sign]:
    of_ata = dump.vendor_logs.get("smartctl", {}).get("self_test_newest_failed")
    if reading.value("self_test_newest_failed") == 1 or of_ata == 1:
        yield Sign(GRAVE, "test", "its newest self-test found a part of it that does not work")


def _perhaps_lost(reading: Reading, _: Sequence[Clock], __: Dump) -> Iterator[Sign]:
    """Lost reads of which only one count is known that may hold something else: blocks must be gone, too."""
    told, gone = reading.value("uncorrectable_error_count_statistics"), blocks_gone(reading)
    if told and reading.value("uncorrectable_error_count") == 0 and gone >= MANY_BLOCKS:
        words = f"{format_count(told)} reads failed beyond correction by the Device Statistics alone"
        yield Sign(WATCH, "lost", f"{words}, and {format_count(gone)} blocks or sectors were replaced")
    elif gone >= MANY_BLOCKS and any(one.kind == "ErrorsPacked" for one in reading.contradictions):
        words = f"{format_count(gone)} blocks or sectors were replaced, and its count of lost reads is very high"
        yield Sign(WATCH, "lost", f"{words}, unless it holds two numbers")


def _counts_moved_sectors(reading: Reading) -> bool:
    """Whether a solid-state drive's pending sectors only repeat the sectors that it has moved elsewhere."""
    moved = reading.value("reallocated_sector_count")
    return reading.is_flash is not False and moved == reading.value("pending_sector_count")


def _life(reading: Reading, clocks: Sequence[Clock], _: Dump) -> Iterator[Sign]:
    """One reason about the rated life, and one about what the maker promises to be written."""
    life = life_of(reading)
    if life is not None:
        words = "that alone is not a sign of failure"
        if life.used.value >= 1:
            yield Sign(WATCH, "life", f"its rated life is used up ({life.first.words}); {words}")
        elif life.left.value < LITTLE_LEFT_RATIO:
            left = format_percent(life.left.value)
            yield Sign(WATCH, "life", f"only {left} of its rated life is left ({life.first.words}); {words}")
        elif (other := life.nearly_over) is not None:
            told = f"{life.first.words}, {other.words}"
            yield Sign(WATCH, "life", f"its own numbers differ on whether its rated life is nearly used up: {told}")
    for clock in clocks:
        if clock.key == "rated_written_bytes" and clock.rating_reached:
            words = f"more was written to it than is promised ({clock.statement}); that alone is not a sign of failure"
            yield Sign(WATCH, "promise", words)


def _link(reading: Reading, _: Sequence[Clock], __: Dump) -> Iterator[Sign]:
    count = reading.value("link_crc_error_count")
    if count is not None and _DAMAGED_TRANSFERS <= count < _WHOLE_COUNTER and count % _NOTHING_BELOW:
        words = (
            f"{format_count(count)} transfers were damaged on the way to it and sent again: change the cable or plug"
        )
        yield Sign(WATCH, "link", words)


def _disk_sectors(reading: Reading, _: Sequence[Clock], __: Dump) -> Iterator[Sign]:
    if reading.is_flash is False and (count := reading.value("reallocated_sector_count")):
        yield Sign(WATCH, "moved", f"sectors of this disk were moved elsewhere ({format_count(count)})")


_RULES: tuple[Rule, ...] = (
    _own_judgement,
    _critical_warnings,
    _flags,
    _panics,
    _thresholds,
    _spare,
    _wrong_bits,
    _lost_data,
    _perhaps_lost,
    _self_tests,
    _life,
    _disk_sectors,
    _link,
)
