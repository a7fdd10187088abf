"""The loads by which a write buffer is found: bursts into an idle drive, and bursts after short gaps.

    fresh       requests of 1 MiB ... 8 KiB, one at a time: idle 3 s | short burst, fine rows | idle 3 s | long burst
    paced       bursts of 64 KiB with a pause after each, so that the flash lags behind less
    gaps        fill the buffer | gap 20 ms | burst | gap 50 ms | burst | ... | gap 5 s | burst
    used        the drive full and overwritten, then 4 KiB at random: its flash is slow then, and this shows a buffer
                that sequential writes cannot fill
    document    4 KiB at random in a file of 50 MB; in 1000 MB at queue depth 32, 10 s after other load

Three seconds of idleness: buffers are written out within one or two, collection in idle time begins later.
"""

from __future__ import annotations

from dataclasses import replace

from flashscope.experiments.states import filled, first_state
from flashscope.experiments.streams import MIB, SECOND_NS, random_writes, sequential_writes, whole_requests
from flashscope.records import NO_LABELS, Labels
from flashscope.records.drive_facts import DriveFacts
from flashscope.records.time_cost import PerTimeCost
from flashscope.runner.effort import Effort
from flashscope.units import format_bytes_binary, format_rate, format_time
from flashscope.workloads.job import Job
from flashscope.workloads.steps import Idle, Step, Workload

BURST, GAP, SETTLING, DOCUMENT = "burst", "gap", "settling", "document"
"""Roles of steps."""
FRESH, USED = "fresh", "used"
"""The label "state" of a step."""
SMALL_FILE = "4 KiB random write, 50 MB test file"
DEEP_ALONE = "4 KiB random write QD32 alone, 10 s after other load"
"""The label "condition" of the document's steps."""

_KIB, _MS = 1024, 1_000_000
_REST_NS = 3 * SECOND_NS
_GAPS_NS = tuple(gap * _MS for gap in (20, 50, 100, 200, 500, 1000, 2000, 5000))
_FINE_BYTES, _FINE_ROW_NS = 32 * MIB, 100_000
_COARSE_ROW_NS = 2 * _MS
_PACES_BYTES_PER_SECOND = (1_000_000_000, 500_000_000, 250_000_000, 120_000_000, 60_000_000)
_RUNTIME_NS = PerTimeCost.by_clock(20 * SECOND_NS, free=0)
_DOCUMENT_RUNTIME_NS = 6 * SECOND_NS


def fresh_steps(facts: DriveFacts, effort: Effort, long_bytes: int) -> list[Step]:
    """For each request size a short burst in fine rows and one of long_bytes, each after idleness."""
    steps: list[Step] = []
    sizes = effort.choose((1024, 64, 8), (1024, 256, 64, 16, 8), (1024, 512, 256, 128, 64, 32, 16, 8))
    for size_kib in sizes:
        request = max(size_kib * _KIB, facts.sector_bytes)
        for words, total, row_ns in (("short", _FINE_BYTES, _FINE_ROW_NS), ("long", long_bytes, _COARSE_ROW_NS)):
            if _room(facts, total, request) >= 16 * request:
                name = f"burst {words} {format_bytes_binary(request)}"
                labels = Labels.of(BURST, state=FRESH, extent=words)
                steps += [
                    Idle(f"idle before {name}", _REST_NS),
                    _burst(name, facts, request, total, row_ns, labels),
                ]
    return steps


