"""A drive's past and future in a few plain sentences, for a person who owns it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from flashscope import units
from flashscope.reports.numbers import plain
from flashscope.reports.smart.numbers import said, say_hours, say_middle_of_hours
from flashscope.smart.decoding.clocks import Clock, earliest
from flashscope.smart.decoding.reading import NO_SMART, UNKNOWN, Reading


def sentences(reading: Reading, clocks: Sequence[Clock]) -> list[str]:
    """The drive's past, the life that is left, and how certain that is; fewer sentences where less is known."""
    return [
        *_past(reading),
        *_losses(reading),
        *_on_the_way(reading),
        *_unaligned(reading),
        *_future(clocks),
        *_caveat(reading),
    ]


def _past(reading: Reading) -> Iterator[str]:
    hours, cycles = reading.value("power_on_time_hours"), reading.value("power_cycle_count")
    if hours is not None:
        times = "once" if cycles == 1 else f"{plain(cycles or 0)} times"
        switched = f", and was switched on {times}" if cycles else ""
        yield f"It has been on for {say_hours(hours)} in all{switched}."
    written, read = reading.value("host_written_bytes"), reading.value("host_read_bytes")
    if written is not None:
        also = f" and {units.format_bytes(read)} read from it" if read is not None else ""
        yield f"{units.format_bytes(written)} were written to it{also}.{_amplified(reading)}"
    average, rated = reading.fields.get("erase_count_average"), reading.fields.get("rated_pe_cycles")
    if average is not None:
        text = f"Each block of its flash was erased {plain(average.value)} times on average"
        if rated is not None:
            sure = "" if rated.provenance in ("verified", "documented") else ", a rating inferred from its numbers"
            text += f", of {plain(rated.value)} it is rated for{sure}"
        yield text + "."


def _amplified(reading: Reading) -> str:
    amplification = reading.fields.get("write_amplification")
    if amplification is None or not math.isfinite(amplification.value):
        return ""
    times = units.format_number(amplification.value, 2)
    if amplification.provenance in ("inferred", "assumed"):
        return f" The flash took very roughly {times} times as much."
    if amplification.value < 1:
        return f" The flash took only {times} times as much: such a drive compresses what it stores."
    return f" The flash took {units.format_number(amplification.value)} times as much, because drives move data."


def _losses(reading: Reading) -> Iterator[str]:
    lost = [reading.value(key) for key in ("uncorrectable_error_count", "media_error_count")]
    known = [count for count in lost if count is not None]
    if known:
        count = max(known)
        yield (
            "No read has failed beyond correction so far."
            if count == 0
            else f"{units.format_count(count)} {'read' if count == 1 else 'reads'} failed beyond correction."
        )
    rber = reading.value("rber")
    if rber:
        yield f"Of the bits it read, {said(rber, 'ratio', 'rber')} were wrong and were corrected."


def _on_the_way(reading: Reading) -> Iterator[str]:
    damaged = reading.value("link_crc_error_count")
    if damaged:
        yield (
            f"{units.format_number(damaged)} transfer{'s were' if damaged > 1 else ' was'} damaged on the way to the "
            "drive and sent again. That is a cable or a plug, not the flash: if the number grows, change the cable."
        )


def _unaligned(reading: Reading) -> Iterator[str]:
    for key, wraps, kept_to in (
        ("non_4k_aligned_access_count", True, "to 4 KiB"),
        ("unaligned_command_count", False, "to the drive's own unit"),
    ):
        count = reading.value(key)
        if count:
            least = " at least (the counter wraps at 65 536)" if wraps else ""
            yield (
                f"{plain(count)} accesses{least} did not keep {kept_to}. Each costs the drive more than it would on a "
                "boundary; `flashscope align` says whether a partition begins in a wrong place."
            )


def _future(clocks: Sequence[Clock]) -> Iterator[str]:
    reached = next((clock for clock in clocks if clock.rating_reached and not clock.ends_in_failure), None)
    first = reached or earliest(clocks)
    if first is None:
        return
    name = first.title.lower()
    if reached is not None:
        yield (
            f"What was promised is used up ({name}). That alone is not a sign of failure: drives have worked "
            f"for two to ten times their rating. Keep copies, and do not leave it without power for long."
        )
        return
    left = first.remaining_time_hours
    if left is None:
        yield f"By the estimate that is furthest ({name}), {units.format_percent(first.used_ratio.value)} is used."
        return
    window = "at its present pace" if first.rate_basis == "recent windows" else "at the average pace of its life"
    time = say_middle_of_hours(left, "" if first.time_basis == "calendar" else " of power-on time")
    end = "its spare is used up" if first.ends_in_failure else "its rating is reached"
    yield f"{window[0].upper()}{window[1:]}, {end} in {time}, by {name}."


def _caveat(reading: Reading) -> Iterator[str]:
    if reading.family == UNKNOWN:
        yield "Its controller is not known, so only numbers that a standard fixes are shown."
    elif reading.family == NO_SMART:
        yield "It says nothing about itself here; some USB adapters hide the drive behind them."
