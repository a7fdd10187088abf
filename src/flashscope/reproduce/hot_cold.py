"""Hot and cold data: in one log it costs more than uniform writes, kept apart it costs less.

The law of one log is exact for a drive with one write frontier, where moved data and new data go to the same block. A
drive that keeps moved data apart sorts it a little, and its write amplification is lower. So these cases use
`gc.moved_data = "with-host"`.

The law of pools is a limit: no drive that guesses which data is hot is better than pools by known class. A drive with
`gc.separation` has to lie between that law and the same drive without.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from flashscope.laws import write_amplification as uniform
from flashscope.laws.finite_drives import in_finite_drive
from flashscope.laws.skewed_writes import DataClass, best_separated_pools, fifo_mixed
from flashscope.reproduce.bench_configuration import BenchConfiguration
from flashscope.reproduce.case import Case, OpenDrive
from flashscope.reproduce.row import Row
from flashscope.workloads.job import Distribution

MIXED, SEPARATED = "hot-cold", "separated-pools"
SKEWS = ((0.2, 0.8), (0.1, 0.9), (0.05, 0.95))
_WARM_UP_FILLS = 50  # cold data must have been moved often before its share in a block settles
_MEASURED_FILLS = 30
_Classes = tuple[DataClass, DataClass]


def mixed_cases(quick: bool) -> list[Case]:
    """Three skews at two spare factors; one when quick."""
    points = [(0.20, *SKEWS[0])] if quick else [(spare, *skew) for spare in (0.10, 0.20) for skew in SKEWS]
    return [_mixed_case(spare, _classes(*skew), 1024 if quick else 2048) for spare, *skew in points]


def _mixed_case(spare: float, classes: _Classes, blocks: int) -> Case:
    configuration = BenchConfiguration(blocks=blocks, spare_ratio=spare, policy="fifo", gc={"moved_data": "with-host"})
    said = f"FIFO, one frontier, Sf {spare:g}, {_say(classes)}"
    wanted = in_finite_drive(
        lambda left: fifo_mixed(left, classes),
        blocks,
        configuration.user_units,
        configuration.units_per_block,
        free_blocks=configuration.low_water_blocks,
        frontiers=1,
    )

    def measure(open_drive: OpenDrive) -> Iterator[Row]:
        yield Row(MIXED, said, wanted, _amplification(open_drive, configuration, classes), 0.01)

    return Case(f"{MIXED}: {said}", _cost(configuration, wanted), measure)


def separated_cases(quick: bool) -> list[Case]:
    """Strong skews, where it pays to keep the classes apart."""
    skews = SKEWS[1:2] if quick else SKEWS[1:]
    return [_separated_case(0.20, _classes(*skew), 1024 if quick else 2048) for skew in skews]


def _separated_case(spare: float, classes: _Classes, blocks: int) -> Case:
    mixed = BenchConfiguration(blocks=blocks, spare_ratio=spare, policy="cost-benefit")
    apart = replace(mixed, gc={"separation": {"hot_age_ratio": 0.25}})
    said = f"cost-benefit, Sf {spare:g}, {_say(classes)}"

    def measure(open_drive: OpenDrive) -> Iterator[Row]:
        # The law at the nominal spare factor: a drive has less spare, so this is always a bound.
        least, _ = best_separated_pools(partial(uniform.greedy, pages_per_block=mixed.units_per_block), spare, classes)
        most = _amplification(open_drive, mixed, classes)
        found = _amplification(open_drive, apart, classes)
        middle, half = (least + most) / 2, (most - least) / 2
        bounds = f"between {least:.3f} (best pools) and {most:.3f} (this drive, mixed)"
        yield Row(SEPARATED, f"{said}: {bounds}", middle, found, half / middle)

    return Case(f"{SEPARATED}: {said}", 2 * _cost(mixed, 2.0), measure)


def _classes(hot_addresses: float, hot_writes: float) -> _Classes:
    return DataClass(hot_addresses, hot_writes), DataClass(1 - hot_addresses, 1 - hot_writes)


def _say(classes: _Classes) -> str:
    return f"{classes[0].write_ratio:.0%} of writes to {classes[0].address_ratio:.0%} of addresses"


def _cost(configuration: BenchConfiguration, amplification: float) -> float:
    return amplification * (_WARM_UP_FILLS + _MEASURED_FILLS) * configuration.user_units / 1e6


def _amplification(open_drive: OpenDrive, configuration: BenchConfiguration, classes: _Classes) -> float:
    drive = open_drive(configuration)
    drive.fill()
    zones = tuple((100 * each.write_ratio, 100 * each.address_ratio) for each in classes)
    skewed = Distribution("zoned", zones=zones)
    drive.write_randomly(_WARM_UP_FILLS, distribution=skewed)
    return drive.write_randomly(_MEASURED_FILLS, distribution=skewed).write_amplification
