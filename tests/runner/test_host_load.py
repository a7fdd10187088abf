"""What others do on the machine and on the drive while it is measured becomes a doubt of the run."""

from __future__ import annotations

from dataclasses import replace

import pytest

from flashscope.records import Record, Status, StepKind, Table, WorkloadResult
from flashscope.records.drive_facts import DeviceFacts
from flashscope.runner.host_load import HostLoad, doubts_of_load, host_load
from tests.dossier.judge.planted import done, record
from tests.facts import device_facts

GIB = 1 << 30
IDLE = HostLoad(processors_s=0, busy_s=0, stolen_s=0, own_s=0, moved_bytes=0)


def moved(own_bytes: int) -> Record:
    """A run whose step wrote so much."""
    workload = WorkloadResult(1, Table(), {}, {"written_bytes": own_bytes})
    return record("toy", facts=device_facts(GIB), steps=[done(StepKind.WORKLOAD, workload=workload)])


@pytest.mark.parametrize(
    ("after", "kinds"),
    [
        (HostLoad(200, 150, 0, 20, GIB), ["BusyHost"]),
        (HostLoad(200, 150, 0, 120, GIB), []),
        (HostLoad(200, 60, 40, 50, GIB), ["BusyHost"]),
        (HostLoad(200, 60, 0, 50, 2 * GIB), ["SharedDrive"]),
        (HostLoad(200, 60, 0, 50, GIB + (1 << 20)), []),
        (HostLoad(200, 60, 0, 50, 2 * GIB, own_bytes=GIB), ["SharedDrive"]),  # the run's own, which are counted there
        (HostLoad(200, 60, 0, 50, 2 * GIB, own_bytes=2 * GIB), []),
        (HostLoad(200, 60, 0, 50, None), []),
        (HostLoad(0.5, 0.5, 0, 0, GIB), []),
    ],
)
def test_what_others_used_is_what_was_used_less_our_own(after: HostLoad, kinds: list[str]) -> None:
    assert [doubt.kind for doubt in doubts_of_load(IDLE, after, moved(GIB))] == kinds


def test_of_a_failed_step_nobody_knows_what_it_moved() -> None:
    run = moved(GIB)
    run.steps.append(done(StepKind.WORKLOAD, status=Status.FAILED))
    assert doubts_of_load(IDLE, HostLoad(200, 60, 0, 50, 3 * GIB), run) == []


def test_the_counters_of_this_machine_are_read_and_never_fall() -> None:
    facts = replace(device_facts(GIB), device=DeviceFacts("/dev/no-such-drive", 512))
    before, after = host_load(facts), host_load(facts)
    assert before.moved_bytes is None
    assert 0 < before.own_s <= after.own_s
    assert before.processors_s <= after.processors_s
    assert before.busy_s <= before.processors_s
