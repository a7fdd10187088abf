"""Plans of examinations of real drives: what they write and take stays within what is promised, on any drive."""

from dataclasses import replace
from functools import cache

import pytest

from flashscope.drives.addresses.address import parse_address
from flashscope.drives.open import probe
from flashscope.drives.parts.part import list_parts
from flashscope.experiments.catalogue import all_experiments
from flashscope.records.capability import Capability
from flashscope.records.drive_facts import DriveFacts
from flashscope.records.time_cost import TimeCost
from flashscope.runner.budget.budget import usual_budget
from flashscope.runner.budget.choose import choose_within
from flashscope.runner.effort import Effort, Extent
from flashscope.runner.experiment import Experiment
from flashscope.runner.real_estimate import assumed_speed, expected_s
from flashscope.workloads.steps import LaidOut
from tests.facts import file_facts

_ONLY_VIRTUAL = {Capability.GLASS, Capability.LAID_OUT, Capability.SECURE_ERASE, Capability.FILES, Capability.VOLUMES}
_FILES = (256 << 20, 2 << 30, 64 * 10**9, 2 * 10**12)
_SOME = {"c300-256", "wd30ezrs", f"file of {2 << 30}"}
DRIVES = [*list_parts(), *(f"file of {size}" for size in _FILES)]
STANDARD_TOO = [name if name in _SOME else pytest.param(name, marks=pytest.mark.long) for name in DRIVES]


@cache
def facts_of(name: str) -> DriveFacts:
    """A drive of that part in a machine, or a file."""
    if name.startswith("file of "):
        return file_facts(int(name.removeprefix("file of ")))
    facts = probe(parse_address(f"sim:{name}"))
    can = facts.capabilities - _ONLY_VIRTUAL
    return replace(facts, time_cost=TimeCost.OWN, capabilities=can, virtual=None, link_bytes_per_second=8 * 10**9)


@cache
def chosen(name: str, extent: Extent) -> tuple[list[Experiment], dict[str, str]]:
    """The experiments of an examination, and who is left out."""
    facts = facts_of(name)
    speed = assumed_speed(facts)
    return choose_within(all_experiments(), facts, Effort(extent), usual_budget(facts, extent, speed), speed)


def costs(name: str, experiments: list[Experiment]) -> tuple[float, float]:
    """Drive-fills and seconds of all steps."""
    facts = facts_of(name)
    steps = [step for each in experiments for step in each.steps(facts)]
    return sum(step.bytes_to_write for step in steps) / facts.user_bytes, expected_s(steps, assumed_speed(facts))


@pytest.mark.parametrize("name", DRIVES)
def test_quick_writes_a_tenth_of_the_drive_and_takes_ten_minutes(name: str) -> None:
    experiments, left_out = chosen(name, Extent.QUICK)
    fills, seconds = costs(name, experiments)
    assert 0 < fills <= 0.1
    assert seconds <= 600
    assert {each.name for each in experiments}.isdisjoint(left_out)


@pytest.mark.parametrize("name", STANDARD_TOO)
def test_the_usual_writes_three_fills_and_takes_an_hour_for_a_terabyte(name: str) -> None:
    experiments, left_out = chosen(name, Extent.STANDARD)
    facts = facts_of(name)
    fills, seconds = costs(name, experiments)
    fill_s = facts.user_bytes / assumed_speed(facts).write.bytes_per_second
    assert 1 < fills <= 3
    assert seconds <= max(1200, 3600 * facts.user_bytes / 1e12, 1.25 * fill_s)
    assert all("take about" in why for why in left_out.values())


def test_a_plain_drive_is_asked_for_everything_that_half_a_drive_fill_can_tell() -> None:
    for name in ("hg3-512", "micron-7450-max-800", "kc3000-1024"):
        experiments, _ = chosen(name, Extent.QUICK)
        told = set().union(*(each.tells for each in experiments))
        assert {"mapping_unit", "write_buffer", "parallelism", "compression", "freezes", "sustained_rate"} <= told


def test_an_experiment_goes_as_far_as_it_was_allotted_whatever_the_run_asks_for() -> None:
    experiments, _ = chosen("file of 2147483648", Extent.QUICK)
    facts = facts_of("file of 2147483648")
    for each in experiments:
        assert each.steps(facts) == each.steps(facts, Effort(Extent.FULL))


@pytest.mark.parametrize("part", ["kc3000-1024", "jmf602-32"])
def test_a_quick_run_on_a_virtual_drive_is_bounded_in_bytes_or_in_its_own_time(part: str) -> None:
    facts = probe(parse_address(f"sim:{part}"))
    effort = Effort(Extent.QUICK)
    steps = [step for each in all_experiments() for step in each.steps(facts, effort)]
    written = sum(step.bytes_to_write for step in steps if not isinstance(step, LaidOut))
    assert written <= max(8 * facts.user_bytes, 2 * 10**12)
    overwriting = [
        job for step in steps if isinstance(step, LaidOut) for job in step.jobs if job.direction == "randwrite"
    ]
    assert all(job.runtime_ns for job in overwriting)
