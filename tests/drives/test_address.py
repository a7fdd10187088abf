"""How a drive is named, and what a person is told who names it wrongly."""

from pathlib import Path

import pytest

from flashscope.drives.addresses.address import FORMS, Address, parse_address
from flashscope.errors import WrongUse


@pytest.mark.parametrize(
    ("text", "scheme", "target", "options"),
    [
        ("sim:onyx-32", "sim", "onyx-32", {}),
        ("sim:./my.toml", "sim", "./my.toml", {}),
        ("sim:/parts/my.toml?seed=3", "sim", "/parts/my.toml", {"seed": "3"}),
        ("sim:c300-256?seed=7", "sim", "c300-256", {"seed": "7"}),
        ("sim:onyx-32?aged=steady", "sim", "onyx-32", {"aged": "steady"}),
        ("sim:onyx-32?seed=7&aged=fill:0.8,random", "sim", "onyx-32", {"seed": "7", "aged": "fill:0.8,random"}),
        ("file:/path/img", "file", "/path/img", {}),
        ("file:rel.img", "file", "rel.img", {}),
        ("file:with:colon.img", "file", "with:colon.img", {}),
        ("dir:/mnt/point", "dir", "/mnt/point", {}),
        ("dir:./here/", "dir", "./here/", {}),
        ("dir:/", "dir", "/", {}),
        ("/dev/sdb", "device", "/dev/sdb", {}),
        ("stripe:128KiB:sim:a+sim:b", "stripe", "128KiB:sim:a+sim:b", {}),
        ("stripe:64KiB:sim:a*4?host_rate=660MB/s", "stripe", "64KiB:sim:a*4", {"host_rate": "660MB/s"}),
        ("/dev/disk/by-id/ata-A:B", "device", "/dev/disk/by-id/ata-A:B", {}),
    ],
)
def test_every_form_is_taken_apart_and_put_together_again(
    text: str, scheme: str, target: str, options: dict[str, str]
) -> None:
    address = parse_address(text)
    assert (address.scheme, address.target, address.options) == (scheme, target, options)
    assert str(address) == text


def test_the_seed_is_a_number_and_zero_when_none_is_named() -> None:
    assert parse_address("sim:onyx-32?seed=18446744073709551615").seed == 2**64 - 1
    assert Address("sim", "onyx-32").seed == 0


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("onyx-32", "sim:onyx-32"),
        ("", "sim:onyx-32"),
        ("my.toml", "sim:my.toml"),
        ("target.img", "file:target.img"),
        ("./target", "file:./target"),
        ("/home/me/a:b", "file:/home/me/a:b"),
        ("/mnt/point/", "dir:/mnt/point/"),
        ("DIR:x", "dir:x"),
        ("sdb", "/dev/sdb"),
        ("nvme0n1p2", "/dev/nvme0n1p2"),
        ("sin:onyx-32", "sim:onyx-32"),
        ("FILE:x", "file:x"),
    ],
)
def test_a_near_miss_is_told_what_it_most_likely_meant(text: str, meant: str) -> None:
    with pytest.raises(WrongUse) as refused:
        parse_address(text)
    assert refused.value.advice == f"did you mean {meant}?"
    assert "file:PATH, dir:PATH" in refused.value.accepted


@pytest.mark.parametrize("text", ["sim:", "file:", "dir:", "/dev/", "sim:?seed=1", "file: ", "/dev/?seed=1", "file:/"])
def test_an_address_without_a_drive_is_refused(text: str) -> None:
    with pytest.raises(WrongUse, match="names no drive"):
        parse_address(text)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("nbd+unix:///?socket=/x", "nbd:"),
        ("nbd://host/x", "nbd:"),
    ],
)
def plan_of_test_am_of_a_later_version_says_so_and_lists_what_there_is(text: str, form: str) -> None:
    with pytest.raises(WrongUse, match="not supported by this version") as refused:
        parse_address(text)
    assert form in refused.value.what
    assert "sim:PART" in refused.value.accepted


@pytest.mark.parametrize("text", ["sim:onyx-32?sed=7", "sim:onyx-32?", "sim:onyx-32?seed=1&x"])
def test_an_unknown_option_names_the_one_there_is(text: str) -> None:
    with pytest.raises(WrongUse, match="there is no option") as refused:
        parse_address(text)
    assert refused.value.accepted == "seed=NUMBER, aged=STATE, host=HOST, or a key of the part, such as gc.policy=fifo"


@pytest.mark.parametrize("text", ["file:x?seed=7", "dir:x?seed=7", "/dev/sdb?seed=7"])
def test_a_real_drive_takes_no_options(text: str) -> None:
    with pytest.raises(WrongUse, match="takes none"):
        parse_address(text)


@pytest.mark.parametrize("value", ["", "-1", "1.5", "seven", "18446744073709551616", "٣"])
def test_a_seed_that_is_no_whole_number_is_refused(value: str) -> None:
    with pytest.raises(WrongUse, match="seed is"):
        parse_address(f"sim:onyx-32?seed={value}")


def test_an_option_given_twice_a_directory_and_control_characters_are_refused() -> None:
    for text in ("sim:onyx-32?seed=1&seed=2", "file:here/", "file:a\nb"):
        with pytest.raises(WrongUse):
            parse_address(text)


def test_a_stripe_says_its_chunk_its_members_and_the_limits_of_its_host() -> None:
    address = parse_address("stripe:128KiB:sim:a*2+sim:./b.toml?seed=3&host_rate=660MB/s&host_command_cost=20us")
    assert (address.chunk_bytes, address.members) == (128 * 1024, ["a", "a", "./b.toml"])
    assert (address.seed, address.host_bytes_per_second, address.host_command_cost_ns) == (3, 660_000_000, 20_000)
    assert address.host_command_bytes_max == 0
    assert parse_address("stripe:128KiB:sim:a*2?host_command_size=64KiB").host_command_bytes_max == 64 * 1024


@pytest.mark.parametrize(
    "text",
    [
        "stripe:128KiB",
        "stripe:128KiB:a+b",
        "stripe:128KiB:sim:a*0",
        "stripe:many:sim:a",
        "stripe:128KiB:sim:a?host_rate=fast",
        "stripe:128KiB:sim:a+/dev/sdb",
    ],
)
def test_a_stripe_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(WrongUse):
        parse_address(text)


def test_the_page_of_addresses_names_every_form_and_every_option() -> None:
    page = (Path(__file__).parents[2] / "docs" / "reference" / "addresses.md").read_text()
    for form in FORMS.split(", "):
        assert f"`{form.partition('?')[0]}`" in page, form
    for option in ("seed=NUMBER", "aged=STATE", "host_rate=RATE", "host_command_cost=TIME"):
        assert f"`{option}`" in page, option
