"""What a run leaves: columns with units, latency histograms, SMART snapshots, findings; and the store."""

from flashscope.records.columns import Column, Table
from flashscope.records.latency import Histogram
from flashscope.records.record import (
    Doubt,
    Finding,
    Record,
    SmartAttribute,
    SmartSnapshot,
    Status,
    StepRecord,
    WorkloadResult,
)

__all__ = [
    "Column",
    "Doubt",
    "Finding",
    "Histogram",
    "Record",
    "SmartAttribute",
    "SmartSnapshot",
    "Status",
    "StepRecord",
    "Table",
    "WorkloadResult",
]
