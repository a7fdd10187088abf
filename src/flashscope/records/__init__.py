"""The results of a run: columns with units, latency histograms, SMART snapshots, findings.

What the package offers is imported when it is first asked for, so that `flashscope smart FILE`, which needs a snapshot
and no columns, loads no numpy: half of the time in which a dump is shown.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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
        Status,
        StepKind,
        StepRecord,
        WorkloadResult,
    )
    from flashscope.records.smart_snapshot import SmartAttribute, SmartSnapshot

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

_FILES = {
    "columns": ("Column", "Table"),
    "doubt": ("Doubt",),
    "glass": ("Glass", "HeatMap"),
    "labels": ("NO_LABELS", "Label", "Labels"),
    "latency": ("Histogram",),
    "smart_snapshot": ("SmartAttribute", "SmartSnapshot"),
}
_PLACES = {name: file for file, names in _FILES.items() for name in names}


def __getattr__(name: str) -> Any:
    """What the package offers under a name of `__all__`. Raises AttributeError for any other."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(importlib.import_module(f"{__name__}.{_PLACES.get(name, 'record')}"), name)
    globals()[name] = found
    return found
