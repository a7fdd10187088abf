"""The results of a run: columns with units, latency histograms, SMART snapshots, findings; and the store."""

from flashscope.records.columns import Column, Table
from flashscope.records.doubt import Doubt
from flashscope.records.glass import Glass, HeatMap
from flashscope.records.labels import NO_LABELS, Label, Labels
from flashscope.records.latency import Histogram
from flashscope.records.record import (
    BYTES_OF,
    FIRST_STATE_OUT_OF_USE,
    Finding,
    Record,
    SmartAttribute,
    SmartSnapshot,
    Status,
    StepKind,
    StepRecord,
    WorkloadResult,
)

__all__ = [
    "BYTES_OF",
    "FIRST_STATE_OUT_OF_USE",
    "NO_LABELS",
    "Column",
    "Doubt",
    "Finding",
    "Glass",
    "HeatMap",
    "Histogram",
    "Label",
    "Labels",
    "Record",
    "SmartAttribute",
    "SmartSnapshot",
    "Status",
    "StepKind",
    "StepRecord",
    "Table",
    "WorkloadResult",
]
