"""The narrowest place sets the rate: dies, channels, link or controller; and the rate with garbage collection."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from flashscope.laws import throughput as law
from flashscope.reproduce.bench_configuration import KIB, BenchConfiguration
from flashscope.reproduce.case import Case, OpenDrive
from flashscope.reproduce.row import Row
from flashscope.reproduce.write_amplification import WARM_UP_FILLS, expected

CAPS, STEADY, COPY = "throughput-caps", "steady-random-write", "copy"
_SLOW_BUS = 40_000_000  # 8 bits every 25 ns, as on 34 nm parts


def cap_cases(quick: bool) -> list[Case]:
    """Each of the four places as the narrowest one."""
    sequential = [
        ("dies, 2 channels of 4, tPROG 900 us", {"program_ns": 900_000}),
        ("buses, 2 channels of 4 dies, tPROG 200 us", {"program_ns": 200_000}),
        ("dies, 2 channels of 1, tPROG 200 us", {"program_ns": 200_000, "dies_per_channel": 1}),
    ]
    chosen = sequential[1:2] if quick else sequential
    return [
        *(_sequential_case(*each) for each in chosen),
        *([] if quick else [_bus_case()]),
        _link_case(),
        _command_case(),
    ]


def _sequential_case(said: str, changes: dict[str, Any]) -> Case:
    configuration = BenchConfiguration(
        channels=2, blocks=256, bus_bytes_per_second=_SLOW_BUS, **{"dies_per_channel": 4, **changes}
    )

    def measure(open_drive: OpenDrive) -> Iterator[Row]:
        drive = open_drive(configuration)
        measured = drive.run(drive.job("write", requests=50_000 // 2 * configuration.dies_per_channel // 4, depth=256))
        wanted = law.sequential_write_rate(
            configuration.channels, configuration.dies_per_channel, configuration.page_bytes, configuration.program_ns,
            configuration.bus_bytes_per_second,
        )  # fmt: skip
        yield Row(CAPS, f"sequential writes limited by {said} [bytes/s]", wanted, measured.bytes_per_second, 0.02)

    return Case(f"{CAPS}: {said}", 0.1, measure)


def _bus_case() -> Case:
    def measure(open_drive: OpenDrive) -> Iterator[Row]:
        drive = open_drive(
            BenchConfiguration(dies_per_channel=16, blocks=32, spare_ratio=0.5, bus_bytes_per_second=_SLOW_BUS)
        )
        drive.fill()
        measured = drive.run(drive.job("randread", requests=50_000, depth=128))
        yield Row(
            CAPS, "random reads limited by one bus of 40 MB/s [bytes/s]", _SLOW_BUS, measured.bytes_per_second, 0.01
        )

    return Case(f"{CAPS}: bus", 0.1, measure)


def _link_case() -> Case:
    link = 100_000_000

    def measure(open_drive: OpenDrive) -> Iterator[Row]:
        drive = open_drive(BenchConfiguration(channels=32, blocks=32, spare_ratio=0.5, link_bytes_per_second=link))
        drive.fill()
        measured = drive.run(drive.job("read", request_bytes=64 * KIB, requests=2_000, depth=16))
        yield Row(
            CAPS, "reads of 64 KiB limited by a link of 100 MB/s [bytes/s]", link, measured.bytes_per_second, 0.01
        )

    return Case(f"{CAPS}: link", 0.1, measure)


def _command_case() -> Case:
    command_ns = 20_000

    def measure(open_drive: OpenDrive) -> Iterator[Row]:
        drive = open_drive(BenchConfiguration(channels=32, blocks=32, spare_ratio=0.5, command_ns=command_ns))
        drive.fill()
        measured = drive.run(drive.job("randread", requests=50_000, depth=64))
        wanted = law.command_rate(command_ns)
        yield Row(
            CAPS, "random reads limited by 20 us a command [requests/s]", wanted, measured.requests_per_second, 0.01
        )

    return Case(f"{CAPS}: controller", 0.1, measure)


def steady_cases(quick: bool) -> list[Case]:
    """A fresh drive; then one die, four in superblocks and four apart in steady state."""
    if quick:
        return [_fresh_case(), _steady_case(0.20, "one die", 0.01, blocks=512)]
    kinds: list[tuple[str, float, dict[str, Any]]] = [
        ("one die", 0.01, {"blocks": 2048}),
        ("4 dies in superblocks", 0.01, {"channels": 4, "superblock": True}),
    ]
    cases = [_steady_case(spare, *kind[:2], **kind[2]) for kind in kinds for spare in (0.07, 0.10, 0.20)]
    # Dies that collect separately have more or less data by chance; with writes dealt in turn the fullest die sets the
    # rate. The fuller the drive, the more its amplification depends on this chance, so the gap grows with less spare.
    apart = [
        _steady_case(spare, "4 dies apart: the fullest sets the pace, less spare, wider gap", tolerance, channels=4)
        for spare, tolerance in ((0.07, 0.03), (0.10, 0.02), (0.20, 0.02))
    ]
    return [_fresh_case(), *cases, *apart]


_STEADY = BenchConfiguration(bus_bytes_per_second=_SLOW_BUS, pacing="spread")


def _expected_rate(configuration: BenchConfiguration, amplification: float, erase_ns: int) -> float:
    return law.random_write_rate(
        configuration.dies,
        amplification,
        configuration.pages,
        read_ns=configuration.read_ns,
        program_ns=configuration.program_ns,
        erase_ns=erase_ns,
        transfer_ns=configuration.transfer_ns,
    )


def _fresh_case() -> Case:
    def measure(open_drive: OpenDrive) -> Iterator[Row]:
        configuration = replace(_STEADY, channels=4, spare_ratio=0.5)
        measured = open_drive(configuration).write_randomly(0.9, depth=256)
        wanted = _expected_rate(configuration, 1.0, erase_ns=0)
        said = "fresh, 4 dies: nothing moved, nothing erased [pages/s]"
        yield Row(STEADY, said, wanted, measured.requests_per_second, 0.01)

    return Case(f"{STEADY}: fresh", 0.1, measure)


def _steady_case(spare: float, kind: str, tolerance_ratio: float, **changes: Any) -> Case:
    configuration = replace(_STEADY, spare_ratio=spare, **changes)
    amplification = expected(configuration)
    said = f"{kind}, Sf {spare:g}, b {configuration.units_per_block}, greedy law for A [pages/s]"

    def measure(open_drive: OpenDrive) -> Iterator[Row]:
        drive = open_drive(configuration)
        drive.fill()
        drive.write_randomly(WARM_UP_FILLS)
        measured = drive.write_randomly(6, depth=1024)
        wanted = _expected_rate(configuration, amplification, configuration.erase_ns)
        yield Row(STEADY, said, wanted, measured.requests_per_second, tolerance_ratio)

    return Case(f"{STEADY}: {said}", 12 * amplification * configuration.user_units / 1e6, measure)


def copy_cases(quick: bool) -> list[Case]:
    """Reading and writing in turn on one drive, compared with each alone."""
    return [_copy_case(program_ns) for program_ns in ((200_000,) if quick else (200_000, 900_000))]


def _copy_case(program_ns: int) -> Case:
    configuration = BenchConfiguration(program_ns=program_ns, bus_bytes_per_second=_SLOW_BUS, spare_ratio=0.5)

    def measure(open_drive: OpenDrive) -> Iterator[Row]:
        rates = []
        for direction in ("read", "write", "rw"):
            drive = open_drive(configuration)
            drive.fill()
            rates.append(drive.run(drive.job(direction, requests=30_000)).bytes_per_second)
        read, write, both = rates
        said = f"read and written in turn at depth 1, tPROG {program_ns // 1000} us [bytes copied/s]"
        yield Row(COPY, said, law.copy_rate(read, write), both / 2, 0.01)

    return Case(f"{COPY}: tPROG {program_ns}", 0.3, measure)
