"""Few blocks: the gap to the law of infinitely many halves with each doubling, and the corrections close it.

gap to the infinite law    64 blocks ############
                          128 blocks ######              expected: half, each time
                          256 blocks ###
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from flashscope.laws import write_amplification as law
from flashscope.reproduce.bench_configuration import BenchConfiguration
from flashscope.reproduce.case import Case, OpenDrive
from flashscope.reproduce.row import Row
from flashscope.reproduce.write_amplification import expected, steady_state

NAME, ONE_FRONTIER = "finite-drives", "one-frontier"
_SPARE, _PAGES = 0.10, 64


def cases(quick: bool) -> list[Case]:
    """One case: the trend needs all sizes."""
    sizes = (64, 128, 256) if quick else (64, 128, 256, 512, 1024)
    units = 1_500_000 if quick else 6_000_000
    cost = len(sizes) * units * 5.5 / 1e6
    return [Case("finite-drives: from 64 blocks on", cost, lambda open_drive: _measure(open_drive, sizes, units))]


def _measure(open_drive: OpenDrive, sizes: tuple[int, ...], units: int) -> Iterator[Row]:
    infinite = law.greedy(_SPARE, _PAGES)
    gaps: list[tuple[int, float]] = []
    for blocks in sizes:
        configuration = BenchConfiguration(blocks=blocks, pages=_PAGES, spare_ratio=_SPARE)
        measured = steady_state(open_drive, configuration, units=units).write_amplification
        gaps.append((blocks, measured / infinite - 1))
        said = f"Sf 0.1, b 64, {blocks} blocks, less free and open blocks"
        yield Row(NAME, said, expected(configuration), measured, 0.01)
    for (fewer, wide), (more, narrow) in pairwise(gaps):
        said = f"gap to the infinite law, {more} over {fewer} blocks: as 1/T"
        yield Row(NAME, said, 0.5, narrow / wide, 0.15)


def one_frontier_cases(quick: bool) -> list[Case]:
    """Moved data and then host data in the same block: fewer open blocks, so less spare is lost."""
    return [_one_frontier_case(blocks) for blocks in ((128,) if quick else (64, 128, 256, 512, 1024))]


def _one_frontier_case(blocks: int) -> Case:
    configuration = BenchConfiguration(blocks=blocks, pages=_PAGES, spare_ratio=_SPARE, gc={"moved_data": "with-host"})
    said = f"greedy, moved data with the host's, Sf 0.1, b 64, {blocks} blocks, less free and open blocks"

    def measure(open_drive: OpenDrive) -> Iterator[Row]:
        measured = steady_state(open_drive, configuration)
        yield Row(ONE_FRONTIER, said, expected(configuration, frontiers=1), measured.write_amplification, 0.01)

    return Case(f"{ONE_FRONTIER}: {said}", 12.0, measure)
