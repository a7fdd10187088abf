"""No finding says what cannot be, or is not so: every experiment, quick, on every shipped part.

What cannot be is tested in `tests/dossier/judge/`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from flashscope.drives.parts.part import list_parts
from flashscope.experiments.catalogue import all_experiments
from flashscope.runner.effort import Effort, Extent
from tests.drives.stated_truth import without_truth
from tests.experiments.known_misses import missed
from tests.experiments.planted_drives import examine
from tests.experiments.possible import impossible

QUICK = Effort(Extent.QUICK)


@pytest.mark.long
@pytest.mark.parametrize("address", [*(f"sim:{part}" for part in list_parts()), "stripe:128KiB:sim:onyx-32*4"])
def test_every_part_is_found_to_be_what_a_drive_can_be(address: str, tmp_path: Path) -> None:
    """The short variant is in `tests/runner/test_plan_holds.py`, which runs everything on one part anyway."""
    from flashscope.drives.addresses.address import parse_address
    from flashscope.drives.open import probe

    facts = probe(parse_address(address))
    experiments = [each for each in all_experiments() if each.steps(facts, QUICK)]
    records = [examine(each, address, tmp_path, QUICK) for each in experiments]
    part = address.removeprefix("sim:")
    wrong = [(*impossible(record), *without_truth(record), *missed(record, part)) for record in records]
    assert [why for of_record in wrong for why in of_record] == []
