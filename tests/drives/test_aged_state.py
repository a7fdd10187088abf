"""Aged states are named in an address, refused with a lesson, and reached by the drive."""

import numpy as np
import pytest

from flashscope.drives.addresses.address import parse_address
from flashscope.drives.addresses.aged_state import AgedState, parse_aged_state
from flashscope.drives.virtual.simulated import SimulatedDrive
from flashscope.errors import WrongUse
from tests.known import known


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("full", AgedState()),
        ("steady", AgedState(overwrites="random")),
        ("worn", AgedState(overwrites="random", erase_count_mean=None, erase_count_spread_ratio=0.05)),
        ("fill:0.8", AgedState(fill_ratio=0.8)),
        ("fill:0.8,random,erases:3000", AgedState(0.8, "random", 3000)),
        ("erases:10,spread:0.5", AgedState(1.0, "none", 10, 0.5)),
    ],
)
def test_a_state_is_named_whole_or_by_its_parts(text: str, state: AgedState) -> None:
    assert parse_aged_state(text) == state
    assert parse_address(f"sim:onyx-32?aged={text}").aged_state == state


@pytest.mark.parametrize(
    ("text", "lesson"),
    [
        ("stedy", "did you mean steady?"),
        ("fil:0.5", "did you mean fill:NUMBER?"),
        ("steady,erases:5", "steady stands alone"),
        ("fill:80", "80 % is 0.8"),
        ("fill:80%", "80 % is 0.8"),
        ("erases:-3", "a whole number"),
        ("random:1", "did you mean random?"),
        ("fill:0.5,fill:0.6", "twice"),
        ("fill:nan", "from 0 to 1"),
        ("", "full, steady, worn"),
    ],
)
def test_what_is_no_state_is_refused_with_what_was_meant(text: str, lesson: str) -> None:
    with pytest.raises(WrongUse) as refused:
        parse_address(f"sim:onyx-32?aged={text}")
    assert lesson in str(refused.value)


def test_a_drive_as_new_names_no_state() -> None:
    assert parse_address("sim:onyx-32").aged_state is None


def test_a_steady_drive_has_been_written_five_times_and_its_books_balance() -> None:
    drive = SimulatedDrive.open("onyx-32", 1, parse_aged_state("steady"))
    drive.core.check()
    counts = drive.counters()
    assert counts["host_written_bytes"] == pytest.approx(5 * drive.facts.user_bytes, rel=0.01)
    assert counts["nand_written_bytes"] > 2 * counts["host_written_bytes"], "collection is at work"
    assert drive.now_ns == 0, "no virtual time has passed"
    assert known(known(drive.facts.virtual).aged).overwrites == "random"
    again = SimulatedDrive.open("onyx-32", 1, parse_aged_state("steady"))
    assert drive.core.snapshot() == again.core.snapshot(), "same seed, same bytes"


def test_a_worn_drive_has_its_rated_cycles_behind_it() -> None:
    drive = SimulatedDrive.open("onyx-32", 1, parse_aged_state("worn"))
    drive.core.check()
    inside = drive.inside()
    cycles = inside["erase_count"][inside["state"] < 4]
    rated = known(drive.facts.rated_pe_cycles)
    assert np.mean(cycles) == pytest.approx(rated, rel=0.002)
    assert np.std(cycles) == pytest.approx(0.05 * rated, rel=0.1)


def test_a_drive_that_holds_data_cannot_be_aged() -> None:
    drive = SimulatedDrive.open("onyx-32", 1, parse_aged_state("fill:0.1"))
    with pytest.raises(WrongUse, match="holds data") as refused:
        drive.age(AgedState())
    assert "secure-erased" in refused.value.accepted
    drive.secure_erase()
    drive.age(AgedState())
    drive.core.check()


def test_the_border_refuses_a_word_it_does_not_know() -> None:
    drive = SimulatedDrive.open("onyx-32", 1)
    with pytest.raises(ValueError, match="accepted: none, random"):
        drive.core.age(1.0, "some", 0, 0.0)
