"""Values of a part, set from outside its file: `sim:onyx-32?gc.low_water_blocks=8`, or `--set` of a sweep.

    "gc.low_water_blocks" -> "8"   --checked as in a file-->   PartValue, in place of the file's or beside its others

A key in a section that the part does not have adds the mechanism, with the defaults of its other keys.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from flashscope.drives.parts.keys.key import Key
from flashscope.drives.parts.part_file import PartValue, checked_value, unknown_key
from flashscope.drives.parts.schema import BY_NAME, UNSTATED

SOURCE = "set in the address"
_MOST_CHARACTERS = 60
_NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d{1,3})?")
_YES_OR_NO = {"true": True, "false": False}


def read_overrides(overrides: Mapping[str, str], label: str) -> dict[str, PartValue]:
    """The values of these keys, each checked separately: key -> value. overrides: key -> text, as a person writes it.

    label: how messages call the drive. Raises WrongUse for an unknown key, and for a value that it does not accept.
    """
    return {name: read_override(name, text, label) for name, text in overrides.items()}


def read_override(name: str, text: str, label: str) -> PartValue:
    """The value of one key."""
    key = BY_NAME.get(name)
    if key is None:
        raise unknown_key(name, label)
    value = checked_value(key, _as_in_a_file(key, text), f"{label}: {name}")
    return PartValue(value, text, UNSTATED, SOURCE, (), label)


def overridden(stated: Mapping[str, PartValue], overrides: Mapping[str, PartValue]) -> dict[str, PartValue]:
    """The stated values of a part, replaced by the overrides.

    The rate of a link follows from its generation unless stated: a generation in the overrides replaces a stated rate.
    """
    kept = dict(stated)
    if "link.generation" in overrides and "link.rate" not in overrides:
        kept.pop("link.rate", None)
        kept.pop("link.full_duplex", None)
    return kept | dict(overrides)


def _as_in_a_file(key: Key, text: str) -> str | int | float | bool:
    """The value as TOML would give it; the text itself, which is then refused, when it is not what the key takes."""
    if key.dimension == "yes or no":
        return _YES_OR_NO.get(text, text)
    if key.dimension == "number" and len(text) <= _MOST_CHARACTERS and _NUMBER.fullmatch(text):
        return int(text) if text.lstrip("-").isdigit() else float(text)
    return text
