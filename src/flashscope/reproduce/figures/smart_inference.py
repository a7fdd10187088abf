"""What attribute 0xAD of the C300 counts: bytes between its steps, in order and at random, and the rates (F057-F068).

    fill and a quarter -> in order, 1 GiB at a time, until 0xAD has risen four times -> at once at random, 4 KiB,
    1/4 GiB at a time, until it has risen four times more

The document read SMART every 1024 random writes; here after each quarter of a GiB, which costs the drive no time.
Its first step came 218 GiB after its test began. This only shows where between two steps the drive was at that moment;
it is history, not a property. The virtual drive's own first step is given beside it and has no more meaning.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from flashscope.drives.parts.published_figures import Figure
from flashscope.drives.virtual.simulated import SimulatedDrive
from flashscope.experiments.streams import MIB, SECOND_NS, random_writes, sequential_writes
from flashscope.reproduce.figures.scenario import Laboratory, Scenario, figures_where, ids_of
from flashscope.workloads.job import Job

_DRIVE = "c300-256"
_ATTRIBUTE = 0xAD
_GIB = 1 << 30
_PAGE_BYTES = 4096
_STEPS = 4
_SLICE_REQUESTS = 500_000
_RANDOM_CHUNK_BYTES = _GIB // 4


def scenarios() -> list[Scenario]:
    """One run for all twelve."""
    figures = figures_where("smart-inference", drive=_DRIVE)
    return [Scenario(f"{_DRIVE}: what 0xAD counts", ids_of(figures), 60.0, lambda lab: _measure(figures, lab))]


@dataclass
class _Writer:
    """Writes in chunks and watches the attribute. rates: of each chunk [bytes/s]."""

    drive: SimulatedDrive
    laboratory: Laboratory
    rates: list[float] = field(default_factory=list)
    chunks: int = 0

    def write(self, job: Job) -> None:
        run = self.drive.start([job], SECOND_NS)
        while not run.advance(_SLICE_REQUESTS):
            self.laboratory.check()
        result = run.result()
        self.rates.append(result.totals["written_bytes"] * SECOND_NS / result.duration_ns)
        self.chunks += 1

    def count(self) -> int:
        attributes = {each.id: each.raw for each in self.drive.read_smart(0).attributes}
        return int.from_bytes(attributes[_ATTRIBUTE], "little")

    def in_order_until_a_step(self) -> float:
        """GiB written until the attribute rose."""
        span, before, written = self.drive.facts.user_bytes // _GIB * _GIB, self.count(), 0
        while self.count() == before:
            offset = self.chunks * _GIB % span
            self.write(sequential_writes("in-order", request_bytes=MIB, offset_bytes=offset, size_bytes=_GIB))
            written += _GIB
        return written / _GIB

    def at_random_until_a_step(self) -> float:
        """GiB written until the attribute rose."""
        span, before, written = self.drive.facts.user_bytes // _PAGE_BYTES * _PAGE_BYTES, self.count(), 0
        while self.count() == before:
            self.write(
                random_writes(
                    "at-random",
                    request_bytes=_PAGE_BYTES,
                    grid_bytes=_PAGE_BYTES,
                    size_bytes=span,
                    io_bytes=_RANDOM_CHUNK_BYTES,
                    seed=self.chunks,
                )
            )
            written += _RANDOM_CHUNK_BYTES
        return written / _GIB


def _measure(figures: list[Figure], laboratory: Laboratory) -> Mapping[str, float]:
    drive = laboratory.open(f"sim:{_DRIVE}")
    assert isinstance(drive, SimulatedDrive)
    writer = _Writer(drive, laboratory)
    span = drive.facts.user_bytes // MIB * MIB
    writer.write(sequential_writes("condition", request_bytes=MIB, size_bytes=span, io_bytes=span * 5 // 4))
    in_order = [writer.in_order_until_a_step() for _ in range(_STEPS)]
    begin = len(writer.rates)
    at_random, rates = [], []
    for _ in range(_STEPS):
        at_random.append(writer.at_random_until_a_step())
        rates.append(writer.rates[-1] / 1e6)
    steps = iter([*in_order, *at_random])
    values = {}
    for figure in figures:
        if figure.metric == "written_since_last_step":
            values[figure.id] = next(steps)
        elif figure.metric == "waf":
            values[figure.id] = in_order[-1] / at_random[-1]
        elif "at the start" in figure.condition:
            values[figure.id] = writer.rates[begin] / 1e6
        elif "reaches 31" in figure.condition:
            values[figure.id] = rates[1]
        else:
            values[figure.id] = rates[-1]
    return values
