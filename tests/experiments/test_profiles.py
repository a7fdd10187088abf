"""The benchmark programs: their loads in their order, their scores by their rules, rates that were planted."""

import itertools
from dataclasses import replace
from pathlib import Path

import pytest

from flashscope.drives.parts.shipped import shipped_folder
from flashscope.drives.virtual.simulated import SimulatedDrive
from flashscope.errors import WrongUse
from flashscope.experiments.catalogue import find
from flashscope.experiments.iometer import IometerRun
from flashscope.experiments.profiles import as_ssd, atto, hd_tune
from flashscope.experiments.profiles.access_specification import FILE_SERVER, parse_access_specification
from flashscope.experiments.profiles.crystal_disk_mark import (
    MARKING_3,
    ROWS_8_NVME,
    Marking,
    TestFile,
    crystal_disk_mark_3,
    crystal_disk_mark_5,
    crystal_disk_mark_8,
    place_test_file,
    scores,
)
from flashscope.records import Finding, Record, Status
from flashscope.records.capability import Capability
from flashscope.records.drive_facts import DriveFacts
from flashscope.reports.charts import charts_of
from flashscope.reports.plotting import vega_lite
from flashscope.reports.plotting.theme import NARROW, WIDE
from flashscope.runner.asked import Asked
from flashscope.runner.effort import STANDARD, Effort, Extent
from flashscope.runner.experiment import Experiment
from flashscope.runner.needs import Needs
from flashscope.runner.progress.progress import Silent
from flashscope.runner.run import check_steps, run_experiment
from flashscope.store.store import Store
from flashscope.workloads.steps import Idle, Step, Workload
from tests.facts import virtual_facts
from tests.findings import holds
from tests.known import known, number
from tests.steps import jobs_of

MIB = 1 << 20
SECOND_NS = 10**9
QUICK = Effort(Extent.QUICK)
NAMES = (
    "crystaldiskmark-3",
    "crystaldiskmark-5",
    "crystaldiskmark-8",
    "as-ssd",
    "hd-tune",
    "atto",
    "iometer",
    "small-write-latency",
)


def run(experiment: Experiment, target: str, folder: Path, effort: Effort = QUICK, seed: int = 1) -> Record:
    with Store(folder / "s.sqlite") as store:
        drive = SimulatedDrive.open(target, seed)
        return run_experiment(
            experiment, drive, Asked(seed=seed, command="test", effort=effort), store=store, progress=Silent()
        )


def values(record: Record) -> dict[str, float]:
    return {finding.key: number(finding.value) for finding in record.findings if finding.value is not None}


def doubts(record: Record) -> set[str]:
    return {doubt.kind for finding in record.findings for doubt in finding.doubts}


def facts(user_bytes: int = 32 * 10**9, *can: Capability, sector_bytes: int = 512) -> DriveFacts:
    return virtual_facts(user_bytes, *can, sector_bytes=sector_bytes)


def memory_part(folder: Path, *, bus: str = "3000 MB/s", command_cost: str = "50 us") -> str:
    """A drive whose times are a sum: cost per command + passes over the bus."""
    text = (shipped_folder() / "drives" / "ramdisk.toml").read_text()
    lines = []
    for line in text.splitlines():
        if line.startswith("bus_rate"):
            line = f'bus_rate = {{ value = "{bus}", origin = "assumed", source = "planted" }}'
        if line.startswith("command_cost"):
            line = f'command_cost = {{ value = "{command_cost}", origin = "assumed", source = "planted" }}'
        lines.append(line)
    path = folder / "planted.toml"
    path.write_text("\n".join(lines))
    return str(path)


# CrystalDiskMark


