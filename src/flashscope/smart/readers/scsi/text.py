"""What smartctl prints of a SCSI drive as text -> vendor_logs["scsi"], versions 5.3 to 8.0.

    "Label: value", "label = value"     `ScsiText.line`, wherever they stand
    the error counters' table           `ScsiText.counters`
    background scans, self-tests, SAS   `ScsiText.background`, `self_test`, `phy`

Bytes processed are printed in units of 10^9 with three decimals; they become bytes. A number that a format cannot
have (a minute of 75, a count below 0) is not read.
Not read here: the events of the "last n error events" log, tape drives, limits of zones.
"""

from __future__ import annotations

import re

from flashscope.smart.readers.draft import Draft
from flashscope.smart.readers.scsi import names
from flashscope.smart.readers.scsi.controller import BEHIND, note_volume
from flashscope.smart.readers.scsi.names import COUNTERS, KINDS, LOG, PHY_ERRORS, Scans, Tests, tell_powered
from flashscope.smart.readers.text import whole_number

_LABELS = {
    "Current Drive Temperature": "temperature_celsius",
    "Drive Trip Temperature": "temperature_trip_celsius",
    "Accumulated start-stop cycles": "accumulated_start_stop_cycles",
    "Accumulated load-unload cycles": "accumulated_load_unload_cycles",
    "Specified cycle count over device lifetime": "specified_cycle_count_over_device_lifetime",
    "Specified load-unload count over device lifetime": "specified_load_unload_count_over_device_lifetime",
    "Current start stop count": "accumulated_start_stop_cycles",
    "Recommended maximum start stop count": "specified_cycle_count_over_device_lifetime",
    "Elements in grown defect list": "grown_defect_list",
    "Non-medium error count": "non_medium_error_count",
    "Track following error count [Hitachi]": "track_following_error_count",
    "Positioning error count [Hitachi]": "positioning_error_count",
    "Percentage used endurance indicator": "percentage_used_endurance_indicator",
    "SS Media used endurance indicator": "percentage_used_endurance_indicator",
    "Total power-on hours": "power_on_time_hours",
    "Current temperature": "environment_temperature_celsius",
    "Lifetime maximum temperature": "lifetime_maximum_temperature_celsius",
    "Lifetime minimum temperature": "lifetime_minimum_temperature_celsius",
    "Grown defects during certification": "grown_defects_during_certification",
    "Total blocks reassigned during format": "blocks_reassigned_during_format",
    "Total new blocks reassigned": "new_blocks_reassigned_since_format",
    "Power on minutes since format": "power_on_minutes_since_format",
    "Blocks sent to initiator": "blocks_sent_to_initiator",
    "Blocks received from initiator": "blocks_received_from_initiator",
    "Blocks read from cache and sent to initiator": "blocks_read_from_cache",
    "number of read commands": "read_commands",
    "number of write commands": "write_commands",
    "number of logical blocks received": "logical_blocks_received",
    "number of logical blocks transmitted": "logical_blocks_transmitted",
}
_KNOWN = frozenset({
    "Manufactured in week", "Vendor (Seagate) cache information", "Vendor (Seagate Cache) information",
    "Vendor (Seagate/Hitachi) factory information", "number of minutes until next internal SMART test",
    "Number of read and write commands whose size <= segment size",
    "Number of read and write commands whose size > segment size", "Long (extended) Self-test duration",
    "Long (extended) Self Test duration", "Self-test execution status", "Maximum temperature since power on",
    "Minimum temperature since power on", "Maximum other temperature", "Minimum other temperature",
    "Relative humidity", "read command processing intervals", "write command processing intervals",
    "weighted number of read commands plus write commands",
    "weighted read command processing plus write command processing", "idle time intervals",
    "time interval negative exponent", "time interval integer", "Lifetime maximum relative humidity",
    "Lifetime minimum relative humidity", "Maximum relative humidity since power on",
    "Minimum relative humidity since power on", "Temperature Warning", "Maximum other relative humidity",
    "Minimum other relative humidity",
})  # fmt: skip
_KNOWN_STARTS = (
    "Manufactured in week", "LU is ", "Logical block provisioning", "Formatted with", "[GLTSD", "scsiMode",
    "Enable Save with", "Last n error events", "No error events", "General statistics and performance", "Additional",
)  # fmt: skip
_PROTECTION = re.compile(r"\s*\d+ (bytes of protection information|protection information intervals) per logical.*")
_REMARKS = re.compile(
    r"(?:Read defect list|Grown defect list length|device is NOT READY|NO MEDIUM|Probable ATA device|Short INQUIRY|"
    r"device Test Unit Ready|>> Terminate|Standard Inquiry|Try an additional|.*\bFailed \[|scsi\w+ Failed|"
    r"unable to fetch IEC).*"
)
_POWERED = re.compile(r"\s*number of hours powered up\s*=\s*(\d{1,9})[.,](\d\d)")
_ACCUMULATED = re.compile(r"\s*Accumulated power on time, hours:minutes\s+(\d{1,9}):(\d\d)(?: \[\d+ minutes\])?\s*")
_PENDING = re.compile(r"\s*Pending defect count:\s*(\d{1,12})(?: Pending Defects?\b.*)?\s*")
_PENDING_ROW = re.compile(r"\s*\d+:\s+0x[0-9a-fA-F]+\s*,\s+\d+\s*")
_OLD_IDENTITY = re.compile(r"Device:\s+(\S.*?)\s+Version:\s*(\S*)\s*")
_PROCESSED = re.compile(r"(\d{1,15})[.,](\d{3})")
_SENSE = re.compile(r"\[asc=([0-9a-fA-F]{1,2}),\s*ascq=([0-9a-fA-F]{1,2})\]")
_SCANS = re.compile(r"\s*Number of background scans performed: (\d{1,10}),\s+scan progress: .*")
_MEDIUM_SCANS = re.compile(r"\s*Number of background medium scans performed: (\d{1,10})\s*")
_SCAN_ROW = re.compile(r"\s*\d+\s+\d+:\d\d\s+[0-9a-fA-F]{8,16}\s+\[[0-9a-fA-F]+,[0-9a-fA-F]+,[0-9a-fA-F]+\]\s*(.*)")
_UNITS = re.compile(r"\s*(?:%|C|Celsius|times)?\s*$")


