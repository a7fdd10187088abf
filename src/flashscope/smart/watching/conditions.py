"""What the watch raises an alert on: typed conditions, each with the point where it is raised and where it clears.

    a level      raised at once when it is beyond its limit; cleared when two readings are back by a margin
    growth       raised when a counter grew within a window and the next reading confirms it; cleared when a whole
                 window passed without any
    temperature  by the median of three readings, so that one wrong reading raises no alert

Limits are the drive's own where it states them (spare threshold, highest operating temperature). No limit here comes
from failure statistics of disks: reallocations, seek errors, spin retries, command timeouts and power cycles raise
nothing. A condition about flash is not applied to a disk.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from flashscope.smart.decoding.words import in_words
from flashscope.smart.watching.history import History
from flashscope.smart.watching.sample import Number
from flashscope.units import format_number

DAY_S = 86400.0


@dataclass(frozen=True)
class Limits:
    """Where alerts are raised. temperature_celsius: None: the drive's own limit, else 70 for flash and 60 for disks.

    life_left_percent: of the rated life. rber_ratio: wrong bits per bit read; 3.4e-4 is what BCH-15 on 512 bytes
    corrects to one sector lost in 4e-12 (Hetzler), and the alert comes at a third of it; drives with stronger codes
    can correct more. bad_block_count, crc_error_count: growth within a window. misses: failed readings in a row.
    """

    life_left_percent: float = 10.0
    temperature_celsius: float | None = None
    rber_ratio: float = 1.1e-4
    bad_block_count: int = 3
    crc_error_count: int = 5
    misses: int = 3


@dataclass(frozen=True)
class Verdict:
    """holds: True raises, False clears, None changes nothing. value, limit [unit]: the numbers behind it."""

    holds: bool | None
    value: Number | None = None
    limit: Number | None = None
    unit: str = ""
    message: str = ""


UNDECIDED = Verdict(None)
Judge = Callable[[History, Limits], Verdict]


@dataclass(frozen=True)
class Condition:
    """name: in the hook's environment and in Prometheus. advice: what a person should do when it is raised."""

    name: str
    severity: Literal["critical", "warning"]
    judge: Judge
    advice: str


_CRITICAL_WARNING_BITS = {
    0: "spare below its threshold",
    1: "temperature beyond a threshold",
    2: "reliability degraded",
    3: "read-only",
    4: "the power-loss protection failed",
    5: "the persistent memory region is unreliable",
}
_READ_ONLY_BIT = 3
_CLEAR_AFTER = 2  # readings in a row


def _level(values: list[Number], raise_at: Callable[[Number], bool], clear_at: Callable[[Number], bool]) -> bool | None:
    """A level's verdict from its newest values, newest first."""
    if not values:
        return None
    if raise_at(values[0]):
        return True
    return False if len(values) >= _CLEAR_AFTER and all(map(clear_at, values[:_CLEAR_AFTER])) else None


def self_assessment(history: History, limits: Limits) -> Verdict:
    """The drive's own verdict on itself."""
    values = history.last("self_assessment_failed", _CLEAR_AFTER)
    holds = _level(values, bool, lambda value: not value)
    if holds is None:
        return UNDECIDED
    message = "the drive's own self-assessment failed" if holds else "the drive's own self-assessment passes again"
    return Verdict(holds, values[0], 0, "", message)


def critical_warning(history: History, limits: Limits) -> Verdict:
    """The drive itself warns: the critical warning of NVMe, or an ATA attribute at the drive's own threshold."""
    values = history.last("critical_warning", _CLEAR_AFTER)
    if not values:
        return _failing_attributes(history)
    holds = _level(values, bool, lambda value: not value)
    if holds is None:
        return UNDECIDED
    bits = int(values[0])
    words = [text for bit, text in _CRITICAL_WARNING_BITS.items() if bits >> bit & 1] or [f"bits {bits:#x}"]
    return Verdict(
        holds, bits, 0, "bits", f"the drive warns: {', '.join(words)}" if holds else "the drive no longer warns"
    )


def _failing_attributes(history: History) -> Verdict:
    values = history.last("failing_attribute_count", _CLEAR_AFTER)
    holds = _level(values, bool, lambda value: not value)
    if holds is None:
        return UNDECIDED
    message = (
        "attributes are at the threshold that the drive itself calls a failure"
        if holds
        else "the drive no longer warns"
    )
    return Verdict(holds, values[0], 0, "count", message)