def test_version_3_writes_the_file_then_reads_and_writes_row_by_row_with_a_pass_that_does_not_count() -> None:
    steps = crystal_disk_mark_3("fresh", TestFile(0, 1000 * MIB), replace(MARKING_3, passes=2))
    names = [step.name for step in steps]
    assert names[:4] == [
        "fresh: test file",
        "fresh: seq_read preparing",
        "fresh: seq_read pass 1",
        "fresh: seq_read pass 2",
    ]
    assert list(dict.fromkeys(name.split()[1] for name in names[1:])) == [
        "seq_read", "seq_write", "rand_read_512k", "rand_write_512k", "rand_read_4k", "rand_write_4k",
        "rand_read_4k_qd32", "rand_write_4k_qd32",
    ]  # fmt: skip
    jobs = {step.name: jobs_of(step)[0] for step in steps}
    assert jobs["fresh: seq_read pass 1"].io_bytes == 1000 * MIB
    assert jobs["fresh: rand_write_512k pass 2"].write_sizes.weighted == ((512 * 1024, 100.0),)
    assert jobs["fresh: rand_write_4k_qd32 pass 1"].queue_depth == 32
    assert jobs["fresh: rand_read_4k pass 1"].runtime_ns == 6 * SECOND_NS
    assert not jobs["fresh: rand_read_4k pass 1"].random_map, "places are drawn with replacement"
    assert len({job.seed for job in jobs.values()}) == len(jobs), "no two passes go to the same places"


