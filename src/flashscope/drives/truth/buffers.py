"""What bursts and pauses can reveal about a virtual drive: from its configuration.

A buffer can be seen only when the drive's flash is slower than its link; otherwise its keys are left out. Nothing here
is measured.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flashscope.drives.parts.geometry import Geometry
from flashscope.records.bounds import between

_FEW_REGISTERS = 0.02  # of the buffer
_VISIBLE_LOAD_RATIO = 0.85  # flash rate over link rate; from here on a buffer never fills


def inside_of_fill_and_recovery(configuration: dict[str, Any], geometry: Geometry) -> dict[str, Any]:
    """Under the keys of the findings.

    write_buffer_bytes: None when writes are answered after programming; bounds where the registers of the flash hold
    as much again as a good part of it. full_buffer_behaviour. Both are left out when the flash is as fast as the link.
    idle_collection_delay_ns: None when nothing is collected in idle time; left out where sectors are mapped block by
    block.
    """
    idle = configuration["gc"].get("idle")
    truth: dict[str, Any] = {}
    if not configuration.get("log_blocks"):
        truth["idle_collection_delay_ns"] = idle["delay_ns"] if idle else None
    buffer = configuration["buffer"]
    if buffer["acknowledge"] == "programmed" or buffer["bytes"] == 0:
        truth["write_buffer_bytes"] = None
    elif flash_bytes_per_second(configuration, geometry) < _VISIBLE_LOAD_RATIO * host_bytes_per_second(configuration):
        most = buffer["bytes"] + _register_bytes(configuration, geometry)
        size = buffer["bytes"] if most < (1 + _FEW_REGISTERS) * buffer["bytes"] else between(buffer["bytes"], most)
        truth |= {"write_buffer_bytes": size, "full_buffer_behaviour": buffer["stall"]}
    return truth


def _register_bytes(configuration: dict[str, Any], geometry: Geometry) -> int:
    """Data that the flash has taken and not yet programmed [bytes]: to a host it is as if the buffer were larger."""
    pages = 2 if configuration["timing"]["cache_program"] else 1
    return int(pages * _bank_count(configuration) * geometry.programmed_page_bytes)


def _bank_count(configuration: dict[str, Any]) -> int:
    shape = configuration["geometry"]
    packages = shape["channels"] * shape["packages_per_channel"]
    return int(packages // shape["lockstep_packages"] * shape["dies_per_package"])


def host_bytes_per_second(configuration: dict[str, Any], request_bytes: int = 1 << 20) -> float:
    """The rate at which single writes of 1 MiB reach the drive [bytes/s]."""
    link = configuration["link"]
    return float(request_bytes / (link["command_cost_ns"] / 1e9 + request_bytes / link["bytes_per_second"]))


def flash_bytes_per_second(
    configuration: dict[str, Any], geometry: Geometry, *, program_ns: float | None = None, read_ns: float | None = None
) -> float:
    """Rate when all banks program and their data crosses the channels that they share [bytes/s].

    program_ns: of a page, instead of the native time. read_ns: each page is read first, and crosses the channel twice.
    """
    timing, shape = configuration["timing"], configuration["geometry"]
    bus = timing["bus_bytes_per_second"] * shape["lockstep_packages"]
    page = geometry.programmed_page_bytes
    hidden = timing["cache_program"] and read_ns is None  # data crosses while the page before is programmed
    channels = shape["channels"]
    banks = _bank_count(configuration)
    crossings = 1 if read_ns is None else 2
    busy_ns = (read_ns or 0.0) + (float(np.mean(timing["program_latencies_ns"])) if program_ns is None else program_ns)
    crossing_s, busy_s = crossings * page / bus, busy_ns / 1e9
    page_s = max(crossing_s, busy_s) if hidden else crossing_s + busy_s
    return float(min(banks * page / page_s, channels * bus / crossings))
