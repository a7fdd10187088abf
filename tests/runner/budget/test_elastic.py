"""Loads that end by time are given an end by bytes."""

from dataclasses import replace

from flashscope.experiments.catalogue import find
from flashscope.experiments.profiles.passes import Load, one_pass
from flashscope.experiments.profiles.test_file import TestFile
from flashscope.experiments.streams import MIB, SECOND_NS, sequential_writes
from flashscope.runner.budget.elastic import within
from flashscope.runner.effort import Effort, Extent
from flashscope.workloads.steps import Step, Workload
from tests.facts import file_facts
from tests.steps import jobs_of

FILE = TestFile(0, 64 * MIB)
TIMED = one_pass("timed", Load("w", "write", MIB), FILE, runtime_ns=5 * SECOND_NS)
FILL = Workload("fill", (sequential_writes("fill", request_bytes=MIB, size_bytes=64 * MIB),), SECOND_NS, 64 * MIB, 0)


def written(steps: list[Step]) -> int:
    return sum(step.bytes_to_write for step in steps)


def test_steps_that_write_little_enough_stay_as_they_are() -> None:
    assert within([FILL, TIMED], 10**12) == [FILL, TIMED]


def test_a_load_with_a_time_limit_gives_way_and_a_fill_does_not() -> None:
    cut = within([FILL, TIMED], 400 * MIB)
    assert cut[0] == FILL
    assert written(cut) <= 400 * MIB
    job = jobs_of(cut[1])[0]
    assert not job.time_based
    assert job.io_bytes == cut[1].bytes_to_write
    assert job.runtime_ns == 5 * SECOND_NS


def test_where_fills_alone_are_too_much_there_are_no_steps() -> None:
    assert within([FILL, TIMED], 63 * MIB) == []


def test_a_load_is_not_cut_to_a_few_requests() -> None:
    assert within([FILL, TIMED], 64 * MIB + 8 * MIB) == []


def test_writes_beside_reads_stay_as_they_are() -> None:
    reads = replace(TIMED.jobs[0], name="reads", direction="read")
    beside = replace(TIMED, jobs=(*TIMED.jobs, reads), bytes_to_read=10)
    assert within([beside], beside.bytes_to_write - 1) == []


def test_the_labels_by_which_the_analysis_finds_a_step_are_kept() -> None:
    facts = file_facts(2 << 30)
    for name in ("crystaldiskmark-8", "small-write-matrix", "queue-depth", "misalignment"):
        whole = find(name).steps(facts, Effort(Extent.QUICK, most_bytes=10**12))
        cut = within(whole, sum(step.bytes_to_write for step in whole) // 2)
        assert [(step.name, step.labels) for step in cut] == [(step.name, step.labels) for step in whole] or not cut
