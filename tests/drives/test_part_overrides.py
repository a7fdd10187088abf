"""Keys of a part set in an address: the same drive as a file that says so, refused as the file would be."""

import json
import re

import pytest

from flashscope import vocabulary
from flashscope.drives.addresses.address import parse_address
from flashscope.drives.open import assemble, parts_of, probe
from flashscope.drives.parts.part import load_part
from flashscope.errors import WrongUse


def test_a_key_set_in_the_address_is_what_the_core_is_told() -> None:
    address = parse_address("sim:onyx-32?gc.low_water_blocks=3&seed=4&timing.read_latency=60us")
    (part,) = parts_of(address)
    told = json.loads(part.to_core_json())
    assert told["gc"]["low_water_blocks"] == 3
    assert told["timing"]["read_latency_ns"] == 60_000
    drive = assemble(address, [part])
    assert drive.facts.address == "sim:onyx-32?gc.low_water_blocks=3&timing.read_latency=60us", "records tell it apart"
    assert load_part("onyx-32").to_core_json() == load_part("onyx-32", {}).to_core_json()


def test_every_value_a_part_states_can_be_set_to_itself() -> None:
    for name in ("onyx-32", "hg3-512", "kc3000-1024"):
        part = load_part(name)
        plain = {
            key: str(value.value).lower() if isinstance(value.value, bool) else value.text
            for key, value in part.values.items()
            if not isinstance(value.value, tuple) and value.source != "the default"
        }
        assert len(plain) > 30
        again = load_part(name, plain)
        assert json.loads(again.to_core_json()) == json.loads(part.to_core_json())


def test_a_mechanism_the_part_does_not_have_comes_with_its_defaults() -> None:
    assert "parity.stripe_pages" not in load_part("onyx-32").values
    with_parity = load_part("onyx-32", {"parity.stripe_pages": "16", "capacity.user_size": "28 GB"})
    assert with_parity.values["parity.stripe_pages"].value == 16


def test_a_generation_of_the_link_brings_its_rate() -> None:
    rates = {
        load_part("onyx-32", {"link.generation": name}).values["link.rate"].value
        for name in ("SATA 1.5 Gb/s", "SATA 6 Gb/s")
    }
    assert len(rates) == 2


def test_members_of_a_stripe_are_all_set() -> None:
    parts = parts_of(parse_address("stripe:128KiB:sim:onyx-32*2?gc.low_water_blocks=3"))
    assert [part.values["gc.low_water_blocks"].value for part in parts] == [3, 3]
    assert probe(parse_address("stripe:128KiB:sim:onyx-32*2?gc.low_water_blocks=3")).user_bytes > 60e9


@pytest.mark.parametrize(
    ("options", "lesson"),
    [
        ("gc.low_watr_blocks=3", "gc.low_water_blocks"),
        ("gc.low_water_blocks=0", "out of bounds"),
        ("gc.low_water_blocks=9", "gc.high_water_blocks"),
        ("gc.policy=gredy", "greedy"),
        ("timing.read_latency=60", "give it a unit"),
        ("geometry.multiplane=yes", "true, false"),
        ("endurance.shape=nan", "a number without a unit"),
        ("disk.spindle_speed=7200", "says nothing about a drive of kind"),
    ],
)
def test_what_a_file_may_not_say_an_address_may_not_say(options: str, lesson: str) -> None:
    with pytest.raises(WrongUse, match=re.escape(lesson)):
        parts_of(parse_address(f"sim:onyx-32?{options}"))


@pytest.mark.parametrize("policy", vocabulary.GC_POLICY_NAMES)
def test_every_policy_of_collection_can_be_asked_for(policy: str) -> None:
    (part,) = parts_of(parse_address(f"sim:onyx-32?gc.policy={policy}"))
    assert part.values["gc.policy"].value == policy
    assert assemble(parse_address(f"sim:onyx-32?gc.policy={policy}"), (part,)).facts.user_bytes > 0
