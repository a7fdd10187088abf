"""Experiments ask for capabilities: a kind of drive that nobody has thought of needs no edit in any of them."""

from __future__ import annotations

import itertools

import pytest

from flashscope.experiments.catalogue import all_experiments, find
from flashscope.records.capability import Capability
from flashscope.records.drive_facts import DriveFacts
from flashscope.records.time_cost import TimeCost
from flashscope.runner.effort import Effort, Extent
from flashscope.runner.experiment import Experiment
from flashscope.runner.needs import why_left_out
from flashscope.runner.run import check_steps
from tests.facts import device_facts, directory_facts, facts_of, file_facts, virtual_facts

GB = 10**9
EFFORTS = [Effort(extent, read_only) for extent, read_only in itertools.product(Extent, (False, True))]
every_experiment = pytest.mark.parametrize("experiment", all_experiments(), ids=lambda one: one.name)


def cloud_volume(user_bytes: int, *can: Capability, cost: TimeCost = TimeCost.OWN) -> DriveFacts:
    """A drive of a kind that flashscope does not have: nothing but what it states is known of it."""
    members = ("vol-1a", "vol-1b") if Capability.MEMBERS in can else ()
    return DriveFacts("cloud:vol-1", "cloud volume", "", "", "", user_bytes, cost, frozenset(can), members=members)


@every_experiment
@pytest.mark.parametrize("cost", TimeCost)
def test_a_new_kind_of_drive_gets_steps_or_a_reason_from_every_experiment(
    experiment: Experiment, cost: TimeCost
) -> None:
    for user_bytes, effort in itertools.product((1 << 20, 100 << 20, 20 * GB), EFFORTS):
        for can in ((), (Capability.BARE, Capability.SOLID_STATE, Capability.TRIM), tuple(Capability)):
            facts = cloud_volume(user_bytes, *can, cost=cost)
            steps, why = experiment.steps(facts, effort), why_left_out(experiment, facts, effort)
            assert bool(steps) != bool(why), f"{len(steps)} steps, and the reason is {why!r}"
            if not facts.can(Capability.FILES):
                check_steps(steps, facts)


@every_experiment
def test_an_experiment_with_a_need_that_is_missing_has_no_steps_and_names_the_need(experiment: Experiment) -> None:
    whole = cloud_volume(20 * GB, *Capability)
    for capability in experiment.needs.capabilities:
        facts = cloud_volume(20 * GB, *(set(Capability) - {capability}))
        assert experiment.steps(facts, Effort(Extent.FULL)) == []
        assert why_left_out(experiment, facts, Effort(Extent.FULL)) == capability.missing
    assert experiment.needs.missing(whole, Effort(Extent.FULL)) == ""


@every_experiment
def test_what_is_left_out_of_the_kinds_that_there_are_has_a_reason(experiment: Experiment) -> None:
    for kind, size, effort in itertools.product(
        ("virtual", "block device", "file", "directory"), (1 << 20, 64 << 20, 500 * GB), EFFORTS
    ):
        facts = facts_of(kind, size)
        assert bool(experiment.steps(facts, effort)) != bool(why_left_out(experiment, facts, effort))


@pytest.mark.parametrize(
    ("name", "facts", "effort", "why"),
    [
        ("stripe-scaling", virtual_facts(GB), Effort(), "the drive is not an array of several drives"),
        ("archives", device_facts(GB), Effort(), "the drive holds no files; mount a file system"),
        ("ageing-diary", file_facts(GB), Effort(Extent.FULL), "the drive is reached through a file system"),
        (
            "ageing-diary",
            device_facts(GB),
            Effort(),
            "on a block device of this size; run it with --full",
        ),
        ("three-states", device_facts(256 * GB), Effort(Extent.QUICK), "run it without --quick"),
        ("three-states", device_facts(GB), Effort(read_only=True), "it writes, so this question stays open: "),
        ("fill-and-recovery", virtual_facts(1 << 20), Effort(), "67.1 MB are the least"),
        ("copy-within-drive", directory_facts(1 << 20), Effort(), "1.05 MB are too small for it"),
    ],
)
def test_the_reason_names_what_is_missing(name: str, facts: DriveFacts, effort: Effort, why: str) -> None:
    assert why in why_left_out(find(name), facts, effort)
