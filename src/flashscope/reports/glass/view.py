"""The part "Inside the drive": which steps are shown, and the last actions of garbage collection in each, in words.

A page has only the few steps with the most activity in the flash; the record has all steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flashscope import units
from flashscope.records import Glass, Record, StepRecord
from flashscope.records.glass import REASON_WORDS, reason_column, say_reason
from flashscope.reports.glass.charts import build_glass
from flashscope.reports.numbers import Said, plain
from flashscope.reports.plotting.chart import Chart
from flashscope.reports.section import Drawn, drawn

STEPS_PER_PAGE = 4
_DECISIONS_SHOWN = 8
# With fewer samples than this a heat map is useless.
_LOOKS_AT_LEAST = 8


@dataclass(frozen=True)
class Decision:
    """One action of garbage collection. time: since the step began. valid: the data that had to be moved."""

    time: Said
    block: str
    pool: str
    valid: Said
    free: str
    reason: str


@dataclass(frozen=True)
class StepGlass:
    """One step seen from inside. record: the step's. decided: the number of collected blocks, in a sentence."""

    id: str
    step: StepRecord
    record: Record
    charts: list[Drawn]
    looks: str
    decided: str
    decisions: list[Decision]


@dataclass(frozen=True)
class GlassView:
    """All steps that are shown, in the order they ran. left_out: the number of other steps with such data."""

    steps: list[StepGlass]
    left_out: int


def choose_steps(record: Record, count: int) -> list[StepRecord]:
    """The `count` steps with the most decisions of garbage collection, then the most written data, in order."""
    watched = [step for step in record.steps if step.glass and len(step.glass.series) >= _LOOKS_AT_LEAST]
    busiest = sorted(watched, key=_events, reverse=True)[:count]
    return [step for step in watched if step in busiest]


def _events(step: StepRecord) -> tuple[int, int, int]:
    """How much happened in a step."""
    series = step.glass.series if step.glass else None
    if series is None:
        return 0, 0, 0
    return int(series["gc_decisions"].sum()), int(series["nand_written_bytes"].sum()), len(series)


def charts_inside(record: Record) -> list[Chart]:
    """The charts of the steps of one record that a page of this record alone shows."""
    return [chart for step in choose_steps(record, STEPS_PER_PAGE) for chart in build_glass(step)]


def view_glass(records: Sequence[Record]) -> GlassView:
    """What the page of these records shows."""
    watched = [record for record in records if choose_steps(record, 1)]
    # Of many records the busiest, each with one step, so that four pictures are not four of the same experiment.
    by_events = sorted(watched, key=lambda record: _events(choose_steps(record, 1)[0]), reverse=True)
    busiest = {record.id for record in by_events[:STEPS_PER_PAGE]}
    share = STEPS_PER_PAGE // max(1, len(busiest))
    chosen = [(record, step) for record in watched if record.id in busiest for step in choose_steps(record, share)]
    steps = [_view(step, step.glass, record) for record, step in chosen if step.glass is not None]
    total = sum(1 for record in records for step in record.steps if step.glass)
    return GlassView(steps, total - len(steps))


def _view(step: StepRecord, glass: Glass, record: Record) -> StepGlass:
    elapsed_ns = int(glass.series["elapsed_ns"][-1])
    return StepGlass(
        id=f"inside-{record.id}-{step.index}",
        step=step,
        record=record,
        charts=[drawn(chart, record) for chart in build_glass(step)],
        looks=f"{len(glass.series)} looks in {units.format_time(elapsed_ns)} of virtual time.",
        decided=_decided(glass),
        decisions=[_decision(glass, row) for row in range(len(glass.decisions))][-_DECISIONS_SHOWN:],
    )


def _decided(glass: Glass) -> str:
    count = int(glass.series["gc_decisions"].sum())
    if count == 0:
        return "Garbage collection had nothing to do."
    # The drive remembers a limited number of decisions; when there were more between two samples, the rest is unknown.
    few = "at least " if glass.series["gc_decisions_cut"].any() else ""
    times = "once" if count == 1 else f"{few}{plain(count)} times"
    shown = min(_DECISIONS_SHOWN, len(glass.decisions))
    last = "" if count == 1 else f" The last {shown}, oldest first."
    return f"A block was chosen and collected {times}{_reasons(glass)}.{last}"


def _reasons(glass: Glass) -> str:
    """The number of actions per reason; empty when there was only one reason, because the table shows it."""
    counts = [
        (int(glass.series[reason_column(reason)].sum()), why)
        for reason, why in REASON_WORDS.items()
        if reason_column(reason) in glass.series.columns
    ]
    if len(counts) < 2:
        return ""
    return ": " + ", ".join(f"{plain(count)} because {why}" for count, why in sorted(counts, reverse=True))


def _decision(glass: Glass, row: int) -> Decision:
    table = glass.decisions
    valid = int(table["valid_slots"][row])
    share = units.format_percent(valid / max(1, glass.slots_per_block))
    at_ns = int(table["elapsed_ns"][row])
    return Decision(
        time=Said(f"{at_ns / 1e9:.3f} s", f"{plain(at_ns)} ns", str(at_ns)),
        block=plain(int(table["block"][row])),
        pool=plain(int(table["pool"][row])),
        valid=Said(share, f"{plain(valid)} of {plain(glass.slots_per_block)} units", str(valid)),
        free=plain(int(table["free_blocks"][row])),
        reason=say_reason(int(table["reason"][row])),
    )
