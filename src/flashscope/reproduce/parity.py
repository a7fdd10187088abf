"""Writing in order on drives with parity: one more page for every stripe, and nothing else.

`expected` is exact, and so is the measurement: complete blocks are written, several times.
"""

from __future__ import annotations

from collections.abc import Iterator

from flashscope.laws import parity as law
from flashscope.reproduce.bench_configuration import KIB, BenchConfiguration
from flashscope.reproduce.case import Case, OpenDrive
from flashscope.reproduce.row import Row

NAME = "parity"
_BLOCKS, _PAGES = 128, 64
_SPARE_RATIO = 0.25


def cases(quick: bool) -> list[Case]:
    """Stripes that divide a block, one that does not, and one as long as the block; one of them when quick."""
    return [_case(stripe_pages) for stripe_pages in ((16,) if quick else (2, 8, 12, 16, 64))]


def _case(stripe_pages: int) -> Case:
    whole = _PAGES % stripe_pages == 0
    blocks = "" if whole else f" in blocks of {_PAGES}"
    said = f"written in order, one page of parity in {stripe_pages}{blocks}: flash over host bytes"

    def measure(open_drive: OpenDrive) -> Iterator[Row]:
        drive = open_drive(
            BenchConfiguration(blocks=_BLOCKS, pages=_PAGES, spare_ratio=_SPARE_RATIO, parity_stripe_pages=stripe_pages)
        )
        measured = drive.run(
            drive.job(
                "write",
                request_bytes=4 * KIB,
                requests=3 * drive.configuration.user_units,
                size_bytes=drive.core.user_bytes,
            )
        )
        wanted = law.write_amplification(stripe_pages) if whole else law.of_block(_PAGES, stripe_pages)
        yield Row(NAME, said, wanted, measured.flash_bytes_per_host_byte, 1e-9)

    return Case(f"{NAME}: {said}", 3 * _BLOCKS * _PAGES / 1e6, measure)
