"""On a file, a loop device, memory or a disk no property of flash is told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from flashscope.dossier.judge.judge import judge
from flashscope.dossier.judge.rules import no_flash_there
from flashscope.records.drive_facts import DeviceFacts, DriveFacts, FilePlace, VirtualFacts
from tests.dossier.judge.planted import FLASH, finding, record, ruled
from tests.facts import device_facts, directory_facts, file_facts, virtual_facts

GIB = 1 << 30
LOOP = replace(device_facts(GIB), device=DeviceFacts("/dev/loop0", 512, backing_file="/tmp/image"))
IN_MEMORY = replace(file_facts(GIB), place=FilePlace("tmpfs", "/dev/shm"))
PLACES = {"file": file_facts(GIB), "directory": directory_facts(GIB), "loop": LOOP, "tmpfs": IN_MEMORY}
SPOKEN_OF_FLASH = [
    finding("compresses", "yes"),
    finding("compresses", "no"),
    finding("slow_fill_level_ratio", 0.167, statement="From 16.7 % full on, long writes slow down: keep it free."),
    finding("mapping_unit_bytes", 4096),
    finding("rate_fall", 10**6),
    finding("idle_collection_delay_ns", None, statement="Waiting does not help."),
    finding("parallel_unit_count", 4),
    finding("write_ratio_after_random_writes", 0.2),
]
MEASURED = [finding("seq_read", 5e8), finding("longest_freeze_writes_ns", 10**6), finding("access_time_read_ns", 10**5)]


@pytest.mark.parametrize("place", PLACES)
def test_a_file_claims_nothing_of_the_drive_below(place: str) -> None:
    judged = judge([record("toy", *SPOKEN_OF_FLASH, facts=PLACES[place])], [no_flash_there.RULE])
    assert [each.value for each in judged.records[0].findings] == [None] * len(SPOKEN_OF_FLASH)
    assert all("what it measures is the host's" in each.statement for each in judged.records[0].findings)


@pytest.mark.parametrize("place", PLACES)
def test_what_was_measured_there_stays(place: str) -> None:
    assert ruled(no_flash_there.RULE, record("toy", *MEASURED, facts=PLACES[place])) == []


@pytest.mark.parametrize("facts", [FLASH, device_facts(GIB), replace(device_facts(GIB), device=DeviceFacts("x", 512))])
def test_a_drive_may_say_what_it_is(facts: DriveFacts) -> None:
    assert ruled(no_flash_there.RULE, record("toy", *SPOKEN_OF_FLASH, *MEASURED, facts=facts)) == []


def test_memory_and_disks_have_no_flash_to_speak_of() -> None:
    memory = replace(virtual_facts(GIB), virtual=VirtualFacts("memory", 0))
    disk = replace(virtual_facts(GIB), capabilities=frozenset())
    for facts in (memory, disk):
        said = ruled(no_flash_there.RULE, record("toy", *SPOKEN_OF_FLASH, *MEASURED, facts=facts))
        assert {key for key, _ in said} == {
            "compresses", "slow_fill_level_ratio", "parallel_unit_count", "write_ratio_after_random_writes",
        }  # fmt: skip
    negative = finding("compresses", "no"), finding("collapse_ratio_seq_write", 1.0, unit="ratio")
    assert ruled(no_flash_there.RULE, record("toy", *negative, facts=disk)) == []