def read_only(history: History, limits: Limits) -> Verdict:
    """The drive accepts no more writes."""
    values: list[Number] = [
        int(value) >> _READ_ONLY_BIT & 1 for value in history.last("critical_warning", _CLEAR_AFTER)
    ]
    values = values or history.last("read_only", _CLEAR_AFTER)
    holds = _level(values, bool, lambda value: not value)
    if holds is None:
        return UNDECIDED
    return Verdict(holds, values[0], 0, "", "the drive is read-only" if holds else "the drive takes writes again")


_LIFE: tuple[tuple[str, Callable[[Number], float]], ...] = (
    ("remaining_life_ratio", lambda value: 100.0 * value),
    ("endurance_used_percent", lambda value: 100.0 - value),
    ("life_left_percent", float),
    ("life_used_percent", lambda value: 100.0 - value),
)
"""Keys of the life left, the recomputed one first, and how they become per cent left."""
_LIFE_MARGIN_PERCENT = 2.0


def life_left(history: History, limits: Limits) -> Verdict:
    """The rated life left is below the limit; flashscope's own number is preferred to the drive's."""
    key, left = next(((key, left) for key, left in _LIFE if key in history.now.values), (None, None))
    if key is None or left is None:
        return UNDECIDED
    values: list[Number] = [left(value) for value in history.last(key, _CLEAR_AFTER)]
    limit = limits.life_left_percent
    holds = _level(values, lambda value: value < limit, lambda value: value >= limit + _LIFE_MARGIN_PERCENT)
    if holds is None:
        return UNDECIDED
    message = (
        f"{max(0.0, values[0]):.3g} % of the rated life is left, by {in_words(key)}; a rating reached is not a failure"
    )
    return Verdict(holds, values[0], limit, "percent", message)


def spare(history: History, limits: Limits) -> Verdict:
    """Spare is below the drive's own threshold, or its bad-block table is full."""
    full = history.last("bad_block_table_full", _CLEAR_AFTER)
    if full and full[0]:
        return Verdict(True, 1, 0, "", "the table of bad blocks is full: the next bad block ends the drive")
    threshold = history.now.number("spare_threshold_percent")
    values = history.last("spare_left_percent", _CLEAR_AFTER)
    if threshold is None or not values:
        return (
            Verdict(False, 0, 0, "", "the table of bad blocks is no longer full")
            if len(full) >= _CLEAR_AFTER
            else UNDECIDED
        )
    holds = _level(values, lambda value: value < threshold, lambda value: value > threshold)
    if holds is None:
        return UNDECIDED
    message = f"{values[0]:.3g} % of the spare blocks are left; the drive's own threshold is {threshold:.3g} %"
    return Verdict(holds, values[0], threshold, "percent", message)


def _grows(
    history: History, keys: tuple[str, ...], window_s: float, count: int, what: str, *, by_pace: bool = False
) -> Verdict:
    """Growth of counters over a window. by_pace: the limit grows with the time between samples where they are rare."""
    growth = history.growth(keys, window_s)
    if growth is None:
        return UNDECIDED
    days = f"{growth.span_s / DAY_S:.2g} days"
    if growth.confirmed >= count * (max(1.0, growth.span_s / window_s) if by_pace else 1.0):
        return Verdict(
            True, growth.confirmed, count, "count", f"{format_number(growth.confirmed)} more {what} in {days}"
        )
    if growth.unchanged and growth.span_s >= window_s:
        return Verdict(False, 0, count, "count", f"no more {what} for {days}")
    return UNDECIDED


def uncorrectable_errors(history: History, limits: Limits) -> Verdict:
    """Data that could not be read back, growing."""
    # NVMe calls the same thing media errors; a drive that reports both counts each error twice: no problem here.
    keys = ("uncorrectable_error_count", "media_error_count")
    return _grows(history, keys, 7 * DAY_S, 1, "uncorrectable errors")


_BAD_BLOCKS = (
    ("grown_bad_block_count",),
    ("program_failure_block_count", "erase_failure_block_count", "read_failure_block_count"),
    ("retired_block_count",),
    ("reallocated_sector_count",),
)
"""Groups of keys that each count all grown bad blocks; the first that a drive has is used."""


