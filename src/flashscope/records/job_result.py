"""What one job did while a step ran: over time, and its latencies in all. Kept when a step asks for it.

step --> all jobs together (name "")    elapsed_ns | read_bytes | read_requests | read_latency_ns_p50 ... | write_...
     +-> job "reader"
     +-> job "writer"
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from flashscope.records.columns import Table
from flashscope.records.latency import Histogram, bucket_bounds_ns

SHARES = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "p999": 0.999}
"""The latencies of an interval beside its longest: the share of its requests that each does not exceed."""


@dataclass(frozen=True)
class JobResult:
    """One job, or all jobs of one name; name "": all jobs of the step together.

    series: a row per interval with elapsed_ns (its end, since the step began), and for each kind of request that the
        job made `<kind>_bytes`, `<kind>_requests`, and `<kind>_latency_ns_p50`, `_p90`, `_p99`, `_p999`, `_max` of the
        requests that ended in the interval, 0 where none did.
    latency: "read" | "write" | "trim" -> Histogram over the whole step; absent when none.
    """

    name: str
    series: Table
    latency: dict[str, Histogram] = field(default_factory=dict)


def interval_columns(kind: str, amounts: Mapping[str, np.ndarray]) -> dict[str, tuple[str, np.ndarray]]:
    """The columns of one kind of request, name -> (unit, values).

    amounts: "bytes", "requests", "max" [ns], and for each of SHARES the number of a latency bucket, -1 for none.
    """
    longest_ns = np.asarray(amounts["max"], dtype=np.int64)
    columns: dict[str, tuple[str, np.ndarray]] = {
        f"{kind}_bytes": ("bytes", np.asarray(amounts["bytes"])),
        f"{kind}_requests": ("requests", np.asarray(amounts["requests"])),
    }
    for name in SHARES:
        middle_ns = np.array([sum(bucket_bounds_ns(int(one))) // 2 if one >= 0 else 0 for one in amounts[name]])
        columns[f"{kind}_latency_ns_{name}"] = ("ns", np.minimum(middle_ns.astype(np.int64), longest_ns))
    return columns | {f"{kind}_latency_ns_max": ("ns", longest_ns)}
