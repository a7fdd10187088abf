"""Each piece of advice comes from values, with its reason, and none from a doubtful value."""

from __future__ import annotations

from dataclasses import replace

import pytest

from flashscope.dossier.actions import action
from flashscope.dossier.advice import advice
from flashscope.dossier.answer import Confidence
from flashscope.dossier.derived.free_space import free_share_that_halves
from flashscope.dossier.known import Known
from flashscope.experiments.idle_recovery import WHOLE_BURST
from flashscope.experiments.measured import LAST_TRIED
from flashscope.records.capability import Capability
from tests.dossier.answers import answered, trusted
from tests.dossier.planted import GB, flash, real
from tests.known import known

MB, SECOND = 10**6, 10**9

RULES: dict[str, tuple[dict[str, float | str], str]] = {
    "unit": ({"mapping_unit": 16384, "misalignment_cost": 1.3}, "Align partitions to 16 KiB; a start at 1 MiB fits."),
    "cache": (
        {"cache_size": 42 * GB, "after_cache": 30 * MB, "sequential_write": 400 * MB},
        "Expect 30 MB/s after 42 GB of writing at once.",
    ),
    "rest": ({"full_recovery": 110 * SECOND}, "Let it rest 2 min after bulk writes."),
    "idle": ({"idle_work": 2 * SECOND}, "Let it rest for longer than 2 s after bulk writes."),
    "no rest": (
        {"idle_work": "none", "random_write_long": 5 * MB, "random_write": 40 * MB},
        "Do not wait for it to recover by itself; free space instead.",
    ),
    "spare": ({"write_amplification": 8.0, "mapping_unit": 4096}, "Leave 10 % free (and TRIM on)"),
    "full": ({"slow_from": 0.9}, "Keep 10 % free."),
    "trim": ({"trim": 60 * SECOND}, "Leave TRIM on."),
    "freeze": ({"longest_freeze": 1.2 * SECOND}, "Keep programs off it that cannot wait."),
    "mixed": ({"mixed_load": 17.0}, "Keep bulk writes away from programs that wait for reads."),
    "zeros": ({"compression": "yes"}, "Test it with data like your own."),
    "small": ({"small_write_cost": 4.0}, "Give it whole 4 KiB writes"),
    "gather": ({"gathering": 2e6}, "Give it more than one request at a time."),
    "disk": ({"read_minimum": 37 * MB, "sequential_read": 80 * MB}, "Put what must be fast at its beginning."),
    "array": ({"useful_members": 2.0}, "Use 2 of its 4 drives for large files."),
    "watch": ({"erase_counter": 208.0}, "Watch SMART attribute 208 (0xD0)."),
}
FACTS = replace(flash(), members=("a", "b", "c", "d"))


@pytest.mark.parametrize("rule", RULES)
def test_a_value_gives_advice_with_its_reason(rule: str) -> None:
    values, text = RULES[rule]
    given = advice(trusted(**values), FACTS)
    found = next(each for each in given if each.text.startswith(text))
    assert found.reason.endswith(".")
    assert found.property_keys


@pytest.mark.parametrize("rule", RULES)
def test_a_doubtful_value_gives_none(rule: str) -> None:
    assert advice(trusted(Confidence.LOW, **RULES[rule][0]), FACTS) == ()


def test_nothing_known_gives_no_advice() -> None:
    assert advice(trusted(), FACTS) == ()


def test_a_drive_as_it_should_be_gives_little_advice() -> None:
    good: dict[str, float | str] = {
        "mapping_unit": 512, "misalignment_cost": 1.0, "cache_size": "none", "sequential_write": 500 * MB,
        "idle_work": "none", "random_write": 300 * MB, "random_write_long": 290 * MB, "write_amplification": 1.1,
        "longest_freeze": 2e6, "mixed_load": 1.1, "compression": "no", "small_write_cost": 1.0, "gathering": "none",
    }  # fmt: skip
    assert advice(trusted(**good), flash()) == ()


def test_what_the_interval_leaves_open_is_no_reason() -> None:
    costs = [replace(answered("misalignment_cost", 1.21), low=low, high=1.4) for low in (1.0, 1.15)]
    unit = answered("mapping_unit", 8192)
    reasons = [advice(Known([unit, cost]), FACTS)[0].reason for cost in costs]
    assert ["times as long" in reason for reason in reasons] == [False, True]
    assert [action(Known([cost]), "misalignment_cost") for cost in costs] == ["", "align"]


def test_the_rest_that_is_advised_is_one_that_brings_a_burst_back() -> None:
    answers = [
        replace(answered("idle_work", 1.88 * SECOND), details=details) for details in ({WHOLE_BURST: 18.8 * SECOND}, {})
    ]
    assert [advice(Known([each]), FACTS)[0].text for each in answers] == [
        "Let it rest for at least 18.8 s after bulk writes.",
        "Let it rest for longer than 1.88 s after bulk writes.",
    ]


def test_an_action_is_one_that_helps() -> None:
    by_pages, by_blocks = (
        trusted(write_amplification=8.0, mapping_unit=4096),
        trusted(write_amplification=4087.0, mapping_unit=8192),
    )
    assert [action(each, "write_amplification") for each in (by_pages, by_blocks)] == ["leave space", ""]


@pytest.mark.parametrize("key", ["useful_read_depth", "useful_write_depth", "useful_members"])
def test_nobody_is_told_to_stop_where_more_was_not_tried(key: str) -> None:
    answers = [replace(answered(key, 4), details={LAST_TRIED: is_last}) for is_last in (False, True)]
    assert [bool(action(Known([each]), key)) for each in answers] == [True, False]


def test_reads_that_stay_quick_need_not_be_kept_apart() -> None:
    slow: dict[str, float | str] = {"mixed_load": 9.0, "read_latency": 272e3}
    assert [each.property_keys for each in advice(trusted(**slow), flash())] == [("mixed_load",)]
    assert advice(trusted(mixed_load=9.0, read_latency=5.8e3), flash()) == ()


def test_a_counterfeit_drive_gets_one_piece_of_advice() -> None:
    facts = replace(flash(), user_bytes=64 * GB)
    values: dict[str, float | str] = {"is_counterfeit": "yes", "real_capacity": 8 * GB, "mapping_unit": 16384}
    (only,) = advice(trusted(**values), facts)
    assert only.text == "Return it: this drive has 8 GB, not 64 GB."


def test_space_is_left_unpartitioned_where_nothing_can_be_trimmed() -> None:
    facts = replace(real(), capabilities=frozenset({Capability.BARE}))
    given = advice(trusted(write_amplification=8.0, mapping_unit=4096), facts)
    assert any("unpartitioned" in each.text for each in given)


def test_the_free_share_halves_the_write_amplification() -> None:
    share, then = known(free_share_that_halves(8.0, 4096))
    assert 0 < share <= 0.25
    assert then <= 0.55 * 8.0
    assert free_share_that_halves(1.01, 4096) is None
    assert free_share_that_halves(400.0, 4096) is None


@pytest.mark.parametrize("rule", ["unit", "trim", "zeros", "freeze", "watch"])
def test_the_word_in_the_table_needs_a_value_that_is_not_doubtful(rule: str) -> None:
    values = RULES[rule][0]
    key = next(iter(values))
    assert action(trusted(**values), key)
    assert not action(trusted(Confidence.LOW, **values), key)
