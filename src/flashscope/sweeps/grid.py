"""From the options of a sweep to its points: the product of drives, values and seeds.

    --part onyx-32,k5-64   --set gc.low_water_blocks=4,8,16   --seeds 1..10      2 x 3 x 10 = 60 points

The order of the options changes nothing: drives and keys go by name, values and seeds by size.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product
from typing import Protocol

from flashscope.drives.addresses.address import Address, parse_address
from flashscope.drives.open import parts_of
from flashscope.drives.parts.overrides import read_override
from flashscope.drives.parts.part import Part
from flashscope.errors import WrongUse
from flashscope.sweeps.point import Point

POINTS_WITHOUT_ASKING = 100_000

_SEED_LIMIT = 2**64
_SEEDS = "whole numbers from 0 to 2^64 - 1, such as 1..10 or 3,7,9"
_RANGE = re.compile(r"(\d+)(?:\.\.(\d+))?")


class MakePoint(Protocol):
    """Makes the point of a drive (`Point` without what was varied)."""

    def __call__(self, address: Address, parts: tuple[Part, ...]) -> Point:
        """The point. Raises WrongUse when the drive cannot be run so."""


@dataclass(frozen=True)
class Axis:
    """A key of the part and its values, in their order."""

    key: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Grid:
    """Everything that is varied. seeds: none when the addresses contain them."""

    addresses: tuple[Address, ...]
    axes: tuple[Axis, ...] = ()
    seeds: tuple[range, ...] = ()

    @classmethod
    def of(cls, parts: Sequence[str], settings: Sequence[str], seeds: str | None) -> Grid:
        """Read the options. Raises WrongUse for empty or repeated entries, unknown keys, and wrong values."""
        addresses = parse_parts(parts)
        axes = parse_settings(settings)
        for address in addresses:
            for axis in axes:
                if axis.key in address.options:
                    raise WrongUse(f"{address} sets {axis.key}, and --set does too", advice="set it once")
            if seeds is not None and "seed" in address.options:
                raise WrongUse(f"{address} names a seed, and --seeds does too", advice="give it once")
        return cls(addresses, axes, () if seeds is None else parse_seeds(seeds))

    @property
    def seed_count(self) -> int:
        """Seeds of each drive."""
        return sum(one.stop - one.start for one in self.seeds) or 1  # len() ends at 2^63

    @property
    def count(self) -> int:
        """Number of points, before equal points are merged."""
        count = len(self.addresses) * self.seed_count
        for axis in self.axes:
            count *= len(axis.values)
        return count

    def said(self) -> str:
        """The number of points, and its factors: "12 points: 2 drives x 3 gc.low_water_blocks x 2 seeds"."""
        factors = [(len(self.addresses), "drives")] if len(self.addresses) > 1 else []
        factors += [(len(axis.values), axis.key) for axis in self.axes if len(axis.values) > 1]
        factors += [(self.seed_count, "seeds")] if self.seed_count > 1 else []
        points = "1 point" if self.count == 1 else f"{self.count} points"
        return points + (": " + " x ".join(f"{count} {name}" for count, name in factors) if factors else "")

    def check_count(self, *, yes: bool) -> None:
        """Raise WrongUse when there are very many points and nobody confirmed that."""
        if self.count > POINTS_WITHOUT_ASKING and not yes:
            raise WrongUse(
                f"this is a sweep of {self.said()}",
                accepted=f"up to {POINTS_WITHOUT_ASKING} points without --yes",
                advice="give fewer parts, values or seeds, or add --yes to run them all",
            )

    def points(self, make: MakePoint) -> list[Point]:
        """All points in order, equal ones once. Raises WrongUse when a drive contradicts itself or cannot be run so."""
        found: dict[str, Point] = {}
        for address in self.addresses:
            for values in product(*(axis.values for axis in self.axes)):
                settings = dict(zip((axis.key for axis in self.axes), values, strict=True))
                configured = replace(address, options={**address.options, **settings})
                parts = parts_of(configured)
                for seed in self._seeds_of(address):
                    seeded = replace(configured, options={**configured.options, "seed": str(seed)})
                    point = replace(make(seeded, parts), varied=self._varied(address, settings, seed))
                    found.setdefault(point.identity, point)
        return list(found.values())

    def _seeds_of(self, address: Address) -> list[int]:
        return [seed for one in self.seeds for seed in one] or [address.seed]

    def _varied(self, address: Address, settings: dict[str, str], seed: int) -> tuple[tuple[str, str], ...]:
        varied = [("part", str(address))] if len(self.addresses) > 1 else []
        varied += [(axis.key, settings[axis.key]) for axis in self.axes if len(axis.values) > 1]
        varied += [("seed", str(seed))] if self.seed_count > 1 else []
        return tuple(varied)


def parse_parts(texts: Sequence[str]) -> tuple[Address, ...]:
    """Addresses of virtual drives from parts or addresses, several with commas; sorted."""
    accepted = "virtual drives, such as onyx-32,k5-64 or sim:./my-drive.toml"
    names = _listed(texts, "--part", accepted)
    found: dict[str, Address] = {}
    for name in names:
        address = parse_address(name if re.match(r"[a-z]+:|/dev/", name) else f"sim:{name}")
        if not address.is_virtual:
            raise WrongUse(
                f"{name} is not a virtual drive, and a sweep runs only on those",
                accepted=accepted,
                advice="for a real drive: flashscope run or examine",
            )
        if str(address) in found:
            raise WrongUse(f"--part names {name} twice", advice="each part once")
        found[str(address)] = address
    return tuple(found[text] for text in sorted(found))


def parse_settings(texts: Sequence[str]) -> tuple[Axis, ...]:
    """The keys that are set, by name, each with its values by size. Raises WrongUse as the part's file would."""
    axes: dict[str, Axis] = {}
    for text in texts:
        key, equals, listed = text.partition("=")
        key = key.strip()
        if not equals:
            raise WrongUse(f"--set is {text!r}", accepted="KEY=VALUE,VALUE, such as gc.low_water_blocks=4,8,16")
        values = _listed([listed], f"--set {key}", "one value or several with commas")
        if key in axes:
            raise WrongUse(f"--set gives {key} twice", advice=f"once, with all values: --set {key}=A,B")
        read = {value: read_override(key, value, "--set").value for value in values}
        resolved = list(read.values())
        for value in values:
            if resolved.count(read[value]) > 1 or values.count(value) > 1:
                raise WrongUse(f"--set {key} has {value} twice", advice="each value once, in whatever unit")
        axes[key] = Axis(key, tuple(sorted(values, key=lambda value: _by_size(read[value], value))))
    return tuple(axes[key] for key in sorted(axes))


