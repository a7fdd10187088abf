"""Addresses: how a drive is named on the command line.

    sim:onyx-32           a virtual drive, from a shipped part       options: ?seed=7&aged=steady&gc.policy=fifo
                                                                     &host=linux-io-uring
    sim:./my-drive.toml   a virtual drive, from a part file          options: the same
    file:target.img       a file, loaded by fio
    dir:/mnt/point        a directory on a mounted file system: real files in a folder of their own
    /dev/sdX              a block device, loaded by fio
    stripe:128KiB:sim:A+sim:B    virtual drives side by side; sim:A*4 is four of them
                          options: ?seed=7, ?host=linux-io-uring, ?host_rate=660MB/s, ?host_command_cost=20us,
                          ?host_command_size=64KiB

Any of them may end in @sector=4096 (logical-sector emulation) and @offset=63s (a misaligned partition), after the
options: see `modifiers.py`. The options of a virtual drive may also set keys of its part (of a stripe: of every
member); these values replace those of the part's file.
Reading an address opens nothing; `open.py` finds out whether the drive exists.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from flashscope import units
from flashscope.drives.addresses.aged_state import AgedState, parse_aged_state
from flashscope.drives.addresses.modifiers import Modifiers, split_modifiers
from flashscope.drives.parts.part_file import unknown_key
from flashscope.drives.parts.schema import BY_NAME
from flashscope.errors import WrongUse

Scheme = Literal["sim", "file", "dir", "device", "stripe"]

FORMS = (
    "sim:PART, sim:PART.toml, sim:PART?seed=NUMBER&aged=STATE, stripe:CHUNK:sim:PART+sim:PART, file:PATH, dir:PATH, "
    "/dev/NAME"
)
_OPTIONS: dict[Scheme, tuple[str, ...]] = {
    "sim": ("seed", "aged", "host"),
    "file": (),
    "dir": (),
    "device": (),
    "stripe": ("seed", "host", "host_rate", "host_command_cost", "host_command_size"),
}
_NOT_BUILT = ((re.compile(r"^nbd(\+\w+)?:"), "nbd:"),)
_EXAMPLES = {
    "seed": ("NUMBER", "7"),
    "aged": ("STATE", "steady"),
    "host": ("HOST", "linux-io-uring"),
    "host_rate": ("RATE", "660MB/s"),
    "host_command_cost": ("TIME", "20us"),
    "host_command_size": ("SIZE", "64KiB"),
}
_SEED_LIMIT = 2**64
_BLOCK_DEVICE_NAME = re.compile(r"(sd[a-z]+\d*|nvme\d+n\d+(p\d+)?|vd[a-z]+\d*|mmcblk\d+(p\d+)?|loop\d+(p\d+)?)")


@dataclass(frozen=True)
class Address:
    """A drive's name, taken apart.

    scheme: "sim", "file", "dir", "device" or "stripe". target: the part, the path of the file, directory or device, or
    the chunk and members of a stripe as written.
    options: what follows the question mark, as text. modifiers: `@sector`, `@offset`.
    """

    scheme: Scheme
    target: str
    options: Mapping[str, str] = field(default_factory=dict)
    modifiers: Modifiers = ()

    @property
    def seed(self) -> int:
        """The seed of a virtual drive, 0 when the address names none."""
        return units.whole_number(self.options.get("seed", "0")) or 0

    @property
    def aged_state(self) -> AgedState | None:
        """The state that a virtual drive is put into first; None: as new."""
        return parse_aged_state(self.options["aged"]) if "aged" in self.options else None

    @property
    def host_name(self) -> str | None:
        """The host that makes the requests of a virtual drive; None when making them costs nothing."""
        return self.options.get("host")

    @property
    def part_keys(self) -> dict[str, str]:
        """Keys of the part that the address sets, as text: "gc.policy" -> "fifo"."""
        return {name: value for name, value in self.options.items() if name in BY_NAME}

    @property
    def is_virtual(self) -> bool:
        """True for drives that run in virtual time."""
        return self.scheme in ("sim", "stripe")

    @property
    def chunk_bytes(self) -> int:
        """Of a stripe: bytes on one member before the next one follows."""
        return units.parse(self.target.partition(":")[0], "bytes", key="the chunk of a stripe")

    @property
    def members(self) -> list[str]:
        """Of a stripe: the parts of its members in order."""
        names: list[str] = []
        for member in self.target.partition(":")[2].split("+"):
            part, star, count = member.removeprefix("sim:").partition("*")
            names += [part] * (int(count) if star else 1)
        return names

    @property
    def host_bytes_per_second(self) -> int:
        """Of a stripe: the rate of the host's controller [bytes/s], 0 when the address does not limit it."""
        rate = self.options.get("host_rate")
        return units.parse(rate, "rate", key="host_rate") if rate else 0

    @property
    def host_command_cost_ns(self) -> int:
        """Of a stripe: the host controller's time for a command to a member, 0 when the address does not say."""
        cost = self.options.get("host_command_cost")
        return units.parse(cost, "time", key="host_command_cost") if cost else 0

    @property
    def host_command_bytes_max(self) -> int:
        """Of a stripe: the longest command the host hands to a member, 0 when the address does not limit it."""
        size = self.options.get("host_command_size")
        return units.parse(size, "bytes", key="host_command_size") if size else 0

    def __str__(self) -> str:
        query = "&".join(f"{name}={value}" for name, value in self.options.items())
        text = self.target if self.scheme == "device" else f"{self.scheme}:{self.target}"
        modifiers = "".join(modifier.text for modifier in self.modifiers)
        return f"{text}?{query}{modifiers}" if query else f"{text}{modifiers}"


