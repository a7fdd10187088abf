"""A cache of fast cells fills as its balance says, also where a paced host leaves gaps for folding."""

import pytest

from flashscope.reproduce import fast_cells
from flashscope.reproduce.bench_drive import BenchDrive
from flashscope.reproduce.case import Case

CASES = [*fast_cells.cliff_cases(quick=False), *fast_cells.behind_cases(quick=False)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_cliff_comes_when_it_must_and_the_rate_behind_it_is_the_law_s(case: Case) -> None:
    rows = list(case.measure(lambda configuration: BenchDrive(configuration)))
    assert rows
    assert all(row.holds for row in rows), rows
