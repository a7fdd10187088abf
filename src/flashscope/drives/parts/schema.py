"""Every key that a part may have: one table for validation, the reference page and the core's configuration.

    TOML key                  schema row                          core (JSON, base units)
    timing.read_latency  -->  Key(dimension="time", least=1)   --> timing.read_latency_ns

To add a key, add a row here; `docs/reference/parts.md` contains this table and a test compares the two.
Conditions on several keys are in `parts/geometry.py`.
"""

from __future__ import annotations

from collections.abc import Collection

from flashscope.drives.parts.keys import disk, flash, host_side, life, memory, translation
from flashscope.drives.parts.keys.key import EVERY_KIND, Key

ORIGINS = {
    "data sheet": "its maker states it",
    "teardown": "somebody opened the drive, or read its firmware or chip tables",
    "class": "usual for parts of this kind and year; not stated for this one",
    "assumed": "no source states it; a guess for which none of the drive's published figures was used",
    "fitted": "chosen so that the figures named in `fitted_to` come out",
}
UNSTATED = "unstated"
KEYS = (
    Key("model", "text", "model name the drive gives of itself", '"OCZ-ONYX"', kinds=EVERY_KIND),
    Key("firmware", "text", "firmware version the drive gives of itself", '"1.6"', kinds=EVERY_KIND),
    *flash.KEYS,
    *host_side.KEYS,
    *translation.KEYS,
    *life.KEYS,
    *disk.KEYS,
    *memory.KEYS,
)

OPTIONAL_SECTIONS = (
    "scheduling",
    "pslc",
    "trim",
    "throttle",
    "idle_collection",
    "separation",
    "log_blocks",
    "fine_map",
    "compression",
    "parity",
    "wear_leveling",
    "ecc",
    "endurance",
)
"""Optional mechanisms: a part without the section does not have the mechanism."""

BY_NAME = {key.name: key for key in KEYS}
SECTIONS = tuple(dict.fromkeys(key.section for key in KEYS if key.section))


def keys_of(kind: str, sections: Collection[str]) -> list[Key]:
    """The keys of a part of that kind whose file has these sections; optional ones it does not have are left out."""
    optional = OPTIONAL_SECTIONS if kind != "memory" else (*OPTIONAL_SECTIONS, "link")
    return [key for key in KEYS if kind in key.kinds and (key.section not in optional or key.section in sections)]


def accepted_text(key: Key) -> str:
    """What a key accepts, in words, without its bounds: for messages and for the reference page."""
    match key.dimension:
        case "choice":
            return ", ".join(f'"{choice}"' for choice in key.choices)
        case "yes or no":
            return "true, false"
        case "text":
            return "text"
        case "number":
            return "a number without a unit"
    return f"{key.dimension}, such as {key.example}" + (" (or a list of them)" if key.many else "")


def key_table() -> str:
    """The reference table of all keys, in Markdown; docs/reference/parts.md holds exactly this."""
    lines = ["| key | meaning | accepts | of | in a NAND part |", "|---|---|---|---|---|"]
    for key in KEYS:
        bounds = f", {key.least:g} to {key.most:g}" if key.dimension in ("count", "number") and key.most < 1e6 else ""
        optional = f" (default {_default_text(key.default)})" if key.default not in (None, "") else ""
        nand = "yes" if key.nand else ""
        kinds = "every kind" if key.kinds == EVERY_KIND else ", ".join(key.kinds)
        lines.append(f"| `{key.name}` | {key.meaning} | {accepted_text(key)}{bounds}{optional} | {kinds} | {nand} |")
    return "\n".join(lines)


def _default_text(default: int | float | str) -> str:
    return str(default).lower() if isinstance(default, bool) else str(default)