def parse_address(text: str) -> Address:
    """Take an address apart.

    Raises WrongUse, naming the nearest accepted form, for an unknown scheme or option, an empty
    target, and forms that this version does not support.
    """
    if any(ord(character) < 32 or ord(character) == 127 for character in text):
        raise WrongUse(f"drive address {text!r} holds a control character", accepted=FORMS)
    for pattern, form in _NOT_BUILT:
        if pattern.search(text):
            raise WrongUse(f"drive address {text!r}: {form} is not supported by this version", accepted=FORMS)
    plain, modifiers = split_modifiers(text)
    address = _parse_plain(plain)
    if modifiers and address.scheme == "dir":
        raise WrongUse(
            f"drive address {text!r}: a directory has no sectors or partitions of its own",
            accepted="dir:PATH",
            advice="put @sector= or @offset= on the file or block device below, or mount one made with them",
        )
    return replace(address, modifiers=modifiers)


def _parse_plain(text: str) -> Address:
    """An address without modifiers, taken apart."""
    if text.startswith("/dev/"):
        return _address("device", text, text.removeprefix("/dev/"), text)
    scheme, colon, rest = text.partition(":")
    if not colon or "/" in scheme:
        raise WrongUse(
            f"drive address {text!r} has no scheme", accepted=FORMS, advice=f"did you mean {_with_scheme(text)}?"
        )
    if scheme == "sim":
        return _address("sim", rest, rest, text)
    if scheme == "file":
        return _address("file", rest, rest, text)
    if scheme == "dir":
        return _address("dir", rest, "root" if rest == "/" else rest, text)
    if scheme == "stripe":
        return _stripe(_address("stripe", rest, rest, text), text)
    near = difflib.get_close_matches(scheme.lower(), ("sim", "file", "dir", "stripe"), n=1, cutoff=0.4)
    raise WrongUse(
        f"drive address {text!r}: there is no scheme {scheme!r}",
        accepted=FORMS,
        advice=f"did you mean {near[0]}:{rest}?" if near else "",
    )


def _stripe(address: Address, text: str) -> Address:
    """The address of a stripe, after its chunk, members and limits were checked."""
    members = address.target.partition(":")[2]
    for member in members.split("+"):
        if not re.fullmatch(r"sim:[^+*?]+(\*[1-9]\d?)?", member):
            raise WrongUse(
                f"drive address {text!r}: {member!r} is no member of a stripe",
                accepted="virtual drives, stripe:CHUNK:sim:PART+sim:PART or stripe:CHUNK:sim:PART*COUNT",
                advice="for example stripe:128KiB:sim:jmf602-32*4",
            )
    _ = (
        address.chunk_bytes,
        address.host_bytes_per_second,
        address.host_command_cost_ns,
        address.host_command_bytes_max,
    )
    return address


def _with_scheme(text: str) -> str:
    """The address that a person who left the scheme out most likely meant."""
    if not text:
        return "sim:onyx-32"
    if _BLOCK_DEVICE_NAME.fullmatch(text):
        return f"/dev/{text}"
    if text.partition("?")[0].endswith(".toml"):
        return f"sim:{text}"
    if text.endswith("/"):
        return f"dir:{text}"
    looks_like_a_path = "/" in text or re.search(r"\.(img|raw|bin|dat|iso)$", text)
    return f"file:{text}" if looks_like_a_path else f"sim:{text}"


def _address(scheme: Scheme, whole: str, meat: str, text: str) -> Address:
    """Split the options off and check them. meat: the part that must not be empty."""
    target, question_mark, query = whole.partition("?")
    if not meat.partition("?")[0].strip("/") or target.isspace():
        raise WrongUse(f"drive address {text!r} names no drive", accepted=FORMS)
    if scheme == "file" and target.endswith("/"):
        raise WrongUse(
            f"drive address {text!r} names a directory",
            accepted="file:PATH of a file",
            advice=f"did you mean dir:{target}?",
        )
    options: dict[str, str] = {}
    for pair in query.split("&") if question_mark else ():
        name, _, value = pair.partition("=")
        if name not in _OPTIONS[scheme] and not (scheme in ("sim", "stripe") and name in BY_NAME):
            raise _unknown_option(scheme, target, name, text)
        if name in options:
            raise WrongUse(f"drive address {text!r} gives {name} twice", accepted=FORMS)
        options[name] = value
    seed = options.get("seed", "0")
    number = units.whole_number(seed)
    if number is None or number >= _SEED_LIMIT:
        raise WrongUse(
            f"drive address {text!r}: seed is {seed!r}",
            accepted="a whole number from 0 to 2^64 - 1",
            advice=f"for example sim:{target}?seed=7",
        )
    if "aged" in options:
        parse_aged_state(options["aged"])
    return Address(scheme, target, options)


def _unknown_option(scheme: Scheme, target: str, name: str, text: str) -> WrongUse:
    known = _OPTIONS[scheme]
    if known and "." in name:
        return unknown_key(name, f"drive address {text!r}")
    if known:
        return WrongUse(
            f"drive address {text!r}: there is no option {name!r}",
            accepted=", ".join(f"{option}={_EXAMPLES[option][0]}" for option in known)
            + ", or a key of the part, such as gc.policy=fifo",
            advice=f"for example {scheme}:{target}?{known[0]}={_EXAMPLES[known[0]][1]}",
        )
    plain = target if scheme == "device" else f"{scheme}:{target}"
    return WrongUse(
        f"drive address {text!r}: what follows a question mark is an option, and a {scheme} address takes none",
        accepted=plain,
        advice="a path that holds a question mark cannot be named; rename it",
    )
