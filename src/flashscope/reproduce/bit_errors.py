"""Wrong bits in what was read, against the law of the raw bit error rate, on fresh and on worn blocks.

The tolerance is five standard deviations of the number of wrong bits (Poisson).
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from flashscope.laws.bit_errors import BitErrorLaw
from flashscope.reproduce.bench_configuration import BenchConfiguration
from flashscope.reproduce.case import Case, OpenDrive
from flashscope.reproduce.row import Row

NAME = "bit-errors"
_LAW = BitErrorLaw(fresh=1e-6, wear_factor=1e-8, wear_power=1.5)


def cases(quick: bool) -> list[Case]:
    """A fresh drive, and one whose blocks were written over and over."""
    return [_case(cycles) for cycles in ((100,) if quick else (0, 30, 100, 300))]


def _case(cycles: int) -> Case:
    said = f"RBER eps + alpha c^k after about {cycles} cycles [wrong bits per bit]"
    configuration = BenchConfiguration(
        blocks=64, pages=16, spare_ratio=0.2, fresh_error_ratio=_LAW.fresh,
        wear_error_coefficient=_LAW.wear_factor, wear_error_exponent=_LAW.wear_power,
    )  # fmt: skip

    def measure(open_drive: OpenDrive) -> Iterator[Row]:
        drive = open_drive(configuration)
        drive.fill(fills=max(round(cycles / 0.8), 1))
        measured = drive.run(drive.job("randread", requests=200_000, depth=4))
        inside = drive.core.inside()
        rates = np.array([_LAW.rate(int(count)) for count in inside["block_erase_counts"]])
        wanted = float(np.average(rates, weights=inside["block_valid_slots"]))
        bits = 8 * measured.totals["read_bytes"]
        yield Row(NAME, said, wanted, measured.rose["error_bits"] / bits, 5 / math.sqrt(wanted * bits))

    return Case(f"{NAME}: {said}", 0.3 + cycles * 1e-3, measure)
