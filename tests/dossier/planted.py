"""Records of a drive on given days, with planted findings, for the joining of a dossier."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from flashscope.dossier.answer import Answer
from flashscope.dossier.join import make_dossier
from flashscope.records import Doubt, Finding, Record
from flashscope.records.capability import Capability
from flashscope.records.drive_facts import DriveFacts, VirtualFacts
from tests.dossier.judge.planted import finding, record
from tests.facts import device_facts, virtual_facts

GB = 10**9
_BUILD = {"flashscope": "1.0", "core": "a", "package": "a", "results": "a"}


def flash(part: str = "", **more: Any) -> DriveFacts:
    """A virtual solid-state drive of 32 GB."""
    can = (Capability.TRIM, Capability.SECURE_ERASE, Capability.SOLID_STATE, Capability.BARE)
    facts = virtual_facts(32 * GB, *can)
    return replace(facts, model="PLANTED", virtual=VirtualFacts("ssd", 0, part), **more)


def real(serial: str = "S1", **more: Any) -> DriveFacts:
    """A real solid-state drive of 32 GB."""
    facts = device_facts(32 * GB, Capability.SOLID_STATE, Capability.BARE)
    return replace(facts, model="PLANTED", serial=serial, **more)


def on(day: int, experiment: str, *findings: Finding, facts: DriveFacts | None = None, **more: Any) -> Record:
    """A finished run of that day of January 2026."""
    utc = f"2026-01-{day:02}T00:00:00Z"
    made = record(experiment, *findings, facts=facts or flash(), created_utc=utc, versions=_BUILD)
    return replace(made, id=f"{day:02}-{experiment}", **more)


def number(
    key: str,
    value: Any,
    low: float | None = None,
    high: float | None = None,
    *,
    doubts: tuple[str, ...] = (),
    **more: Any,
) -> Finding:
    """A finding with an interval, and doubts of these kinds."""
    kinds = tuple(Doubt(kind, f"{kind} is said", "") for kind in doubts)
    return finding(key, value, low=low, high=high, doubts=kinds, **more)


def answer(key: str, *records: Record) -> Answer:
    """What the dossier of the records says about a property."""
    found = make_dossier(records).answer(key)
    assert found is not None, key
    return found


@cache
def of_a_whole_examination() -> tuple[dict[str, Any], ...]:
    """Every experiment's findings on one drive, as a run kept them."""
    kept: list[dict[str, Any]] = json.loads(
        (Path(__file__).parent.parent / "reports" / "findings_of_onyx_32.json").read_text(encoding="utf-8")
    )
    return tuple(kept)


def examined(facts: DriveFacts | None = None) -> list[Record]:
    """The records of a whole examination, of a drive with these facts."""
    return [
        on(1, each["experiment"], *(Finding(**fields) for fields in each["findings"]), facts=facts)
        for each in of_a_whole_examination()
    ]
