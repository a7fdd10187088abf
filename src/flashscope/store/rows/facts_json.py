"""Facts of a drive, read from the JSON that a record keeps.

    newest layout    the fields of `DriveFacts` by name; what is missing has its default
    before that      "kind" instead of what a drive can do: `older_facts.py` turns it into the newest

Words that this version does not know (a capability of a later one) are left out, so that the rest can be read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, TypeVar

from flashscope.records.capability import Capability
from flashscope.records.doubt import Doubt
from flashscope.records.drive_facts import AgedFacts, DeviceFacts, DriveFacts, FilePlace, SeenPart, VirtualFacts
from flashscope.records.time_cost import TimeCost
from flashscope.store.rows.older_facts import is_older, newer

Part = TypeVar("Part", SeenPart, FilePlace, DeviceFacts, VirtualFacts, AgedFacts)
_KNOWN = {capability.value: capability for capability in Capability}


def facts_from_json(kept: Mapping[str, Any]) -> DriveFacts:
    """The facts that `DriveFacts.to_json` gave, in this version or in an earlier one."""
    values = {**newer(kept)} if is_older(kept) else {**kept}
    known = {field.name for field in fields(DriveFacts)}
    values = {name: value for name, value in values.items() if name in known and value is not None}
    for name in ("address", "kind_name", "model", "firmware", "serial"):
        values.setdefault(name, "")
    values |= {
        "user_bytes": int(values.get("user_bytes", 0)),
        "time_cost": TimeCost(values.get("time_cost", TimeCost.OWN)),
        "capabilities": frozenset(_KNOWN[word] for word in values.get("capabilities", ()) if word in _KNOWN),
        "why_not": {_KNOWN[word]: why for word, why in values.get("why_not", {}).items() if word in _KNOWN},
        "warnings": tuple(values.get("warnings", ())),
        "doubts": tuple(Doubt(**doubt) for doubt in values.get("doubts", ())),
        "members": tuple(values.get("members", ())),
    }
    parts: dict[str, Callable[[Mapping[str, Any]], object]] = {
        "partition": lambda kept: _part(SeenPart, kept),
        "place": lambda kept: _part(FilePlace, {**kept, "drives": tuple(kept.get("drives", ()))}),
        "device": lambda kept: _part(DeviceFacts, kept),
        "virtual": _virtual,
    }
    for name, read in parts.items():
        if name in values:
            values[name] = read(values[name])
    return DriveFacts(**values)


def _virtual(kept: Mapping[str, Any]) -> VirtualFacts:
    aged = kept.get("aged")
    return _part(VirtualFacts, {**kept, "aged": _part(AgedFacts, aged) if aged else None})


def _part(of: type[Part], kept: Mapping[str, Any]) -> Part:
    known = {field.name for field in fields(of)}
    return of(**{name: value for name, value in kept.items() if name in known})
