"""SMART snapshots of two Indilinx drives: error bits, sectors read, and the raw bit error rate (F001-F008).

The number of sectors read is the drive's history, not a property: the same number is read here, in order and over
the whole drive, and SMART then gives the number of wrong bits. The earlier history of the real drives is not
known; the virtual ones are written once. "Sectors read" thus only shows that the counter counts.
"""

from __future__ import annotations

from collections.abc import Mapping

from flashscope.drives.parts.published_figures import Figure
from flashscope.experiments.read_streams import sequential_reads
from flashscope.experiments.streams import MIB, SECOND_NS, sequential_writes, whole_requests
from flashscope.records import Labels
from flashscope.records.drive_facts import DriveFacts
from flashscope.reproduce.figures.scenario import Laboratory, Scenario, Script, figures_where, ids_of
from flashscope.smart.decoding.decode import decode
from flashscope.smart.decoding.health import error_exponent, raw_bit_error_ratio
from flashscope.workloads.steps import ReadSmart, Step, Workload

_SECTOR_BYTES = 512
_SMART_AFTER = "SMART after reading"  # a role


def scenarios() -> list[Scenario]:
    """One for each drive."""
    drives = dict.fromkeys(figure.drive for figure in figures_where("smart-rber"))
    return [_scenario(drive, figures_where("smart-rber", drive=drive)) for drive in drives]


def _scenario(drive: str, figures: list[Figure]) -> Scenario:
    by_metric = {figure.metric: figure for figure in figures}
    read_bytes = round(by_metric["total_sectors_read"].value or 0) * _SECTOR_BYTES

    def lay_out(facts: DriveFacts) -> list[Step]:
        span = whole_requests(facts.user_bytes, MIB)
        fill = sequential_writes("fill", request_bytes=MIB, size_bytes=span)
        reads = sequential_reads("read", request_bytes=MIB, size_bytes=span, io_bytes=read_bytes)
        return [
            Workload("fill", (fill,), SECOND_NS, span, 0),
            Workload("read", (reads,), 60 * SECOND_NS, 0, read_bytes),
            ReadSmart("SMART after", labels=Labels.of(_SMART_AFTER)),
        ]

    def measure(laboratory: Laboratory) -> Mapping[str, float]:
        record = laboratory.run(f"sim:{drive}", Script(f"{drive}-smart-rber", lay_out))
        snapshot = record.the_step_with(_SMART_AFTER).smart
        assert snapshot is not None
        counted = {key: field.value for key, field in decode(snapshot).fields.items()}
        bits, host_read_bytes = counted["error_bits"], counted["host_read_bytes"]
        values = {"total_sectors_read": host_read_bytes / _SECTOR_BYTES, "total_error_bits": bits}
        if bits:
            values["rber"] = raw_bit_error_ratio(bits, host_read_bytes)
            values["smart_read_error_rate_raw"] = error_exponent(values["rber"])
        return {by_metric[metric].id: float(value) for metric, value in values.items()}

    return Scenario(f"{drive}: SMART counters of errors", ids_of(figures), read_bytes / 40e9, measure)
