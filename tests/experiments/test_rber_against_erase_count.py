"""Bit errors against wear: planted ratios, worn drives, drives that do not tell."""

from pathlib import Path

import pytest

from flashscope.drives.addresses.address import parse_address
from flashscope.drives.open import open_drive
from flashscope.experiments.rber_against_erase_count import RberAgainstEraseCount
from flashscope.records import Record
from flashscope.reports.agreement import compare
from flashscope.reports.charts import charts_of
from flashscope.reports.plotting.theme import NARROW, WIDE
from flashscope.runner.asked import Asked
from flashscope.runner.effort import STANDARD, Effort, Extent
from flashscope.runner.progress.progress import Silent
from flashscope.runner.run import run_experiment
from flashscope.store.store import Store
from tests.findings import by_key
from tests.known import known, number

EXPERIMENT = RberAgainstEraseCount()


def run(address: str, folder: Path, effort: Effort = STANDARD) -> Record:
    drive = open_drive(parse_address(address), destructive=True)
    with Store(folder / "s.sqlite") as store:
        return run_experiment(
            EXPERIMENT, drive, Asked(seed=1, command="test", effort=effort), store=store, progress=Silent()
        )


@pytest.mark.parametrize("erases", [0, 1000, 3000])
def test_the_ratio_inside_is_found_on_new_and_worn_drives(erases: int, tmp_path: Path) -> None:
    # An aged or read drive has no truth row; the law itself is what the value is held against.
    record = run("sim:onyx-32" + (f"?aged=erases:{erases}" if erases else ""), tmp_path)
    found = by_key(record)
    rows = {row.key: row for row in compare(record)}
    assert "rber" not in rows, "data is disturbed and ages while it is read, by more than a fiftieth"
    assert all(row.agrees for row in rows.values())
    assert found["rber"].value == pytest.approx(1.7e-8 + 1.8e-12 * max(erases, 1) ** 1.5, rel=0.1)
    assert known(found["rber"].low) < number(found["rber"].value) < known(found["rber"].high)
    assert 1 <= number(found["error_bits_per_error_read"].value) < 1.1
    assert "spread" in found["error_bits_per_error_read"].statement
    (chart,) = charts_of(record)
    assert chart.draw(WIDE)
    assert chart.draw(NARROW)


def test_worn_flash_has_more_errors_and_a_few_cycles_show_no_growth(tmp_path: Path) -> None:
    new, worn = (by_key(run(f"sim:onyx-32{state}", tmp_path)) for state in ("", "?aged=erases:3000"))
    assert known(worn["rber"].low) > 10 * known(new["rber"].high)
    growth = new["rber_growth_per_cycle"]
    assert known(growth.low) < 0 < known(growth.high)
    assert "TooShort" in [doubt.kind for doubt in growth.doubts]


def test_drives_whose_smart_does_not_show_error_bits_have_no_steps() -> None:
    for part in ("c300-256", "wd20ears", "vertex2-60", "ramdisk"):
        assert EXPERIMENT.steps(open_drive(parse_address(f"sim:{part}"), destructive=True).facts) == []


def test_read_only_writes_nothing_and_says_that_it_read_what_lay_there(tmp_path: Path) -> None:
    effort = Effort(Extent.STANDARD, read_only=True)
    record = run("sim:onyx-32?aged=full", tmp_path, effort)
    assert not any(step.parameters.get("bytes_to_write") for step in record.steps)
    assert "NotFresh" in [doubt.kind for doubt in by_key(record)["rber"].doubts]
    assert by_key(record)["rber"].value == pytest.approx(1.7e-8, rel=0.2)


def test_an_interrupted_run_tells_what_it_has(tmp_path: Path) -> None:
    record = run("sim:onyx-32", tmp_path, Effort(Extent.QUICK))
    record.steps = record.steps[:2]
    (finding,) = EXPERIMENT.analyse(record)
    assert finding.value is None
    assert "too little was read" in finding.statement
