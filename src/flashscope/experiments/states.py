"""States to start from: fresh, full, or overwritten at random for long.

    secure erase, else TRIM of everything, else nothing   ->  as fresh as this drive can be made
    fill in order                                         ->  full
    fill, then 4 KiB at random                            ->  overwritten: free blocks are used up, data is scattered

On a virtual drive the last two are laid out at once; a real drive has to be written to (`steps.LaidOut`).
"""

from __future__ import annotations

from dataclasses import replace

from flashscope.experiments.streams import (
    SECOND_NS,
    large_request_bytes,
    random_writes,
    sequential_writes,
    whole_requests,
)
from flashscope.records import NO_LABELS, Doubt, Labels, Record, Status, StepKind
from flashscope.records.capability import Capability
from flashscope.records.drive_facts import DriveFacts
from flashscope.records.time_cost import PerTimeCost
from flashscope.runner.effort import STANDARD, Effort, Extent
from flashscope.workloads.steps import LaidOut, SecureErase, Step, Trim

_RUNTIME_NS = PerTimeCost(free=0, own=4 * 3600 * SECOND_NS, shared=60 * SECOND_NS)
_QUICK_OVERWRITING_NS = 3600 * SECOND_NS  # a drive that merges a block for each of these writes is slow at once
_PAGE_BYTES = 4096
FIRST_STATE = "first state"
"""The role of a step that `first_state` gives."""
OVERWRITTEN_SHARE = 0.5
"""Random overwrites of a real drive, as a share of its size: several times the spare area of any drive."""


def first_state(facts: DriveFacts, name: str) -> list[Step]:
    """One step that brings the drive as near to its first state as it can be brought, or none."""
    labels = Labels.of(FIRST_STATE)
    if facts.can_secure_erase:
        return [SecureErase(name, labels=labels)]
    whole_bytes = facts.user_bytes - facts.user_bytes % facts.sector_bytes  # a file may end within a sector
    return [Trim(name, 0, whole_bytes, labels=labels)] if facts.can_trim else []


def filled(
    facts: DriveFacts,
    name: str,
    *,
    fill_ratio: float = 1.0,
    overwritten: bool = False,
    zeros: bool = False,
    seed: int = 1,
    labels: Labels = NO_LABELS,
    effort: Effort = STANDARD,
) -> Step:
    """The drive written in order up to fill_ratio of its size, and then overwritten there at random if asked for.

    effort: a quick run overwrites a virtual drive that cannot be laid out for an hour of its time at most.
    """
    request = large_request_bytes(facts.user_bytes)
    span = max(whole_requests(round(facts.user_bytes * fill_ratio), request), request)
    limit_ns = facts.per_time(_RUNTIME_NS)
    fill = sequential_writes("fill-in-order", request_bytes=request, size_bytes=span, runtime_ns=limit_ns)
    jobs = [replace(fill, zero_buffers=zeros)]
    total = span
    if overwritten:
        amount = whole_requests(round(span * OVERWRITTEN_SHARE), _PAGE_BYTES)
        if facts.in_virtual_time and effort.extent is Extent.QUICK:
            limit_ns = _QUICK_OVERWRITING_NS
        job = random_writes(
            "overwrite-at-random",
            request_bytes=_PAGE_BYTES,
            grid_bytes=_PAGE_BYTES,
            size_bytes=span,
            io_bytes=amount,
            runtime_ns=limit_ns,
            queue_depth=32,
            seed=seed,
        )
        jobs.append(replace(job, group=1))
        total += amount
    interval_ns = 10 * SECOND_NS if facts.in_virtual_time else SECOND_NS
    return LaidOut(
        name,
        tuple(jobs),
        interval_ns,
        total,
        0,
        fill_ratio=span / facts.user_bytes,
        overwritten=overwritten,
        zeros=zeros,
        labels=labels,
    )


def doubts_of_start(record: Record) -> tuple[Doubt, ...]:
    """The doubt that remains when the drive could not be brought to its first state at the beginning."""
    if not record.drive_facts.can(Capability.BARE):
        message = "a file is only a part of a drive: the state of the rest, and of its spare area, is not known"
        return (Doubt("NotTheWholeDrive", message, "examine the block device itself"),)
    step = record.step_with(FIRST_STATE)
    if step is None and record.drive_facts.in_virtual_time and not first_state(record.drive_facts, ""):
        return ()  # it was built for this run
    if step is None or step.status is not Status.DONE:
        message = "the drive was not erased first; the data that was on it before affects the result"
        return (Doubt("NotFresh", message, "secure-erase the drive and run this again"),)
    if step.kind == StepKind.TRIM:
        message = "the drive was trimmed, not secure-erased; it may look at what was trimmed only later"
        return (Doubt("NotFresh", message, "secure-erase the drive where that is possible"),)
    return ()
