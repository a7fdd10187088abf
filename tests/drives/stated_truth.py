"""The truth that the configurations of the shipped parts state, without a drive being built."""

from __future__ import annotations

import functools
import json
from typing import Any

from flashscope.drives.parts.part import list_parts, load_part
from flashscope.drives.truth.configured import truth_of_configuration, truth_of_members
from flashscope.drives.truth.untold import why_no_truth
from flashscope.records import Record

_BY_COUNTERS = {"erase_step_host_bytes", "write_amplification_random", "rate_fall", "rber", "rber_growth_per_cycle"}
"""What a drive states from its counters and blocks (`SimulatedDrive.truth`)."""


def configuration_of(name: str) -> dict[str, Any]:
    """A shipped part in base units."""
    return dict(json.loads(load_part(name).to_core_json()))


def truth_of(name: str) -> dict[str, Any]:
    """What the configuration of a shipped part states."""
    part = load_part(name)
    return truth_of_configuration(configuration_of(name), part.geometry if part.kind == "ssd" else None)


@functools.cache
def stated_keys() -> frozenset[str]:
    """Keys of all findings of which some virtual drive states a truth."""
    pair = {"members": [configuration_of("onyx-32")] * 2, "host": {"bytes_per_second": 10**6}}
    faster = pair | {"host": {"bytes_per_second": 10**12}}
    keys = {key for name in list_parts() for key in truth_of(name)} | _BY_COUNTERS
    return frozenset(keys | truth_of_members(pair).keys() | truth_of_members(faster).keys())


def without_truth(record: Record) -> list[str]:
    """Each finding of which no virtual drive states a truth, though no reason for that is given (`truth/untold.py`)."""
    told = stated_keys() | record.truth.keys()
    return [
        f"{record.experiment} {finding.key} has neither a truth nor a reason to have none"
        for finding in record.findings
        if finding.key not in told and not why_no_truth(finding.key)
    ]
