"""Reads that fail with a code that corrects t bits, compared with the binomial tail and with published rates.

    pages of 8 codewords, t of n bits corrected --> reads of one codeword, and of all eight, that come back unreadable

The tolerance is four standard deviations of the number of failures (Poisson). The data of a block that could not be
read is rewritten and the block is retired, so the drive has many small blocks, more than can fail.

The rows of published rates compare our closed form, not the drive, with the table: `expected` is as printed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from flashscope.laws import uncorrectable_errors as law
from flashscope.reproduce.bench_configuration import BenchConfiguration
from flashscope.reproduce.case import Case, OpenDrive
from flashscope.reproduce.row import Row
from flashscope.units import counted

NAME = "uncorrectable-errors"
_CODEWORD_BYTES = 512
# Bits corrected in 512 bytes, and a raw bit error rate at which a few words in a hundred fail.
_CODES = ((4, 4e-4), (8, 1e-3))
# User bytes, bits corrected, RBER for UBER 1e-15 and 1e-16; Hetzler 2012 prints 3.4e-4 for the first of BCH-15.
_PUBLISHED = (
    (512, 4, 3.3e-6, 2.1e-6),
    (512, 8, 5.5e-5, 4.2e-5),
    (512, 12, 1.9e-4, 1.6e-4),
    (512, 15, 3.4e-4, 2.9e-4),
    (1024, 24, 5.1e-4, 4.6e-4),
    (1024, 40, 1.30e-3, 1.20e-3),
    (1024, 60, 2.45e-3, 2.32e-3),
    (1024, 72, 3.19e-3, 3.03e-3),
    (512, 55, 3.95e-3, 3.72e-3),
)


def cases(quick: bool) -> list[Case]:
    """Two codes, with equal and unequal codewords; then the table of published rates."""
    if quick:
        return [_measured_case(*_CODES[0], 0.0, 50_000), _published_case()]
    return [*(_measured_case(*code, spread, 500_000) for code in _CODES for spread in (0.0, 0.4)), _published_case()]


def _measured_case(correctable: int, raw_ratio: float, spread: float, reads: int) -> Case:
    bits = law.code_bits(_CODEWORD_BYTES, correctable)
    configuration = BenchConfiguration(
        blocks=65_536, pages=4, spare_ratio=0.9, fresh_error_ratio=raw_ratio,
        ecc={"codeword_bytes": _CODEWORD_BYTES, "correctable_bits": correctable, "overdispersion_cv": spread},
    )  # fmt: skip
    if spread:
        chance = law.overdispersed_probability(raw_ratio, bits, correctable, spread)
    else:
        chance = law.uncorrectable_probability(raw_ratio, bits, correctable)
    words = f"BCH-{correctable} on 512 B, RBER {raw_ratio:g}"
    words += f", codewords that differ (cv {spread:g}, beta-binomial)" if spread else " (binomial)"

    def measure(open_drive: OpenDrive) -> Iterator[Row]:
        for codewords in (1, configuration.page_bytes // _CODEWORD_BYTES):
            drive = open_drive(configuration)
            drive.fill()
            # Fewer of the reads that fail more often: each failure retires a block.
            count = reads // codewords
            measured = drive.run(
                drive.job("randread", request_bytes=codewords * _CODEWORD_BYTES, requests=count, depth=4), may_fail=True
            )
            wanted = law.read_failure_probability(chance, codewords)
            said = f"share of unreadable reads of {counted(codewords, 'codeword')}, {words}"
            tolerance = 4 / math.sqrt(wanted * count)
            yield Row(NAME, said, wanted, measured.totals["failed_requests"] / count, tolerance)

    return Case(f"{NAME}: {words}", 0.5 + 3 * reads / 1e6, measure)


def _published_case() -> Case:
    def measure(_: OpenDrive) -> Iterator[Row]:
        for user_bytes, correctable, client, enterprise in _PUBLISHED:
            for uber, printed in ((1e-15, client), (1e-16, enterprise)):
                said = f"closed form: RBER at which BCH-{correctable} on {user_bytes} B has a UBER of {uber:g}"
                yield Row(NAME, said, printed, law.raw_error_ratio_for(uber, user_bytes, correctable), 0.03)

    return Case(f"{NAME}: published rates", 0.01, measure)
