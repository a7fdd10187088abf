"""Jobs as the JSON the core reads (crates/workload/src/job.rs): the fields of `Job`, name by name.

`repeated_ratio` is left out: no virtual drive stores equal blocks only once, and the core has no data.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from flashscope.workloads.job import Job


def to_json(jobs: Sequence[Job]) -> str:
    """A JSON list with one object per job, in the order given."""
    return json.dumps([{key: value for key, value in asdict(job).items() if key != "repeated_ratio"} for job in jobs])
