"""Fakes are named, with what they really hold and after little was written; honest and failing drives never are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from flashscope.analysis.announced_capacity import Came, Tried, Verdict, judge
from flashscope.drives.addresses.address import parse_address
from flashscope.drives.open import open_drive
from flashscope.drives.virtual.in_virtual_time import InVirtualTime
from flashscope.experiments.capacity import CapacityCheck, why_the_rest_is_senseless
from flashscope.experiments.catalogue import all_experiments, why_no_more
from flashscope.records import Finding, Record, Status
from flashscope.reports.agreement import compare
from flashscope.reports.charts.capacity import build
from flashscope.runner.asked import Asked
from flashscope.runner.effort import STANDARD, Effort, Extent
from flashscope.runner.progress.interrupt import Interruption
from flashscope.runner.progress.progress import Silent
from flashscope.runner.run import run_experiment
from flashscope.runner.run_many import Several, run_side_by_side
from flashscope.store.store import Store
from flashscope.workloads.steps import CheckPlaces
from tests.experiments.places import FakeMedium, checked
from tests.facts import virtual_facts

GB = 10**9
KINDS = ("wraps", "drops", "zeros")
FAKE = "sim:counterfeit-64?capacity.beyond={kind}&capacity.announced_size={said}&capacity.user_size={real}&seed={seed}"
EIGHT_GB, ODD_BYTES = 8_012_390_400, 7_912_345_600 + 512 * 7


def run(address: str, folder: Path, effort: Effort = STANDARD) -> Record:
    drive = open_drive(parse_address(address), destructive=True)
    assert isinstance(drive, InVirtualTime)
    before_bytes = drive.counters()["host_written_bytes"]
    with Store(folder / "s.sqlite") as store:
        asked = Asked(seed=drive.facts.virtual.seed if drive.facts.virtual else 0, command="test", effort=effort)
        record = run_experiment(CapacityCheck(), drive, asked, store=store, progress=Silent())
        assert drive.counters()["host_written_bytes"] - before_bytes < GB, "less than 1 GB is written"
        return store.load(record.id)


def by_key(record: Record) -> dict[str, Finding]:
    return {finding.key: finding for finding in record.findings}


def said_of(record: Record) -> tuple[object, object, object]:
    values = {key: finding.value for key, finding in by_key(record).items()}
    return values.get("is_counterfeit"), values.get("real_capacity_bytes"), values.get("counterfeit_kind")


def sometimes(share: float, comes_back: int | None, seed: int) -> Callable[[int, int], int | None]:
    """A share of the sectors, drawn at random in each read, does not come back as it is."""
    draw = np.random.default_rng(seed)
    return lambda at, found: comes_back if draw.random() < share else found


def step(span_bytes: int, extent: Extent = Extent.STANDARD) -> CheckPlaces:
    (only,) = CapacityCheck().steps(virtual_facts(span_bytes), Effort(extent))
    assert isinstance(only, CheckPlaces)
    return only


def fakes() -> list[tuple[str, int, str]]:
    """Twenty fakes: address, real size, kind."""
    sizes = [(64, EIGHT_GB), (128, EIGHT_GB), (64, ODD_BYTES), (256, 4 * GB)]
    every = [(said, real, kind, seed) for seed in (1, 2) for said, real in sizes for kind in KINDS]
    return [
        (FAKE.format(kind=kind, said=f"{said * GB}B", real=f"{real}B", seed=seed), real, kind)
        for said, real, kind, seed in every[:20]
    ]


def honest() -> list[str]:
    """Fifty honest drives of every kind, seen from the start and from later, new and used."""
    parts = ["onyx-32", "jmf602-32", "mtron-3535-16", "momentus-xt-500", "ramdisk", "x25v-40", "wd20ears", "k5-64"]
    small = [f"sim:{part}?seed={seed}" for seed in range(1, 5) for part in parts]
    seen = [f"sim:{part}?seed=9{how}" for part in ("onyx-32", "x25v-40") for how in ("@offset=1MiB", "@sector=4096")]
    used = ["sim:onyx-32?aged=full", "sim:onyx-32?aged=steady", "sim:vertex2-60", "sim:thnsns-120", "sim:c300-256"]
    large = ["sim:kc3000-1024", "sim:sm128ni-128", "sim:hg3-512", "sim:wd30ezrs", "sim:x25m-80"]
    arrays = [f"stripe:{chunk}:sim:onyx-32*{count}" for chunk in ("64KiB", "128KiB") for count in (2, 4)]
    return [*small, *seen, *used, *large, *arrays]


SOME_FAKES = [fakes()[0], fakes()[4], fakes()[8]]


@pytest.mark.parametrize(("address", "real", "kind"), SOME_FAKES)
def test_a_fake_is_named_with_what_it_holds_and_how_it_loses_the_rest(
    address: str, real: int, kind: str, tmp_path: Path
) -> None:
    record = run(address, tmp_path)
    assert said_of(record) == ("yes", real, kind)
    assert all(row.agrees for row in compare(record))
    assert len(compare(record)) == 3
    assert "it is a fake" in record.findings[0].statement
    assert why_the_rest_is_senseless(record)
    assert build(record)[0].title.startswith("Says ")


@pytest.mark.long
def test_twenty_of_twenty_fakes_are_named(tmp_path: Path) -> None:
    named = [said_of(run(address, tmp_path)) == ("yes", real, kind) for address, real, kind in fakes()]
    assert (len(named), sum(named)) == (20, 20)


@pytest.mark.parametrize(
    "address", ["sim:onyx-32", "sim:momentus-xt-500@offset=1MiB", "stripe:64KiB:sim:onyx-32*3", "sim:ramdisk"]
)
def test_an_honest_drive_holds_all_it_says(address: str, tmp_path: Path) -> None:
    record = run(address, tmp_path)
    assert said_of(record) == ("no", record.drive_facts.user_bytes, None)
    assert all(row.agrees for row in compare(record))
    assert len(compare(record)) == 2
    assert not why_the_rest_is_senseless(record)
    assert build(record)[0].title.startswith("Holds all")


@pytest.mark.long
def test_none_of_fifty_honest_drives_is_called_a_fake(tmp_path: Path) -> None:
    called = {address: said_of(run(address, tmp_path))[0] for address in honest()}
    assert len(called) == 50
    assert [address for address, said in called.items() if said != "no"] == []


def test_an_examination_of_a_fake_ends_after_the_check_unless_everything_was_asked_for(tmp_path: Path) -> None:
    address = parse_address(FAKE.format(kind="zeros", said="64GB", real=f"{EIGHT_GB}B", seed=1))

    def opened() -> InVirtualTime:
        drive = open_drive(address, destructive=True)
        assert isinstance(drive, InVirtualTime)
        return drive

    experiments, quick = all_experiments(), Effort(Extent.QUICK)
    several = Several(opened, tmp_path / "s.sqlite", Asked(seed=1, command="test", effort=quick))
    several = replace(several, why_no_more=why_no_more(experiments, quick))
    with Interruption() as interruption:
        records = run_side_by_side(experiments, opened().facts, several, progress=Silent(), interruption=interruption)
    assert [record.experiment for record in records] == ["capacity"]
    assert why_no_more(experiments, Effort(Extent.FULL)) is None
    assert why_no_more(experiments[1:], quick) is None


def test_a_fake_seen_from_a_later_start_holds_what_is_left(tmp_path: Path) -> None:
    for kind in KINDS:
        address = FAKE.format(kind=kind, said="64GB", real=f"{EIGHT_GB}B", seed=1) + "@offset=1GiB"
        record = run(address, tmp_path)
        assert said_of(record) == ("yes", EIGHT_GB - 2**30, kind)
        assert all(row.agrees for row in compare(record))


@pytest.mark.parametrize("kind", KINDS)
def test_the_end_is_found_to_the_sector_wherever_it_lies(kind: str) -> None:
    draw = np.random.default_rng(7)
    for seed in range(2):
        span = int(draw.integers(4, 40)) * 100_000_000 // 512 * 512
        real = int(draw.integers(span // 40, span * 39 // 40)) // 512 * 512
        medium = FakeMedium(real, kind)
        judged = checked(step(span), medium, seed)
        assert judged.verdict == kind
        assert judged.low_bytes <= real <= judged.high_bytes, f"{real} of {span}"
        assert judged.high_bytes - judged.low_bytes <= 4096
        assert medium.written_bytes < 0.025 * span


def test_a_drive_that_refuses_what_it_does_not_have_is_no_fake_and_its_end_is_said() -> None:
    judged = checked(step(2 * GB), FakeMedium(GB // 512 * 512, "errors"))
    assert judged.verdict is Verdict.ENDS_IN_ERRORS
    assert judged.low_bytes <= GB <= judged.high_bytes


@pytest.mark.parametrize(
    "share", [0.01, 1.0, *(pytest.param(share, marks=pytest.mark.long) for share in (0.001, 0.1, 0.5))]
)
def test_a_failing_drive_is_never_called_a_fake(share: float) -> None:
    span = 2 * GB // 4096 * 4096
    for comes_back in (None, 0, -1, -2):  # read errors; misdirected data, zeros, old data at single places
        medium = FakeMedium(span, spoil=sometimes(share / 8, comes_back, seed=3))
        assert not checked(step(span), medium).verdict.is_fake, f"{share} {comes_back}"


def test_a_disturbance_that_passes_is_no_fake() -> None:
    """Everything beyond an address comes back wrong in the first pass, and right from then on."""
    span = 2 * GB // 4096 * 4096
    reads = 0

    def spoil(at: int, found: int) -> int:
        nonlocal reads
        reads += 1
        return -2 if at > span // 2 and reads < 8 * 430 else found

    assert not checked(step(span), FakeMedium(span, spoil=spoil)).verdict.is_fake


def test_one_pass_with_one_kind_of_failure_decides_nothing() -> None:
    tried = [Tried(0, at << 20, 4096, Came.HELD if at < 50 else Came.ZEROS) for at in range(100)]
    assert judge(tried).verdict is Verdict.DAMAGED
    again = [Tried(1, at << 20, 4096, Came.ZEROS) for at in (50, 60, 70)]
    assert judge([*tried, *again]).verdict is Verdict.ZEROS
    assert judge([]).verdict is Verdict.NOTHING


def test_what_is_written_is_little_for_every_size_of_drive() -> None:
    for size in (10**6, 8 * 2**20, 10**8, GB, 8 * GB, 64 * GB, 10**12, 16 * 10**12):
        for extent in Extent:
            only = step(size, extent)
            assert only.bytes_to_write < 0.75 * GB
            assert only.bytes_to_write <= 0.011 * size + 200_000
    only = step(64 * GB)
    assert 2 * only.stretch_bytes <= only.region_bytes, "so that wrapping is found for certain"


def test_a_run_that_may_not_write_leaves_the_question_open() -> None:
    facts = virtual_facts(64 * GB)
    assert CapacityCheck().steps(facts, Effort(read_only=True)) == []
    assert CapacityCheck().needs.missing(facts, Effort(read_only=True)) == "it writes"


def test_a_dead_drive_leaves_the_question_open(tmp_path: Path) -> None:
    class Dead(FakeMedium):
        def write(self, offset_bytes: int, length_bytes: int) -> bool:
            return False

    assert not checked(step(2 * GB), Dead(2 * GB)).verdict.is_fake
    record = run("sim:onyx-32", tmp_path)
    record.steps[0].places, record.steps[0].note = None, "the drive does not answer"
    (finding,) = CapacityCheck().analyse(record)
    assert (finding.value, finding.statement) == (
        None,
        "Could not tell whether the drive holds what it says: the drive does not answer.",
    )


def test_a_check_that_was_stopped_calls_no_drive_honest(tmp_path: Path) -> None:
    record = run("sim:onyx-32", tmp_path)
    record.steps[0].status = Status.INTERRUPTED
    (finding,) = CapacityCheck().analyse(record)
    assert finding.value is None
