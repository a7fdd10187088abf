"""What each SMART attribute counts, found by writing known amounts and reading how the attributes change.

                     sequential writing   idle   4 KiB random writing
    erase count      1 per drive of flash   -    more often, by the write amplification
    flash bytes      1 per unit             -    more often, by the write amplification
    host bytes       1 per unit             -    1 per unit
    host commands    1 per request          -    1 per request
    hours, heat      also when idle: rejected

Every attribute gets a verdict, and each rejected one a reason. Assumes that sequential writing over the whole drive
costs one program per host page; on a drive that compresses, the data must be incompressible.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flashscope.analysis.counters import HIGHEST_FIRST, WIDE, Counter, Reading, candidates_by_attribute
from flashscope.analysis.staircase import Staircase, fit_staircase

ERASE_COUNT, FLASH_BYTES, HOST_BYTES, HOST_COMMANDS = "erase count", "flash bytes", "host bytes", "host commands"
FLASH_SIDE, REJECTED = "flash side, unit unknown", "rejected"

_POWER_ON_HOURS = 9  # the one id with the same meaning for all makers; 60 s of idle time cannot show a count per hour
_UNITS = [512, 4096, 8192, 16384, 32768, 65536, *(1 << k for k in range(20, 31)), 10**6, 10**9]
_SNAP_RATIO = 0.03
_SAME_RATE = (0.93, 1.07)


@dataclass(frozen=True)
class Verdict:
    """The verdict on one attribute. role: one of the names above; reason: why it has this role, or why it has none.

    unit_bytes: what one count stands for, rounded to a usual unit [bytes]; 0 when it has none.
    sequential, random: counts per host byte in each phase; None where there is no slope.
    """

    attribute_id: int
    layout: str
    role: str
    reason: str
    unit_bytes: int = 0
    sequential: Staircase | None = None
    random: Staircase | None = None
    counts: tuple[int, ...] = ()


@dataclass(frozen=True)
class Scale:
    """Sizes of the drive that the verdicts need [bytes]. raw_bytes: flash in the drive, 0 when unknown."""

    user_bytes: int
    raw_bytes: int
    sequential_request_bytes: int
    random_request_bytes: int

    def is_erase_step(self, step_bytes: float) -> bool:
        """Whether one count per `step_bytes` of sequential writing is an erase of the whole flash.

        0.75 to 1.1 times the flash: a small part is never used, and sequential writing may cost up to a quarter more
        than one program per page. If the amount of flash is unknown, 0.8 to 1.35 times the user capacity, since
        drives have 7 to 30 % more flash than that.
        """
        if self.raw_bytes:
            return 0.75 <= step_bytes / self.raw_bytes <= 1.1
        return 0.8 <= step_bytes / self.user_bytes <= 1.35


def judge_attributes(readings: Sequence[Reading], scale: Scale) -> list[Verdict]:
    """A verdict on every attribute, in order of id. readings: in order of time, at least two "sequential" ones."""
    return [
        _judge_attribute(number, candidates, readings, scale)
        for number, candidates in candidates_by_attribute(readings).items()
    ]


def choose_erase_count(verdicts: Sequence[Verdict]) -> Verdict | None:
    """The attribute that counts erases; the average one where minimum, average and maximum are all kept.

    The average is the one in the middle at all times. None when no attribute qualifies.
    """
    counting = [verdict for verdict in verdicts if verdict.role == ERASE_COUNT]
    counting.sort(key=lambda verdict: (float(np.mean(verdict.counts)), verdict.attribute_id))
    if len(counting) == 2:  # no middle: the one closer to a straight line
        return min(counting, key=lambda verdict: verdict.sequential.misfit_ratio if verdict.sequential else 1.0)
    return counting[len(counting) // 2] if counting else None


def settled_part(readings: Sequence[Reading]) -> slice:
    """The last two thirds of the random phase: at first the drive still holds data written in order."""
    return slice(sum(reading.phase == "random" for reading in readings) // 3, None)


def phase_slope(readings: Sequence[Reading], counts: Sequence[int], phase: str, part: slice) -> Staircase | None:
    """Counts per host byte over part of a phase's readings; None where nothing was written or nothing counted."""
    chosen = [i for i, reading in enumerate(readings) if reading.phase == phase][part]
    written = np.array([readings[i].host_bytes for i in chosen], dtype=float)
    if len(chosen) < 2 or written[-1] <= written[0]:
        return None
    return fit_staircase(written, np.array([counts[i] for i in chosen], dtype=object))