def test_one_record_can_hold_many_marks_and_each_is_scored_by_its_own_passes(tmp_path: Path) -> None:
    class TwoMarks:
        name, title, question = "two-marks", "Two marks", "?"
        expects: frozenset[str] = frozenset()
        tells: frozenset[str] = frozenset()
        needs = Needs()

        def steps(self, facts: DriveFacts, effort: Effort = STANDARD) -> list[Step]:
            file = TestFile(0, 16 * MIB)
            marking, round_bytes = Marking(passes=2, pass_time_ns=SECOND_NS // 50), 16 * MIB
            first = crystal_disk_mark_3("a", file, marking, sequential_bytes=round_bytes)
            return first + crystal_disk_mark_3("b", file, marking, sequential_bytes=round_bytes)

        def analyse(self, record: Record) -> list[Finding]:
            return []

    record = run(TwoMarks(), "onyx-32", tmp_path)
    first, second = scores(record, "a"), scores(record, "b")
    assert set(first) == set(second)
    assert len(first) == 8
    assert first["seq_write"].evidence == ("a: seq_write pass 1", "a: seq_write pass 2")
    assert first["rand_write_4k"].value == max(first["rand_write_4k"].pass_rates)
    assert scores(record) == {}, "no mark was made without a condition"


@pytest.mark.parametrize("version", ["5", "8"])
def test_versions_5_and_8_read_first_then_write_and_rest_between_loads(version: str) -> None:
    mark = {"5": crystal_disk_mark_5, "8": crystal_disk_mark_8}[version]
    steps = mark("", TestFile(0, 1000 * MIB))
    directions = [step.destructive for step in steps[1:] if isinstance(step, Workload)]
    assert directions == sorted(directions), "no write before the last read"
    assert sum(isinstance(step, Idle) for step in steps) == 7
    assert {step.jobs[0].runtime_ns for step in steps[1:] if isinstance(step, Workload)} == {5 * SECOND_NS}


def test_the_nvme_profile_keeps_32_requests_in_each_of_16_threads() -> None:
    steps = crystal_disk_mark_8("", TestFile(0, 1000 * MIB), Marking(1, 5 * SECOND_NS), rows=ROWS_8_NVME)
    jobs = next(jobs_of(step) for step in steps if step.name == "rand_read_4k_qd32_t16 pass 1")
    assert [job.queue_depth for job in jobs] == [32] * 16


@pytest.mark.parametrize(("bus_mb", "cost_us"), [(3000, 50), (800, 20), (12_000, 5)])
def test_planted_rates_come_out(tmp_path: Path, bus_mb: int, cost_us: int) -> None:
    part = memory_part(tmp_path, bus=f"{bus_mb} MB/s", command_cost=f"{cost_us} us")
    record = run(find("crystaldiskmark-3"), part, tmp_path)
    found = values(record)
    for key, size, passes in (
        ("seq_read", MIB, 2),
        ("seq_write", MIB, 3),
        ("rand_read_512k", MIB // 2, 2),
        ("rand_write_4k", 4096, 3),
    ):
        assert found[key] == pytest.approx(size / (cost_us * 1e-6 + passes * size / (bus_mb * 1e6)), rel=0.01), key


def test_the_same_seed_gives_the_same_scores(tmp_path: Path) -> None:
    first, second = (run(find("crystaldiskmark-8"), "x25v-40", tmp_path, seed=5) for _ in range(2))
    assert values(first) == values(second)


def test_passes_that_differ_are_doubted_since_the_best_of_them_hides_it(tmp_path: Path) -> None:
    record = run(find("crystaldiskmark-3"), "onyx-32", tmp_path, STANDARD)
    workload = known(record.step("rand_write_4k pass 2").workload)
    record.step("rand_write_4k pass 2").workload = replace(workload, duration_ns=2 * workload.duration_ns)
    findings = {finding.key: finding for finding in find("crystaldiskmark-3").analyse(record)}
    assert "NotSteady" in [doubt.kind for doubt in findings["rand_write_4k"].doubts]
    assert "NotSteady" not in [doubt.kind for doubt in findings["seq_read"].doubts]
    assert findings["rand_write_4k"].low == pytest.approx(number(findings["rand_write_4k"].value) / 2, rel=0.1)


# AS SSD


def test_two_published_results_come_out_of_the_formulas() -> None:
    """A Crucial MX500, 1 GB and 10 GB: the window shows whole MB/s, so up to 6 points are lost in the sum."""
    keys = (
        "seq_read", "seq_write", "rand_read_4k", "rand_write_4k", "rand_read_4k_64_threads", "rand_write_4k_64_threads",
    )  # fmt: skip
    for rates, published in (
        ((520, 471, 33, 76, 374, 323), {"read": 460, "write": 447, "total": 1152}),
        ((522, 461, 35, 78, 344, 289), {"read": 432, "write": 414, "total": 1077}),
    ):
        points = as_ssd.points({key: rate * MIB for key, rate in zip(keys, rates, strict=True)})
        for name, value in published.items():
            assert 0 <= value - points[name] < 6, name


def test_as_ssd_loads_a_gigabyte_in_its_order_with_64_threads_on_files_of_their_own() -> None:
    drive = facts()
    steps = as_ssd.as_ssd(
        "",
        place_test_file(drive, as_ssd.FILE_BYTES),
        drive,
        at_most_ns=SECOND_NS,
        access_time_ns=SECOND_NS,
        reads_only=False,
    )
    assert [step.name.removesuffix(" pass 1") for step in steps] == [
        "seq_write", "seq_read", "file for rand_write_4k", "rand_write_4k", "rand_read_4k",
        "file for rand_write_4k_64_threads", "rand_write_4k_64_threads", "rand_read_4k_64_threads",
        "access_time_read", "access_time_read_4k", "access_time_write",
    ]  # fmt: skip
    threads = next(jobs_of(step) for step in steps if step.name.startswith("rand_write_4k_64"))
    assert {job.size_bytes for job in threads} == {16 * MIB}
    assert len({job.offset_bytes for job in threads}) == 64
    assert all(job.random_map and job.queue_depth == 1 for job in threads)
    write = jobs_of(steps[-1])[0]
    assert write.write_sizes.weighted[0][0] == 512
    assert write.size_bytes == as_ssd.FILE_BYTES


def test_a_drive_that_compresses_shows_it_in_the_compression_benchmark(tmp_path: Path) -> None:
    for part, gains in (("vertex2-60", True), ("onyx-32", False)):
        found = values(run(find("as-ssd"), part, tmp_path, Effort(Extent.FULL)))
        assert (found["compression_write_gain_ratio"] > 1.1) == gains, part


def test_the_score_needs_all_six_rates(tmp_path: Path) -> None:
    record = run(find("as-ssd"), "onyx-32", tmp_path)
    assert {"score_read", "score_write", "score_total"} <= set(values(record))
    record.steps = [step for step in record.steps if not step.name.startswith("rand_write_4k_64")]
    kept = {finding.key for finding in find("as-ssd").analyse(record)}
    assert "score_read" in kept
    assert not {"score_write", "score_total"} & kept


# HD Tune, ATTO


@pytest.mark.parametrize("user_bytes", [8 * MIB, 64 * MIB, 32 * 10**9, 3 * 10**12])
@pytest.mark.parametrize("block", [64 * 1024, 4 * MIB])
def test_the_places_of_a_curve_do_not_overlap_and_stay_on_the_drive(user_bytes: int, block: int) -> None:
    spans = hd_tune.places(user_bytes, block, 32)
    assert spans[0].offset_bytes == 0
    for left, right in itertools.pairwise(spans):
        assert left.offset_bytes + left.size_bytes <= right.offset_bytes
    assert spans[-1].offset_bytes + spans[-1].size_bytes <= user_bytes
    assert all(span.size_bytes % block == 0 and span.offset_bytes % block == 0 for span in spans)


def test_the_curve_of_a_disk_falls_and_that_of_a_written_flash_drive_is_flat(tmp_path: Path) -> None:
    disk = values(run(find("hd-tune"), "wd30ezrs", tmp_path, STANDARD))
    assert disk["seq_read_min"] < 0.6 * disk["seq_read_max"]
    flash = values(run(find("hd-tune"), "c300-256", tmp_path, STANDARD))
    assert flash["seq_read_min"] > 0.9 * flash["seq_read_max"]


def test_a_burst_no_faster_than_other_reads_is_not_called_the_link_alone(tmp_path: Path) -> None:
    burst = {f.key: f for f in run(find("hd-tune"), "onyx-32", tmp_path).findings}["burst_rate"]
    assert "no faster than others" in burst.statement


def test_writes_in_order_that_pay_for_random_ones_before_them_are_doubted(tmp_path: Path) -> None:
    merging, spread = (
        {f.key: f for f in run(find("crystaldiskmark-5"), part, tmp_path).findings}["seq_write"]
        for part in ("jmf602-32", "onyx-32")
    )
    assert "AfterRandomWrites" in [doubt.kind for doubt in merging.doubts]
    assert "AfterRandomWrites" not in [doubt.kind for doubt in spread.doubts]


def test_a_curve_of_places_nobody_wrote_is_doubted(tmp_path: Path) -> None:
    read_only = run(find("hd-tune"), "c300-256", tmp_path, Effort(Extent.QUICK, read_only=True))
    curve = next(finding for finding in read_only.findings if finding.key == "seq_read")
    assert "NotFilled" in [doubt.kind for doubt in curve.doubts]
    written = run(find("hd-tune"), "c300-256", tmp_path)
    curve = next(finding for finding in written.findings if finding.key == "seq_read")
    assert "NotFilled" not in [doubt.kind for doubt in curve.doubts]
    disk = run(find("hd-tune"), "wd30ezrs", tmp_path, Effort(Extent.QUICK, read_only=True))
    assert "NotFilled" not in doubts(disk), "platters have no map"


def test_the_size_for_full_rate_is_the_one_that_was_planted(tmp_path: Path) -> None:
    # 100 us per command and 1.5 GB/s: nine tenths of the largest rate at 9 * 150 KB = 1.35 MB, so 2 MiB.
    part = memory_part(tmp_path, bus="3000 MB/s", command_cost="100 us")
    found = values(run(find("atto"), part, tmp_path, Effort(Extent.FULL)))
    assert found["read_size_for_full_rate_bytes"] == 2 * MIB


def test_sizes_below_the_sector_or_too_large_for_the_file_are_left_out() -> None:
    assert atto.sizes_for(TestFile(0, 256 * MIB), 4096)[0] == 4096
    assert atto.sizes_for(TestFile(0, 256 * MIB), 512) == list(atto.SIZES_BYTES)
    assert atto.sizes_for(TestFile(0, 4 * MIB), 512)[-1] == MIB


# Iometer


def test_both_forms_of_a_specification_mean_the_same() -> None:
    short = "\n".join(f"size={line.size_bytes} of={line.of_percent} read=80 random=100" for line in FILE_SERVER.lines)
    assert parse_access_specification(short).lines == FILE_SERVER.lines
    assert FILE_SERVER.name == "File Server"
    assert sum(line.of_percent for line in FILE_SERVER.lines) == 100


def test_only_the_first_specification_of_a_file_is_taken() -> None:
    text = (
        "Version 1.1.0\n'ACCESS SPECIFICATIONS ===\n'Access specification name,default assignment\n\tA, b,ALL\n"
        "'size,% of size,% reads,% random,delay,burst,align,reply\n\t8192,100,67,100,0,1,4096,0\n"
        "'Access specification name,default assignment\n\tB,NONE\n'size,...\n\t512,100,0,0,0,1,0,0\n"
        "'END access specifications\n"
    )
    found = parse_access_specification(text)
    assert found.name == "A, b"
    job = found.job(sector_bytes=512, offset_bytes=0, size_bytes=MIB, outstanding=4, runtime_ns=SECOND_NS, seed=1)
    assert (job.direction, job.read_share_ratio, job.queue_depth) == ("randrw", 0.67, 4)
    assert job.read_sizes.align_bytes == 4096


def test_sizes_with_shares_of_reads_of_their_own_become_two_lists() -> None:
    found = parse_access_specification("4k,50,100,100,0,1,0,0\n64k,50,20,100,0,1,0,0")
    job = found.job(sector_bytes=512, offset_bytes=0, size_bytes=MIB, outstanding=1, runtime_ns=SECOND_NS, seed=1)
    assert job.read_share_ratio == 0.6
    assert job.write_sizes.weighted == ((65536, 100.0),)
    assert job.read_sizes.weighted == ((4096, 83.0), (65536, 17.0))


def test_delay_and_burst_are_a_pause_after_so_many_requests() -> None:
    found = parse_access_specification("size=4k read=0 random=100 delay=5 burst=8")
    job = found.job(sector_bytes=512, offset_bytes=0, size_bytes=MIB, outstanding=1, runtime_ns=SECOND_NS, seed=1)
    assert (job.direction, job.thinktime_ns, job.thinktime_blocks) == ("randwrite", 5_000_000, 8)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no line"),
        ("4096,60,80", "line 1 has 3 fields"),
        ("4096,60,80,100,0,1,0,0", "sum to 60 %"),
        ("4096,100,80,50,0,1,0,0", "50 % random"),
        ("4096,100,180,100,0,1,0,0", "read is '180'"),
        ("4096,100,80,100,0,1,0,512", "reply is 512"),
        ("4096,50,80,100,0,1,0,0\n512,50,80,0,0,1,0,0", "differ in % random"),
        ("of=100 read=50", "no size"),
        ("size=4k reads=50", "it has reads"),
        ("size=large", "size is 'large'"),
    ],
)
def test_what_is_no_specification_is_refused_with_the_line(text: str, words: str) -> None:
    with pytest.raises(WrongUse, match=words) as refused:
        parse_access_specification(text)
    assert refused.value.accepted


