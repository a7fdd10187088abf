"""A part: the data sheet of a drive, from its own TOML file and the one of its flash.

    parts/drives/onyx-32.toml --nand = "imft-l63b-34nm"--> parts/nand/imft-l63b-34nm.toml
              |  overrides                                        |
              +------------------------ Part <--------------------+        Part.to_core_json() --> the core

A part states mechanism (sizes, timings, policies), never a result such as a throughput.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Any

from flashscope.drives.part_file import PartFile, PartValue, read_part_file
from flashscope.drives.part_geometry import Geometry, check_geometry, geometry_of
from flashscope.drives.part_schema import KEYS
from flashscope.errors import WrongUse

__all__ = ["Part", "PartValue", "list_parts", "load_part"]


@dataclass(frozen=True)
class Part:
    """A complete, checked data sheet of a drive.

    name: as the file states it. values: dotted key ("timing.read_latency") -> value with its origin.
    notes: what the part leaves out, for the reader.
    """

    name: str
    values: dict[str, PartValue]
    notes: str = ""

    @cached_property
    def geometry(self) -> Geometry:
        """Sizes that follow from the values: raw bytes, programmed page and block, pools."""
        return geometry_of(self.values)

    @property
    def fitted_count(self) -> int:
        """How many values were chosen so that published figures come out."""
        return sum(value.origin == "fitted" for value in self.values.values())

    def to_core_json(self) -> str:
        """The configuration the core is built from: JSON, integers in base units."""
        document: dict[str, Any] = {"name": self.name}
        for key in KEYS:
            section, _, last = key.name.rpartition(".")
            target = document.setdefault(section, {}) if section else document
            target[key.core or last] = self.values[key.name].value
        return json.dumps(document, indent=2)


def list_parts() -> list[str]:
    """The names of the drive parts that come with flashscope, sorted."""
    return sorted(path.stem for path in (shipped_folder() / "drives").glob("*.toml"))


def shipped_folder() -> Path:
    """Where the shipped parts are: the folder parts/ of a checkout, or its copy in an installed package."""
    return Path(str(resources.files("flashscope"))) / "parts"


def load_part(reference: str) -> Part:
    """The part of that name ("onyx-32"), or the one in the file of that path (ending in .toml).

    Raises WrongUse naming file, key, value and what is accepted: no such part, a value that is wrong alone
    (`part_file.py`), keys that are missing, values that cannot be one drive together (`part_geometry.py`).
    """
    if reference.endswith(".toml"):
        path, label = Path(reference), reference
    else:
        path, label = _shipped("drives", reference, what="part")
    drive = read_part_file(path, label=label, nand=False)
    values = _flash_values(drive, path, label) | drive.values
    for key in KEYS:
        if key.default is not None and key.name not in values:
            values[key.name] = PartValue(key.default, str(key.default), "assumed", "the default", (), label)
    missing = [key for key in KEYS if key.name not in values]
    if missing or "name" not in drive.plain:
        names = [*([] if "name" in drive.plain else ["name"]), *(key.name for key in missing)]
        examples = [f"{key.name} = {key.example}" for key in missing[:3]]
        raise WrongUse(
            f"{label} says nothing about {', '.join(names)}",
            accepted="; ".join(['name = "my-drive"', *examples][len(drive.plain.keys() & {"name"}) :]),
            advice="docs/reference/parts.md lists all keys"
            + ("" if "nand" in drive.plain else '; nand = "..." brings those of the flash'),
        )
    check_geometry(values, label)
    return Part(drive.plain["name"], values, drive.plain.get("notes", ""))


def _flash_values(drive: PartFile, path: Path, label: str) -> dict[str, PartValue]:
    """The values of the NAND part the drive part names; none when it names none."""
    nand = drive.plain.get("nand")
    if nand is None:
        return {}
    if nand.endswith(".toml"):
        nand_path, nand_label = path.parent / nand, f"{nand} (the nand of {label})"
    else:
        nand_path, nand_label = _shipped("nand", nand, what=f"NAND part (the nand of {label})")
    return dict(read_part_file(nand_path, label=nand_label, nand=True).values)


def _shipped(folder: str, name: str, *, what: str) -> tuple[Path, str]:
    """Path and label of a shipped part; WrongUse naming the nearest one when there is none of that name."""
    known = sorted(path.stem for path in (shipped_folder() / folder).glob("*.toml"))
    if name not in known:
        near = get_close_matches(name, known, n=1, cutoff=0.4)
        raise WrongUse(
            f'there is no {what} "{name}"',
            accepted=f"{', '.join(known)}, or the path of a file that ends in .toml",
            advice=f'did you mean "{near[0]}"?' if near else "",
        )
    return shipped_folder() / folder / f"{name}.toml", f"parts/{folder}/{name}.toml"
