"""A virtual drive is opened by the same words as a real one, and takes no consent."""

import pytest

from flashscope.drives.address import parse_address
from flashscope.drives.consent import Consent
from flashscope.drives.open import open_drive, probe, refusals
from flashscope.errors import WrongUse


def test_a_virtual_drive_opens_with_the_seed_of_its_address() -> None:
    drive = open_drive(parse_address("sim:onyx-32?seed=7"), destructive=True)
    assert drive.facts.kind == "virtual"
    assert drive.facts.extra["seed"] == 7
    drive.close()


def test_a_virtual_drive_is_probed_and_never_refused() -> None:
    address = parse_address("sim:onyx-32")
    assert probe(address).kind == "virtual"
    assert refusals(address, destructive=True) == ()


def test_a_size_for_a_virtual_drive_is_not_silently_ignored() -> None:
    address, sized = parse_address("sim:onyx-32"), Consent(create_bytes=2**30)
    for ask in (
        lambda: probe(address, sized),
        lambda: refusals(address, destructive=True, consent=sized),
        lambda: open_drive(address, destructive=True, consent=sized),
    ):
        with pytest.raises(WrongUse, match="its part states its size"):
            ask()


def test_a_part_that_does_not_exist_is_refused() -> None:
    for text in ("sim:onyx-33", "sim:./missing.toml"):
        with pytest.raises(WrongUse):
            probe(parse_address(text))