def bad_blocks(history: History, limits: Limits) -> Verdict:
    """Blocks go bad more often than occasionally."""
    if history.now.is_flash is False:
        return UNDECIDED
    keys = next((group for group in _BAD_BLOCKS if any(key in history.now.values for key in group)), ())
    return _grows(history, keys, 7 * DAY_S, limits.bad_block_count, "bad blocks", by_pace=True)


def crc_errors(history: History, limits: Limits) -> Verdict:
    """Transfers between host and drive go wrong: usually the cable."""
    keys = ("link_crc_error_count",)
    return _grows(history, keys, DAY_S, limits.crc_error_count, "transfer errors on the link", by_pace=True)


_RBER_WINDOW_S = 7 * DAY_S
_RBER_ERROR_BITS_AT_LEAST = 100  # then chance alone moves the ratio by a tenth


def bit_error_ratio(history: History, limits: Limits) -> Verdict:
    """Wrong bits per bit read, over the last days only, near the limit of the error correction."""
    if history.now.is_flash is False or not {"error_bits", "host_read_bytes"} <= history.now.values.keys():
        return UNDECIDED
    errors = history.growth(("error_bits",), _RBER_WINDOW_S)
    reads = history.growth(("host_read_bytes",), _RBER_WINDOW_S)
    if errors is None or reads is None or reads.confirmed <= 0:
        return UNDECIDED
    ratio, limit = errors.confirmed / (8 * reads.confirmed), limits.rber_ratio
    enough_errors = errors.confirmed >= _RBER_ERROR_BITS_AT_LEAST
    enough_reads = 8 * reads.confirmed * limit >= _RBER_ERROR_BITS_AT_LEAST  # errors expected at the limit
    holds = True if ratio >= limit and enough_errors else False if ratio < limit / 2 and enough_reads else None
    if holds is None:
        return UNDECIDED
    return Verdict(
        holds,
        ratio,
        limit,
        "ratio",
        f"{format_number(ratio, 2)} of the bits read in the last days were wrong; the limit is "
        f"{format_number(limit, 2)}",
    )


_TEMPERATURE_READINGS = 3
_TEMPERATURE_MARGIN_CELSIUS = 5.0
_TEMPERATURE_CELSIUS = {True: 70.0, False: 60.0}  # usual highest operating temperatures of data sheets, flash and disk


def temperature(history: History, limits: Limits) -> Verdict:
    """Hotter than the drive's operating limit; unknown kinds of drive without a limit of their own are not judged."""
    limit = limits.temperature_celsius or history.now.number("temperature_limit_celsius")
    if limit is None and history.now.is_flash is not None:
        limit = _TEMPERATURE_CELSIUS[history.now.is_flash]
    median = history.median("temperature_celsius", _TEMPERATURE_READINGS)
    if limit is None or median is None:
        return UNDECIDED
    holds = True if median >= limit else False if median < limit - _TEMPERATURE_MARGIN_CELSIUS else None
    if holds is None:
        return UNDECIDED
    return Verdict(
        holds, median, limit, "celsius", f"{median:.3g} °C, the median of three readings; the limit is {limit:.3g} °C"
    )


CONDITIONS: tuple[Condition, ...] = (
    Condition("read_only", "critical", read_only, "copy all data from it at once, while it can still be read"),
    Condition("self_assessment", "critical", self_assessment, "copy all data from it at once, then replace it"),
    Condition("critical_warning", "critical", critical_warning, "make sure of a backup, then see flashscope smart"),
    Condition("uncorrectable_errors", "critical", uncorrectable_errors, "check the backup; plan to replace the drive"),
    Condition("spare", "critical", spare, "make sure of a backup; replace the drive"),
    Condition("bit_error_ratio", "warning", bit_error_ratio, "make sure of a backup; replace the drive soon"),
    Condition("bad_blocks", "warning", bad_blocks, "watch the spare; make sure of a backup"),
    Condition(
        "life_left", "warning", life_left, "plan to replace the drive; `flashscope smart` shows how much life is left"
    ),
    Condition("temperature", "warning", temperature, "improve its cooling"),
    Condition("crc_errors", "warning", crc_errors, "change the cable or the slot; the flash is not the cause"),
)
UNREADABLE = "unreadable"
"""The condition of a place that gives no reading; `alerts.py` judges it, because there is no sample."""
EVERY_NAME = (*(condition.name for condition in CONDITIONS), UNREADABLE)
