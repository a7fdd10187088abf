"""The findings in the page for programs: JSON, raw values, full provenance."""

from __future__ import annotations

from typing import Any

from flashscope.records import Record
from flashscope.records.plain import plain, without_nan


def findings_data(record: Record) -> dict[str, Any]:
    """A record for a program: its findings, with raw values, and their provenance; only types that JSON has."""
    data = {
        "id": record.id,
        "experiment": record.experiment,
        "drive": record.drive,
        "status": str(record.status),
        "created_utc": record.created_utc,
        "seed": record.seed,
        "command": record.command,
        "versions": record.versions,
        "configuration_hash": record.configuration_hash,
        "findings": [
            {
                "key": finding.key,
                "statement": finding.statement,
                "value": finding.value,
                "unit": finding.unit,
                "low": finding.low,
                "high": finding.high,
                "confidence_ratio": finding.confidence_ratio,
                "evidence": list(finding.evidence),
                "doubts": [{"kind": doubt.kind, "message": doubt.message} for doubt in finding.doubts],
                "truth": record.truth.get(finding.key),
            }
            for finding in record.findings
        ],
    }
    return dict(without_nan(plain(data)))
