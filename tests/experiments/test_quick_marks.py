"""The quick marks of CrystalDiskMark and AS SSD measure the load they name, not the write buffer of the load before."""

from __future__ import annotations

from pathlib import Path

import pytest

from flashscope.experiments.catalogue import find
from flashscope.runner.effort import Effort, Extent
from flashscope.workloads.steps import Idle, SecureErase, Workload
from tests.experiments.planted_drives import examine
from tests.facts import virtual_facts
from tests.findings import by_key
from tests.known import number

QUICK = Effort(Extent.QUICK)


@pytest.mark.parametrize("name", ["crystaldiskmark-8", "crystaldiskmark-5"])
def test_a_deeper_queue_is_not_slower_on_a_drive_with_a_buffer(name: str, tmp_path: Path) -> None:
    """On the Onyx reads at depth 8 ran at 116 MB/s and at depth 1 at 243: the file was still being written to flash."""
    rates = {
        key: number(finding.value)
        for key, finding in by_key(examine(find(name), "sim:onyx-32", tmp_path, QUICK)).items()
    }
    deep = "1m_qd8" if name == "crystaldiskmark-8" else "128k_qd32"
    for way in ("read", "write"):
        assert rates[f"seq_{way}_{deep}"] > 0.95 * rates[f"seq_{way}"], rates


@pytest.mark.parametrize("name", ["crystaldiskmark-8", "crystaldiskmark-5", "crystaldiskmark-3"])
def test_no_quick_pass_follows_the_file_without_a_rest(name: str) -> None:
    steps = [step for step in find(name).steps(virtual_facts(32 * 10**9), QUICK) if not isinstance(step, SecureErase)]
    assert isinstance(steps[0], Workload)
    assert isinstance(steps[1], Idle)
    standard = find(name).steps(virtual_facts(32 * 10**9))
    assert isinstance(standard[1], Workload), "a preparing pass does the same"


def test_a_short_read_of_as_ssd_does_not_wait_for_the_merges_of_the_write(tmp_path: Path) -> None:
    """On the MTRON one read of 4 KiB was answered in 3.2 s, and the rate was 1.3 KB/s."""
    rates = by_key(examine(find("as-ssd"), "sim:mtron-3535-16", tmp_path, QUICK))
    assert number(rates["rand_read_4k"].value) > 1e6
    assert number(rates["rand_read_4k_64_threads"].value) > 1e6