def _room(facts: DriveFacts, total: int, request: int) -> int:
    return whole_requests(min(total, facts.user_bytes // 4), request)


def _burst(name: str, facts: DriveFacts, request: int, total: int, row_ns: int, labels: Labels) -> Workload:
    amount = _room(facts, total, request)
    job = sequential_writes(
        name.replace(" ", "-").replace(":", ""),
        request_bytes=request,
        size_bytes=amount,
        runtime_ns=facts.per_time(_RUNTIME_NS),
        queue_depth=1,
    )
    return Workload(name, (job,), row_ns, amount, 0, labels=labels)


def paced_steps(facts: DriveFacts, total: int) -> list[Step]:
    """Bursts of several paces on a drive that answers at once: of most drives one or two are just above the flash."""
    request = 64 * _KIB
    steps: list[Step] = []
    if _room(facts, total, request) < 64 * request:
        return steps
    for pace in _PACES_BYTES_PER_SECOND:
        name = f"burst paced {format_rate(pace)}"
        step = _burst(name, facts, request, total, _COARSE_ROW_NS, Labels.of(BURST, state=FRESH, extent="paced"))
        job = replace(step.jobs[0], thinktime_ns=request * SECOND_NS // pace)
        steps += [Idle(f"idle before {name}", _REST_NS), replace(step, jobs=(job,))]
    return steps


def gap_steps(facts: DriveFacts, total: int) -> list[Step]:
    """A burst that fills the buffer, then bursts after longer and longer gaps."""
    request = 64 * _KIB
    if _room(facts, total, request) < 64 * request:
        return []
    steps: list[Step] = [_burst("gap none", facts, request, total, _COARSE_ROW_NS, Labels.of(GAP, gap_ns=0))]
    for gap_ns in _GAPS_NS:
        words = format_time(gap_ns)
        labels = Labels.of(GAP, gap_ns=gap_ns)
        steps += [Idle(f"idle {words}", gap_ns), _burst(f"gap {words}", facts, request, total, _MS, labels)]
    return steps


def _small_writes(
    name: str, facts: DriveFacts, span: int, depth: int, seed: int, labels: Labels = NO_LABELS
) -> Workload:
    request = max(4096, facts.sector_bytes)
    span = whole_requests(min(span, facts.user_bytes // 4), request)
    job = random_writes(
        "small-writes",
        request_bytes=request,
        grid_bytes=request,
        size_bytes=span,
        io_bytes=4 << 30,
        runtime_ns=_DOCUMENT_RUNTIME_NS,
        queue_depth=depth,
        seed=seed,
    )
    return Workload(name, (replace(job, time_based=True),), 100 * _MS, 4 << 30, 0, labels=labels)


def document_steps(facts: DriveFacts) -> list[Step]:
    """The two conditions of the document on the Toshiba HG3."""
    request = MIB if facts.user_bytes > 256 * MIB else 64 * _KIB
    small, deep = (Labels.of(DOCUMENT, condition=condition) for condition in (SMALL_FILE, DEEP_ALONE))
    return [
        _burst(f"{SMALL_FILE}: file", facts, request, 50 * MIB, 10 * _MS, NO_LABELS),
        Idle(f"{SMALL_FILE}: idle", _REST_NS),
        _small_writes(f"{SMALL_FILE}: rand_write_4k", facts, 50 * MIB, 1, 11, small),
        _small_writes(f"{DEEP_ALONE}: other load", facts, 1000 * MIB, 1, 12),
        Idle(f"{DEEP_ALONE}: idle", 10 * SECOND_NS),
        _small_writes(f"{DEEP_ALONE}: rand_write_4k_qd32", facts, 1000 * MIB, 32, 13, deep),
    ]


def used_steps(facts: DriveFacts, total: int) -> list[Step]:
    """4 KiB at random on a full and overwritten drive, after idle time too short for collection to begin."""
    request = max(4096, facts.sector_bytes)
    overwritten = filled(facts, "used: overwritten", overwritten=True, labels=Labels.of("overwritten", state=USED))
    steps = [*first_state(facts, "used: first state"), overwritten]
    amount = whole_requests(min(total, facts.user_bytes // 8), request)
    for number in range(1, 4):
        job: Job = random_writes(
            f"used-{number}",
            request_bytes=request,
            grid_bytes=request,
            size_bytes=whole_requests(facts.user_bytes, request),
            io_bytes=amount,
            runtime_ns=facts.per_time(_RUNTIME_NS),
            seed=20 + number,
        )
        # The first one brings the drive to its pace.
        name = "used: settling" if number == 1 else f"used: burst {number - 1}"
        role, family = (SETTLING, "") if number == 1 else (BURST, "used: burst")
        labels = Labels.of(role, state=USED, family=family)
        steps += [Workload(name, (job,), 5 * _MS, amount, 0, labels=labels), Idle(f"used: idle after {name}", _REST_NS)]
    return steps
