"""Data that ages without power, warm or cold, and read disturb: the wrong bits in reads, compared with the law.

    cycled 300 times | off for a year at 30 C | read      RBER = eps + alpha c^k + beta c^m t^n + gamma c^p r^q
                     | off for 96 h at 66 C   | read      the same as after 349 d at 30 C

The law's constants are those of the 3x-nm preset. Every error is corrected and counted, so no data is rewritten.
Tolerances are five standard deviations of the expected number of wrong bits (Poisson).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from flashscope.laws import temperature as law
from flashscope.laws.bit_errors import MLC_3X_NM
from flashscope.reproduce.bench_configuration import BenchConfiguration
from flashscope.reproduce.bench_drive import BenchDrive
from flashscope.reproduce.case import Case, OpenDrive
from flashscope.reproduce.row import Row

NAME = "temperature"
REFERENCE_CELSIUS = 30.0  # of the core: the temperature of the law's days
_DAY_NS, _HOUR_NS = 86_400_000_000_000, 3_600_000_000_000
_AGES = replace(MLC_3X_NM, disturb_factor=0.0)
_DISTURBED = replace(MLC_3X_NM, retention_factor=0.0)
_CYCLES = 300
_READS = 200_000
# JESD218B: hours and temperature of stress; temperature of use, equivalent days as printed.
_BAKES = ((96, 66, 30, 349), (96, 66, 40, 91), (500, 52, 30, 360), (500, 52, 40, 94))


def cases(quick: bool) -> list[Case]:
    """A year at three temperatures, the bakes of the standard, and ten thousand reads of every page in three parts."""
    if quick:
        return [_shelf_case(30.0, 365), _bake_case(*_BAKES[0])]
    return [
        *(_shelf_case(*point) for point in ((30.0, 365), (30.0, 30), (25.0, 365), (40.0, 91), (55.0, 20))),
        *(_bake_case(*bake) for bake in _BAKES),
        _disturb_case(),
    ]


def _configuration(**terms: float) -> BenchConfiguration:
    return BenchConfiguration(
        blocks=64, pages=16, spare_ratio=0.2, fresh_error_ratio=MLC_3X_NM.fresh,
        wear_error_coefficient=MLC_3X_NM.wear_factor, wear_error_exponent=MLC_3X_NM.wear_power, bit_errors=terms,
    )  # fmt: skip


_AGEING = _configuration(
    retention_coefficient=_AGES.retention_factor,
    retention_wear_exponent=_AGES.retention_wear_power,
    retention_time_exponent=_AGES.retention_time_power,
)
# Few pages, so that each is read often.
_DISTURBING = replace(
    _configuration(
        disturb_coefficient=_DISTURBED.disturb_factor,
        disturb_wear_exponent=_DISTURBED.disturb_wear_power,
        disturb_reads_exponent=_DISTURBED.disturb_reads_power,
    ),
    blocks=20,
    spare_ratio=0.3,
)


def _cycled(open_drive: OpenDrive, configuration: BenchConfiguration) -> BenchDrive[BenchConfiguration]:
    drive = open_drive(configuration)
    drive.fill(fills=round(_CYCLES * configuration.blocks * configuration.pages / configuration.user_units))
    return drive


def _read(drive: BenchDrive[BenchConfiguration], reads: int = _READS) -> tuple[float, float]:
    """Wrong bits per bit read, and bits read."""
    measured = drive.run(drive.job("randread", requests=reads, depth=4))
    bits = 8.0 * measured.totals["read_bytes"]
    return measured.rose["error_bits"] / bits, bits


def _wear(drive: BenchDrive[BenchConfiguration]) -> tuple[np.ndarray, np.ndarray]:
    """Erase count of every block, and its weight: the valid data in it."""
    inside = drive.core.inside()
    return inside["block_erase_counts"], inside["block_valid_slots"]


def _shelf_case(celsius: float, days: int) -> Case:
    said = f"RBER after {days} d off at {celsius:g} C, about {_CYCLES} cycles, Ea {law.JESD218_ACTIVATION_EV} eV"

    def measure(open_drive: OpenDrive) -> Iterator[Row]:
        drive = _cycled(open_drive, _AGEING)
        cycles, weights = _wear(drive)
        drive.core.power_off(days * _DAY_NS, celsius)
        found, bits = _read(drive)
        at_reference = days * law.acceleration(REFERENCE_CELSIUS, celsius)
        rates = [_AGES.rate(int(count), retention_days=at_reference) for count in cycles]
        wanted = float(np.average(rates, weights=weights))
        yield Row(NAME, f"{said} [wrong bits per bit]", wanted, found, 5 / math.sqrt(wanted * bits))

    return Case(f"{NAME}: {said}", 0.7, measure)


def _bake_case(hours: int, stress: int, use: int, days: int) -> Case:
    said = f"RBER after {hours} h at {stress} C, against a twin kept {days} d at {use} C"

    def measure(open_drive: OpenDrive) -> Iterator[Row]:
        found = []
        for duration_ns, celsius in ((days * _DAY_NS, use), (hours * _HOUR_NS, stress)):
            drive = _cycled(open_drive, _AGEING)
            drive.core.power_off(duration_ns, float(celsius))
            rate, bits = _read(drive)
            found.append(rate)
        # Days are printed without decimals; the two drives draw their errors independently.
        tolerance = 0.01 + 5 * math.sqrt(2 / (found[0] * bits))
        yield Row(NAME, f"{said} [wrong bits per bit]", found[0], found[1], tolerance)

    return Case(f"{NAME}: {said}", 1.4, measure)


def _disturb_case() -> Case:
    reads, parts = 2_400_000, 3

    def measure(open_drive: OpenDrive) -> Iterator[Row]:
        drive = _cycled(open_drive, _DISTURBING)
        cycles, weights = _wear(drive)
        units = _DISTURBING.user_units
        for part in range(parts):
            found, bits = _read(drive, reads // parts)
            mean_reads = (part + 0.5) * reads / parts / units
            rates = [_DISTURBED.rate(int(count), reads=mean_reads) for count in cycles]
            wanted = float(np.average(rates, weights=weights))
            said = f"RBER after {mean_reads:.0f} reads of each page on average, linear in reads [wrong bits per bit]"
            yield Row(NAME, said, wanted, found, 5 / math.sqrt(wanted * bits))

    return Case(f"{NAME}: read disturb", 0.3 + 0.5 * reads / 1e6, measure)
