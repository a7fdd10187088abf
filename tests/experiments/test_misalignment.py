"""A partition's start against its cost, on virtual drives whose unit is planted, and on a file."""

import shutil
from pathlib import Path

import pytest

from flashscope.analysis.misalignment import Cost
from flashscope.drives.addresses.address import parse_address
from flashscope.drives.guard.consent import Consent
from flashscope.drives.open import open_drive
from flashscope.experiments.misalignment import Misalignment, _cost_finding, _unit_finding
from flashscope.records import Record
from flashscope.records.abstention import why_untold
from flashscope.records.time_cost import PerTimeCost
from flashscope.reports.agreement import compare
from flashscope.reports.charts import charts_of
from flashscope.reports.plotting.theme import NARROW, WIDE
from flashscope.runner.asked import Asked
from flashscope.runner.effort import Effort, Extent
from flashscope.runner.progress.progress import Silent
from flashscope.runner.run import run_experiment
from flashscope.store.store import Store
from tests.facts import file_facts
from tests.findings import by_key
from tests.known import number

EXPERIMENT = Misalignment()
QUICK = Effort(Extent.QUICK)


def run(address: str, folder: Path, effort: Effort = QUICK) -> Record:
    drive = open_drive(parse_address(address), destructive=not effort.read_only, consent=_consent(address))
    with Store(folder / "s.sqlite") as store:
        return run_experiment(
            EXPERIMENT, drive, Asked(seed=1, command="test", effort=effort), store=store, progress=Silent()
        )


def _consent(address: str) -> Consent:
    return Consent(write_ok=True) if address.startswith("file:") else Consent()


@pytest.mark.parametrize(
    ("part", "unit_kib", "dearer"),
    [("c300-256", 4, (5, 15)), ("vertex-30", 16, (1.15, 1.4)), ("wd20ears", 4, (3, 6))],
)
def test_the_unit_inside_is_found_and_the_cliff_is_where_the_documents_saw_it(
    part: str, unit_kib: int, dearer: tuple[float, float], tmp_path: Path
) -> None:
    record = run(f"sim:{part}", tmp_path)
    found = by_key(record)
    assert found["mapping_unit_bytes"].value == unit_kib * 1024
    assert [row.key for row in compare(record) if not row.agrees] == []
    assert dearer[0] < number(found["misaligned_cost_ratio"].value) < dearer[1]
    for chart in charts_of(record):
        assert chart.draw(WIDE)
        assert chart.draw(NARROW)


def test_the_law_holds_where_a_unit_is_larger_than_the_write(tmp_path: Path) -> None:
    law = by_key(run("sim:onyx-32", tmp_path))["law_ratio"]
    assert law.value == pytest.approx(4 / 5)
    assert law.details["holds"]
    assert law.details["measured"]["rate_ratio"] == pytest.approx(4 / 5, rel=0.03)


def test_memory_and_a_disk_of_small_sectors_show_no_unit(tmp_path: Path) -> None:
    for part in ("ans9010b", "momentus-xt-500"):
        found = by_key(run(f"sim:{part}", tmp_path))
        assert found["mapping_unit_bytes"].value is None
        assert "CacheInTheWay" in [doubt.kind for doubt in found["mapping_unit_bytes"].doubts]
        assert "is not slower" in found["misaligned_cost_ratio"].statement


def test_read_only_reads_alone_are_made_and_nothing_is_said_of_writes(tmp_path: Path) -> None:
    effort = Effort(Extent.QUICK, read_only=True)
    steps = EXPERIMENT.steps(open_drive(parse_address("sim:onyx-32"), destructive=False).facts, effort)
    assert steps
    assert not any(step.destructive for step in steps)
    assert list(by_key(run("sim:onyx-32", tmp_path, effort))) == ["misaligned_read_cost_ratio"]


def test_a_drive_of_large_sectors_takes_whole_ones_only_and_says_what_that_leaves_out(tmp_path: Path) -> None:
    record = run("sim:onyx-32@sector=4096", tmp_path)
    found = by_key(record)
    assert found["mapping_unit_bytes"].value == 16384
    assert "NotAligned" in [doubt.kind for doubt in found["mapping_unit_bytes"].doubts]


def test_no_start_leaves_the_drive_and_a_tiny_one_is_left_alone() -> None:
    for user_bytes in (16 << 20, 1 << 30, 10**12):
        facts = file_facts(user_bytes)
        for step in EXPERIMENT.steps(facts):
            for job in getattr(step, "jobs", ()):
                assert job.offset_bytes + job.size_bytes <= user_bytes
    assert EXPERIMENT.steps(file_facts(1 << 20)) == []


def test_an_interrupted_run_says_what_it_could_not_tell(tmp_path: Path) -> None:
    record = run("sim:onyx-32", tmp_path)
    record.steps = record.steps[:5]
    found = {finding.key: finding for finding in EXPERIMENT.analyse(record)}
    assert found["mapping_unit_bytes"].value is None
    assert found["misaligned_cost_ratio"].value is None
    assert "is not known" in found["misaligned_read_cost_ratio"].statement


@pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed")
def test_it_runs_unchanged_on_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    short = PerTimeCost.by_clock(100_000_000, free=100_000_000)
    monkeypatch.setattr("flashscope.experiments.misalignment._RUNTIME_NS", short)
    monkeypatch.setattr("flashscope.experiments.misalignment._STARTS_QUICK", (0, 8))
    path = tmp_path / "drive.img"
    path.write_bytes(bytes(16 << 20))
    record = run(f"file:{path}", tmp_path)
    assert record.status == "done"
    assert "NotTheBareDrive" in [doubt.kind for doubt in by_key(record)["mapping_unit_bytes"].doubts]


def test_runs_that_differ_more_than_a_unit_would_cost_tell_nothing() -> None:
    wide = Cost(4096, None, 1.11, 0.77, 1.6)
    unit = _unit_finding(None, 0, 0, [wide], [], ())
    assert "60 %" in why_untold(unit)
    cost = _cost_finding([wide], None, [], ())
    assert "not known" in cost.statement
    assert [doubt.kind for doubt in cost.doubts] == ["TooFewSamples"], "no advice rests on it"
    narrow = Cost(4096, None, 1.0, 0.98, 1.02)
    assert why_untold(_unit_finding(None, 0, 0, [narrow], [], ())) == ""
