"""Toy drives with the attribute layouts of three controller families."""

from dataclasses import replace
from itertools import accumulate, pairwise

import pytest

from flashscope.experiments.smart_inference import SmartInference
from flashscope.records import SmartAttribute, WorkloadResult
from flashscope.records.abstention import why_untold
from flashscope.records.drive_facts import VirtualFacts
from flashscope.runner.effort import Effort, Extent
from flashscope.workloads.steps import LaidOut, ReadSmart, Workload
from tests.experiments.toy import ToyDrive, toy
from tests.findings import by_key, holds
from tests.steps import workloads

EXPERIMENT = SmartInference()
ONYX = 32_017_047_552
RAW = 32 << 30


def raw(number: int, count: float, value: int = 100) -> SmartAttribute:
    return SmartAttribute(number, 0x32, value, 100, int(count).to_bytes(6, "little"))


def wide(number: int, count: float) -> SmartAttribute:
    data = int(count).to_bytes(8, "little")
    return SmartAttribute(number, 0, data[0], data[1], data[2:])


def indilinx(toy: ToyDrive) -> list[SmartAttribute]:
    average = int(toy.erases)
    return [
        wide(1, 7),
        wide(9, 1000 + toy.elapsed_ns // (3600 * 10**9)),
        wide(12, 31),
        wide(199, 6_330_323_903 + toy.host_bytes // 512),
        wide(201, 1_000_000 + toy.host_requests),
        wide(206, int(toy.erases - 2.6)),
        wide(207, int(toy.erases + 5.3)),
        wide(208, average),
        wide(209, 100 - average // 50),
    ]


def micron(toy: ToyDrive) -> list[SmartAttribute]:
    average = 24 + int(toy.erases)
    return [
        raw(9, 500 + toy.elapsed_ns // (3600 * 10**9)),
        raw(12, 31),
        raw(170, 1000 - int(toy.host_bytes // 10**11), value=100),
        raw(173, average, value=100 - average // 20),
        raw(181, (toy.host_requests % 60_000 << 32) | 77),
        raw(194, 35 + toy.host_requests % 3),
        raw(202, average // 30, value=100 - average // 30),
        raw(13, 5 + toy.elapsed_ns // (60 * 10**9)),
    ]


def sandforce(toy: ToyDrive) -> list[SmartAttribute]:
    return [
        raw(177, int(toy.erases) % 3),
        raw(233, int(toy.erases * toy.step_bytes) // 2**30),
        raw(241, toy.host_bytes // 2**30),
        raw(231, 0, value=100 - int(toy.erases) // 30),
    ]


def jmicron_602(toy: ToyDrive) -> list[SmartAttribute]:
    """One attribute with the average and the highest erase count, highest byte first; the latter runs ahead when small
    writes go to few blocks."""
    average, highest = int(toy.erases), int(toy.erases) + toy.host_requests // 20_000
    data = average.to_bytes(3, "big") + highest.to_bytes(3, "big") + bytes(1)
    return [raw(12, 31), SmartAttribute(234, 2, 100, data[0], data[1:])]


def test_of_an_average_and_a_highest_erase_count_in_one_attribute_the_average_tells_the_wear() -> None:
    drive = toy(ONYX, smart=jmicron_602, write_amplification=25.0, raw_bytes=RAW)
    found = by_key(drive.run(EXPERIMENT))
    erase, ratio = found["erase_count_attribute"], found["write_amplification_random"]
    assert (erase.value, erase.details["layout"]) == (234, "24-bit from the worst byte, highest first")
    assert ratio.value == pytest.approx(25.0, rel=0.06)


@pytest.mark.parametrize("amplification", [1.3, 4.0, 25.0])
def test_the_indilinx_layout_is_understood_without_being_told(amplification: float) -> None:
    drive = toy(ONYX, smart=indilinx, write_amplification=amplification, raw_bytes=RAW)
    found = by_key(drive.run(EXPERIMENT))
    erase = found["erase_count_attribute"]
    assert erase.value == 208
    assert erase.details["layout"] == "64-bit from the value byte"
    assert set(erase.details["also_erase_counts"]) == {206, 207}
    step = found["erase_step_host_bytes"]
    assert step.value == pytest.approx(34.3e9, rel=0.015)
    assert holds(step, 34.3e9)
    written = found["host_written_attribute"]
    assert (written.value, written.details["unit_bytes"]) == (199, 512)
    ratio = found["write_amplification_random"]
    if amplification > 3:
        assert ratio.value == pytest.approx(amplification, rel=0.06)
    if ratio.value is not None:
        assert holds(ratio, amplification)
    roles = {row["attribute"]: row["role"] for row in erase.details["attributes"]}
    assert roles[201] == "host commands"
    reasons = {row["attribute"]: row["reason"] for row in erase.details["attributes"]}
    assert reasons[12] == "never moved"
    assert "hours" in reasons[9]


@pytest.mark.parametrize("known_flash", [True, False])
def test_the_micron_layout_is_understood_and_every_other_attribute_gets_its_reason(known_flash: bool) -> None:
    drive = toy(
        256_060_514_304,
        smart=micron,
        step_bytes=252 * 2**30,
        write_amplification=8.0,
        raw_bytes=(256 << 30) if known_flash else 0,
    )
    found = by_key(drive.run(EXPERIMENT))
    assert found["erase_count_attribute"].value == 173
    assert found["erase_count_attribute"].details["layout"] == "raw 48-bit"
    assert found["erase_step_host_bytes"].value == pytest.approx(252 * 2**30, rel=0.015)
    assert found["write_amplification_random"].value == pytest.approx(8, rel=0.05)
    assert found["host_written_attribute"].value is None
    reasons = {row["attribute"]: row["reason"] for row in found["erase_count_attribute"].details["attributes"]}
    assert reasons[170] == "falls"
    assert reasons[194] == "falls"
    assert "idle" in reasons[13]


def test_a_drive_that_counts_flash_bytes_but_no_erases_still_gives_its_write_amplification() -> None:
    drive = toy(120_034_123_776, smart=sandforce, step_bytes=126e9, write_amplification=3.0, raw_bytes=128 << 30)
    found = by_key(drive.run(EXPERIMENT))
    assert found["erase_count_attribute"].value is None
    assert found["erase_step_host_bytes"].value is None
    assert found["host_written_attribute"].value == 241
    assert found["host_written_attribute"].details["unit_bytes"] == 2**30
    ratio = found["write_amplification_random"]
    assert ratio.value == pytest.approx(3, rel=0.03)
    assert [doubt.kind for doubt in ratio.doubts] == ["UnitAssumed"]


def test_a_flash_counter_in_the_host_unit_gives_the_amplification_even_if_ordered_writing_costs_more() -> None:
    drive = toy(
        120_034_123_776,
        smart=lambda toy: [raw(233, int(toy.erases * 126e9) // 2**30), *sandforce(toy)[2:]],
        step_bytes=126e9 / 1.35,
        write_amplification=3.0,
    )
    found = by_key(drive.run(EXPERIMENT))
    assert found["write_amplification_random"].value == pytest.approx(3 * 1.35, rel=0.03)
    assert "1.35" in found["write_amplification_random"].statement


def test_a_write_amplification_that_still_grows_is_doubted(monkeypatch: pytest.MonkeyPatch) -> None:
    drive = toy(ONYX, smart=indilinx, write_amplification=12.0, raw_bytes=RAW)
    work = drive.work

    def growing(step: Workload) -> WorkloadResult:
        drive.write_amplification = 4 + 12 * drive.random_bytes / ONYX
        return work(step)

    monkeypatch.setattr(drive, "work", growing)
    ratio = by_key(drive.run(EXPERIMENT))["write_amplification_random"]
    assert "NotSteady" in [doubt.kind for doubt in ratio.doubts]


def test_a_drive_without_smart_takes_no_step_and_gets_one_finding_that_says_why() -> None:
    drive = toy(kind="file")
    assert EXPERIMENT.steps(drive.facts) == []
    (finding,) = drive.run(EXPERIMENT).findings
    assert finding.value is None
    assert "shows no SMART" in finding.statement


def test_a_run_that_was_stopped_early_gives_one_finding_that_says_so() -> None:
    drive = toy(ONYX, smart=indilinx, stop_after="SMART after conditioning", raw_bytes=RAW)
    (finding,) = drive.run(EXPERIMENT).findings
    assert "ended after 1 SMART" in finding.statement


def test_a_run_stopped_before_the_random_part_still_finds_the_erase_count() -> None:
    drive = toy(ONYX, smart=indilinx, stop_after="SMART after sequential 4.56", raw_bytes=RAW)
    found = by_key(drive.run(EXPERIMENT))
    assert found["erase_count_attribute"].value == 208
    assert found["write_amplification_random"].value is None


@pytest.mark.parametrize("user_bytes", [64 << 20, ONYX, 256_060_514_304])
def test_the_steps_write_five_and_a_quarter_fills_in_order_and_one_at_random_each_place_and_seed_once(
    user_bytes: int,
) -> None:
    facts = toy(user_bytes, smart=indilinx).facts
    steps = EXPERIMENT.steps(facts, Effort(Extent.FULL))
    names = [step.name for step in steps]
    assert len(names) == len(set(names))
    ordered = sum(step.bytes_to_write for step in steps if step.name.split()[0] in ("conditioning", "sequential"))
    random = [step for step in workloads(steps) if step.name.startswith("random")]
    assert ordered == pytest.approx(5.25 * user_bytes, rel=0.02)
    share = 0.6 if user_bytes > 160e9 else 1.0
    assert sum(step.bytes_to_write for step in random) == pytest.approx(share * user_bytes, rel=0.02)
    assert len({step.jobs[0].seed for step in random}) == len(random)
    assert all(step.bytes_to_write % step.jobs[0].write_sizes.align_bytes == 0 for step in random)
    assert sum(isinstance(step, ReadSmart) for step in steps) > 100


def test_a_quick_run_on_a_large_virtual_drive_still_writes_two_drives_of_flash_in_order() -> None:
    user_bytes, raw_bytes = 512_110_190_592, 512 << 30
    steps = EXPERIMENT.steps(toy(user_bytes, smart=micron, raw_bytes=raw_bytes).facts, Effort(Extent.QUICK))
    assert isinstance(steps[0], LaidOut)
    before = steps[0].bytes_to_write + steps[1].bytes_to_write
    assert before > raw_bytes, "no erased block is left"
    counted = sum(step.bytes_to_write for step in workloads(steps) if step.name.startswith("sequential"))
    assert 2.1 * raw_bytes < counted < 2.5 * user_bytes
    last = [step for step in workloads(steps) if step.name.startswith("sequential 3")]
    assert last[0].jobs[0].offset_bytes == 0


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("erases", [0.17, 0.4, 0.63, 0.86])
def test_of_three_steps_of_a_counter_the_bytes_between_two_are_known_to_a_hundredth(erases: float, seed: int) -> None:
    step_bytes = 273_166_630_912
    drive = toy(256_060_514_304, smart=micron, step_bytes=step_bytes, raw_bytes=256 << 30)
    drive.facts = replace(drive.facts, virtual=VirtualFacts("ssd", seed))
    drive.erases = erases
    step = by_key(drive.run(EXPERIMENT))["erase_step_host_bytes"]
    assert holds(step, step_bytes)
    assert step.value == pytest.approx(step_bytes, rel=0.01)


def test_two_alike_counters_without_a_third_are_ambiguous() -> None:
    drive = toy(ONYX, smart=lambda toy: [raw(173, int(toy.erases)), raw(177, int(toy.erases + 7))], raw_bytes=RAW)
    erase = by_key(drive.run(EXPERIMENT))["erase_count_attribute"]
    assert erase.value in (173, 177)
    assert "Ambiguous" in [doubt.kind for doubt in erase.doubts]


def random_ends(seed: int) -> list[int]:
    """Bytes written at random before each reading of SMART."""
    facts = toy(ONYX, smart=indilinx).facts
    facts = replace(facts, virtual=VirtualFacts("ssd", seed))
    amounts = [step.bytes_to_write for step in workloads(EXPERIMENT.steps(facts)) if step.name.startswith("random")]
    return list(accumulate(amounts))


def test_seeds_read_smart_at_other_places_and_seed_0_after_whole_chunks() -> None:
    """A counter of few steps gives one value to all runs whose steps fall between the same readings."""
    whole, one, two = (random_ends(seed) for seed in (0, 1, 2))
    assert whole[0] == whole[1] - whole[0]
    assert whole[-1] == one[-1] == two[-1], "as much is written"
    assert len({whole[0], one[0], two[0]}) == 3
    assert {after - before for before, after in pairwise(one[:-1])} == {whole[0]}


def test_a_coarse_counter_gives_another_value_for_another_seed() -> None:
    values = set()
    for seed in (1, 2):
        drive = toy(ONYX, smart=indilinx, write_amplification=25.0, raw_bytes=RAW)
        drive.facts = replace(drive.facts, virtual=VirtualFacts("ssd", seed))
        values.add(by_key(drive.run(EXPERIMENT))["write_amplification_random"].value)
    assert len(values) == 2


def test_less_than_two_drives_of_writing_cannot_tell_whether_erases_are_counted() -> None:
    drive = toy(ONYX, smart=indilinx, stop_after="SMART after sequential 1.40", raw_bytes=RAW)
    erase = by_key(drive.run(EXPERIMENT))["erase_count_attribute"]
    assert erase.value is None
    assert "only 20" in why_untold(erase)
    assert erase.statement.startswith("Could not tell")
