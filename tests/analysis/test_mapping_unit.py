"""Tables of times made by four kinds of drive, each with planted units."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from flashscope.analysis.mapping_unit import Cell, candidates, infer_mapping_unit
from flashscope.laws.alignment import TouchedUnits, touched_units
from tests.known import known

KIB = 1024
SIZES = [512 << k for k in range(8)]
Model = Callable[[TouchedUnits, float], float]


def write_back(touched: TouchedUnits, front_ns: float) -> float:
    """All in a write buffer; the flash behind it works off four units at a time."""
    return max(front_ns, (touched.whole * 900e3 + touched.partial * 960e3) / 4)


def one_at_a_time(touched: TouchedUnits, front_ns: float) -> float:
    """No buffer: a request waits for all its units, one after another."""
    return front_ns + touched.whole * 900e3 + touched.partial * 960e3


def around_the_buffer(touched: TouchedUnits, front_ns: float) -> float:
    """Whole units are buffered; requests with a partial one wait for its read-modify-write, side by side."""
    through = touched.any_partial_ratio * 780e3 + (1 - touched.any_partial_ratio) * 61e3
    return through + max(touched.whole - 1, 0) * 30e3


def table(
    model: Model, unit: int, *, noise: float = 0.01, seed: int = 0, sector: int = 512, sizes: Sequence[int] = SIZES
) -> list[Cell]:
    draw, cells = np.random.default_rng(seed), []
    for size in sizes:
        for grid in sorted({max(size, 4 * KIB), sector}):
            if size >= sector:
                front_ns = 30e3 + size / 0.25
                time_ns = model(touched_units(size, unit, grid), front_ns) * np.exp(noise * draw.normal())
                cells.append(Cell(size, grid, time_ns, time_ns * (1 - 2 * noise), time_ns * (1 + 2 * noise), 1000))
    return cells


@pytest.mark.parametrize("model", [write_back, one_at_a_time, around_the_buffer])
@pytest.mark.parametrize("unit_kib", [4, 8, 16, 32, 64])
@pytest.mark.parametrize("noise", [0.0, 0.02])
def test_the_planted_unit_is_found(model: Model, unit_kib: int, noise: float) -> None:
    found = infer_mapping_unit(table(model, unit_kib * KIB, noise=noise, seed=unit_kib), sector_bytes=512)
    assert found.unit_bytes == unit_kib * KIB
    assert known(found.low_bytes) <= known(found.unit_bytes) <= known(found.high_bytes)


@pytest.mark.parametrize("unit_kib", [8, 16, 32])
@pytest.mark.parametrize("share_of_link", [0.3, 0.4, 0.5])
def test_a_unit_whose_cost_hides_behind_the_link_is_among_the_possible_ones(
    unit_kib: int, share_of_link: float
) -> None:
    """From half a unit on, aligned writes take the time of the link; only the straddling ones tell."""
    unit = unit_kib * KIB
    cost_ns = share_of_link * (12e3 + unit / 0.149)
    cells = []
    for size in SIZES:
        for grid in (max(size, 4 * KIB), 512):
            touched = touched_units(size, unit, grid)
            time_ns = max(12e3 + size / 0.149, touched.whole * cost_ns * 0.6 + touched.partial * cost_ns)
            cells.append(Cell(size, grid, time_ns, time_ns * 0.99, time_ns * 1.01, 1000))
    found = infer_mapping_unit(cells, sector_bytes=512)
    assert found.unit_bytes is None or known(found.low_bytes) <= unit <= known(found.high_bytes)


def test_a_drive_whose_link_is_the_limit_for_small_writes_and_its_flash_for_large_ones_is_understood() -> None:
    # Simulated: 4 KiB units behind a 600 MB/s link; up to 8 KiB aligned writes run at the pace of the link.
    aligned = [47952.4, 46068.0, 42709.4, 37276.0, 29714.1, 21013.8, 10506.9, 5253.1]
    unaligned = [47952.4, 45793.4, 38674.2, 29256.6, 21302.8, 14008.6, 8247.0, 4519.4]
    cells = published(
        [(size, max(size, 4096), rate) for size, rate in zip(SIZES, aligned, strict=True)]
        + [(size, 512, rate) for size, rate in zip(SIZES, unaligned, strict=True)]
    )
    assert infer_mapping_unit(cells, sector_bytes=512).unit_bytes == 4 * KIB


@pytest.mark.parametrize("noise", [0.0, 0.02, 0.05, 0.15])
def test_no_unit_is_named_when_time_depends_on_bytes_alone(noise: float) -> None:
    for seed in range(5):
        cells = table(lambda touched, front_ns: front_ns, 4 * KIB, noise=noise, seed=seed)
        found = infer_mapping_unit(cells, sector_bytes=512)
        assert found.unit_bytes is None
        assert "BufferMayHideIt" in [doubt.kind for doubt in found.doubts]


def test_a_noisy_table_widens_the_interval_and_says_so_rather_than_being_sure_of_a_wrong_unit() -> None:
    for seed in range(10):
        found = infer_mapping_unit(table(write_back, 16 * KIB, noise=0.15, seed=seed), sector_bytes=512)
        if found.unit_bytes is None:
            continue
        assert known(found.low_bytes) <= 16 * KIB <= known(found.high_bytes)
        assert found.low_bytes == found.high_bytes or "Ambiguous" in [doubt.kind for doubt in found.doubts]


def test_where_no_unit_fits_as_well_as_any_other_nothing_is_told() -> None:
    """Times between 8 and 500 ms without order, as of a drive that copies a whole block now and then."""
    times_ns = [each * 1e6 for each in (230, 64, 338, 71, 625, 394, 688, 431, 450, 359, 13, 844, 206, 906, 56, 581)]
    sizes = [512 << power for power in range(8)]
    kinds = [(size, grid) for size in sizes for grid in (size, 512)]
    cells = [
        Cell(size, grid, time, 0.7 * time, 1.3 * time, 40) for (size, grid), time in zip(kinds, times_ns, strict=True)
    ]
    found = infer_mapping_unit(cells, sector_bytes=512)
    assert found.unit_bytes is None
    assert found.low_bytes is None
    assert found.why_untold


def published(rows: Iterable[tuple[int, int, float]]) -> list[Cell]:
    return [Cell(size, grid, 1e9 / rate, 0.98e9 / rate, 1.02e9 / rate, 1000) for size, grid, rate in rows]


@pytest.mark.parametrize(
    ("aligned_small", "unaligned_4k", "unaligned_512", "aligned_4k"),
    [(1283.3, 1801.7, 1272.3, 16299.0), (64.4, 63.9, 70.1, 278.3)],
    ids=["c300-256", "wd20ears"],
)
def test_published_tables_of_two_drives_with_4_kib_units_are_understood(
    aligned_small: float, unaligned_4k: float, unaligned_512: float, aligned_4k: float
) -> None:
    # 1 and 2 KiB are set to the 512 B rate, since they are below the unit as well.
    small = [
        (size, grid, rate) for size in (512, 1024, 2048) for grid, rate in ((4096, aligned_small), (512, unaligned_512))
    ]
    cells = published([*small, (4096, 512, unaligned_4k), (4096, 4096, aligned_4k)])
    assert infer_mapping_unit(cells, sector_bytes=512).unit_bytes == 4 * KIB


def test_the_eight_small_cells_alone_cannot_tell_8_from_16_kib_and_the_answer_says_so() -> None:
    rates = {512: (2464.7, 2396.4), 1024: (2380, 2400), 2048: (2200, 2350), 4096: (1950.6, 2284.8)}
    cells = published([(size, grid, pair[grid == 4096]) for size, pair in rates.items() for grid in (512, 4096)])
    found = infer_mapping_unit(cells, sector_bytes=512)
    assert known(found.low_bytes) <= 8 * KIB < 16 * KIB <= known(found.high_bytes)
    assert "Ambiguous" in [doubt.kind for doubt in found.doubts]


def test_with_4_kib_sectors_larger_units_are_still_found() -> None:
    for unit_kib in (16, 32):
        cells = table(write_back, unit_kib * KIB, sector=4096)
        assert infer_mapping_unit(cells, sector_bytes=4096).unit_bytes == unit_kib * KIB
    assert candidates(4096)[0] == 8192
    assert candidates(512)[0] == 1024
    assert candidates(512)[-1] == 256 * KIB


def test_too_few_cells_or_requests_are_doubted() -> None:
    few = infer_mapping_unit(table(write_back, 16 * KIB)[:4], sector_bytes=512)
    assert few.unit_bytes is None
    assert [doubt.kind for doubt in few.doubts] == ["TooFewSamples"]
    thin = [
        Cell(cell.request_bytes, cell.grid_bytes, cell.time_ns, cell.low_ns, cell.high_ns, 5)
        for cell in table(write_back, 16 * KIB)
    ]
    assert "TooFewSamples" in [doubt.kind for doubt in infer_mapping_unit(thin, sector_bytes=512).doubts]


def test_where_writes_differ_by_more_than_any_unit_explains_it_cannot_be_told_whether_there_is_one() -> None:
    draw = np.random.default_rng(3)
    cells = [replace(cell, time_ns=200e6 * np.exp(0.4 * draw.normal())) for cell in table(write_back, 16 * KIB)]
    cells = [replace(cell, low_ns=0.6 * cell.time_ns, high_ns=1.6 * cell.time_ns, request_count=12) for cell in cells]
    found = infer_mapping_unit(cells, sector_bytes=512)
    assert found.unit_bytes is None
    assert "differ by" in found.why_untold


def test_a_flat_table_is_an_answer() -> None:
    cells = [replace(cell, time_ns=200e3, low_ns=199e3, high_ns=201e3) for cell in table(write_back, 16 * KIB)]
    found = infer_mapping_unit(cells, sector_bytes=512)
    assert (found.unit_bytes, found.why_untold) == (None, "")


def test_a_drive_that_merges_blocks_keeps_its_unit_among_the_possible_ones() -> None:
    """Times of a drive with units of 4 KiB that maps block by block, where merges take most of the time [us]."""
    times = {
        512: (3404, 3345), 1024: (3349, 3385), 2048: (3472, 3465), 4096: (3349, 3823), 8192: (3584, 6494),
        16384: (4062, 7133), 32768: (5236, 7899), 65536: (8026, 11236),
    }  # fmt: skip
    cells = [
        Cell(size, grid, us * 1e3, us * 985.0, us * 1015.0, 1000)
        for size, both in times.items()
        for grid, us in zip((max(size, 4096), 512), both, strict=True)
    ]
    found = infer_mapping_unit(cells, sector_bytes=512)
    assert known(found.low_bytes) <= 4096
