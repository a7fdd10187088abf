"""The metrics of smartctl_exporter (prometheus-community), as its page /metrics or a federation shows them.

    smartctl_device{device="sda",model_name=...,serial_number=...} 1        the drive's names, in this line alone
    smartctl_device_attribute{device="sda",attribute_id="9",attribute_value_type="raw",...} 1234

Lines belong together by `device`, and by `instance` where several hosts are joined. Metrics have no time, unless a
federation adds one.

The exporter writes 0 where smartctl says nothing. So NVMe's numbers are taken of NVMe drives alone, a failed
self-assessment counts only together with smartctl's exit status, and 0 hours or power cycles are not taken. Versions
differ in what they multiply NVMe's data units by: 512 000 bytes, or 1024 logical sectors; the one that divides the
number is taken, and none where both do. Not read here: Device Statistics, which have no place in their log.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flashscope.errors import WrongUse
from flashscope.smart.dump import Dump
from flashscope.smart.readers.collectors.moments import possible_moment
from flashscope.smart.readers.collectors.prometheus import MetricSample, sample_of
from flashscope.smart.readers.collectors.rebuilt import FORMAT_PROMETHEUS, attribute_row, dump_of

_PREFIX = "smartctl_"
_FAILING_BIT = 1 << 3
_DATA_UNIT_BYTES = 512_000
_EXACT_MOST = 1 << 53
_OF_DRIVE = {"rotation_rate": ("rotation_rate",)}
_NOT_ZERO = {"power_cycle_count": ("power_cycle_count",), "capacity_bytes": ("user_capacity", "bytes")}
_OF_NVME = {
    "percentage_used": "percentage_used",
    "available_spare": "available_spare",
    "available_spare_threshold": "available_spare_threshold",
    "critical_warning": "critical_warning",
    "media_errors": "media_errors",
    "num_err_log_entries": "num_err_log_entries",
}
_OF_SCSI = {
    "scsi_grown_defect_list": ("scsi_grown_defect_list",),
    "read_total_uncorrected_errors": ("scsi_error_counter_log", "read", "total_uncorrected_errors"),
    "write_total_uncorrected_errors": ("scsi_error_counter_log", "write", "total_uncorrected_errors"),
}


class _Device:
    """What the lines of one drive say, until all are read."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.numbers: dict[str, int] = {}
        self.attributes: dict[int, dict[str, Any]] = {}
        self.taken_at_s: float | None = None


def looks_like_smartctl_exporter(text: str) -> bool:
    """Whether a text has the exporter's line with the names of a drive."""
    return "\nsmartctl_device{" in f"\n{text}"


def read_smartctl_exporter(text: str, source: str) -> tuple[Dump, ...]:
    """A dump for each drive. Raises WrongUse when no drive has a number."""
    devices: dict[tuple[str, str], _Device] = {}
    broken: list[str] = []
    *lines, last = text.split("\n")  # the format ends each line; one without an end may be cut within a number
    for line in lines:
        if not line.startswith(_PREFIX):
            continue
        sample = sample_of(line)
        if sample is None or "device" not in sample.labels:
            broken += [line] if sample is None else []
            continue
        key = (sample.labels.get("instance", ""), sample.labels["device"])
        _take(devices.setdefault(key, _Device()), sample)
    cut = "the page ends in the middle of a line" if last.strip() else ""
    found = [
        _dump(device, f"{source} ({' '.join(one for one in key if one)})", broken, cut)
        for key, device in devices.items()
        if device.names
    ]
    told = [dump for dump in found if dump.attributes or dump.nvme_health or dump.vendor_logs]
    if not told:
        raise WrongUse(f"{source} has metrics of smartctl_exporter, but no numbers of a drive", accepted="its /metrics")
    return tuple(told)


