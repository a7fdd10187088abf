"""Requests that do not fit the mapping unit, on a drive without a buffer and without parallelism.

One die, one request at a time, a page as large as a unit: every unit touched in part costs one read-modify-write, so
rates show units touched. The drive has so much spare that there is no collection during the measurement.
"""

from __future__ import annotations

from collections.abc import Iterator

from flashscope.laws import alignment as law
from flashscope.reproduce.bench_configuration import KIB, BenchConfiguration
from flashscope.reproduce.bench_drive import SECTOR_BYTES, BenchDrive, Measured
from flashscope.reproduce.case import Case, OpenDrive
from flashscope.reproduce.row import Row

SHIFTED, TOUCHED, SUB_UNIT = "alignment", "units-touched", "sub-unit-writes"
_REQUEST_BYTES = 4 * KIB
_REQUESTS = 15_000


def _drive(open_drive: OpenDrive, unit_bytes: int) -> BenchDrive[BenchConfiguration]:
    drive = open_drive(BenchConfiguration(unit_bytes=unit_bytes, page_bytes=unit_bytes, spare_ratio=0.5))
    drive.fill()
    return drive


def _write(
    drive: BenchDrive[BenchConfiguration], request_bytes: int, *, shift_sectors: int = 0, grid_bytes: int = 0
) -> Measured:
    """Random writes on a grid of their own size (or grid_bytes) that begins shift_sectors into the drive."""
    shift_bytes = shift_sectors * SECTOR_BYTES
    size_bytes = drive.core.user_bytes - (64 * KIB if shift_bytes else 0)
    measured = drive.run(
        drive.job(
            "randwrite", request_bytes=request_bytes, requests=_REQUESTS, grid_bytes=grid_bytes or request_bytes,
            offset_bytes=shift_bytes, size_bytes=size_bytes,
        )
    )  # fmt: skip
    assert measured.rose["erased_blocks"] == 0, "collection must not take part"
    return measured


def shifted_cases(quick: bool) -> list[Case]:
    """4 KiB writes shifted by 63 sectors, over aligned ones, for five units; another shift for one."""
    points = [(16, 63)] if quick else [(8, 63), (16, 63), (16, 1), (32, 63), (64, 63)]
    return [_shifted_case(kib * KIB, shift) for kib, shift in points] + [_equal_unit_case()]


def shifted_rate_ratio(open_drive: OpenDrive, unit_bytes: int, shift_sectors: int = 63) -> float:
    """Rate of random 4 KiB writes that begin shift_sectors off their grid, over that of aligned ones [ratio]."""
    aligned = _write(_drive(open_drive, unit_bytes), _REQUEST_BYTES)
    shifted = _write(_drive(open_drive, unit_bytes), _REQUEST_BYTES, shift_sectors=shift_sectors)
    return shifted.requests_per_second / aligned.requests_per_second


def _shifted_case(unit_bytes: int, shift_sectors: int) -> Case:
    said = f"4 KiB writes shifted by {shift_sectors} sectors, over aligned; unit {unit_bytes // KIB} KiB"

    def measure(open_drive: OpenDrive) -> Iterator[Row]:
        wanted = law.misaligned_rate_ratio(_REQUEST_BYTES, unit_bytes)
        yield Row(SHIFTED, said, wanted, shifted_rate_ratio(open_drive, unit_bytes, shift_sectors), 0.01)

    return Case(f"{SHIFTED}: {said}", 0.3, measure)


def _equal_unit_case() -> Case:
    said = "4 KiB writes shifted by 63 sectors, over aligned; unit 4 KiB, where aligned ones read nothing"

    def measure(open_drive: OpenDrive) -> Iterator[Row]:
        drives = [_drive(open_drive, _REQUEST_BYTES) for _ in range(2)]
        aligned, shifted = (
            _write(drive, _REQUEST_BYTES, shift_sectors=63 * place) for place, drive in enumerate(drives)
        )
        times = drives[0].configuration
        wanted = law.shifted_whole_unit_rate_ratio(times.program_ns, times.read_ns + times.program_ns)
        yield Row(SHIFTED, said, wanted, shifted.requests_per_second / aligned.requests_per_second, 0.01)

    return Case(f"{SHIFTED}: {said}", 0.3, measure)


def touched_cases(quick: bool) -> list[Case]:
    """Units touched, by request, unit and grid: counted on the flash side."""
    points = [(4096, 4096, 512), (4096, 8192, 512), (4096, 16384, 512)]
    points += [(4096, 65536, 4096), (16384, 4096, 1024), (8192, 16384, 2048)]
    if quick:
        points = points[2:3]
    return [_touched_case(*point) for point in points]


def _touched_case(request_bytes: int, unit_bytes: int, grid_bytes: int) -> Case:
    said = f"requests of {request_bytes} B on a grid of {grid_bytes} B, units of {unit_bytes} B"

    def measure(open_drive: OpenDrive) -> Iterator[Row]:
        drive = open_drive(
            BenchConfiguration(unit_bytes=unit_bytes, page_bytes=unit_bytes, spare_ratio=0.8, blocks=2048)
        )
        drive.fill()
        measured = _write(drive, request_bytes, grid_bytes=grid_bytes)
        per_request = measured.rose["host_programmed_pages"] / measured.requests
        wanted = law.touched_units(request_bytes, unit_bytes, grid_bytes).total
        yield Row(TOUCHED, said, wanted, per_request, 0.01)

    return Case(f"{TOUCHED}: {said}", 0.3, measure)


def sub_unit_cases(quick: bool) -> list[Case]:
    """512 B writes on a 4 KiB map, slow and fast reads."""
    return [_sub_unit_case(read_ns) for read_ns in ((250_000,) if quick else (50_000, 250_000))]


def _sub_unit_case(read_ns: int) -> Case:
    said = f"512 B writes over 4 KiB ones on a 4 KiB map, tR {read_ns // 1000} us, tPROG 900 us"

    def measure(open_drive: OpenDrive) -> Iterator[Row]:
        configuration = BenchConfiguration(read_ns=read_ns, spare_ratio=0.5)
        rates = []
        for request_bytes in (SECTOR_BYTES, _REQUEST_BYTES):
            drive = open_drive(configuration)
            drive.fill()
            rates.append(_write(drive, request_bytes).requests_per_second)
        wanted = law.sub_unit_rate_ratio(configuration.program_ns, read_ns + configuration.program_ns)
        yield Row(SUB_UNIT, said, wanted, rates[0] / rates[1], 0.005)

    return Case(f"{SUB_UNIT}: {said}", 0.3, measure)
