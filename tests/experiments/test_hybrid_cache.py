"""A hybrid's cache, made visible: planted sizes and delays, and drives without one."""

import shutil
from pathlib import Path

import pytest

from flashscope.drives.addresses.address import parse_address
from flashscope.drives.open import open_drive
from flashscope.experiments.hybrid_cache import HybridCache
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

EXPERIMENT = HybridCache()
QUICK = Effort(Extent.QUICK, read_only=True)
PART = Path(__file__).resolve().parents[2] / "parts/drives/momentus-xt-500.toml"


def run(address: str, folder: Path, effort: Effort = QUICK) -> Record:
    drive = open_drive(parse_address(address), destructive=False)
    with Store(folder / "s.sqlite") as store:
        return run_experiment(
            EXPERIMENT, drive, Asked(seed=1, command="test", effort=effort), store=store, progress=Silent()
        )


def planted(folder: Path, **changes: tuple[str, str]) -> str:
    """The Momentus with other values: key=(value as it stands, value instead)."""
    text = PART.read_text()
    for key, (stands, instead) in changes.items():
        assert f'{key} = {{ value = "{stands}"' in text, key
        text = text.replace(f'{key} = {{ value = "{stands}"', f'{key} = {{ value = "{instead}"')
    path = folder / "planted.toml"
    path.write_text(text)
    return f"sim:{path}"


@pytest.mark.parametrize(("lines", "delay_ms"), [pytest.param(61_035, 1000, marks=pytest.mark.long), (20_000, 3000)])
def test_size_and_delay_inside_are_found(lines: int, delay_ms: int, tmp_path: Path) -> None:
    size = lines * 65_536
    changes = {"size": ("3999989760 B", f"{size} B"), "idle_fill_delay": ("1 s", f"{delay_ms} ms")}
    record = run(planted(tmp_path, **changes), tmp_path, STANDARD)
    found = by_key(record)
    assert found["hybrid_cache_bytes"].value == pytest.approx(size, rel=0.05)
    assert found["idle_fill_delay_ns"].value == pytest.approx(delay_ms * 1e6, rel=0.1)
    assert [f"{row.key}: {row.inferred.text}" for row in compare(record) if not row.agrees] == []
    assert "Without the idle time there is no gain" in found["hybrid_cache_gain_ratio"].statement


def test_the_largest_read_that_is_cached_is_found(tmp_path: Path) -> None:
    record = run(planted(tmp_path, largest_request=("1 GiB", "16 KiB")), tmp_path, STANDARD)
    assert by_key(record)["hybrid_cache_largest_request_bytes"].value == 16 * 1024
    (chart,) = charts_of(record)
    assert chart.draw(WIDE)
    assert chart.draw(NARROW)


@pytest.mark.parametrize("address", ["sim:wd20ears", "sim:onyx-32?aged=full", "sim:c300-256", "sim:ramdisk"])
def test_a_drive_without_such_a_cache_shows_none(address: str, tmp_path: Path) -> None:
    (finding,) = run(address, tmp_path).findings
    assert finding.value is None
    assert "No cache seen" in finding.statement
    assert finding.details["detection_limit_ratio"] == 0.2


def test_nothing_is_written_and_interrupted_runs_say_what_is_missing(tmp_path: Path) -> None:
    facts = open_drive(parse_address("sim:momentus-xt-500"), destructive=False).facts
    for extent in Extent:
        steps = EXPERIMENT.steps(facts, Effort(extent))
        assert not any(step.destructive for step in steps)
        assert sum(step.bytes_to_write for step in steps) == 0
    record = run("sim:momentus-xt-500", tmp_path)
    record.steps = record.steps[:3]
    (finding,) = EXPERIMENT.analyse(record)
    assert finding.value is None
    assert "is not known" in finding.statement


@pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed")
def test_it_runs_unchanged_on_a_file_and_leaves_it_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flashscope.experiments.hybrid_cache._READS", 200)
    monkeypatch.setattr("flashscope.experiments.hybrid_cache._LONG_IDLE_NS", 10**8)
    monkeypatch.setattr("flashscope.experiments.hybrid_cache._IDLE_FLASH_NS", 10**8)
    path = tmp_path / "drive.img"
    path.write_bytes(b"\x5a" * (32 << 20))
    record = run(f"file:{path}", tmp_path)
    assert record.status == "done"
    assert path.read_bytes() == b"\x5a" * (32 << 20)
    assert "NotTheBareDrive" in [doubt.kind for doubt in record.findings[0].doubts]
