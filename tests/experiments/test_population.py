"""How often each experiment meets its contract on drives it was not developed on (population.py)."""

from collections import Counter

import pytest

from tests.experiments.population_score import CONTRACTS, DEAR, score

SLOW = ("idle-recovery", "misalignment")
"""Six drives of each would take 4 to 5 s of CPU time."""


def table(name: str, count: int) -> tuple[Counter[str], str]:
    """Verdicts, and a line for each planted value."""
    rows = list(score(name, count))
    return Counter(row.hit.verdict for row in rows), "\n".join(f"{name} {row}" for row in rows)


@pytest.mark.parametrize("name", [name for name in CONTRACTS if name not in (*DEAR, *SLOW)])
def test_six_held_out_drives_are_met_or_the_finding_says_that_it_cannot_tell(name: str) -> None:
    verdicts, lines = table(name, 6)
    assert verdicts["missed"] == 0, lines


@pytest.mark.parametrize("name", SLOW)
def test_two_held_out_drives_of_the_slow_experiments_too(name: str) -> None:
    verdicts, lines = table(name, 2)
    assert verdicts["missed"] == 0, lines


@pytest.mark.parametrize("name", DEAR)
def test_one_held_out_drive_of_the_dear_experiments_too(name: str) -> None:
    verdicts, lines = table(name, 1)
    assert verdicts["missed"] == 0, lines


@pytest.mark.long
@pytest.mark.parametrize("name", CONTRACTS)
def test_of_fifty_held_out_drives_at_least_95_percent_are_met_or_honestly_not_told(name: str) -> None:
    verdicts, lines = table(name, 12 if name in DEAR else 50)
    print(lines, f"{name}: {dict(verdicts)}", sep="\n")
    total = verdicts.total()
    assert verdicts["missed"] <= 0.05 * total, lines
    assert verdicts["honest"] <= CONTRACTS[name][1] * total, lines