def test_the_ramp_up_is_not_counted(tmp_path: Path) -> None:
    record = run(find("iometer"), "onyx-32", tmp_path)
    step = record.step("run with 1 outstanding")
    finding = next(each for each in record.findings if each.key == "requests_per_second_qd1")
    series = known(step.workload).series
    after = series["elapsed_ns"] > 1.01 * SECOND_NS
    requests = series["read_requests"] + series["write_requests"]
    assert finding.details["request_count"] == requests[after].sum() < requests.sum()
    assert finding.value == pytest.approx(requests[after].sum() / 2, rel=0.02)
    assert finding.details["read_ratio"] == pytest.approx(0.8, abs=0.02)


def test_a_specification_that_only_reads_runs_read_only(tmp_path: Path) -> None:
    reads = IometerRun(parse_access_specification("size=4k read=100 random=100"))
    record = run(reads, "onyx-32", tmp_path, Effort(Extent.QUICK, read_only=True))
    assert not any(step.parameters.get("bytes_to_write") for step in record.steps)
    assert len(record.findings) == 4


# Small writes


@pytest.mark.parametrize(
    ("part", "dearer"),
    [("c300-256", True), ("wd30ezrs", True), ("onyx-32", False), ("ramdisk", False)],
)
def test_a_512_b_write_is_dearer_where_the_unit_is_4_kib_and_only_there(
    tmp_path: Path, part: str, dearer: bool
) -> None:
    record = run(find("small-write-latency"), part, tmp_path, STANDARD)
    cost = next(finding for finding in record.findings if finding.key == "small_write_cost_ratio")
    assert (known(cost.low) > 1.15) == dearer
    assert ("read and a rewrite" in cost.statement) == dearer
    assert set(cost.evidence) <= {step.name for step in record.steps}


