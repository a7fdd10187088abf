"""No two findings of a drive contradict each other without the judge having ruled on one of them.

The runs on whole drives are long; a cheap one is in `tests/experiments/test_on_virtual_drives.py`, which examines a
part anyway.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from flashscope.dossier.judge.judge import judge
from flashscope.drives.parts.part import list_parts
from flashscope.experiments.catalogue import all_experiments
from flashscope.runner.effort import STANDARD, Effort, Extent
from tests.dossier.judge.pairs import unruled_pairs
from tests.dossier.judge.planted import asked, finding, record
from tests.experiments.planted_drives import examine

CONTRADICTORY = (
    record("misalignment", finding("mapping_unit_bytes", 4096, low=4096, high=4096)),
    record("small-write-matrix", finding("mapping_unit_bytes", 16384, low=16384, high=16384)),
    record("compressibility", finding("compresses", "yes")),
    record("three-states", finding("fill_data_matters", "no"), finding("write_ratio_after_random_fill", 0.5)),
    record("hd-tune", finding("burst_rate", 132e6), finding("seq_read", 132e6)),
    record("atto", finding("read_rate_max", 257e6), finding("write_rate_max", 171e6)),
    record("copy-within-drive", finding("delay_ratio", 0.9, low=0.9, high=0.9)),
    record("read-write-interference", finding("interference_ratio", 1.3, low=1.2, high=1.4)),
    record("smart-inference", finding("write_amplification_random", 8.0, low=7.0, high=9.0)),
    record("fill-and-recovery", finding("collapse_ratio_rand_write_4k", 1.0)),
    record("crystaldiskmark-3", finding("seq_write", 138e6), finding("seq_read", 270e6)),
    record("crystaldiskmark-5", finding("seq_write", 3e6)),
    record(
        "sustained-sequential-write",
        finding("rate_fall", statement="No fall: 70 GB were written."),
        finding("first_rate_bytes_per_second", 59e6),
        finding("settled_rate_bytes_per_second", 59e6),
    ),
    record("queue-depth", finding("effective_parallelism_reads", 4.0, unit="requests"), steps=[asked(64)]),
)


def test_of_pairs_that_contradict_each_other_each_is_ruled_on() -> None:
    found = unruled_pairs(CONTRADICTORY)
    assert len(found) >= 7, found
    assert unruled_pairs(judge(CONTRADICTORY).records) == []


@pytest.mark.long
@pytest.mark.parametrize("extent", list(Extent))
@pytest.mark.parametrize("part", list_parts())
def test_no_pair_of_findings_on_a_shipped_part_is_left_unruled(part: str, extent: Extent, tmp_path: Path) -> None:
    from flashscope.drives.addresses.address import parse_address
    from flashscope.drives.open import probe

    address, effort = f"sim:{part}", STANDARD if extent is Extent.STANDARD else Effort(extent)
    facts = probe(parse_address(address))
    experiments = [each for each in all_experiments() if each.steps(facts, effort)]
    records = [examine(each, address, tmp_path, effort) for each in experiments]
    assert unruled_pairs(judge(records).records) == []
