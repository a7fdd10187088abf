"""A stand-in for the runner: acts out the steps of an experiment on a toy drive whose inside is known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypedDict, Unpack

import numpy as np

from flashscope.laws.alignment import touched_units
from flashscope.records import Record, SmartAttribute, SmartSnapshot, Status, StepRecord, Table, WorkloadResult
from flashscope.records.capability import Capability
from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.experiment import Experiment
from flashscope.workloads.steps import Idle, ReadSmart, SecureErase, Workload
from tests.facts import facts_of

SECOND_NS = 10**9


@dataclass
class ToyDrive:
    """A drive by formula: a sequential rate that falls, a mapping unit, an erase counter, a write amplification."""

    facts: DriveFacts
    first_rate: float = 300e6
    settled_rate: float = 300e6
    fall_bytes: float = float("inf")
    unit_bytes: int = 4096
    noise: float = 0.02
    step_bytes: float = 34.3e9
    write_amplification: float = 8.0
    smart: Callable[[ToyDrive], Sequence[SmartAttribute]] | None = None
    seed: int = 1
    elapsed_ns: int = 0
    host_bytes: int = 0
    host_requests: int = 0
    erases: float = 5.4
    random_bytes: int = 0
    stop_after: str = ""
    draw: np.random.Generator = field(default_factory=lambda: np.random.default_rng(7))

    def run(self, experiment: Experiment) -> Record:
        record = Record(
            id="toy", experiment=experiment.name, drive=self.facts.address, status=Status.DONE, created_utc="",
            seed=self.seed, command="", versions={}, host={}, configuration={}, configuration_hash="",
            drive_facts=self.facts,
        )  # fmt: skip
        for index, step in enumerate(experiment.steps(self.facts)):
            begin = self.elapsed_ns
            kept = StepRecord(index, step.name, step.kind, Status.DONE, started_ns=begin, labels=step.labels)
            if isinstance(step, Workload):
                kept.workload = self.work(step)
            elif isinstance(step, ReadSmart):
                kept.smart = SmartSnapshot(self.elapsed_ns, "toy", "TOY", "1", self.facts.user_bytes, self.attributes())
            elif isinstance(step, Idle):
                self.elapsed_ns += step.duration_ns
            elif isinstance(step, SecureErase):
                self.host_bytes = 0
            kept.ended_ns = self.elapsed_ns
            record.steps.append(kept)
            if step.name == self.stop_after:
                record.status = Status.INTERRUPTED
                break
        record.findings = experiment.analyse(record)
        return record

    def work(self, step: Workload) -> WorkloadResult:
        job = step.jobs[0]
        size, grid = int(job.write_sizes.weighted[0][0]), job.write_sizes.align_bytes
        limit = sum(one.io_bytes or one.size_bytes for one in step.jobs)
        rows, moved, elapsed = [], 0, 0
        while moved < limit and not (job.runtime_ns and elapsed >= job.runtime_ns):
            rate = self.rate(job.direction, size, grid, self.host_bytes) * np.exp(self.noise * self.draw.normal())
            amount = min(max(int(rate * step.sample_interval_ns / SECOND_NS / size), 1) * size, limit - moved)
            elapsed += step.sample_interval_ns
            rows.append((elapsed, amount, -(-amount // size)))
            moved += amount
            self.host_bytes += amount
            self.host_requests += -(-amount // size)
            worn = self.write_amplification if job.direction == "randwrite" else 1.0
            if job.direction == "randwrite":
                self.random_bytes += amount
                worn *= 1 - 0.5 * np.exp(-self.random_bytes / (0.1 * self.facts.user_bytes))
            self.erases += worn * amount / self.step_bytes
        self.elapsed_ns += elapsed
        ends, amounts, requests = (np.array(column) for column in zip(*rows, strict=True))
        table = Table.of(
            elapsed_ns=("ns", ends), written_bytes=("bytes", amounts), write_requests=("requests", requests)
        )
        return WorkloadResult(elapsed, table, {}, {"written_bytes": moved, "write_requests": int(requests.sum())})

    def rate(self, direction: str, size: int, grid: int, written: int) -> float:
        if direction == "write":
            return self.first_rate if written < self.fall_bytes else self.settled_rate
        touched = touched_units(size, self.unit_bytes, grid)
        time_ns = max(30e3 + size / 0.25, (900e3 * touched.whole + 960e3 * touched.partial) / 2)
        return size * SECOND_NS / time_ns

    def attributes(self) -> tuple[SmartAttribute, ...]:
        return tuple(self.smart(self)) if self.smart else ()


class ToyParts(TypedDict, total=False):
    """What a test may say of a toy drive beside its facts."""

    first_rate: float
    settled_rate: float
    fall_bytes: float
    unit_bytes: int
    noise: float
    step_bytes: float
    write_amplification: float
    smart: Callable[[ToyDrive], Sequence[SmartAttribute]] | None
    stop_after: str


def toy(
    user_bytes: int = 32_017_047_552,
    *,
    kind: str = "virtual",
    raw_bytes: int = 0,
    sector_bytes: int = 512,
    **parts: Unpack[ToyParts],
) -> ToyDrive:
    """A toy drive of that kind."""
    more = [Capability.SECURE_ERASE, Capability.LAID_OUT] if kind == "virtual" else []
    more += [Capability.SMART_ATTRIBUTES] if parts.get("smart") is not None else []
    facts = facts_of(kind, user_bytes, *more, sector_bytes=sector_bytes, raw_bytes=raw_bytes)
    return ToyDrive(facts, **parts)
