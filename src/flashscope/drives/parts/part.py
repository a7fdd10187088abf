"""A part: the data sheet of a drive, from its own TOML file and the one of its flash.

    parts/drives/onyx-32.toml --nand = "imft-l63b-34nm"--> parts/nand/imft-l63b-34nm.toml
              |  overrides                                        |
              +------------------------ Part <--------------------+        Part.to_core_json() --> the core

A part states mechanism (sizes, timings, policies), never a result such as a throughput.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from flashscope.drives.parts.geometry import Geometry, check_geometry, geometry_of
from flashscope.drives.parts.keys.key import EVERY_KIND
from flashscope.drives.parts.link_generations import GENERATIONS
from flashscope.drives.parts.overrides import overridden, read_overrides
from flashscope.drives.parts.part_file import PartFile, PartValue, read_part_file, with_defaults
from flashscope.drives.parts.schema import BY_NAME, SECTIONS, keys_of
from flashscope.drives.parts.shipped import shipped_names, shipped_sheet
from flashscope.errors import WrongUse

_SIZES = ("capacity.user_size", "capacity.announced_size", "disk.user_size", "memory.user_size")
_NO_OVERRIDES: Mapping[str, str] = {}
_BESIDE_THE_DISK = ("cache_flash", "admission")  # of a hybrid; all else describes its disk

__all__ = ["Part", "PartValue", "list_parts", "load_part", "part_table"]


@dataclass(frozen=True)
class Part:
    """A complete, checked data sheet of a drive.

    name: as the file states it. kind: "ssd", "disk", "hybrid" or "memory".
    values: dotted key ("timing.read_latency") -> value with its origin; mechanisms that it lacks have no section.
    title: what it is, in one line. notes: what the part leaves out, for the reader.
    """

    name: str
    values: dict[str, PartValue]
    kind: str = "ssd"
    title: str = ""
    notes: str = ""

    @cached_property
    def geometry(self) -> Geometry:
        """Sizes that follow from the values: raw bytes, programmed page and block, pools."""
        return geometry_of(self.values)

    @property
    def user_bytes(self) -> int:
        """The capacity that the drive reports to the host [bytes]; a counterfeit drive reports too much."""
        sizes = [self.values[key].value for key in _SIZES if key in self.values]
        return max(size for size in sizes if isinstance(size, int))

    @property
    def fitted_count(self) -> int:
        """How many values were chosen so that published figures are reproduced."""
        return sum(value.origin == "fitted" for value in self.values.values())

    def to_core_json(self) -> str:
        """The configuration the core is built from: JSON, integers in base units."""
        document: dict[str, Any] = {"kind": self.kind}
        drive = document.setdefault("disk", {}) if self.kind == "hybrid" else document
        drive["name"] = self.name
        for name, value in self.values.items():
            key = BY_NAME[name]
            if key.for_core and not (key.zero_is_off and value.value == 0):
                *sections, last = key.core_path
                target = document if key.section in _BESIDE_THE_DISK else drive
                for section in sections:
                    target = target.setdefault(section, {})
                target[last] = value.value
        return json.dumps(document, indent=2)


def list_parts() -> list[str]:
    """The names of the drive parts that come with flashscope, sorted."""
    return shipped_names("drives")


def fitted_figures() -> frozenset[str]:
    """Ids of all published figures that a value of some shipped part was fitted to."""
    parts = map(load_part, list_parts())
    return frozenset(figure for part in parts for value in part.values.values() for figure in value.fitted_to)


def part_table() -> str:
    """The table of all shipped parts, in Markdown; docs/reference/parts.md holds exactly this."""
    rows = ["| part | what it is | fitted |", "|---|---|---|"]
    for part in map(load_part, list_parts()):
        rows.append(f"| `{part.name}` | {part.title} | {part.fitted_count or 'none'} |")
    return "\n".join(rows)


def load_part(reference: str, overrides: Mapping[str, str] = _NO_OVERRIDES) -> Part:
    """The part of that name ("onyx-32"), or the one in the file of that path (ending in .toml).

    overrides: values that replace those of the files, as text ("gc.low_water_blocks" -> "8").
    Raises WrongUse naming file, key, value and what is accepted: no such part, a wrong value (`part_file.py`), missing
    keys, values that contradict each other (`parts/geometry.py`).
    """
    if reference.endswith(".toml"):
        path, label = Path(reference), reference
    else:
        path, label = shipped_sheet("drives", reference, what="part")
    drive = read_part_file(path, label=label, nand=False)
    kind = _kind(drive, label)
    stated = _flash_values(drive, path, label) | drive.values
    if overrides:
        label = f"{reference} with {', '.join(f'{key}={text}' for key, text in overrides.items())}"
        stated = overridden(stated, read_overrides(overrides, label))
    stated |= _link_rate(stated, label)
    keys = keys_of(kind, {BY_NAME[name].section for name in stated})
    _check_kind(stated, kind, label)
    values, missing = with_defaults(stated, keys, label)
    if missing or "name" not in drive.plain:
        names = [*([] if "name" in drive.plain else ["name"]), *(key.name for key in missing)]
        examples = [f"{key.name} = {key.example}" for key in missing[:3]]
        raise WrongUse(
            f"{label} says nothing about {', '.join(names)}",
            accepted="; ".join(['name = "my-drive"', *examples][len(drive.plain.keys() & {"name"}) :]),
            advice="docs/reference/parts.md lists all keys"
            + ("" if "nand" in drive.plain or kind != "ssd" else '; nand = "..." brings those of the flash'),
        )
    if kind == "ssd":
        check_geometry(values, label)
    return Part(drive.plain["name"], values, kind, drive.plain.get("title", ""), drive.plain.get("notes", ""))


def _kind(drive: PartFile, label: str) -> str:
    kind = drive.plain.get("kind", "ssd")
    if kind not in EVERY_KIND:
        raise WrongUse(f"{label}: kind is {kind!r}", accepted=", ".join(f'"{one}"' for one in EVERY_KIND))
    return kind


def _check_kind(stated: dict[str, PartValue], kind: str, label: str) -> None:
    """Raise WrongUse when the part has a key that drives of that kind do not have."""
    for name in stated:
        if kind not in BY_NAME[name].kinds:
            raise WrongUse(
                f'{label}: {name} says nothing about a drive of kind "{kind}"',
                accepted=", ".join(key.name for key in keys_of(kind, SECTIONS)),
            )


def _link_rate(stated: dict[str, PartValue], label: str) -> dict[str, PartValue]:
    """The rate of the link, and whether it is full duplex, from its generation; empty when the rate is stated."""
    generation = stated.get("link.generation")
    if generation is None or "link.rate" in stated:
        return {}
    link = GENERATIONS[str(generation.value)]
    source = f"{generation.text}: line rate less coding and framing"
    rate = link.payload_bytes_per_second
    follows = {"link.rate": PartValue(rate, f"{rate} B/s", generation.origin, source, (), label)}
    if link.full_duplex:
        follows["link.full_duplex"] = PartValue(True, "true", generation.origin, generation.text, (), label)
    return follows


def _flash_values(drive: PartFile, path: Path, label: str) -> dict[str, PartValue]:
    """The values of the NAND part that the drive part names; empty when it names none."""
    nand = drive.plain.get("nand")
    if nand is None:
        return {}
    if nand.endswith(".toml"):
        nand_path, nand_label = path.parent / nand, f"{nand} (the nand of {label})"
    else:
        nand_path, nand_label = shipped_sheet("nand", nand, what=f"NAND part (the nand of {label})")
    return dict(read_part_file(nand_path, label=nand_label, nand=True).values)
