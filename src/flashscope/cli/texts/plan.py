"""A plan in words: one total line, then what each experiment writes and takes, then what the numbers rest on.

Plan for file:target.img: ..., 1.07 GB, file: DESTRUCTIVE, everything in the file is lost
  22 experiments: write 1.2 GB (at most 2.9 GB), 1.1 times the drive; take about 8 min (6 to 11 min)
"""

from __future__ import annotations

from flashscope import units
from flashscope.runner.plan import ExperimentPlan, Plan
from flashscope.runner.time_estimate import TimeRange

_PAGE_NS = 110_000_000  # of processor time: an experiment's part in the report; 28 of onyx-32 took 3 s beside the start


def plan_text(plan: Plan) -> str:
    """The total, a line for each experiment when there are several, and what the numbers rest on."""
    facts = plan.facts
    lost = f": {facts.when_written}" if plan.destructive else ""
    lines = [
        f"Plan for {facts.address}: {facts.model}, {units.format_bytes(facts.user_bytes)}, {facts.kind_name}{lost}"
    ]
    if facts.serial and not facts.in_virtual_time:
        lines.append(f"  serial: {facts.serial}")
    lines += ["", f"  {total_text(plan)}"]
    if len(plan.experiments) > 1:
        width = max(len(each.name) for each in plan.experiments)
        lines += ["", *(f"  {each.name:<{width}}  {_amounts(each)}" for each in plan.experiments)]
    lines += ["", *(f"  {sentence}" for sentence in plan.assumptions)]
    lines += [f"  note: {warning}" for warning in facts.warnings]
    return "\n".join(lines)


def virtual_total_text(plan: Plan) -> str:
    """The same in short, for a virtual drive that is examined: what a person waits for is the processor.

    The report at the end is counted, too.

    "28 experiments: write 273 GB, 8.5 times the drive, ...; take about 9 s of processor time (4.5 s on 2 processors)"
    """
    total = plan.total
    count = len(plan.experiments)
    what = f"{count} experiments" if count > 1 else plan.experiments[0].title
    written, fills = units.format_bytes(total.expected_bytes_to_write), units.format_number(total.drive_fills, 2)
    cycles = units.format_number(total.erase_cycles_at_least, 2)
    amounts = f"write {written}, {fills} times the drive, wear at least {cycles} erase cycles"
    said = amounts if plan.destructive else "write nothing"
    page_ns = count * _PAGE_NS
    processor = total.processor_time or total.wall_time
    side_by_side = f" ({units.format_time(total.wall_time.expected_ns + page_ns)} on {plan.workers} processors)"
    takes = f"take about {units.format_time(processor.expected_ns + page_ns)} of processor time"
    return f"{what}: {said}; {takes}{side_by_side if plan.workers > 1 else ''}"


def total_text(plan: Plan) -> str:
    """The one line for all: what is written, how much of the drive's life that is, and how long it takes."""
    total = plan.total
    count = len(plan.experiments)
    what = f"{count} experiments" if count > 1 else plan.experiments[0].title
    wear = f", wear at least {units.format_number(total.erase_cycles_at_least, 2)} erase cycles"
    if total.rated_life_ratio is not None:
        wear += f" ({units.format_percent(total.rated_life_ratio)} of the rated life)"
    amounts = f"{what}: write {_written(total)}{wear if plan.destructive else ''}; take {_range(total.wall_time)}"
    if total.processor_time is not None and plan.workers > 1:
        amounts += f", {_range(total.processor_time)} of processor time"
    if total.simulated_time is not None:
        amounts += f"; simulated {_range(total.simulated_time)}"
    return amounts


def _amounts(plan: ExperimentPlan) -> str:
    return f"writes {_written(plan)}; takes {_range(plan.wall_time)}"


def _written(plan: ExperimentPlan) -> str:
    if not plan.bytes_to_write:
        return "nothing"
    expected, most = units.format_bytes(plan.expected_bytes_to_write), units.format_bytes(plan.bytes_to_write)
    bound = "" if expected == most else f" (at most {most})"
    return f"{expected}{bound}, {units.format_number(plan.drive_fills, 2)} times the drive"


def _range(time: TimeRange) -> str:
    low, expected, high = (units.format_time(value) for value in (time.low_ns, time.expected_ns, time.high_ns))
    return f"about {expected}" if low == high else f"about {expected} ({low} to {high})"
