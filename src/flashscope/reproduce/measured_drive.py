"""Two real drives whose write amplification was published, against their parts reduced in dies and blocks.

    micron-7450-max-800   sanitized, F GiB in order, 4 F at random in 4 KiB   flash bytes per host byte
    c300-256              written in order, then at random                    host bytes per erase of every block

`expected` is the published value, not a law: these rows show that geometry, spare and collection alone give the
published amplification. Shares of the drive are scaled (`bench_part.py`); a byte of the reduced drive stands for
`scale_ratio` bytes, so F and the bytes per erase are given in the size of the complete drive.

No correction is added to the results. The 7450 keeps one page of parity in every 64 (an assumption of its part): 1.016
flash bytes per host byte while it is filled in order, where SSD-iq's log of the same drive has 1.022 (1.02 to
1.04 from run to run). The difference, the map's own writes, is not modelled.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from flashscope.drives.parts.published_figures import figures_of
from flashscope.records import FIRST_STATE_OUT_OF_USE
from flashscope.reproduce.bench_configuration import KIB
from flashscope.reproduce.bench_drive import BenchDrive, Measured
from flashscope.reproduce.bench_part import PartInSmall, in_small
from flashscope.reproduce.case import Case, OpenDrive
from flashscope.reproduce.row import Row

NAME = "measured-drive"
_GIB = 1 << 30
_FILL_BYTES = 256 * KIB
_MICRON, _C300 = "micron-7450-max-800", "c300-256"
_LAST_RATIO = 0.15  # of the random writes


def cases(quick: bool) -> list[Case]:
    """Six fills of the one drive, two states of the other; the emptiest fill when quick."""
    micron = {figure.id: figure for figure in figures_of(_MICRON)}
    wanted = {identity: figure.value for identity, figure in micron.items() if figure.value is not None}
    spans = {identity: _gib_of(figure.condition) for identity, figure in micron.items()}
    if quick:
        identity = min(spans, key=lambda each: spans[each])
        return [_fill_case(spans[identity], wanted[identity], divisor=240)]
    return [*(_fill_case(spans[identity], wanted[identity], divisor=24) for identity in wanted), _erase_step_case()]


def _gib_of(condition: str) -> int:
    """F of a published condition such as "sanitize, 372 GiB written sequentially ..." [GiB]."""
    found = re.search(r"(\d+) GiB", condition)
    if found is None:
        raise AssertionError(f"no size in {condition!r}")
    return int(found[1])


def _write(drive: BenchDrive[PartInSmall], direction: str, span_bytes: int, written_ratio: float) -> Measured:
    """Write `written_ratio` times the first `span_bytes`."""
    request_bytes = _FILL_BYTES if direction == "write" else drive.configuration.unit_bytes
    requests = round(written_ratio * span_bytes / request_bytes)
    return drive.run(
        drive.job(direction, request_bytes=request_bytes, requests=requests, depth=64, size_bytes=span_bytes)
    )


def _span_bytes(part: PartInSmall, whole_bytes: float) -> int:
    """Bytes of the complete part converted to the reduced one, in whole requests."""
    return int(whole_bytes / part.scale_ratio) // _FILL_BYTES * _FILL_BYTES


def _fill_case(gib: int, published: float, *, divisor: int) -> Case:
    said = f"Micron 7450 MAX, F {gib} GiB in order, 4 F at random, last 15 %: flash over host bytes"

    def measure(open_drive: OpenDrive) -> Iterator[Row]:
        part = in_small(_MICRON, divisor=divisor)
        drive = open_drive(part)
        span_bytes = _span_bytes(part, gib * _GIB)
        _write(drive, "write", span_bytes, 1.0)
        _write(drive, "randwrite", span_bytes, 4 * (1 - _LAST_RATIO))
        found = _write(drive, "randwrite", span_bytes, 4 * _LAST_RATIO).flash_bytes_per_host_byte
        yield Row(NAME, said, published, found, 0.03)

    return Case(f"{NAME}: {said}", 4 * published * gib * _GIB / divisor / 4096 / 1e6, measure)


def _erase_step_case() -> Case:
    divisor = 128
    figures = {figure.id: figure.value for figure in figures_of(_C300)}
    in_order, at_random = figures["F058"] or 0.0, figures["F063"] or 0.0

    def step_gib(drive: BenchDrive[PartInSmall], measured: Measured) -> float:
        """Host bytes for each erase of every block in use, in the size of the whole drive [GiB]."""
        usable = int(np.count_nonzero(drive.core.inside()["block_states"] < FIRST_STATE_OUT_OF_USE))
        cycles = measured.rose["erased_blocks"] / usable
        return measured.rose["host_written_bytes"] * drive.configuration.scale_ratio / cycles / _GIB

    def measure(open_drive: OpenDrive) -> Iterator[Row]:
        part = in_small(_C300, divisor=divisor)
        drive = open_drive(part)
        span_bytes = _span_bytes(part, part.user_units * part.unit_bytes * part.scale_ratio)
        _write(drive, "write", span_bytes, 2.0)
        ordered_gib = step_gib(drive, _write(drive, "write", span_bytes, 4.0))
        _write(drive, "randwrite", span_bytes, 5.0)
        random_gib = step_gib(drive, _write(drive, "randwrite", span_bytes, 5.0))
        yield Row(NAME, "C300, written in order: host bytes per step of the erase counter [GiB]", in_order, ordered_gib,
                  0.03)  # fmt: skip
        yield Row(NAME, "C300, 4 KiB at random, steady: host bytes per step of the erase counter [GiB]", at_random,
                  random_gib, 0.03)  # fmt: skip
        yield Row(NAME, "C300, the one step over the other: write amplification", in_order / at_random,
                  ordered_gib / random_gib, 0.03)  # fmt: skip

    return Case(f"{NAME}: C300, bytes per erase", 10 * 8.2 * 62.5 / divisor, measure)
