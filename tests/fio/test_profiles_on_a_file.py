"""The benchmark programs as experiments on a real file, through the runner and fio, to their findings."""

import shutil
from pathlib import Path

import pytest

from flashscope.drives.addresses.address import parse_address
from flashscope.drives.guard.consent import Consent
from flashscope.drives.open import open_drive
from flashscope.experiments.catalogue import find
from flashscope.records import Record, Status
from flashscope.runner.asked import Asked
from flashscope.runner.effort import Effort, Extent
from flashscope.runner.progress.progress import Silent
from flashscope.runner.run import run_experiment
from flashscope.store.store import Store
from tests.known import number
from tests.runner.hurried import Hurried

MIB = 1 << 20
NAMES = ("crystaldiskmark-3", "as-ssd", "hd-tune", "atto", "iometer", "small-write-latency")
pytestmark = pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed")


def run(name: str, folder: Path, effort: Effort) -> Record:
    drive = open_drive(
        parse_address(f"file:{folder / 'target.img'}"),
        destructive=not effort.read_only,
        consent=Consent(write_ok=not effort.read_only, create_bytes=None if effort.read_only else 32 * MIB),
    )
    with Store(folder / "s.sqlite") as store:
        return run_experiment(
            Hurried(find(name)), drive, Asked(seed=1, command="test", effort=effort), store=store, progress=Silent()
        )


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.long) for name in NAMES[1:]] + [NAMES[0]])
def test_a_program_runs_on_a_file_to_its_findings(name: str, tmp_path: Path) -> None:
    record = run(name, tmp_path, Effort(Extent.QUICK))
    assert (record.status, record.note) == (Status.DONE, "")
    assert record.findings
    assert all(number(finding.value) > 0 for finding in record.findings)
    assert {"NotTheBareDrive"} <= {doubt.kind for finding in record.findings for doubt in finding.doubts}


def test_read_only_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "target.img"
    path.write_bytes(bytes(range(256)) * 4096 * 16)
    before = path.read_bytes()
    record = run("small-write-latency", tmp_path, Effort(Extent.QUICK, read_only=True))
    assert record.status is Status.DONE
    assert path.read_bytes() == before
    assert [finding.key for finding in record.findings] == ["access_time_read_ns", "access_time_read_4k_ns"]