def parse_seeds(text: str) -> tuple[range, ...]:
    """Seeds from "1..10", "3,7,9" or both, by size. Raises WrongUse for a repeated seed or a descending range."""
    ranges = []
    for one in _listed([text], "--seeds", _SEEDS):
        match = _RANGE.fullmatch(one.replace(" ", ""))
        if match is None:
            raise WrongUse(f"--seeds has {one!r}", accepted=_SEEDS)
        first, last = int(match[1]), int(match[2] or match[1])
        if first > last:
            raise WrongUse(f"--seeds {one} runs backwards", accepted=_SEEDS, advice=f"{last}..{first}")
        if last >= _SEED_LIMIT:
            raise WrongUse(f"--seeds has {last}", accepted=_SEEDS)
        ranges.append(range(first, last + 1))
    ranges.sort(key=lambda one: one.start)
    for before, after in pairwise(ranges):
        if after.start < before.stop:
            raise WrongUse(f"--seeds {text} has {after.start} twice", advice="each seed once")
    return tuple(ranges)


def _listed(texts: Sequence[str], option: str, accepted: str) -> list[str]:
    """The entries of lists with commas; WrongUse when there are none, or one is empty."""
    entries = [entry.strip() for text in texts for entry in text.split(",")]
    if not entries or not all(entries):
        raise WrongUse(f"{option} has an empty entry" if any(entries) else f"{option} is empty", accepted=accepted)
    return entries


def _by_size(value: object, text: str) -> tuple[int, float, str]:
    first = value[0] if isinstance(value, tuple) else value
    if isinstance(first, int | float):
        return 0, float(first), text
    return 1, 0.0, text
