"""Addresses, parts and job files that nobody would write: refused in words, or done; never a fault, never silent.

A small number runs here, in this process; `make test-long` runs 10,000 of each in child processes (`campaign.py`).
"""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from flashscope.drives.addresses.address import parse_address
from flashscope.drives.open import memory_needed
from flashscope.drives.system import free_memory
from flashscope.errors import WrongUse
from tests.fuzz import campaign, made_up
from tests.fuzz.trials import ended, trial_of

KINDS = ("address", "part", "job")
SMALL_BYTES = 256 << 20


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_made_up_is_refused_or_done(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(free_memory.VARIABLE, str(SMALL_BYTES))
    how: Counter[str] = Counter()
    for number in range(25):
        what, trial = trial_of(kind, number, tmp_path)
        try:
            how[ended(trial)] += 1
        except BaseException as fault:  # a panic of the core is no Exception
            pytest.fail(f"{kind} {number}: {type(fault).__name__}: {fault}; {what}")
    assert how["refused"] > 0, how
    assert how["done"] > 0, how


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_10_000_of_each_end_in_words_or_are_done(kind: str) -> None:
    how = campaign.run(kind, 0, 10_000)
    assert how["fault"] == 0, how
    assert sum(how.values()) == 10_000
    assert how["done"] > 500, how


def test_enough_of_what_is_made_up_is_a_drive() -> None:
    count = 0
    for number in range(100):
        try:
            memory_needed(parse_address(made_up.address(random.Random(f"address {number}"))))
        except WrongUse:
            continue
        count += 1
    assert count >= 25, "a fuzzer whose every address is refused tries nothing"


def test_a_child_that_a_signal_ends_is_a_fault(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    killed = ["/bin/sh", "-c", "echo begins 7; kill -9 $$"]
    assert list(campaign.lines_of(killed)) == ["begins 7", "died with exit code -9: ''"]
    monkeypatch.setattr(campaign, "SILENT_S", 0.05)
    assert list(campaign.lines_of(["/bin/sh", "-c", "echo begins 8; exec sleep 5"])) == [
        "begins 8",
        "died silent for 0 s",
    ]
