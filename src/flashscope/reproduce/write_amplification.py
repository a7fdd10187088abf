"""Greedy, FIFO, d-choices and random cleaning under uniform random writes, and blocks that are kept free.

A drive is filled once in order (a unit that was never written would count as spare), overwritten at random six times
to reach the steady state, and measured over at least eight more. Expected is the law of infinitely many blocks with
the two named corrections for free and open blocks (`laws/finite_drives.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from flashscope.laws import write_amplification as law
from flashscope.laws.finite_drives import in_finite_drive
from flashscope.reproduce.bench_configuration import BenchConfiguration
from flashscope.reproduce.bench_drive import Measured
from flashscope.reproduce.case import Case, OpenDrive
from flashscope.reproduce.row import Row

WARM_UP_FILLS = 6
_MEASURED_UNITS = 2_000_000
_QUICK_MEASURED_UNITS = 400_000

GREEDY_POINTS = [(spare, pages) for spare in (0.05, 0.10, 0.20, 0.28) for pages in (32, 64, 128, 256)]
SPARES = (0.05, 0.10, 0.20, 0.28)
FREE_BLOCKS = (1, 7, 31, 63, 127)


def law_of(configuration: BenchConfiguration) -> Callable[[float], float]:
    """The law of the drive's victim rule, as a function of the spare factor alone."""
    pages = configuration.units_per_block
    laws: dict[str, Callable[[float], float]] = {
        "greedy": partial(law.greedy, pages_per_block=pages),
        "fifo": law.fifo,
        "random": law.random_victim,
        "d-choices": partial(law.d_choices, pages_per_block=pages, choices=configuration.choices),
    }
    return laws[configuration.policy]


def expected(configuration: BenchConfiguration, *, used_units: float | None = None, frontiers: int = 2) -> float:
    """The law for this drive, corrected for its free and open blocks, pool by pool."""
    units = configuration.user_units if used_units is None else used_units
    return in_finite_drive(
        law_of(configuration),
        configuration.blocks,
        units / configuration.pools,
        configuration.units_per_block,
        free_blocks=configuration.low_water_blocks,
        frontiers=frontiers,
    )


def steady_state(
    open_drive: OpenDrive, configuration: BenchConfiguration, *, units: int = _MEASURED_UNITS, used_ratio: float = 1.0
) -> Measured:
    """The results of the drive after its write amplification has settled; at least `units` random writes."""
    drive = open_drive(configuration)
    drive.fill(used_ratio=used_ratio)
    drive.write_randomly(WARM_UP_FILLS, used_ratio=used_ratio)
    fills = max(8.0, units / (configuration.user_units * used_ratio))
    measured = drive.write_randomly(fills, used_ratio=used_ratio)
    drive.core.check()
    return measured


def uniform_case(
    name: str, configuration: BenchConfiguration, tolerance_ratio: float, *, quick: bool, condition: str = ""
) -> Case:
    """Write amplification of one drive under uniform random writes against the corrected law."""
    said = condition or (
        f"Sf {configuration.spare_ratio:g}, b {configuration.pages}, {configuration.blocks} blocks,"
        " less free and open blocks"
    )
    wanted = expected(configuration)
    units = _QUICK_MEASURED_UNITS if quick else _MEASURED_UNITS

    def measure(open_drive: OpenDrive) -> Iterator[Row]:
        measured = steady_state(open_drive, configuration, units=units)
        yield Row(name, said, wanted, measured.write_amplification, tolerance_ratio)

    fills = WARM_UP_FILLS + max(8.0, units / configuration.user_units)
    return Case(f"{name}: {said}", wanted * fills * configuration.user_units / 1e6, measure)


def greedy_cases(quick: bool) -> list[Case]:
    """Sixteen pairs of spare factor and block size; two when quick."""
    points = [(0.10, 32), (0.20, 64)] if quick else GREEDY_POINTS
    return [
        uniform_case("greedy", BenchConfiguration(blocks=_blocks(pages, quick), pages=pages, spare_ratio=spare),
                     0.01 if quick else 0.005, quick=quick)
        for spare, pages in points
    ]  # fmt: skip


def fifo_cases(quick: bool) -> list[Case]:
    """Four spare factors, and two block sizes at one: the law does not know the block size."""
    points = [(0.10, 64)] if quick else [*((spare, 64) for spare in SPARES), (0.10, 16), (0.10, 256)]
    return [
        uniform_case("fifo", BenchConfiguration(blocks=_blocks(pages, quick), pages=pages, spare_ratio=spare,
                                                policy="fifo"), 0.01 if quick else 0.005, quick=quick)
        for spare, pages in points
    ]  # fmt: skip


def d_choices_cases(quick: bool) -> list[Case]:
    """Two and ten choices."""
    return [
        uniform_case("d-choices", configuration, 0.01, quick=quick, condition=_drawn(configuration))
        for choices in ((10,) if quick else (2, 10))
        for spare in ((0.10,) if quick else SPARES)
        for configuration in [
            BenchConfiguration(blocks=_blocks(64, quick), spare_ratio=spare, policy="d-choices", choices=choices)
        ]
    ]


def random_victim_cases(quick: bool) -> list[Case]:
    """A victim drawn at random mixes slowly, hence the wider tolerance."""
    return [
        uniform_case("random-victim", BenchConfiguration(blocks=_blocks(64, quick), spare_ratio=spare, policy="random"),
                     0.03, quick=quick)
        for spare in ((0.20,) if quick else SPARES)
    ]  # fmt: skip


def reserved_blocks_cases(quick: bool) -> list[Case]:
    """Blocks that are kept free are not spare."""
    return [
        uniform_case("reserved-blocks", configuration, 0.01 if quick else 0.005, quick=quick,
                     condition=f"Sf 0.1, b 64, 2048 blocks, {free} of them kept free; greedy at T less free and open")
        for free in (FREE_BLOCKS[::3] if quick else FREE_BLOCKS)
        for configuration in [BenchConfiguration(blocks=2048, low_water_blocks=free)]
    ]  # fmt: skip


def _drawn(configuration: BenchConfiguration) -> str:
    return f"d {configuration.choices}, Sf {configuration.spare_ratio:g}, b 64, {configuration.blocks} blocks"


def _blocks(pages: int, quick: bool) -> int:
    """Enough blocks that the uncorrected rest (1/T) stays below the tolerance."""
    return 1024 if quick else max(1024, 131_072 // pages)
