"""A virtual drive is opened by the same words as a real one, and takes no consent."""

import re
from pathlib import Path

import pytest

from flashscope.drives.addresses.address import parse_address
from flashscope.drives.guard.consent import Consent
from flashscope.drives.open import open_drive, probe, refusals
from flashscope.errors import WrongUse
from tests.known import known

ROOT = Path(__file__).parents[2]


def test_a_virtual_drive_opens_with_the_seed_of_its_address() -> None:
    drive = open_drive(parse_address("sim:onyx-32?seed=7"), destructive=True)
    assert drive.facts.in_virtual_time
    assert known(drive.facts.virtual).seed == 7
    drive.close()


def test_a_virtual_drive_is_probed_and_never_refused() -> None:
    address = parse_address("sim:onyx-32")
    assert probe(address).in_virtual_time
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


@pytest.mark.parametrize("text", ["sim:wd20ears", "sim:momentus-xt-500", "sim:ramdisk", "sim:kc3000-1024"])
def test_every_kind_of_drive_opens_and_says_what_it_can_do(text: str) -> None:
    drive = open_drive(parse_address(text), destructive=True)
    facts = drive.facts
    kind = known(facts.virtual).part_kind
    assert facts.is_rotational == (kind in ("disk", "hybrid"))
    assert facts.can_secure_erase == (kind == "ssd")
    drive.close()


def test_a_stripe_is_as_large_as_its_members_together() -> None:
    one = open_drive(parse_address("sim:jmf602-32"), destructive=True)
    two = open_drive(parse_address("stripe:128KiB:sim:jmf602-32*2?seed=5"), destructive=True)
    assert two.facts.user_bytes == 2 * (one.facts.user_bytes // 131072 * 131072)
    assert known(two.facts.virtual).seed == 5
    assert two.facts.model == "stripe of 2: jmf602-32"


def test_a_part_without_spare_is_opened_with_a_warning(tmp_path: Path) -> None:
    text = (ROOT / "parts" / "drives" / "onyx-32.toml").read_text(encoding="utf-8")
    full = re.sub(r'user_size = \{ value = "[^"]*"', 'user_size = { value = "34100000256 B"', text)
    path = tmp_path / "full.toml"
    path.write_text(full.replace('name = "onyx-32"', 'name = "full"'), encoding="utf-8")
    warnings = open_drive(parse_address(f"sim:{path}"), destructive=True).facts.warnings
    assert len(warnings) == 1
    assert "no spare" in warnings[0]
