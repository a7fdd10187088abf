"""The passes of a place check: places are written, then much else, then the places are read back.

    first      a place drawn at random in each stretch, powers of two, both ends      x   x  x    x   x  x   x
               then the region at the drive's beginning                             [####]
               then everything is read back
    nothing failed: done
    wraps      places within the size around which addresses wrap, then those that size further on: read the first
    ends       places evenly between the last that holds and the first that does not; again between these ...

**Why wrapping is always found.** A place that wraps reads back well unless something else was written where it really
lies. Stretches are half as long as the region, so for every size S there is a place between S and S + region: it lies
in the region really, which is written later, and comes back with the region's data.
**Why caches do not help a fake.** Nothing is read before much more was written than a cheap drive's memory holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from flashscope.analysis.announced_capacity import Came, Tried, bounds_of, modulus_of
from flashscope.errors import DriveFailed, Interrupted
from flashscope.records import Status, Table
from flashscope.runner.hands.hands import OnProgress, Outcome
from flashscope.runner.hands.places.medium import OTHER, STAMPED_BYTES, ZEROS, Medium
from flashscope.units import format_bytes
from flashscope.workloads.steps import CheckPlaces

_REQUEST_BYTES = 1 << 20
_IN_REGION = 8  # places of the region that are read back
_EVENLY = 63  # places of a pass that looks for the end
_MOST_PASSES = 8
_CONFIRMING = 8
_AGAIN = 4  # places that failed are tried again
_ERRORS_IN_A_ROW = 16  # a drive that does not answer any more


class PlaceCheck:
    """One check. seed: of the places that are drawn."""

    def __init__(self, step: CheckPlaces, medium: Medium, seed: int, on_progress: OnProgress) -> None:
        self._step = step
        self._medium = medium
        self._draw = np.random.default_rng(seed)
        self._on_progress = on_progress
        self._errors_in_a_row = 0
        self._region = [
            (start, min(_REQUEST_BYTES, step.region_bytes - start))
            for start in range(0, step.region_bytes, _REQUEST_BYTES)
        ]
        self.tried: list[Tried] = []
        self.gave_up = False
        self.written_bytes = 0
        self.read_bytes = 0

    def run(self) -> None:
        """All passes. Raises what the progress and the medium raise."""
        self._pass(drawn_places(self._step, self._draw), self._region, also_read=self._places_in_region())
        for number in range(1, _MOST_PASSES):
            if self.gave_up or not any(each.came.is_bad for each in self.tried):
                return
            modulus = modulus_of(self.tried)
            if modulus:
                self._confirm(modulus)
                return
            between = bounds_of(self.tried)
            if number > 1 and (between is None or between[1] - between[0] < self._step.place_bytes):
                return
            places = {*(self._evenly(*between) if between else ()), *self._failed_before()}
            self._pass(sorted(places), self._region[: max(1, len(self._region) // 8)])

    def _confirm(self, modulus: int) -> None:
        """Write places, then those that lie the modulus further on: what comes back from the first?"""
        place = self._step.place_bytes
        last = (min(modulus, self._step.span_bytes - modulus) - place) // place
        firsts = sorted({int(each) * place for each in self._draw.integers(0, max(last, 1), _CONFIRMING)})
        further = {(first + modulus) // place * place for first in firsts}
        self._pass(firsts, [(each, place) for each in sorted(further) if each + place <= self._step.span_bytes])

    def _pass(self, places: Sequence[int], after: Sequence[tuple[int, int]], also_read: Iterable[int] = ()) -> None:
        """Write the places, then the ranges of `after`, then read the places back."""
        index = self.tried[-1].pass_index + 1 if self.tried else 0
        length_bytes = self._step.place_bytes
        written = self._write([(place, length_bytes) for place in places])
        then_written = self._write(after)
        self._medium.settle()
        came = {place: None for place in also_read if then_written} | written
        for place, is_written in sorted(came.items()):
            if is_written is False:
                self.tried.append(Tried(index, place, length_bytes, Came.NOT_WRITTEN))
            elif self._errors_in_a_row < _ERRORS_IN_A_ROW:
                self.tried.append(self._read(index, place))
        self.gave_up = self._errors_in_a_row >= _ERRORS_IN_A_ROW or (bool(after) and not then_written)

    def _write(self, ranges: Sequence[tuple[int, int]]) -> dict[int, bool]:
        """Write ranges (address, length), until too many in a row are refused: address -> the drive took it."""
        self._errors_in_a_row = 0
        took: dict[int, bool] = {}
        for address_bytes, length_bytes in ranges:
            if self._errors_in_a_row >= _ERRORS_IN_A_ROW:
                break
            self._on_progress(self.written_bytes + self.read_bytes, self._medium.now_ns())
            took[address_bytes] = self._noted(is_done=self._medium.write(address_bytes, length_bytes))
            self.written_bytes += length_bytes
        self._errors_in_a_row = 0
        return took

    def _read(self, index: int, place: int) -> Tried:
        self._on_progress(self.written_bytes + self.read_bytes, self._medium.now_ns())
        length_bytes = self._step.place_bytes
        found = self._medium.read(place, length_bytes)
        self.read_bytes += length_bytes
        self._noted(is_done=found is not None)
        return Tried(index, place, length_bytes, Came.NOT_READ) if found is None else seen(index, place, found)

    def _noted(self, *, is_done: bool) -> bool:
        self._errors_in_a_row = 0 if is_done else self._errors_in_a_row + 1
        return is_done

    def _failed_before(self) -> set[int]:
        """Some of the places that failed: whether they fail again."""
        bad = sorted({each.address_bytes for each in self.tried if each.came.is_bad})
        return {bad[number * (len(bad) - 1) // (_AGAIN - 1)] for number in range(_AGAIN)}

    def _places_in_region(self) -> list[int]:
        step = self._step
        drawn = self._draw.integers(0, max(step.region_bytes // step.place_bytes, 1), _IN_REGION)
        return sorted({0, *(int(each) * step.place_bytes for each in drawn)})

    def _evenly(self, low: int, high: int) -> list[int]:
        """Places from low to high [bytes]; all of them when these are few."""
        place = self._step.place_bytes
        count = min(_EVENLY, max(1, (high - low) // place))
        steps = {(low + (high - low) * number // count) // place * place for number in range(count)}
        return sorted(each for each in steps if low <= each <= self._step.span_bytes - place)


def checked(step: CheckPlaces, medium: Medium, seed: int, on_progress: OnProgress) -> Outcome:
    """Carry a place check out: how it ended, and the places. A stop and a failure keep the places tried until then."""
    check = PlaceCheck(step, medium, seed, on_progress)
    status, note = Status.DONE, ""
    try:
        check.run()
    except Interrupted as stop:
        status, note = Status.INTERRUPTED, stop.what
    except DriveFailed as failure:
        if not check.tried:
            raise
        status, note = Status.FAILED, str(failure)
    if check.gave_up:
        note = note or "the drive reported too many errors in a row; places behind these were not tried"
    note = note or f"{format_bytes(check.written_bytes)} written, {format_bytes(check.read_bytes)} read"
    return Outcome(status, note, places=as_table(check.tried))


def drawn_places(step: CheckPlaces, draw: np.random.Generator) -> list[int]:
    """The places of the first pass, in order: one in each stretch behind the region, powers of two, the end."""
    place, last = step.place_bytes, step.span_bytes // step.place_bytes - 1
    first = -(-step.region_bytes // place)
    starts = np.arange(first, last, max(step.stretch_bytes // place, 1))
    ends = np.minimum(starts + max(step.stretch_bytes // place, 1), last)
    drawn = {int(each) * place for each in draw.integers(starts, ends)} if len(starts) else set()
    powers = {1 << exponent for exponent in range(20, step.span_bytes.bit_length())}
    return sorted({*drawn, last * place, *(power for power in powers if first * place <= power <= last * place)})


def seen(index: int, place: int, found: Sequence[int]) -> Tried:
    """What came back from a place. found: for each of its sectors (`Medium.read`)."""
    length_bytes = len(found) * STAMPED_BYTES
    for number, address in enumerate(found):
        expected = place + number * STAMPED_BYTES
        if address != expected:
            held_bytes = expected - place
            if address in (ZEROS, OTHER):
                came = Came.ZEROS if address == ZEROS else Came.OTHER
                return Tried(index, place, length_bytes, came, held_bytes)
            return Tried(index, place, length_bytes, Came.ANOTHERS, held_bytes, expected - address)
    return Tried(index, place, length_bytes, Came.HELD, length_bytes)


def as_table(tried: Sequence[Tried]) -> Table:
    """The places as columns, as a record keeps them (`StepRecord.places`)."""
    return Table.of(
        pass_index=("count", np.array([each.pass_index for each in tried], dtype=np.uint32)),
        address_bytes=("bytes", np.array([each.address_bytes for each in tried], dtype=np.uint64)),
        length_bytes=("bytes", np.array([each.length_bytes for each in tried], dtype=np.uint32)),
        came=("code", np.array([each.came for each in tried], dtype=np.uint8)),
        held_bytes=("bytes", np.array([each.held_bytes for each in tried], dtype=np.uint32)),
        distance_bytes=("bytes", np.array([each.distance_bytes for each in tried], dtype=np.int64)),
    )
