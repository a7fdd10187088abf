"""Random writes of 512 B to 64 KiB, aligned and not, one short run each: the mapping unit. DESTRUCTIVE.

    secure erase where possible (so that garbage collection stays out of the way)
    prefill the span in order (so that there is something to read, change and write back)
                 512 B  1 KiB  2 KiB  4 KiB  8 KiB  16 KiB  32 KiB  64 KiB
    aligned        .      .      .      .      .       .       .       .     to 4 KiB, larger requests to their own size
    unaligned      .      .      .      .      .       .       .       .     to any sector

Queue depth 1 over 1000 MB (or the drive, if smaller). The first half of each run is not used: until then a write
buffer may accept writes faster than the flash does them, or still be busy with the run before.
Requests below the drive's sector cannot be made and are left out. Analysis: `analysis/mapping_unit.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from flashscope.analysis.intervals import ratio_of_sums
from flashscope.analysis.mapping_unit import Cell, UnitEstimate, infer_mapping_unit
from flashscope.experiments.advice import once_more
from flashscope.experiments.measured import below_a_file_doubts
from flashscope.experiments.streams import (
    MIB,
    SECOND_NS,
    large_request_bytes,
    random_writes,
    sequential_writes,
    whole_requests,
)
from flashscope.records import Doubt, Finding, Labels, Record, WorkloadResult
from flashscope.records.abstention import could_not_tell
from flashscope.records.capability import Capability
from flashscope.records.drive_facts import DriveFacts
from flashscope.records.time_cost import PerTimeCost
from flashscope.runner.effort import STANDARD, Effort
from flashscope.runner.needs import Needs
from flashscope.units import format_bytes_binary, format_percent
from flashscope.workloads.steps import SecureErase, Step, Workload

_PREFILL = "prefill"
_SPAN_BYTES, _LEAST_SPAN_BYTES = 1_000_000_000, 32 * MIB
_QUICK_REQUESTS = 200_000  # in ten seconds of a fast drive many more
_SPAN_SHARE = 1 / 6  # of what may be written; the rest is for the small writes
_SIZES_BYTES = tuple(512 << k for k in range(8))
_PAGE_BYTES = 4096
_RUNTIME_NS = PerTimeCost.by_clock(2 * SECOND_NS, free=10 * SECOND_NS)
_SAMPLE_NS = SECOND_NS // 20
_DRIFT_RATIO = 0.15


@dataclass(frozen=True)
class _Kind:
    """One cell of the matrix before it is measured."""

    request_bytes: int
    grid_bytes: int
    aligned: bool

    @property
    def name(self) -> str:
        """Its displayed name."""
        return f"{'aligned' if self.aligned else 'unaligned'} {format_bytes_binary(self.request_bytes)}"

    @property
    def labels(self) -> Labels:
        """Labels of its step."""
        return Labels.of("cell", request_bytes=self.request_bytes, aligned=self.aligned)


class SmallWriteMatrix:
    """Finds the mapping unit from the times of small writes."""

    name = "small-write-matrix"
    title = "Small-write matrix"
    question = "In which unit does the drive keep its data, and what do smaller or unaligned writes cost?"
    expects = frozenset({"NotAligned"})
    tells: frozenset[str] = frozenset({"mapping_unit", "small_write_cost"})
    needs = Needs(writes=True)

    def steps(self, facts: DriveFacts, effort: Effort = STANDARD) -> list[Step]:
        """A secure erase where possible, a sequential fill of the span, then one short run per size and alignment."""
        if self.needs.missing(facts, effort):
            return []
        wanted = effort.at_most(min(_SPAN_BYTES, facts.user_bytes), _SPAN_SHARE)
        span = whole_requests(wanted, min(MIB, large_request_bytes(facts.user_bytes)))
        if span < min(facts.user_bytes // 2, _LEAST_SPAN_BYTES):
            return []
        request = large_request_bytes(facts.user_bytes)
        fill = sequential_writes(_PREFILL, request_bytes=request, size_bytes=span)
        steps: list[Step] = [SecureErase("secure erase")] if facts.can_secure_erase else []
        steps.append(Workload(_PREFILL, (fill,), SECOND_NS // 4, span, 0))
        most_requests = effort.choose(_QUICK_REQUESTS, span, span)
        for seed, kind in enumerate(_kinds(facts.sector_bytes), start=1):
            job = random_writes(
                kind.name.replace(" ", "-"),
                request_bytes=kind.request_bytes,
                grid_bytes=kind.grid_bytes,
                size_bytes=span,
                io_bytes=min(whole_requests(span, kind.request_bytes), most_requests * kind.request_bytes),
                runtime_ns=facts.per_time(_RUNTIME_NS),
                seed=seed,
            )
            steps.append(Workload(kind.name, (job,), _SAMPLE_NS, job.io_bytes, 0, labels=kind.labels))
        return steps

    def analyse(self, record: Record) -> list[Finding]:
        """mapping_unit_bytes, with the table of cells in its details."""
        sector = record.drive_facts.sector_bytes
        results = {step.labels: step.workload for step in record.steps if step.workload is not None}
        measured, drifting = {}, []
        for kind in _kinds(sector):
            result = results.get(kind.labels)
            found = _measure(kind, result) if result is not None else None
            if found is not None:
                measured[kind], steady = found
                drifting += [] if steady else [kind.name]
        estimate = infer_mapping_unit(list(measured.values()), sector_bytes=sector)
        doubts = [_of_the_bare_drive(doubt, record) for doubt in estimate.doubts]
        if drifting:
            message = (
                f"the rate was still changing in {len(drifting)} of {len(measured)} runs: {', '.join(drifting[:4])}"
            )
            doubts.append(Doubt("NotSteady", message, "let each run go on for longer"))
        if sector > _SIZES_BYTES[0]:
            message = f"requests below one sector ({format_bytes_binary(sector)}) cannot be made and were left out"
            doubts.append(
                Doubt("CellsLeftOut", message, f"a unit of {format_bytes_binary(sector)} or less is not visible")
            )
        doubts += below_a_file_doubts(record.drive_facts, "affect every write")
        return [
            Finding(
                "mapping_unit_bytes",
                _statement(estimate, measured, sector),
                estimate.unit_bytes,
                "bytes",
                estimate.low_bytes,
                estimate.high_bytes,
                evidence=tuple(kind.name for kind in measured),
                doubts=tuple(doubts),
                details={
                    "cells": [_row(kind, cell) for kind, cell in measured.items()],
                    "misfit_ratio_by_unit_bytes": {str(unit): misfit for unit, misfit in estimate.misfits.items()},
                    **(could_not_tell(estimate.why_untold) if estimate.why_untold else {}),
                },
            )
        ]


def _of_the_bare_drive(doubt: Doubt, record: Record) -> Doubt:
    """Without a system in between no cache of it can hide the unit, and there is no device below to examine instead."""
    if doubt.kind == "Ambiguous":
        return replace(doubt, advice=once_more(record))
    if doubt.kind != "BufferMayHideIt" or not record.drive_facts.can(Capability.BARE):
        return doubt
    message = "a write buffer or a smaller unit would look the same"
    return Doubt(doubt.kind, message, "compare with misalignment, which looks for the unit in another way")


def _kinds(sector_bytes: int) -> list[_Kind]:
    """The cells a drive of this sector size can take, small to large; a cell that fits both alignments appears once."""
    kinds = []
    for size in _SIZES_BYTES:
        if size >= sector_bytes:
            grid = max(size, _PAGE_BYTES, sector_bytes)
            kinds.append(_Kind(size, grid, aligned=True))
            if sector_bytes < grid:
                kinds.append(_Kind(size, sector_bytes, aligned=False))
    return kinds


def _measure(kind: _Kind, result: WorkloadResult) -> tuple[Cell, bool] | None:
    """The settled half of a run: mean time per request, and whether its two quarters agree. None without requests."""
    series = result.series
    requests = np.asarray(series["write_requests"], dtype=float)[:-1]
    spans = np.diff(np.asarray(series["elapsed_ns"], dtype=float), prepend=0.0)[:-1]
    half = len(requests) // 2
    if requests[half:].sum() == 0:
        count = result.totals.get("write_requests", 0)
        if not count:
            return None
        mean = result.duration_ns / count
        return Cell(kind.request_bytes, kind.grid_bytes, mean, 0.8 * mean, 1.2 * mean, count), True
    requests, spans = requests[half:], spans[half:]
    mean, low, high = ratio_of_sums(spans, requests)
    quarter = len(requests) // 2
    early, late = requests[:quarter].sum(), requests[quarter:].sum()
    steady = True
    if quarter and early and late:
        move = (spans[quarter:].sum() / late) / (spans[:quarter].sum() / early)
        steady = abs(np.log(move)) < max(_DRIFT_RATIO, 4 * (high - low) / (2 * 1.96 * mean))
    return Cell(kind.request_bytes, kind.grid_bytes, mean, low, high, int(requests.sum())), bool(steady)


def _statement(estimate: UnitEstimate, measured: dict[_Kind, Cell], sector_bytes: int) -> str:
    if estimate.unit_bytes is None:
        if estimate.why_untold:
            return f"Could not tell the mapping unit, because {estimate.why_untold}."
        return (
            f"No mapping unit above {format_bytes_binary(sector_bytes)} is visible: size and alignment of small writes "
            "change their time no more than their bytes explain."
        )
    unit, low, high = (
        format_bytes_binary(size or estimate.unit_bytes)
        for size in (estimate.unit_bytes, estimate.low_bytes, estimate.high_bytes)
    )
    sentence = f"The drive keeps its data in units of {unit}: align partitions to {unit} and write whole units."
    if low != high:
        sentence = (
            f"The drive's units are between {low} and {high}; {unit} fits best. Align partitions to {high} and write "
            "whole units."
        )
    cost = _unaligned_share(measured)
    return (
        f"{sentence} An unaligned 4 KiB write runs at {format_percent(cost)} of the aligned rate." if cost else sentence
    )


def _unaligned_share(measured: dict[_Kind, Cell]) -> float | None:
    """Rate of unaligned 4 KiB writes / rate of aligned ones [ratio]."""
    times = {kind.aligned: cell.time_ns for kind, cell in measured.items() if kind.request_bytes == _PAGE_BYTES}
    return times[True] / times[False] if len(times) == 2 else None


def _row(kind: _Kind, cell: Cell) -> dict[str, Any]:
    return {
        "name": kind.name,
        "request_bytes": kind.request_bytes,
        "grid_bytes": kind.grid_bytes,
        "aligned": kind.aligned,
        "requests_per_second": SECOND_NS / cell.time_ns,
        "low": SECOND_NS / cell.high_ns,
        "high": SECOND_NS / cell.low_ns,
        "request_count": cell.request_count,
    }
