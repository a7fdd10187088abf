"""A judged disk as plain data for programs."""

from __future__ import annotations

from typing import Any

from flashscope.alignment.disk import DiskAlignment, StartLoss
from flashscope.alignment.judged import Start
from flashscope.partitions.layout import Partition, Problem

FORMAT = 1
"""Version of this form; a change that programs have to know of raises it."""


def disk_json(disk: DiskAlignment) -> dict[str, Any]:
    """Plain data; all places and sizes in bytes, losses as ratios from 0 to 1."""
    layout, table = disk.layout, disk.layout.table
    return {
        "flashscope_alignment": FORMAT,
        "disk": disk.where,
        "size_bytes": layout.size_bytes,
        "sector_bytes": layout.sector_bytes,
        "table": None if table is None else {"kind": table.kind, "identity": table.identity},
        "mapping_unit": {
            "size_bytes": disk.unit.size_bytes,
            "origin": disk.unit.origin,
            "source": disk.unit.source,
            "calculated_with_bytes": list(disk.unit.to_calculate_with),
        },
        "boundaries": [{"size_bytes": each.size_bytes, "kind": each.kind, "why": each.why} for each in disk.against],
        "required_bytes": disk.required_bytes,
        "misaligned": bool(disk.off),
        "partitions": [_partition(each) for each in layout.partitions],
        "starts": [_start(each, disk) for each in disk.starts],
        "losses": [each for cost in disk.costs for each in _losses(cost)],
        "advice": list(disk.advice),
        "problems": [_problem(each) for each in layout.problems],
    }


def _partition(partition: Partition) -> dict[str, Any]:
    return {
        "number": partition.number,
        "role": partition.role,
        "start_bytes": partition.start_bytes,
        "size_bytes": partition.size_bytes,
        "type": partition.type_code,
        "type_name": partition.type_name,
        "name": partition.name,
        "guid": partition.guid,
        "active": partition.active,
        "holds": partition.inside.kind if partition.inside else None,
    }


def _start(start: Start, disk: DiskAlignment) -> dict[str, Any]:
    return {
        "partition": start.partition,
        "what": start.what,
        "name": start.name,
        "holds": start.holds,
        "depth": start.depth,
        "start_bytes": start.start_bytes,
        "unit_bytes": start.unit_bytes,
        "counts": start.counts,
        "aligned_to_bytes": start.aligned_to_bytes,
        "misaligned": start in disk.off,
        "past_bytes": {str(each.boundary.size_bytes): each.past_bytes for each in start.verdicts},
    }


def _losses(cost: StartLoss) -> list[dict[str, Any]]:
    return [
        {
            "partition": cost.start.partition,
            "start_bytes": cost.start.start_bytes,
            "writing": loss.writing.key,
            "request_bytes": loss.writing.request_bytes,
            "unit_bytes": loss.unit_bytes,
            "unit_is_assumed": loss.assumed,
            "low_ratio": loss.low_ratio,
            "high_ratio": loss.high_ratio,
        }
        for loss in cost.losses
    ]


def _problem(problem: Problem) -> dict[str, Any]:
    return {
        "what": problem.what,
        "where_bytes": problem.where_bytes,
        "means": problem.means,
        "weight": problem.weight,
        "partition": problem.partition,
    }
