"""The experiments on queues and mixed work run unchanged on a real file, by fio, and say what a file leaves open."""

import shutil
from pathlib import Path

import pytest

from flashscope.drives.addresses.address import parse_address
from flashscope.drives.guard.consent import Consent
from flashscope.drives.open import open_drive
from flashscope.experiments.command_gathering import CommandGathering
from flashscope.experiments.mixed_load_latency import MixedLoadLatency
from flashscope.experiments.queue_depth import QueueDepth
from flashscope.experiments.read_write_interference import ReadWriteInterference
from flashscope.experiments.stutter import Stutter
from flashscope.records import Record, Status
from flashscope.runner.asked import Asked
from flashscope.runner.effort import Effort, Extent
from flashscope.runner.experiment import Experiment
from flashscope.runner.progress.progress import Silent
from flashscope.runner.run import run_experiment
from flashscope.store.store import Store
from tests.runner.hurried import Hurried

needs_fio = pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed")
_FILE_BYTES = 32 << 20


@needs_fio
@pytest.mark.parametrize(
    ("experiment", "key"),
    [
        (QueueDepth(), "effective_parallelism_reads"),
        (CommandGathering(), "gathering_wait_ns"),
        (Stutter(), "longest_freeze_writes_ns"),
        pytest.param(ReadWriteInterference(), "interference_ratio", marks=pytest.mark.long),
        pytest.param(MixedLoadLatency(), "read_wait_p50_ratio", marks=pytest.mark.long),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_a_file_takes_the_same_experiment(experiment: Experiment, key: str, tmp_path: Path) -> None:
    address = parse_address(f"file:{tmp_path / 'target.img'}")
    consent = Consent(write_ok=True, create_bytes=_FILE_BYTES)
    drive = open_drive(address, destructive=True, consent=consent)
    try:
        with Store(tmp_path / "s.sqlite") as store:
            record: Record = run_experiment(
                Hurried(experiment),
                drive,
                Asked(seed=3, command="test", effort=Effort(Extent.QUICK)),
                store=store,
                progress=Silent(),
            )
    finally:
        drive.close()
    assert record.status is Status.DONE, record.note
    finding = next(one for one in record.findings if one.key == key)
    if finding.value is not None:
        assert isinstance(finding.value, int | float)
        assert finding.value > 0
    assert "NotTheBareDrive" in [doubt.kind for doubt in finding.doubts]