def _take(device: _Device, sample: MetricSample) -> None:
    name, labels = sample.name.removeprefix(_PREFIX), sample.labels
    if sample.stamp is not None:
        device.taken_at_s = possible_moment(sample.stamp / 1000) or device.taken_at_s
    if name == "device":
        device.names = labels
        return
    if sample.value is None or sample.value != int(sample.value) or not 0 <= sample.value < _EXACT_MOST:
        return
    value, short = int(sample.value), name.removeprefix("device_")
    if short == "attribute":
        id, kind = labels.get("attribute_id", ""), labels.get("attribute_value_type", "")
        if id.isascii() and id.isdigit() and len(id) < 4:
            row = device.attributes.setdefault(int(id), {"labels": labels})
            row[kind] = value
    elif short == "temperature":
        device.numbers.setdefault(f"temperature {labels.get('temperature_type', '')}", value)
    elif short == "block_size":
        device.numbers.setdefault(f"block_size {labels.get('blocks_type', '')}", value)
    else:
        device.numbers.setdefault(short, value)


def _dump(device: _Device, source: str, broken: list[str], cut: str) -> Dump:
    names, numbers = device.names, device.numbers
    document: dict[str, Any] = {
        "device": {"protocol": names.get("protocol", "")},
        **{key: names[key] for key in ("model_name", "serial_number", "model_family", "firmware_version")
           if names.get(key)},
    }  # fmt: skip
    _put(document, numbers, _OF_DRIVE)
    _put(document, {name: one for name, one in numbers.items() if one}, _NOT_ZERO)
    remarks = _health(document, numbers)
    if numbers.get("temperature current"):
        document["temperature"] = {"current": numbers["temperature current"]}
    if hours := numbers.get("power_on_seconds", 0) // 3600:
        document["power_on_time"] = {"hours": hours}
    protocol = names.get("protocol")
    if protocol == "NVMe":
        remarks += _nvme(document, numbers)
    elif protocol == "SCSI":
        _put(document, numbers, _OF_SCSI)
    rows = [_row(id, row) for id, row in sorted(device.attributes.items())]
    if rows:
        document["ata_smart_attributes"] = {"table": rows}
    if broken:
        remarks.append(f"{len(broken)} lines of the metrics are not whole")
    return dump_of(document, source, FORMAT_PROMETHEUS, device.taken_at_s, remarks, cut)


def _row(id: int, row: dict[str, Any]) -> dict[str, Any]:
    labels = row["labels"]
    return attribute_row(
        id,
        row.get("value"),
        row.get("worst"),
        row.get("thresh"),
        row.get("raw"),
        labels.get("attribute_name", ""),
        is_pre_failure="prefailure" in labels.get("attribute_flags_long", ""),
    )


def _put(document: dict[str, Any], numbers: Mapping[str, int], paths: Mapping[str, tuple[str, ...]]) -> None:
    for name, path in paths.items():
        if name in numbers:
            inner = document
            for key in path[:-1]:
                inner = inner.setdefault(key, {})
            inner[path[-1]] = numbers[name]


def _health(document: dict[str, Any], numbers: dict[str, int]) -> list[str]:
    """The self-assessment. Returns what is to be remarked."""
    passed = numbers.get("smart_status", numbers.get("status"))
    if passed == 1:
        document["smart_status"] = {"passed": True}
    elif passed == 0 and numbers.get("smartctl_exit_status", 0) & _FAILING_BIT:
        document["smart_status"] = {"passed": False}
    elif passed == 0:
        return ["the exporter writes a self-assessment of 0, as it does where the drive gives none; it is not taken"]
    return []


def _nvme(document: dict[str, Any], numbers: dict[str, int]) -> list[str]:
    log = {key: numbers[name] for name, key in _OF_NVME.items() if name in numbers}
    remarks = []
    for name in ("bytes_read", "bytes_written"):
        if not (count := numbers.get(name)):
            continue
        units = {_DATA_UNIT_BYTES, 1024 * (numbers.get("block_size logical") or 512)}
        fitting = [unit for unit in units if count % unit == 0]
        if len(fitting) == 1:
            log[f"data_units_{name.removeprefix('bytes_')}"] = count // fitting[0]
        else:
            remarks.append(f"{name} of {count} fits {'both' if fitting else 'none'} of the exporter's units; not taken")
    for key, path in (("power_on_hours", "power_on_time"), ("temperature", "temperature")):
        if path in document:
            log[key] = document[path]["hours" if path == "power_on_time" else "current"]
    if numbers.get("power_cycle_count"):
        log["power_cycles"] = numbers["power_cycle_count"]
    if log:
        document["nvme_smart_health_information_log"] = log
    return remarks
