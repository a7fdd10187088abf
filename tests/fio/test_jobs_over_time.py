"""A job file on a real file: what each job did over time, from fio's logs."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from flashscope.cli.main import main
from flashscope.store.store import Store

pytestmark = pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed")

JOBS = """
[global]
bs=4k
size=8m
time_based=1
runtime=1

[reader]
rw=randread
iodepth=4

[writer]
rw=randwrite
"""


def test_each_job_of_fio_is_kept_with_its_latencies_over_time(tmp_path: Path) -> None:
    job_file, store_path = tmp_path / "two.fio", tmp_path / "records.sqlite"
    job_file.write_text(JOBS)
    arguments = ["run", f"file:{tmp_path / 'target.img'}", str(job_file), "--size", "16MiB", "--write-ok", "--quiet"]
    done = CliRunner().invoke(main, [*arguments, "--store", str(store_path)])
    assert done.exit_code == 0, done.output
    with Store(store_path, create=False) as store:
        result = next(step.workload for step in store.load("last").steps if step.workload)
    assert [job.name for job in result.jobs] == ["", "reader", "writer"]
    whole, reader, writer = result.jobs
    for kind, job in (("read", reader), ("write", writer)):
        assert int(job.series[f"{kind}_requests"].sum()) == result.totals[f"{kind}_requests"] > 0
        assert int(whole.series[f"{kind}_requests"].sum()) == result.totals[f"{kind}_requests"]
        assert job.latency == {kind: result.latency[kind]}
        half, rare = (job.series[f"{kind}_latency_ns_{share}"] for share in ("p50", "p999"))
        assert (half > 0).sum() >= len(half) // 2, "most intervals have latencies"
        assert (half <= rare).all()
        longest = job.series[f"{kind}_latency_ns_max"].max()
        assert 0.98 * result.latency[kind].max_ns <= longest <= result.latency[kind].max_ns
