"""The three sentences say what is known, and nothing that is doubtful."""

from __future__ import annotations

from dataclasses import replace

import pytest

from flashscope.dossier.advice import advice
from flashscope.dossier.answer import Confidence
from flashscope.dossier.derived.rates import PLACE_OF_THE_LOWEST, RATE_BEFORE_THE_LOWEST
from flashscope.dossier.drive_kind import DriveKind, kind_of
from flashscope.dossier.known import Known
from flashscope.dossier.verdict import verdict
from flashscope.records.capability import Capability
from flashscope.records.drive_facts import DeviceFacts, DriveFacts
from tests.dossier.answers import answered, trusted, trusted_where
from tests.dossier.planted import GB, flash, real
from tests.facts import file_facts

MB = 10**6
RATES: dict[str, float | str] = {
    "sequential_read": 500 * MB, "sequential_write": 400 * MB, "random_read": 90 * MB, "random_write": 80 * MB,
}  # fmt: skip


def said(
    kind: DriveKind = DriveKind.FLASH, facts: DriveFacts | None = None, /, **values: float | str
) -> tuple[str, ...]:
    return verdict("DRIVE", kind, facts or real(), trusted(**values))


def test_the_first_sentence_names_the_drive_and_its_rates() -> None:
    first = said(**RATES)[0]
    assert first == (
        "DRIVE, a solid-state drive of 32 GB, reads at 500 MB/s and writes at 400 MB/s in order, at 90 MB/s and "
        "80 MB/s with random 4 KiB requests."
    )


def test_a_virtual_drive_is_called_virtual() -> None:
    assert "a virtual solid-state drive" in said(DriveKind.FLASH, flash(), **RATES)[0]


def test_what_is_doubtful_is_not_said() -> None:
    assert verdict("DRIVE", DriveKind.FLASH, real(), trusted(Confidence.LOW, **RATES)) == (
        "DRIVE, a solid-state drive of 32 GB: how fast it is could not be told.",
    )


def test_a_counterfeit_drive_is_named_in_the_first_words() -> None:
    facts = replace(real(), user_bytes=64 * GB)
    first = said(DriveKind.FLASH, facts, is_counterfeit="yes", real_capacity=8 * GB, **RATES)[0]
    assert first.startswith("This is a fake: DRIVE says 64 GB and holds 8 GB")


def test_a_fall_is_said_with_its_place_and_the_rate_after_it() -> None:
    sentences = said(cache_size=42 * GB, after_cache=30 * MB, **RATES)
    assert "Long writes fall to 30 MB/s after 42 GB." in sentences


def test_a_rate_that_falls_twice_is_said_with_the_place_of_the_lowest() -> None:
    values: dict[str, float | str] = {
        "cache_size": 319 * GB,
        "after_cache": 963 * MB,
        **RATES,
        "sequential_write": 3.5e9,
    }
    again = {RATE_BEFORE_THE_LOWEST: 2.1e9, PLACE_OF_THE_LOWEST: 442 * GB}
    given = Known([replace(answered(key, value), details=again) for key, value in values.items()])
    assert verdict("DRIVE", DriveKind.FLASH, real(), given)[1] == (
        "Long writes fall to 2.1 GB/s after 319 GB and to 963 MB/s after 442 GB."
    )
    (advised,) = advice(given, real())
    assert advised.text == "Expect 963 MB/s after 442 GB of writing at once."
    assert advised.reason == "A long write falls from 3.5 GB/s after 319 GB, and further there."


def test_a_worse_state_is_said_beside_a_rate_that_lasts() -> None:
    given = trusted_where("after long random writing", cache_size="none", worst_sustained_write=6 * MB, **RATES)
    assert verdict("DRIVE", DriveKind.FLASH, real(), given)[1] == (
        "A long write keeps its rate, but after long random writing it runs at 6 MB/s."
    )


def test_whether_rest_helps_is_said_where_random_writes_became_slow() -> None:
    tired: dict[str, float | str] = {"random_write_long": 20 * MB, **RATES}
    assert "and waiting does not help" in said(idle_work="none", **tired)[1]
    none = replace(answered("idle_work", "none"), text="none in 80 s")
    rested = Known([none, *(answered(key, value) for key, value in tired.items())])
    assert "and rests of up to 80 s do not help" in verdict("DRIVE", DriveKind.FLASH, real(), rested)[1]
    assert "and a rest of 2 s begins to help" in said(idle_work=2e9, **tired)[1]
    assert "rest" not in " ".join(said(random_write_long=78 * MB, idle_work=2e9, **RATES))


def test_large_random_writes_are_called_large() -> None:
    tired: dict[str, float | str] = {"random_write_long_64k": 20 * MB, **RATES}
    assert said(**tired)[1] == "Random 64 KiB writes all over it end at 20 MB/s."
    assert said(random_write_long=5 * MB, **tired)[1] == "Random writes all over it end at 5 MB/s."


def test_a_disk_has_no_fast_writes_that_end_but_a_slow_end() -> None:
    slow: dict[str, float | str] = {
        "worst_sustained_write": 200 * MB, "cache_size": 42 * GB, "after_cache": 300 * MB, **RATES,
    }  # fmt: skip
    assert said(DriveKind.DISK, **slow)[1] == "A write over all of it falls to 200 MB/s."


def test_a_file_has_no_inside() -> None:
    assert said(DriveKind.FILE, **RATES)[-1].endswith("nothing is said about flash.")


@pytest.mark.parametrize("kind", DriveKind)
def test_there_are_at_most_three_sentences_in_plain_words(kind: DriveKind) -> None:
    everything: dict[str, float | str] = {
        **RATES, "cache_size": 42 * GB, "after_cache": 30 * MB, "worst_sustained_write": 9 * MB, "idle_work": 2e9,
        "random_write_long": 5 * MB, "longest_freeze": 9e8, "mapping_unit": 4096, "parallelism": 8,
        "write_buffer": 2**25,
        "write_amplification": 30.0, "read_minimum": 30 * MB, "access_time": 12e6, "hybrid_gain": 6.0,
        "useful_members": 3, "host_limit": 600 * MB, "gathering": 1e6, "read_latency": 1e5, "compression": "yes",
    }  # fmt: skip
    sentences = said(kind, **everything)
    assert 2 <= len(sentences) <= 3
    for sentence in sentences:
        assert sentence[0].isupper()
        assert sentence.endswith(".")
        assert "  " not in sentence
        assert " ." not in sentence


@pytest.mark.parametrize(
    ("facts", "kind"),
    [
        (flash(), DriveKind.FLASH),
        (real(), DriveKind.FLASH),
        (replace(real(), capabilities=frozenset({Capability.BARE})), DriveKind.DISK),
        (replace(real(), members=("a", "b")), DriveKind.ARRAY),
        (file_facts(GB), DriveKind.FILE),
        (replace(real(), device=DeviceFacts("/dev/loop0", 512, backing_file="/x.img")), DriveKind.FILE),
    ],
)
def test_the_kind_follows_from_what_is_known_beforehand(facts: DriveFacts, kind: DriveKind) -> None:
    assert kind_of(facts) is kind
