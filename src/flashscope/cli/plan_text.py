"""A plan in words."""

from __future__ import annotations

from flashscope import units
from flashscope.runner.plan import ExperimentPlan, Plan
from flashscope.runner.progress.progress import say_steps
from flashscope.runner.time_estimate import TimeRange


def plan_text(plan: Plan) -> str:
    """A paragraph per experiment, the total when there are several, and what the numbers rest on."""
    facts = plan.facts
    lines = [f"Plan for {facts.address}: {facts.model}, {units.format_bytes(facts.user_bytes)}, {facts.kind_name}"]
    if facts.serial and not facts.in_virtual_time:
        lines.append(f"  serial: {facts.serial}")
    several = len(plan.experiments) > 1
    for experiment in [*plan.experiments, *([plan.total] if several else [])]:
        lines += ["", *_experiment_lines(experiment, f": {facts.when_written}")]
    lines += ["", *(f"  {sentence}" for sentence in plan.assumptions)]
    lines += [f"  note: {warning}" for warning in facts.warnings]
    return "\n".join(lines)


def _experiment_lines(plan: ExperimentPlan, lost: str) -> list[str]:
    writes = units.format_bytes(plan.bytes_to_write)
    life = "" if plan.rated_life_ratio is None else f", {units.format_percent(plan.rated_life_ratio)} of the rated life"
    lines = [
        f"  {plan.title} ({say_steps(len(plan.steps))}){lost if plan.destructive else ''}",
        f"    writes     up to {writes}, {units.format_number(plan.drive_fills, 2)} times the drive",
        f"    reads      up to {units.format_bytes(plan.bytes_to_read)}",
        f"    wear       at least {units.format_number(plan.erase_cycles_at_least, 2)} erase cycles{life}",
    ]
    if plan.simulated_time is not None:
        lines.append(f"    simulated  {_range(plan.simulated_time)}")
    lines.append(f"    takes      {_range(plan.wall_time)}")
    return lines


def _range(time: TimeRange) -> str:
    low, high = units.format_time(time.low_ns), units.format_time(time.high_ns)
    return f"about {low}" if low == high else f"{low} to {high}"
