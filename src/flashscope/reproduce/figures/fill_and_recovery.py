"""The HG3 filled, rested and trimmed; the diary of its year; its write buffer (F072-F203).

Every published condition is a condition of a mark in the experiments' own records. Marks are run as the benchmark
program runs them: five passes, each row after a preparing one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from flashscope.drives.parts.published_figures import Figure
from flashscope.experiments.ageing_diary import AgeingDiary
from flashscope.experiments.fill_and_recovery import FillAndRecovery
from flashscope.experiments.profiles.crystal_disk_mark import MARKING_3, TestFile, crystal_disk_mark_3, scores
from flashscope.experiments.streams import MIB, SECOND_NS, random_writes
from flashscope.records import Labels, Record
from flashscope.records.drive_facts import DriveFacts
from flashscope.reproduce.figures.scenario import Laboratory, Scenario, Script, figures_where, ids_of
from flashscope.runner.effort import Effort, Extent
from flashscope.workloads.steps import Step, Workload

_DRIVE = "hg3-512"
_FULL = Effort(Extent.FULL)
_PASSES = 5
_SMALL_FILE_BYTES = 50 * MIB
_ALONE = "deep queue alone"  # a role


def scenarios() -> list[Scenario]:
    """The filling, the diary, and the write buffer."""
    fill, diary = figures_where("fill-and-recovery"), figures_where("ageing-diary")
    buffer = figures_where("write-buffer")
    return [
        Scenario(f"{_DRIVE}: fill and recovery", ids_of(fill), 40.0, lambda lab: _fill(fill, lab)),
        Scenario(f"{_DRIVE}: a year's diary", ids_of(diary), 40.0, lambda lab: _diary(diary, lab)),
        Scenario(f"{_DRIVE}: write buffer", ids_of(buffer), 3.0, lambda lab: _buffer(buffer, lab)),
    ]


def _fill(figures: list[Figure], laboratory: Laboratory) -> Mapping[str, float]:
    return _marks(laboratory.run(f"sim:{_DRIVE}", FillAndRecovery(_PASSES, preparing=True), _FULL), figures)


def _diary(figures: list[Figure], laboratory: Laboratory) -> Mapping[str, float]:
    return _marks(laboratory.run(f"sim:{_DRIVE}", AgeingDiary(_PASSES, preparing=True), _FULL), figures)


def _marks(record: Record, figures: list[Figure]) -> Mapping[str, float]:
    """The scores of all marks of a record [MB/s], by their condition."""
    marks = {condition: scores(record, condition) for condition in {figure.condition for figure in figures}}
    return {
        figure.id: marks[figure.condition][figure.metric].value / 1e6
        for figure in figures
        if figure.metric in marks[figure.condition]
    }


def _buffer(figures: list[Figure], laboratory: Laboratory) -> Mapping[str, float]:
    """A 50 MB file, which fits into the buffer; and ten seconds of 4 KiB writes at depth 32 after the complete mark."""

    def lay_out(facts: DriveFacts) -> list[Step]:
        small, usual = TestFile(0, _SMALL_FILE_BYTES), TestFile(0, 1000 * MIB)
        job = random_writes(
            "alone", request_bytes=4096, grid_bytes=4096, size_bytes=usual.size_bytes, io_bytes=0, queue_depth=32
        )
        job = replace(job, runtime_ns=10 * SECOND_NS, time_based=True)
        most = 10 * 300_000_000
        return [
            *crystal_disk_mark_3("small", small, replace(MARKING_3, passes=_PASSES)),
            *crystal_disk_mark_3("usual", usual, replace(MARKING_3, passes=1)),
            Workload("queue depth 32 alone", (job,), SECOND_NS // 10, most, 0, labels=Labels.of(_ALONE)),
        ]

    record = laboratory.run(f"sim:{_DRIVE}", Script(f"{_DRIVE}-write-buffer", lay_out))
    alone = record.the_step_with(_ALONE).workload
    assert alone is not None
    values = {
        "rand_write_4k": scores(record, "small")["rand_write_4k"].value / 1e6,
        "rand_write_4k_qd32": alone.totals["written_bytes"] * 1e3 / alone.duration_ns,
    }
    return {figure.id: values[figure.metric] for figure in figures}
