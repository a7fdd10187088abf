"""The page on a terminal: 25 lines at most, in its width, for every kind of drive."""

from __future__ import annotations

from dataclasses import replace

import pytest

from flashscope.cli.texts.dossier import front_page, wrapped
from flashscope.dossier.dossier import Dossier
from flashscope.dossier.join import make_dossier
from flashscope.records import Status
from flashscope.records.capability import Capability
from flashscope.records.drive_facts import DriveFacts, VirtualFacts
from tests.dossier.planted import GB, examined, flash, number, on, real
from tests.facts import file_facts

KINDS: dict[str, DriveFacts] = {
    "virtual": flash("onyx-32"),
    "real": real(),
    "disk": replace(real(), capabilities=frozenset({Capability.BARE})),
    "hybrid": replace(flash(), virtual=VirtualFacts("hybrid", 0)),
    "memory": replace(flash(), virtual=VirtualFacts("memory", 0)),
    "array": replace(flash(), virtual=VirtualFacts("stripe", 0), members=("a", "b")),
    "file": file_facts(32 * GB),
}


def page(dossier: Dossier, columns: int = 80) -> list[str]:
    return front_page(dossier, columns, "Report: reports/drive.html").splitlines()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("columns", [40, 60, 80, 120])
def test_it_has_25_lines_at_most_that_fit(kind: str, columns: int) -> None:
    lines = page(make_dossier(examined(KINDS[kind])), columns)
    assert len(lines) <= 25
    assert max(map(len, lines)) <= columns
    assert lines[-1] == "Report: reports/drive.html"
    assert any(line.startswith("Property") for line in lines)


def test_at_80_columns_each_property_has_value_interval_trust_and_what_to_do() -> None:
    lines = page(make_dossier(examined()))
    heading = next(line for line in lines if line.startswith("Property"))
    assert heading.split() == ["Property", "Value", "Interval", "Trust", "To", "do"]
    assert any(line.startswith("Mapping unit") and "16 KiB" in line and line.endswith("align") for line in lines)


def test_a_number_is_never_parted_from_its_unit() -> None:
    for columns in range(60, 100, 7):
        lines = page(make_dossier(examined()), columns)
        assert not any(line.lstrip().startswith(("KiB", "MB/s", "GB ", "MiB")) for line in lines)


def test_a_piece_of_advice_does_not_part_them_either() -> None:
    lines = wrapped("Align partitions to 4 KiB; a start at 1 MiB fits.", 26, bullet="- ")
    assert lines == ["- Align partitions to", "  4 KiB; a start at 1 MiB", "  fits."]


def test_a_guess_of_the_part_is_marked_and_the_mark_explained() -> None:
    lines = page(make_dossier(examined(flash("onyx-32"))), 120)
    assert any("MB/s*" in line for line in lines)
    assert any(line.startswith("* rests on what the part") for line in lines)
    assert not any("*" in line for line in page(make_dossier(examined(real()))))


def test_it_says_what_could_not_be_told_and_what_was_not_finished() -> None:
    lines = page(make_dossier([*examined(), on(1, "command-gathering", status=Status.INTERRUPTED)]))
    assert any(line.startswith("Not told: ") and ", because " in line for line in lines)
    assert "Not finished: command-gathering (interrupted)" in lines


def test_a_property_comes_before_a_second_line_of_what_could_not_be_told() -> None:
    dossier = make_dossier(examined())

    def rows_and_unknown(most_lines: int) -> tuple[int, int]:
        lines = front_page(dossier, 80, most_lines=most_lines).splitlines()
        assert len(lines) <= most_lines
        heading = next(index for index, line in enumerate(lines) if line.startswith("Property"))
        unknown = sum(line.startswith("Not told: ") for line in lines)
        return len(lines) - heading - unknown, unknown

    widest = len(front_page(dossier, 80, most_lines=100).splitlines())
    (all_rows, most), (as_many, fewer) = rows_and_unknown(widest), rows_and_unknown(widest - 1)
    assert most > fewer >= 1
    assert as_many >= all_rows


def test_nothing_measured_is_said_in_a_few_lines() -> None:
    lines = page(make_dossier([on(1, "stutter", number("longest_freeze_writes_ns", None))]))
    assert lines[0].startswith("PLANTED, a virtual solid-state drive of 32 GB: how fast it is could")
    assert len(lines) <= 10


def test_a_counterfeit_drive_is_told_in_a_few_lines() -> None:
    fake = on(
        1,
        "capacity",
        number("is_counterfeit", "yes"),
        number("real_capacity_bytes", 8 * GB, 8 * GB, 8 * GB),
        number("counterfeit_kind", "wraps"),
    )
    lines = page(make_dossier([fake]))
    assert lines[0].startswith("This is a fake: PLANTED says 32 GB and holds 8 GB")
    assert any(line.startswith("Real capacity") and line.endswith("return it") for line in lines)
    assert not any(line.startswith("Not told") for line in lines)
    assert len(lines) <= 10


def test_the_reason_for_what_was_left_out_or_withdrawn_stands_without_its_name() -> None:
    empty = number("access_time_read_ns", 1e3, 1e3, 1e3, doubts=("NotFilled",))
    data = number("rand_read_4k", 94.9e6, 94.8e6, 94.9e6)
    dossier = make_dossier([on(1, "hd-tune", empty, facts=real()), on(1, "crystaldiskmark-8", data, facts=real())])
    told = front_page(dossier, 200, most_lines=None)
    assert "because the drive shows no SMART attributes" in told
    assert "because places that were never written answer sooner" in told
    assert "left out" not in told
