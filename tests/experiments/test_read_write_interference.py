"""Read/write interference: exactly 1 where they share a link, a half where each has its own, above 1 on platters."""

from pathlib import Path

import numpy as np
import pytest

from flashscope.analysis.interference import Pass, interference_ratio
from flashscope.experiments.read_write_interference import ReadWriteInterference
from flashscope.records import Status
from flashscope.reports.charts import charts_of
from flashscope.reports.plotting.theme import NARROW
from flashscope.reports.plotting.vega_lite import to_svg
from flashscope.runner.effort import Effort, Extent
from tests.experiments.planted_drives import examine, memory_with_a_link
from tests.experiments.toy import toy
from tests.findings import finding_of, holds
from tests.known import known

EXPERIMENT = ReadWriteInterference()


def moved(read: int, written: int, duration_ns: int, rows: int = 20) -> Pass:
    return Pass(read, written, duration_ns, np.full(rows, (read + written) / rows), np.full(rows, duration_ns / rows))


def test_the_counterpart_of_a_copy_is_taken_off_each_side() -> None:
    """One drive as published: 294 s to copy, 47.75 to write, 34.02 to read; the RAM disk takes 0.82 and 1.36."""
    ratio = interference_ratio(
        moved(1, 1, 294_000),
        moved(1, 0, 34_020),
        moved(0, 1, 47_750),
        read_counterpart_ns=1_360,
        write_counterpart_ns=820,
    )
    assert ratio is not None
    assert ratio.value == pytest.approx(3.69, abs=0.01)


def test_a_mixed_stream_that_read_a_little_more_is_compared_with_as_much_reading() -> None:
    ratio = known(interference_ratio(moved(60, 40, 60 * 2 + 40 * 3), moved(100, 0, 200), moved(0, 100, 300)))
    assert ratio.value == pytest.approx(1.0)
    assert interference_ratio(moved(1, 1, 0), moved(1, 0, 1), moved(0, 1, 1)) is None


@pytest.mark.parametrize(("full_duplex", "truth"), [(False, 1.0), (True, 0.5)])
def test_a_link_gives_its_own_ratio_within_a_hundredth(tmp_path: Path, full_duplex: bool, truth: float) -> None:
    record = examine(EXPERIMENT, memory_with_a_link(tmp_path, full_duplex=full_duplex), tmp_path)
    ratio = finding_of(record, "interference_ratio")
    assert record.truth["interference_ratio"] == truth
    assert ratio.value == pytest.approx(truth, rel=0.01)
    assert ratio.low is not None
    assert ratio.high is not None
    assert holds(ratio, truth)
    in_turn = finding_of(record, "interference_ratio_in_turn")
    assert in_turn.value == pytest.approx(1.0, rel=0.01), "one request at a time uses one way at a time"


def test_a_ram_disk_with_one_thread_takes_turns(tmp_path: Path) -> None:
    record = examine(EXPERIMENT, "sim:ramdisk", tmp_path, Effort(Extent.QUICK))
    assert finding_of(record, "interference_ratio").value == pytest.approx(1.0, rel=0.01)


@pytest.mark.parametrize("part", ["hds721616-160", "wd20ears"])
def test_platters_seek_to_and_fro(part: str, tmp_path: Path) -> None:
    record = examine(EXPERIMENT, f"sim:{part}", tmp_path)
    ratio = finding_of(record, "interference_ratio")
    assert ratio.low is not None
    assert ratio.low > 1.2
    assert "they hinder each other" in ratio.statement
    (chart,) = charts_of(record)
    assert "<svg" in to_svg(chart.draw(NARROW))


def test_nothing_is_done_where_nothing_may_be_written() -> None:
    assert EXPERIMENT.steps(toy(1 << 30).facts, Effort(read_only=True)) == []


def test_a_pass_that_is_missing_is_said(tmp_path: Path) -> None:
    record = examine(EXPERIMENT, "sim:ramdisk", tmp_path, Effort(Extent.QUICK))
    record.steps = [step for step in record.steps if not step.name.startswith("both")]
    record.status = Status.INTERRUPTED
    findings = {finding.key: finding for finding in EXPERIMENT.analyse(record)}
    assert findings["interference_ratio"].value is None
    assert "a pass was not measured" in findings["interference_ratio"].statement
    assert findings["interference_ratio_in_turn"].value == pytest.approx(1.0, rel=0.01)