class ScsiText:
    """Takes the lines that only SCSI drives have."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._vendor = self._product = ""
        self._tests, self._scans = Tests(draft), Scans(draft)
        self._counters_seen = self._smart_seen = False

    def line(self, line: str) -> bool:
        """Take a line outside of the lists; returns whether it was understood."""
        if "Error Counter logging" in line:
            self._counters_seen = True
            return self._scsi()
        if match := _ACCUMULATED.fullmatch(line) or _POWERED.fullmatch(line):
            hours, rest = int(match[1]), int(match[2])
            minutes = rest if ":" in match[0].partition("hours:minutes")[2] else round(rest * 60 / 100)
            return minutes < 60 and tell_powered(self._draft, hours * 60 + minutes) and self._scsi()
        if match := _PENDING.fullmatch(line):
            self._draft.log(LOG, "pending_defect_count", int(match[1]))
            return self._scsi()
        if match := _OLD_IDENTITY.fullmatch(line):
            self._draft.tell("model", " ".join(match[1].split()))
            if match[2]:
                self._draft.tell("firmware", match[2])
            return self._scsi()
        if BEHIND.search(line.partition(": ")[0]) or _REMARKS.fullmatch(line.strip()):
            self._draft.remark(f"smartctl: {line.strip()}")
            return True
        return self._labelled(line) or self._known(line)

    def _labelled(self, line: str) -> bool:
        sign = ":" if ":" in line else "="
        label, found, value = line.partition(sign)
        label, value = label.strip(), value.strip()
        if not found:
            return False
        if label == "Vendor":
            self._vendor = value
        elif label == "Product":
            self._product = value
        elif label == "SMART Health Status":
            return self._health(value)
        elif name := _LABELS.get(label):
            if value.startswith(("<", "unknown")):
                return True
            number = whole_number(_UNITS.sub("", value.removeprefix("-")))
            if number is None or (value.startswith("-") and "temperature" not in name):
                return False
            self._draft.log(LOG, name, -number if value.startswith("-") else number)
        else:
            return False
        return self._scsi()

    def _health(self, value: str) -> bool:
        passed = value.split("[")[0].strip() in ("OK", "PASSED")
        sense = _SENSE.search(value)
        asc, ascq = (int(sense[1], 16), int(sense[2], 16)) if sense else (None, None)
        self._smart_seen = True
        if value:
            names.tell_health(self._draft, passed, asc, ascq, value)
        return self._scsi()

    def _known(self, line: str) -> bool:
        label = line.partition(":")[0].partition("=")[0].strip()
        whole_label = line.rpartition(" = ")[0].strip()
        return (
            label in _KNOWN
            or whole_label in _KNOWN
            or line.strip().startswith(_KNOWN_STARTS)
            or _PROTECTION.fullmatch(line) is not None
            or _PENDING_ROW.fullmatch(line) is not None
        )

    def _scsi(self) -> bool:
        if not self._draft.protocol:
            self._draft.protocol = "SCSI"
        return True

    def counters(self, line: str) -> bool:
        """Take a line of the error counters' table; returns whether it was understood."""
        self._counters_seen = True
        words = line.split()
        kind = words[0].removesuffix(":") if words else ""
        if kind not in KINDS or len(words) != 1 + len(COUNTERS):
            return kind not in KINDS and (line.strip().startswith(("Errors", "ECC", "EEC", "fast")) or self.line(line))
        numbers = []
        for name, word in zip(COUNTERS, words[1:], strict=True):
            match = _PROCESSED.fullmatch(word) if name == "processed_bytes" else None
            numbers.append(int(match[1] + match[2]) * 10**6 if match else None)
            if name != "processed_bytes":
                numbers[-1] = whole_number(word)
        if None in numbers:
            return False
        for name, number in zip(COUNTERS, numbers, strict=True):
            if number is not None:
                self._draft.log(LOG, f"{kind}_{name}", number)
        return self._scsi()

    def background(self, line: str) -> bool:
        """Take a line of the background scan log; returns whether it was understood."""
        if match := _SCANS.fullmatch(line):
            self._draft.log(LOG, "background_scan_count", int(match[1]))
        elif match := _MEDIUM_SCANS.fullmatch(line):
            self._draft.log(LOG, "background_medium_scan_count", int(match[1]))
        elif match := _SCAN_ROW.fullmatch(line):
            statuses = {**names.MENDED, **names.WAITING}
            self._scans.add(next((code for code, words in statuses.items() if match[1].startswith(words)), None))
        else:
            return line.strip().startswith(("Status:", "#", ">>>> log truncated")) or self.line(line)
        return True

    def self_test(self, line: str) -> bool:
        """Take a row of the self-test log of a SCSI drive; returns whether it was one."""
        if not line.lstrip().startswith("#") or not line.rstrip().endswith("]") or "[" not in line:
            return False
        words = " ".join(line.split())
        failed = "segment failed" in words or "Failed in " in words
        # A completed test has no segment; what was stopped or runs still tells nothing.
        self._tests.add("failed" if failed else "completed" if " Completed " in words else "")
        return True

    def phy(self, line: str) -> bool:
        """Take a line of the SAS ports' log; of them only the errors of the phys are kept."""
        label, found, value = line.partition("=")
        name = "_".join(label.lower().split())
        number = whole_number(value) if found else None
        if name in PHY_ERRORS and number is not None:
            names.add_phy_errors(self._draft, name, number)
        return True

    def finish(self) -> None:
        """The model is vendor and product. Without error counters, a dump of a drive with SMART is not complete."""
        model = f"{self._vendor} {self._product}".strip()
        if model and not self._draft.model:
            self._draft.model = model
        note_volume(self._draft, without_smart=any("lacks SMART" in remark for remark in self._draft.remarks))
        if self._smart_seen and self._draft.protocol == "SCSI" and not self._counters_seen:
            self._draft.breaks_off("the error counters are missing, which `smartctl -a` prints of every SCSI drive")
