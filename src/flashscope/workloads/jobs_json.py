"""Jobs as JSON, for the virtual-time runner (crates/workload/src/job.rs reads it field by field)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from flashscope.workloads.job import Job


def to_json(jobs: Sequence[Job]) -> str:
    """A JSON list with one object per job; its keys are the fields of `Job`."""
    return json.dumps([asdict(job) for job in jobs], allow_nan=False)
