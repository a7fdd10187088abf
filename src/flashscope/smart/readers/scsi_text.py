"""What smartctl prints of a SCSI drive as text -> vendor_logs["scsi"].

Bytes processed are printed in units of 10^9 with three decimals; they become bytes.
Not read here: background scan results, the SAS ports' logs.
"""

from __future__ import annotations

import re

from flashscope.smart.readers.draft import Draft
from flashscope.smart.readers.text import whole_number

COUNTERS = (
    "errors_corrected_by_eccfast",
    "errors_corrected_by_eccdelayed",
    "errors_corrected_by_rereads_rewrites",
    "total_errors_corrected",
    "correction_algorithm_invocations",
    "processed_bytes",
    "total_uncorrected_errors",
)
"""The columns of the error counters' table, by smartctl's JSON names, bytes instead of gigabytes."""
_LABELS = {
    "Current Drive Temperature": "temperature_celsius",
    "Drive Trip Temperature": "temperature_trip_celsius",
    "Accumulated start-stop cycles": "accumulated_start_stop_cycles",
    "Accumulated load-unload cycles": "accumulated_load_unload_cycles",
    "Specified cycle count over device lifetime": "specified_cycle_count_over_device_lifetime",
    "Specified load-unload count over device lifetime": "specified_load_unload_count_over_device_lifetime",
    "Elements in grown defect list": "grown_defect_list",
    "Non-medium error count": "non_medium_error_count",
    "Percentage used endurance indicator": "percentage_used_endurance_indicator",
    "Pending defect count": "pending_defect_count",
    "Total power-on hours": "power_on_time_hours",
}
_POWERED = re.compile(r"\s*number of hours powered up\s*=\s*(\d+)[.,](\d\d)")
_ACCUMULATED = re.compile(r"Accumulated power on time, hours:minutes (\d+):(\d\d)")
_PROCESSED = re.compile(r"(\d+)[.,](\d{3})")


class ScsiText:
    """Takes the lines that only SCSI drives have."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._vendor = self._product = ""

    def line(self, line: str) -> bool:
        """Take a line outside of the counters' table; returns whether it was understood."""
        label, _, value = line.partition(":")
        label, value = label.strip(), value.strip()
        if label == "Vendor":
            self._vendor = value
        elif label == "Product":
            self._product = value
        elif label in (
            "Manufactured in week",
            "Vendor (Seagate) cache information",
            "Vendor (Seagate/Hitachi) factory information",
        ):
            return True
        elif name := _LABELS.get(label):
            number = whole_number(value.removesuffix("%").removesuffix(" C").strip())
            if number is None:
                return False
            self._draft.log("scsi", name, number)
        elif match := _ACCUMULATED.match(line) or _POWERED.match(line):
            minutes = int(match[2]) if ":" in match[0] else round(int(match[2]) * 60 / 100)
            self._draft.vendor_logs.setdefault("scsi", {}).setdefault(
                "power_on_time_minutes", int(match[1]) * 60 + minutes
            )
        else:
            return line.startswith("Manufactured in week")
        self._draft.tell("protocol", "SCSI")
        return True

    def counters(self, line: str) -> bool:
        """Take a line of the error counters' table; returns whether it was understood."""
        words = line.split()
        kind = words[0].removesuffix(":")
        if kind not in ("read", "write", "verify") or len(words) != 1 + len(COUNTERS):
            return not words[0].endswith(":") and not line[:1].isdigit() and not self.line(line)
        for name, word in zip(COUNTERS, words[1:], strict=True):
            if name == "processed_bytes":
                match = _PROCESSED.fullmatch(word)
                number = int(match[1] + match[2]) * 10**6 if match else None
            else:
                number = whole_number(word)
            if number is None:
                return False
            self._draft.log("scsi", f"{kind}_{name}", number)
        self._draft.tell("protocol", "SCSI")
        return True

    def finish(self) -> None:
        """The model is vendor and product."""
        model = f"{self._vendor} {self._product}".strip()
        if model and not self._draft.model:
            self._draft.model = model
