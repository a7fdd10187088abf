"""A cache of fast cells: the time until a stream fills it, and the rate after that.

The cliff is the kink (`kink.py`) between the rate of arrival and the native rate. After it, data goes past the cache,
or through it, with one page folded for each page that arrives.
"""

from __future__ import annotations

from collections.abc import Iterator

from flashscope.laws import stalls as law
from flashscope.reproduce.bench_configuration import BenchConfiguration, FastCells
from flashscope.reproduce.case import Case, OpenDrive
from flashscope.reproduce.kink import kink_s
from flashscope.reproduce.row import Row

CLIFF, BEHIND = "fast-cells-cliff", "behind-the-cliff"
_BUS = 40_000_000  # so slow that the transfer matters in every sum
_PAGES = 64


def _around(fast: FastCells) -> BenchConfiguration:
    """One die in which a tenth of all blocks may be fast; the host writes less than half of what is left."""
    return BenchConfiguration(
        blocks=10 * fast.blocks, pages=_PAGES, spare_ratio=0.6, bus_bytes_per_second=_BUS, fast_cells=fast
    )


def _pages_of_block(fast: FastCells) -> int:
    return _PAGES // fast.bits_per_cell


def _rates(fast: FastCells) -> tuple[float, float, float]:
    """Of one die: writing into fast cells, writing into dense ones, moving from fast to dense [pages/s]."""
    configuration = _around(fast)
    transfer_ns = configuration.transfer_ns
    into_fast = 1e9 / (fast.program_ns + transfer_ns)
    into_dense = 1e9 / (configuration.program_ns + transfer_ns)
    folding = law.fold_rate(
        _pages_of_block(fast), read_ns=fast.read_ns, program_ns=configuration.program_ns,
        erase_ns=fast.erase_ns, transfer_ns=transfer_ns,
    )  # fmt: skip
    return into_fast, into_dense, folding


def cliff_cases(quick: bool) -> list[Case]:
    """Arrival as fast as the cells allow, without folding; and slower, with folding in the gaps."""
    points = [(64, 1.0)] if quick else [(64, 1.0), (256, 1.0), (256, 0.8), (256, 0.6), (64, 0.6)]
    return [_cliff_case(*point) for point in points]


def _cliff_case(blocks: int, load_ratio: float) -> Case:
    fast = FastCells(blocks)
    configuration = _around(fast)
    into_fast, into_dense, folding = _rates(fast)
    arrival = load_ratio * into_fast
    # The die's time that arrival does not use is for folding.
    folded = (1 - load_ratio) * folding
    cache_pages = blocks * _pages_of_block(fast)
    wanted_s = law.fast_cells_cliff_s(cache_pages, arrival, folded)
    said = f"{blocks} fast blocks, arrival {load_ratio:g} of their rate: time until full [s]"

    def measure(open_drive: OpenDrive) -> Iterator[Row]:
        drive = open_drive(configuration)
        pages = round(arrival * wanted_s + into_dense * wanted_s)
        rate = 0 if load_ratio == 1 else round(arrival * configuration.page_bytes)
        job = drive.job("write", requests=pages, depth=1, rate_bytes_per_second=(0, rate, 0))
        measured = drive.run(job, sample_interval_ns=max(round(1e9 * wanted_s / 200), 1))
        yield Row(CLIFF, said, wanted_s, kink_s(measured.series, wanted_s), 0.03)

    return Case(f"{CLIFF}: {said}", 0.1, measure)


def behind_cases(quick: bool) -> list[Case]:
    """Writing past the full cache, and through it."""
    return [_behind_case(when_full) for when_full in (("fold",) if quick else ("fold", "past"))]


def _behind_case(when_full: str) -> Case:
    fast = FastCells(64, when_full)
    into_fast, into_dense, folding = _rates(fast)
    wanted = law.rate_while_folding(into_fast, folding) if when_full == "fold" else into_dense
    said = {"fold": "through the full cache", "past": "past the full cache"}[when_full] + " [pages/s]"

    def measure(open_drive: OpenDrive) -> Iterator[Row]:
        drive = open_drive(_around(fast))
        cache_pages = fast.blocks * _pages_of_block(fast)
        drive.run(drive.job("write", requests=cache_pages + _PAGES, depth=1))
        start_bytes = (cache_pages + _PAGES) * drive.configuration.page_bytes
        job = drive.job("write", requests=4 * cache_pages, depth=1, offset_bytes=start_bytes)
        yield Row(BEHIND, said, wanted, drive.run(job).requests_per_second, 0.01)

    return Case(f"{BEHIND}: {said}", 0.1, measure)