def test_planted_times_come_out(tmp_path: Path) -> None:
    record = run(find("small-write-latency"), memory_part(tmp_path, command_cost="70 us"), tmp_path)
    found = values(record)
    assert found["access_time_write_ns"] == pytest.approx(70_000 + 3 * 512 / 3, rel=0.01)
    assert found["access_time_read_4k_ns"] == pytest.approx(70_000 + 2 * 4096 / 3, rel=0.01)


def test_on_sectors_of_4096_b_there_is_nothing_to_compare() -> None:
    drive = facts(sector_bytes=4096)
    steps = find("small-write-latency").steps(drive)
    sizes = {step.jobs[0].write_sizes.weighted[0][0] for step in steps if isinstance(step, Workload)}
    assert min(sizes) == 4096


# All of them


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("user_bytes", [8 * MIB, 64 * MIB, 32_017_047_552, 3 * 10**12])
@pytest.mark.parametrize("effort", [QUICK, STANDARD, Effort(Extent.FULL)], ids=lambda effort: effort.extent)
def test_every_step_fits_the_drive_and_says_what_it_moves(name: str, user_bytes: int, effort: Effort) -> None:
    drive = facts(user_bytes)
    steps = find(name).steps(drive, effort)
    check_steps(steps, drive)
    for step in steps:
        if isinstance(step, Workload):
            assert step.bytes_to_write + step.bytes_to_read > 0
            assert bool(step.bytes_to_write) == step.destructive
            assert all(job.offset_bytes % 512 == 0 and job.size_bytes > 0 for job in step.jobs)


