from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from flashscope.errors import WrongUse
from flashscope.records import Status
from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.asked import Asked
from flashscope.runner.jobs_experiment import JobsExperiment
from flashscope.runner.plan import make_plan
from flashscope.runner.probe import Probe, Seen
from flashscope.runner.progress.progress import Silent
from flashscope.runner.run import run_experiment
from flashscope.runner.virtual_estimate import estimates_side_by_side
from flashscope.store.store import Store
from flashscope.workloads.steps import Idle, ReadSmart, Step
from tests.facts import file_facts
from tests.known import known

from .fakes import REQUEST_BYTES, REQUEST_NS, USER_BYTES, FakeDrive, FakeExperiment, write_job, write_step

IO_BYTES = 40 * 2**20


def real_facts() -> DriveFacts:
    return file_facts(FakeDrive().facts.user_bytes, address="file:x")


def test_a_plan_counts_bytes_fills_cycles_and_life() -> None:
    plan = make_plan([FakeExperiment()], FakeDrive().facts, scratch=FakeDrive)
    (only,) = plan.experiments
    assert plan.destructive
    assert only.bytes_to_write == IO_BYTES
    assert only.drive_fills == IO_BYTES / USER_BYTES
    assert only.erase_cycles_at_least == IO_BYTES / (2 * USER_BYTES)
    assert only.rated_life_ratio == only.erase_cycles_at_least / 1000
    assert "write amplification of 1" in plan.assumptions[0]


def test_a_plan_of_reads_is_not_destructive() -> None:
    assert not make_plan([FakeExperiment([ReadSmart("s")])], FakeDrive().facts, scratch=FakeDrive).destructive


def test_the_time_of_a_virtual_run_is_measured_on_a_scratch_copy_alone() -> None:
    drives: list[FakeDrive] = []

    def scratch() -> FakeDrive:
        drives.append(FakeDrive())
        return drives[-1]

    plan = make_plan([FakeExperiment([write_step(), Idle("rest", 10**9)])], FakeDrive().facts, scratch=scratch)
    simulated = known(plan.experiments[0].simulated_time)
    assert simulated.low_ns <= IO_BYTES / REQUEST_BYTES * REQUEST_NS + 10**9 <= simulated.high_ns
    assert simulated.low_ns > 10**9
    assert len(drives) == 1, "one that is probed"


def test_the_total_adds_up() -> None:
    plan = make_plan([FakeExperiment(), FakeExperiment()], FakeDrive().facts, scratch=FakeDrive)
    assert plan.total.bytes_to_write == 2 * IO_BYTES
    assert plan.total.simulated_time is not None
    times = [known(each.simulated_time) for each in plan.experiments]
    total = plan.total.simulated_time
    assert total.expected_ns == sum(time.expected_ns for time in times)
    assert total.low_ns > sum(time.low_ns for time in times), "both do not err to the same side"
    assert total.high_ns < sum(time.high_ns for time in times)
    if plan.workers > 1:  # side by side they take as long as one
        assert plan.total.wall_time.expected_ns == max(each.wall_time.expected_ns for each in plan.experiments)


def test_an_unknown_real_drive_gets_a_range_and_says_what_it_assumes() -> None:
    plan = make_plan([FakeExperiment([write_step()])], real_facts())
    (only,) = plan.experiments
    assert only.simulated_time is None
    assert only.rated_life_ratio is None
    assert only.wall_time.low_ns < only.wall_time.high_ns
    assert "from 20 to 3000 MB/s" in plan.assumptions[1]
    assert "raw flash is unknown" in plan.assumptions[0]


def test_a_time_limit_bounds_the_range() -> None:
    plan = make_plan([FakeExperiment([write_step(runtime_ns=5 * 10**9)])], real_facts())
    assert 5 * 10**9 <= plan.experiments[0].wall_time.high_ns <= 6.1e9, "the limit, and the start of fio"


def test_a_known_real_drive_takes_as_long_as_it_took(tmp_path: Path) -> None:
    with Store(tmp_path / "s.sqlite") as store:
        record = run_experiment(
            FakeExperiment([write_step()]), FakeDrive(), Asked(seed=0, command=""), store=store, progress=Silent()
        )
        assert record.status is Status.DONE
        facts = FakeDrive().facts
        plan = make_plan([FakeExperiment([write_step(io_bytes=2 * IO_BYTES)])], facts, store=store)
        time = plan.experiments[0].wall_time
        assert time.low_ns < 2 * IO_BYTES / REQUEST_BYTES * REQUEST_NS < time.high_ns
        assert record.id in time.basis
        other = make_plan([FakeExperiment([write_step()])], replace(facts, serial="another"), store=store)
        assert "assuming" in other.experiments[0].wall_time.basis


def test_a_plan_that_does_not_fit_the_drive_is_refused() -> None:
    with pytest.raises(WrongUse, match="ends at"):
        make_plan([FakeExperiment([write_step(size_bytes=2 * USER_BYTES)])], FakeDrive().facts, scratch=FakeDrive)


def test_each_group_of_a_job_file_is_a_step_and_smart_is_read_around_them() -> None:
    jobs = [write_job(), replace(write_job(), name="v"), replace(write_job(), name="x", group=1)]
    steps = JobsExperiment("mixed", jobs).steps(FakeDrive().facts)
    assert [step.name for step in steps] == ["SMART before", "group 1: w, v", "group 2: x", "SMART after"]
    assert [step.bytes_to_write for step in steps] == [0, 2 * IO_BYTES, IO_BYTES, 0]


def test_a_job_limited_by_time_alone_is_bounded_by_what_a_link_can_carry() -> None:
    job = replace(write_job(), time_based=True, runtime_ns=10 * 10**9)
    _, step, _ = JobsExperiment("timed", [job]).steps(FakeDrive().facts)
    assert step.bytes_to_write == 6_000_000_000


def test_several_probes_find_what_one_finds_and_try_no_load_again() -> None:
    depths = range(1, 11)
    steps: list[list[Step]] = [
        [write_step(queue_depth=depth), Idle("rest", 10**9)] for depth in (*depths, *depths, *depths)
    ]
    facts, found = FakeDrive().facts, []
    for count in (1, 3):
        looks: list[FakeDrive] = []
        seen = Seen()
        probes = [Probe(_counting(looks), facts.user_bytes, seen) for _ in range(count)]
        found.append(estimates_side_by_side(steps, facts, probes))
        assert len(seen.rates) == len(depths)
        starts = sum(drive.calls.count("start") for drive in looks)
        assert starts >= len(depths)
        assert starts < len(steps), "the others are known already"
    one, three = ([(each.simulated, each.written_bytes, each.read_bytes) for each in of] for of in found)
    assert one == three


def test_a_probe_that_fails_fails_the_plan() -> None:
    def broken() -> FakeDrive:
        raise WrongUse("this drive cannot be built")

    with pytest.raises(WrongUse, match="cannot be built"):
        make_plan([FakeExperiment(), FakeExperiment()], FakeDrive().facts, scratch=broken)


def _counting(drives: list[FakeDrive]) -> Callable[[], FakeDrive]:
    def scratch() -> FakeDrive:
        drives.append(FakeDrive())
        return drives[-1]

    return scratch
