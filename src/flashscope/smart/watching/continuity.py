"""Checks of a new sample against its series: gaps, clocks, resets, wraps, another drive, other firmware."""

from __future__ import annotations

from collections.abc import Iterator

from flashscope.moment import elapsed_s
from flashscope.smart.watching.counters import COUNTERS, comparable, is_placeholder, step
from flashscope.smart.watching.sample import Notice, Sample

GAP_RATIO = 2.5
"""More than this many intervals without a sample are a gap."""


def notices(sample: Sample, before: Sample | None, earlier: Sample | None) -> tuple[Notice, ...]:
    """All notices from a sample and the two before it, of the same drive (None: there are none)."""
    if before is None:
        return ()
    return (*_time(sample, before), *_firmware(sample, before), *_counters(sample, before, earlier))


def replaced(sample: Sample, drive_before: str) -> Notice:
    """The notice that another drive is now at the place of `drive_before`."""
    return Notice(
        "drive replaced",
        f"{sample.place} was {drive_before} and is now {sample.drive}; the new drive has a series of its own",
        details={"before": drive_before, "after": sample.drive},
    )


def _time(sample: Sample, before: Sample) -> Iterator[Notice]:
    passed_s, jump_s = elapsed_s(before.moment, sample.moment)
    if jump_s:
        direction = "back" if jump_s < 0 else "forward"
        yield Notice(
            "clock jumped",
            f"the clock went {direction} by {abs(jump_s):.0f} s; the series keeps its own time",
            details={"jump_s": jump_s},
        )
    every_s = sample.every_s
    if every_s is not None and before.every_s is not None and passed_s > GAP_RATIO * every_s:
        yield Notice(
            "gap",
            f"no sample for {passed_s:.0f} s, where one was due every {every_s:.0f} s",
            details={"gap_s": passed_s, "every_s": every_s},
        )


def _firmware(sample: Sample, before: Sample) -> Iterator[Notice]:
    if sample.firmware and before.firmware and sample.firmware != before.firmware:
        yield Notice(
            "firmware changed",
            f"firmware {before.firmware} became {sample.firmware}; counters may have changed their meaning",
            details={"before": before.firmware, "after": sample.firmware},
        )


def _counters(sample: Sample, before: Sample, earlier: Sample | None) -> Iterator[Notice]:
    for key in sorted(COUNTERS & sample.values.keys() & before.values.keys()):
        now, then = sample.values[key], before.values[key]
        if is_placeholder(now) or is_placeholder(then) or not comparable(then, now):
            continue
        older = earlier.values.get(key) if earlier is not None else None
        if older is not None and is_placeholder(older):
            older = None
        passed_s = (before.steady_s - (earlier or before).steady_s, sample.steady_s - before.steady_s)
        kind, growth = step(then, now, key, older, passed_s)
        details = {"before": then.value, "after": now.value}
        if kind == "reset":
            message = (
                f"{key} went back from {then.value} to {now.value} {now.unit}: a new epoch begins; the {then.value} "
                "counted before are kept in the series, and what was counted since the last sample is not known"
            )
            yield Notice("counter reset", message, key, details | {"lost": then.value})
        elif kind == "wrapped":
            message = f"{key} wrapped round from {then.value} to {now.value} {now.unit}: {growth} more"
            yield Notice("counter wrapped", message, key, details | {"growth": growth})
        elif kind == "doubted":
            message = f"the last reading of {key}, {then.value}, was wrong: it is {now.value} {now.unit} again"
            yield Notice("reading doubted", message, key, details)