def _judge_attribute(number: int, candidates: Sequence[Counter], readings: Sequence[Reading], scale: Scale) -> Verdict:
    if not candidates:
        return Verdict(number, "", REJECTED, "never moved")
    if number == _POWER_ON_HOURS:
        return Verdict(number, candidates[0].layout, REJECTED, "counts hours of operation on every drive")
    verdicts = [_judge(counter, readings, scale) for counter in candidates]
    accepted = [verdict for verdict in verdicts if verdict.role != REJECTED and _is_plausible(verdict)]
    if accepted and accepted[0].role == ERASE_COUNT and any(each.layout in HIGHEST_FIRST for each in accepted):
        # One attribute that holds an average and a highest count: both rise alike in order, and apart at random.
        return choose_erase_count(accepted) or accepted[0]
    # The 64-bit layout comes first; it is right only when its two lowest bytes also lie on the line.
    for verdict in accepted:
        fine = verdict.sequential is not None and verdict.sequential.misfit_counts < 2**13
        if verdict.layout != WIDE or fine or len(accepted) == 1:
            return verdict
    return (accepted or verdicts)[0]


def _is_plausible(verdict: Verdict) -> bool:
    """Makers that write the highest byte first do so for erase counts; read so, any other number is an accident."""
    return verdict.layout not in HIGHEST_FIRST or verdict.role == ERASE_COUNT


def _judge(counter: Counter, readings: Sequence[Reading], scale: Scale) -> Verdict:
    """The verdict on one attribute read in one layout."""

    def verdict(role: str, reason: str, unit_bytes: int = 0) -> Verdict:
        return Verdict(counter.attribute_id, counter.layout, role, reason, unit_bytes, sequential, late, counter.counts)

    counts = counter.counts
    sequential = phase_slope(readings, counts, "sequential", slice(None))
    late = phase_slope(readings, counts, "random", settled_part(readings))
    if any(after < before for before, after in itertools.pairwise(counts)):
        return verdict(REJECTED, "falls")
    if sequential is None or sequential.growth == 0:
        return verdict(REJECTED, "does not move while the drive is written sequentially")
    if _grows_when_idle(counts, readings):
        return verdict(REJECTED, "also grows when the drive is idle")
    if sequential.growth < 2:
        return verdict(REJECTED, "moved only once while written sequentially, too little to judge")
    if sequential.misfit_counts > max(0.5, 0.1 * sequential.growth):
        return verdict(REJECTED, "does not grow in proportion to what is written")
    step_bytes = 1 / sequential.rate
    ratio = late.rate / sequential.rate if late and late.growth else None
    same_rate = (
        late is not None
        and late.low <= _SAME_RATE[1] * sequential.high
        and (late.high >= _SAME_RATE[0] * sequential.low)
    )
    unit = _snapped(step_bytes)
    requests = scale.sequential_request_bytes / scale.random_request_bytes
    if ratio and abs(step_bytes / scale.sequential_request_bytes - 1) < 0.05 and abs(ratio / requests - 1) < 0.05:
        return verdict(HOST_COMMANDS, "one per write request, whatever its size")
    if unit and same_rate and late is not None and late.growth >= 2:
        return verdict(HOST_BYTES, "the same bytes per count in sequential and in random writing", unit)
    if scale.is_erase_step(step_bytes):
        return verdict(ERASE_COUNT, "one per drive of flash in sequential writing, more often in random writing")
    if ratio is None or ratio < 1.1:
        return verdict(REJECTED, f"grows by one per {step_bytes:.3g} bytes, which is not a usual unit")
    near = _snapped(step_bytes, 0.1)
    if near:
        return verdict(FLASH_BYTES, "a usual unit in sequential writing, more often in random writing", near)
    return verdict(FLASH_SIDE, f"one per {step_bytes:.3g} bytes in sequential writing, more often in random writing")


def _grows_when_idle(counts: Sequence[int], readings: Sequence[Reading]) -> bool:
    """Whether a counter moves in idle time at more than a fifth of its pace [counts per second] while writing."""

    def pace(phase: str) -> tuple[int, float]:
        chosen = [i for i, reading in enumerate(readings) if reading.phase == phase]
        if len(chosen) < 2:
            return 0, 0.0
        seconds = (readings[chosen[-1]].smart.elapsed_ns - readings[chosen[0]].smart.elapsed_ns) / 1e9
        grown = counts[chosen[-1]] - counts[chosen[0]]
        return grown, grown / seconds if seconds > 0 else 0.0

    (idle_growth, idle_pace), (_, writing_pace) = pace("idle"), pace("sequential")
    return idle_growth > 0 and idle_pace > 0.2 * writing_pace


def _snapped(unit_bytes: float, tolerance_ratio: float = _SNAP_RATIO) -> int:
    """The nearest usual unit [bytes], or 0 when none is within the tolerance."""
    nearest = min(_UNITS, key=lambda unit: abs(unit_bytes / unit - 1))
    return nearest if abs(unit_bytes / nearest - 1) <= tolerance_ratio else 0