@pytest.mark.parametrize("name", NAMES)
def test_read_only_never_writes(name: str) -> None:
    steps = find(name).steps(facts(32 * 10**9, Capability.SECURE_ERASE), Effort(read_only=True))
    assert not any(step.destructive or step.bytes_to_write for step in steps)


@pytest.mark.parametrize("name", NAMES)
def test_every_finding_has_evidence_in_its_record_and_every_chart_can_be_drawn(name: str, tmp_path: Path) -> None:
    record = run(find(name), "onyx-32", tmp_path)
    assert record.status is Status.DONE
    steps = {step.name for step in record.steps}
    for finding in record.findings:
        assert finding.evidence
        assert set(finding.evidence) <= steps
        assert finding.low is None or holds(finding, number(finding.value))
    (chart,) = charts_of(record)
    for layout in (WIDE, NARROW):
        assert "<svg" in vega_lite.to_svg(chart.draw(layout))


@pytest.mark.parametrize("name", NAMES)
def test_a_record_cut_off_anywhere_is_analysed_as_far_as_it_goes(name: str, tmp_path: Path) -> None:
    experiment = find(name)
    record = run(experiment, "ramdisk", tmp_path)
    whole = len(record.findings)
    for kept in range(len(record.steps), -1, -max(1, len(record.steps) // 6)):
        record.steps = record.steps[:kept]
        record.findings = experiment.analyse(record)
        assert len(record.findings) <= whole
        charts_of(record)
    record.steps, record.findings = [], experiment.analyse(replace(record, steps=[]))
    assert record.findings == []
    assert charts_of(record) == []
