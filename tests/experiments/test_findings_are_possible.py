"""No finding says what cannot be: every experiment, quick, on every shipped part."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from flashscope.drives.parts.part import list_parts
from flashscope.experiments.catalogue import all_experiments
from flashscope.records import Finding, Record
from flashscope.runner.effort import Effort, Extent
from tests.experiments.planted_drives import examine
from tests.experiments.possible import impossible
from tests.facts import virtual_facts
from tests.runner.test_run_warnings import record

QUICK = Effort(Extent.QUICK)


def said(finding: Finding) -> list[str]:
    of: Record = replace(record(), drive_facts=virtual_facts(32 * 10**9), findings=[finding])
    return impossible(replace(of, configuration={"part": {"link": {"bytes_per_second": 300_000_000}}}))


@pytest.mark.parametrize(
    ("finding", "why"),
    [
        (Finding("write_amplification_random", "", 8.1, "ratio", 0.0, 9.54), "reaches 0"),
        (Finding("write_amplification_random", "", 1.1, "ratio", 0.9, 1.3), "less reaches the flash"),
        (Finding("settled_rate_bytes_per_second", "", 0.0, "bytes/s"), "reaches 0"),
        (Finding("seq_read", "", 450e6, "bytes/s"), "more than the link carries"),
        (Finding("delay_ratio", "", 2.0, "ratio", -0.4, 4.4), "reaches below 0"),
        (Finding("write_buffer_bytes", "", 64e9, "bytes"), "more than the drive has"),
        (Finding("effective_parallelism_reads", "", 9.0, "requests", 8.0, 10.0), "8 were asked for at once"),
        (Finding("zero_rate_ratio", "", 2.0, "ratio", 2.5, 3.0), "not in order"),
        (Finding("zero_rate_ratio", "", 2.0, "ratio", 1.5, float("inf")), "not finite"),
        (Finding("useful_member_count_write_64_mib", "helps: 4.97 times the rate of one.", 4, "count"), "4.97 times"),
    ],
)
def test_what_cannot_be_is_noticed(finding: Finding, why: str) -> None:
    assert any(why in each for each in said(finding))


@pytest.mark.parametrize(
    "finding",
    [
        Finding("parallel_gain_ratio", "", -0.2, "ratio"),
        Finding("rber", "", 0.0, "ratio", 0.0, 1e-9),
        Finding("rate_fall", "", None, "bytes"),
        Finding("figures_follow", "", "state", ""),
    ],
)
def test_a_difference_may_be_negative_and_an_open_question_is_no_fault(finding: Finding) -> None:
    assert said(finding) == []


@pytest.mark.long
@pytest.mark.parametrize("address", [*(f"sim:{part}" for part in list_parts()), "stripe:128KiB:sim:onyx-32*4"])
def test_every_part_is_found_to_be_what_a_drive_can_be(address: str, tmp_path: Path) -> None:
    """The short variant is in `tests/runner/test_plan_holds.py`, which runs everything on one part anyway."""
    from flashscope.drives.addresses.address import parse_address
    from flashscope.drives.open import probe

    facts = probe(parse_address(address))
    experiments = [each for each in all_experiments() if each.steps(facts, QUICK)]
    assert [why for each in experiments for why in impossible(examine(each, address, tmp_path, QUICK))] == []
