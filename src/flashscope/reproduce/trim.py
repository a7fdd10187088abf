"""TRIM and unused space: space that the host does not use is spare.

Trims go to any address, in use or not; `trimmed_space.blind_trim_ratio` gives the share of trims for the wanted share
of effective ones. Writes and trims are two jobs paced in that ratio, slowly enough for the drive.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from flashscope.laws.trimmed_space import blind_trim_ratio, in_use_ratio
from flashscope.reproduce.bench_configuration import BenchConfiguration
from flashscope.reproduce.bench_drive import BenchDrive, Measured
from flashscope.reproduce.case import Case, OpenDrive
from flashscope.reproduce.row import Row
from flashscope.reproduce.write_amplification import expected, steady_state

TRIM, PARTLY_USED = "trim", "partly-used"
_SPARE = 0.07
_WRITES_PER_SECOND = 72  # 72 x blind / (1 - blind) is a whole number at every share below
_PIECES = 12  # readings of the share in use during the measurement


def trim_cases(quick: bool) -> list[Case]:
    """Four shares of trims, greedy and FIFO; one when quick."""
    points = (
        [(0.1, "greedy")] if quick else [(q, policy) for q in (0.05, 0.1, 0.2, 0.3) for policy in ("greedy", "fifo")]
    )
    return [_trim_case(share, policy, quick) for share, policy in points]


def _trim_case(share: float, policy: str, quick: bool) -> Case:
    configuration = BenchConfiguration(blocks=1024 if quick else 2048, spare_ratio=_SPARE, policy=policy)
    used = in_use_ratio(share)
    wanted = expected(configuration, used_units=used * configuration.user_units)
    said = f"{share:.0%} trims, {policy}, Sf {_SPARE:g}, b 64, {configuration.blocks} blocks"

    def measure(open_drive: OpenDrive) -> Iterator[Row]:
        drive = open_drive(configuration)
        drive.fill()
        _write_and_trim(drive, share, drive_fills=6)
        in_use, pieces = [], []
        for _ in range(_PIECES):
            pieces.append(_write_and_trim(drive, share, drive_fills=1))
            in_use.append(float(np.sum(drive.core.inside()["block_valid_slots"])) / configuration.user_units)
        host = sum(piece.rose["host_programmed_pages"] for piece in pieces)
        moved = sum(piece.rose["gc_programmed_pages"] for piece in pieces)
        yield Row(TRIM, f"share in use, {said}", used, float(np.mean(in_use)), 0.005)
        yield Row(TRIM, f"write amplification, {said}", wanted, (host + moved) / host, 0.01)

    return Case(f"{TRIM}: {said}", (wanted + 0.5) * (6 + _PIECES) * configuration.user_units / 1e6, measure)


def _write_and_trim(drive: BenchDrive[BenchConfiguration], share: float, *, drive_fills: float) -> Measured:
    blind = blind_trim_ratio(share)
    trims_per_second = round(_WRITES_PER_SECOND * blind / (1 - blind))
    writes = round(drive_fills * drive.configuration.user_units)
    trims = round(writes * trims_per_second / _WRITES_PER_SECOND)
    return drive.run(
        drive.job("randwrite", requests=writes, depth=64, rate_requests_per_second=(0, _WRITES_PER_SECOND, 0)),
        drive.job("randtrim", requests=trims, depth=1, rate_requests_per_second=(0, 0, trims_per_second)),
    )


def partly_used_cases(quick: bool) -> list[Case]:
    """Drives of which only a share was ever written."""
    return [_partly_used_case(used, quick) for used in ((0.8,) if quick else (0.95, 0.9, 0.8, 0.6))]


def _partly_used_case(used: float, quick: bool) -> Case:
    configuration = BenchConfiguration(blocks=1024 if quick else 2048, spare_ratio=_SPARE)
    wanted = expected(configuration, used_units=used * configuration.user_units)
    said = f"{used:.0%} of the addresses used, greedy, Sf {_SPARE:g}, b 64, {configuration.blocks} blocks"

    def measure(open_drive: OpenDrive) -> Iterator[Row]:
        measured = steady_state(open_drive, configuration, used_ratio=used, units=400_000 if quick else 2_000_000)
        yield Row(PARTLY_USED, said, wanted, measured.write_amplification, 0.01)

    return Case(f"{PARTLY_USED}: {said}", wanted * (0.4 if quick else 3.0), measure)
