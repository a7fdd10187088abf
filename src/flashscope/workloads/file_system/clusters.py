"""Free clusters as runs (contiguous clusters): where the next file is stored.

    free   [ run ]   [  run     ]  [ run            ]
                          ^ cursor: the search continues behind the last file, and starts again at the end

A file gets one run when one is long enough, else the longest runs, one after another.
Assumed: the real choice among cached runs is not published in detail; next fit gives the order that is seen on a drive
with much free space: files one after another. Not modelled here: defragmentation.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from flashscope.errors import WrongUse


class Clusters:
    """Which clusters are free. All numbers are clusters."""

    def __init__(self, first: int, end: int) -> None:
        self._starts = [first]
        self._lengths = [end - first]
        self._cursor = first

    @property
    def free_count(self) -> int:
        """Free clusters."""
        return sum(self._lengths)

    def reserve(self, start: int, count: int) -> None:
        """Take a given run, which must be free."""
        index = bisect_right(self._starts, start) - 1
        self._cut(index, start, count)

    def allocate(self, count: int) -> list[tuple[int, int]]:
        """Runs (start, count) for a file of that many clusters. Raises WrongUse when the drive is full."""
        if count > self.free_count:
            raise WrongUse(
                f"{count} clusters are needed and {self.free_count} are free",
                accepted="files that fit on the drive",
                advice="take a larger drive or fewer files",
            )
        runs: list[tuple[int, int]] = []
        while count:
            index = self._find(count)
            start = self._starts[index]
            if start < self._cursor < start + self._lengths[index] and self._reach(index) >= count:
                start = self._cursor
            taken = min(count, start_room(self._starts[index], self._lengths[index], start))
            self._cut(index, start, taken)
            runs.append((start, taken))
            self._cursor = start + taken
            count -= taken
        return runs

    def release(self, start: int, count: int) -> None:
        """Free a run, and join it with its free neighbours."""
        index = bisect_left(self._starts, start)
        if index < len(self._starts) and start + count == self._starts[index]:
            self._starts[index] = start
            self._lengths[index] += count
        else:
            self._starts.insert(index, start)
            self._lengths.insert(index, count)
        if index and self._starts[index - 1] + self._lengths[index - 1] == start:
            self._lengths[index - 1] += self._lengths[index]
            del self._starts[index], self._lengths[index]

    def _find(self, count: int) -> int:
        """The run to take from: the first behind the cursor that is long enough, else any, else the longest."""
        here = max(bisect_right(self._starts, self._cursor) - 1, 0)
        if self._reach(here) >= count:
            return here
        order = [*range(here + 1, len(self._starts)), *range(here + 1)]
        return next((index for index in order if self._lengths[index] >= count), self._longest())

    def _reach(self, index: int) -> int:
        start, length = self._starts[index], self._lengths[index]
        return start_room(start, length, max(start, min(self._cursor, start + length)))

    def _longest(self) -> int:
        return max(range(len(self._lengths)), key=self._lengths.__getitem__)

    def _cut(self, index: int, start: int, count: int) -> None:
        begin, length = self._starts[index], self._lengths[index]
        before, after = start - begin, begin + length - start - count
        pieces = [(begin, before), (start + count, after)]
        kept = [piece for piece in pieces if piece[1] > 0]
        self._starts[index : index + 1] = [piece[0] for piece in kept]
        self._lengths[index : index + 1] = [piece[1] for piece in kept]


def start_room(start: int, length: int, place: int) -> int:
    """Clusters of a run from a position in it to its end."""
    return start + length - place
