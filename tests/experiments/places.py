"""A drive in a dictionary, for checks of places: it holds what it says, or is one of the fakes, or fails."""

from __future__ import annotations

from collections.abc import Callable

from flashscope.analysis.announced_capacity import Judged, judge
from flashscope.runner.hands.places.check import PlaceCheck
from flashscope.runner.hands.places.medium import OTHER, STAMPED_BYTES, ZEROS
from flashscope.workloads.steps import CheckPlaces


class FakeMedium:
    """Keeps the address of every sector. real_bytes: what it really holds; beyond: as a part's `capacity.beyond`, and
    "errors" for a drive that refuses what it does not have.

    spoil: what comes back instead of an address, from that address and what is there; None for a read error.
    """

    def __init__(
        self, real_bytes: int, beyond: str = "wraps", spoil: Callable[[int, int], int | None] = lambda at, found: found
    ) -> None:
        self.real_bytes, self.beyond, self.spoil = real_bytes, beyond, spoil
        self.sectors: dict[int, int] = {}
        self.written_bytes = 0

    def write(self, offset_bytes: int, length_bytes: int) -> bool:
        self.written_bytes += length_bytes
        end_bytes = offset_bytes + length_bytes
        if self.beyond == "errors" and end_bytes > self.real_bytes:
            return False
        if end_bytes <= self.real_bytes or self.beyond == "wraps":
            for at in range(offset_bytes, end_bytes, STAMPED_BYTES):
                self.sectors[at % self.real_bytes] = at
        else:
            self.sectors.update((at, at) for at in range(offset_bytes, min(end_bytes, self.real_bytes), STAMPED_BYTES))
        return True

    def settle(self) -> None:
        """There is no cache."""

    def read(self, offset_bytes: int, length_bytes: int) -> list[int] | None:
        if self.beyond == "errors" and offset_bytes + length_bytes > self.real_bytes:
            return None
        found = [self.spoil(at, self._at(at)) for at in range(offset_bytes, offset_bytes + length_bytes, STAMPED_BYTES)]
        return [each for each in found if each is not None] if None not in found else None

    def _at(self, at: int) -> int:
        if at < self.real_bytes or self.beyond == "wraps":
            return self.sectors.get(at % self.real_bytes, OTHER)
        return ZEROS if self.beyond == "zeros" else OTHER

    def now_ns(self) -> int:
        return 0


def checked(step: CheckPlaces, medium: FakeMedium, seed: int = 1) -> Judged:
    check = PlaceCheck(step, medium, seed, lambda bytes_done, elapsed_ns: None)
    check.run()
    return judge(check.tried)
