"""Lines of smartctl's text of the form "label: value": the drive's identity, time of reading, smartctl's remarks.

Known labels without a field in a dump are listed too, so that an unknown label is noticed.
"""

from __future__ import annotations

from collections.abc import Callable

from flashscope.smart.readers.draft import Draft
from flashscope.smart.readers.local_time import seconds_since_1970
from flashscope.smart.readers.text import whole_number

_KNOWN_LABELS = frozenset({
    "AAM feature is", "AAM level is", "APM feature is", "APM level is", "ATA Security is", "ATA Standard is",
    "ATA Version is", "Add. Product Id", "Compliance", "Controller ID", "Copyright (C)",
    "Critical Comp. Temp. Threshold", "DSN feature is", "Device is", "Device type", "Firmware Updates",
    "Firmware Updates (0x02)", "Form Factor", "Formatted with type", "Host Identifier", "IEEE OUI Identifier",
    "LB provisioning type", "Local Time is", "Log Page Attributes", "Logical block provisioning type",
    "Logical block size", "Lowest aligned LBA", "Maximum Data Transfer Size", "NVMe Version", "Namespace 1 Features",
    "Namespace 1 Formatted LBA Size", "Number of Namespaces", "Optional Admin Commands", "Optional NVM Commands",
    "PCI Vendor ID", "PCI Vendor Subsystem ID", "PCI Vendor/Subsystem ID", "Physical block size", "Power mode is",
    "Power mode was", "Rd look-ahead is", "Read Cache is", "Read SMART Thresholds failed",
    "SATA Version is", "SMART support is", "Sector Size", "Sector Sizes", "TRIM Command", "Temperature Warning",
    "Transport protocol", "Unallocated NVM Capacity", "Warning  Comp. Temp. Threshold",
    "Warning Comp. Temp. Threshold", "Wear_Leveling", "Write SCT (Get) XXX", "Write cache is", "Writeback Cache is",
    "Wt Cache Reorder", "Zoned Device",
})  # fmt: skip
COUNTS = {
    "Device Error Count": "ata_error_count",
    "ATA Error Count": "ata_error_count",
    "Pending Defect Count": "pending_defect_count",
}
"""The counts that smartctl prints above the error logs -> their name in vendor_logs["smartctl"]."""
_KNOWN_STARTS = ("Namespace 1 ", "Optional ", "Firmware Upd", "Log Page")
_REMARK_STARTS = (
    "Warning!", "Warning:", "Error SMART", "Please note", "Drive fail", "mandatory SMART", "A mandatory",
    "Read SMART", "Failed Attributes", "Smartctl open device", "Smartctl: ", "Device does not support SMART",
)  # fmt: skip
_PLAIN_STARTS = (
    "smartctl ", "Copyright", "SMART ", "Device does not support", "Read ", "#", "===", "ATA ",
    "No Errors", "No self-tests", "If Selective",
    "General Purpose Log", "See vendor", "Unexpected SCT status", "http", "sudo ", "$ ",
)  # fmt: skip


class Information:
    """Takes the labelled lines of the information section."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft

    def line(self, line: str) -> bool:
        """Take a line; returns whether it was understood."""
        label, colon, value = line.partition(":")
        label, value = label.rstrip(), value.strip()
        if label.startswith(_REMARK_STARTS):
            self.draft.remark(f"smartctl: {line.strip()}")
            return True
        if not colon:
            return line.startswith(_PLAIN_STARTS) and "Error Counter logging" not in line
        if take := _LABELS.get(label):
            return take(self.draft, value)
        if label in _KNOWN_LABELS:
            if label in ("ATA Version is", "NVMe Version"):
                self.draft.tell("protocol", label[: label.index(" ")])
            elif label == "Local Time is":
                self._local_time(value)
            elif label == "SMART support is" and value.startswith(("Unavailable", "Disabled")):
                self.draft.remark(f"SMART support is: {value}")
            return True
        if label == "SMART Health Status":
            return False  # of SCSI drives
        if label.startswith("SMART overall-health"):
            self._passed(value)
            return True
        if label in COUNTS:
            return self.count(label, value)
        if label.startswith("==> WARNING"):
            self.draft.remark(f"smartctl warns: {value}")
            return True
        return label.startswith(_KNOWN_STARTS) or label.startswith(_PLAIN_STARTS)

    def _passed(self, value: str) -> None:
        passed = value.split(" ")[0] in ("PASSED", "OK")
        if passed or "FAIL" in value:
            self.draft.log("smartctl", "smart_passed", int(passed))
        if not passed:
            self.draft.remark(f"smartctl says of the drive's health: {value}")

    def _local_time(self, value: str) -> None:
        taken_at_s = seconds_since_1970(value)
        if taken_at_s is not None:
            self.draft.tell("taken_at_s", taken_at_s)
        else:
            self.draft.remark(f"the time of the reading is not clear from {value!r}; its zone may be one of several")

    def count(self, label: str, value: str) -> bool:
        """Take a line with a count above an error log; returns whether it was one."""
        number = whole_number(value.split(" ")[0])
        if label not in COUNTS or number is None:
            return False
        self.draft.log("smartctl", COUNTS[label], number)
        return True


def _text(name: str) -> Callable[[Draft, str], bool]:
    def tell(draft: Draft, value: str) -> bool:
        draft.tell(name, value)
        return True

    return tell


def _capacity(draft: Draft, value: str) -> bool:
    before = value.partition("[")[0].strip()
    number = whole_number(before.removesuffix("bytes").removesuffix("Bytes"))
    if number is None or not ("[" in value or before.lower().endswith("bytes")):
        return False
    draft.tell("user_bytes", number)
    return True


def _namespace(draft: Draft, value: str) -> bool:
    """A namespace's size is taken as the capacity when the controller does not report the drive's."""
    return draft.user_bytes is not None or _capacity(draft, value)


def _rotation(draft: Draft, value: str) -> bool:
    if value.startswith("Solid State"):
        draft.tell("rotation_rpm", 0)
        return True
    number = whole_number(value.split(" ")[0])
    if number is not None and value.endswith("rpm"):
        draft.tell("rotation_rpm", number)
        return True
    return not any(sign.isdigit() for sign in value)


_LABELS: dict[str, Callable[[Draft, str], bool]] = {
    "Device Model": _text("model"),
    "Model Number": _text("model"),
    "Model Family": _text("family_printed"),
    "Serial Number": _text("serial"),
    "Serial number": _text("serial"),
    "Firmware Version": _text("firmware"),
    "Revision": _text("firmware"),
    "User Capacity": _capacity,
    "Total NVM Capacity": _capacity,
    "Namespace 1 Size/Capacity": _namespace,
    "Namespace 1 Utilization": lambda draft, value: True,
    "Rotation Rate": _rotation,
    "LU WWN Device Id": _text("wwn"),
    "Logical Unit id": _text("wwn"),
    "Namespace 1 IEEE EUI-64": _text("wwn"),
}
