"""The sections of smartctl's text beside the attribute table: how each begins and what is read from it.

information        model, firmware, serial number, capacity, rotation, time    -> the fields of `Dump`
NVMe health        "Data Units Written: 24,287,809 [12.4 TB]"                  -> nvme_health
Device Statistics  "0x01  0x018  6  29682857185  ---  Logical Sectors ..."     -> statistics
SCSI               error counters, background scans, SAS phys (scsi/text.py)   -> vendor_logs["scsi"]
SCT status         temperatures                                                -> vendor_logs["sct"]
SATA Phy events    counters by number                                          -> vendor_logs["sata_phy"]
error, self-test   number of entries                                           -> vendor_logs["smartctl"]
hex dump of a log  "0000000: 31 75 b9 ..."                                     -> pages["gp_03"]
"""

from __future__ import annotations

import re
from collections.abc import Callable

from flashscope.smart.dump import Statistic
from flashscope.smart.readers.draft import Draft
from flashscope.smart.readers.hex_text import HexPages
from flashscope.smart.readers.nvme_names import BY_SMARTCTL_LABEL, KELVIN_OF_0_CELSIUS
from flashscope.smart.readers.nvme_records.errors import add_error, status
from flashscope.smart.readers.nvme_records.self_tests import add_test
from flashscope.smart.readers.scsi.text import ScsiText
from flashscope.smart.readers.smartctl_information import Information
from flashscope.smart.readers.text import whole_number

INFORMATION, TABLE, SKIP, NVME, STATISTICS, SCT, PHY, ERRORS, SELF_TESTS, HEX, SCSI, SCANS, SAS, NVME_ERRORS = (
    "information", "table", "skip", "nvme", "statistics", "sct", "phy", "errors", "self-tests", "hex", "scsi", "scans",
    "sas", "nvme-errors",
)  # fmt: skip
FULL_TEXT = "smartctl text, all of it"
"""The format of a dump in which smartctl listed what only -x asks for."""

# What a section begins with -> how it is read.
_SECTIONS = {
    "=== START OF INFORMATION": INFORMATION,
    "=== START OF READ SMART": INFORMATION,
    "=== START OF SMART DATA": INFORMATION,
    "=== START OF": SKIP,
    "General SMART Values": SKIP,
    "SMART Attributes Data Structure": TABLE,
    "Vendor Specific SMART Attributes": TABLE,
    "ID# ATTRIBUTE_NAME": TABLE,
    "General Purpose Log Directory": SKIP,
    "General Purpose Log 0x": HEX,
    "SMART Log 0x": HEX,
    "SMART           Log Directory": SKIP,
    "SMART Log Directory": SKIP,
    "Address    Access": SKIP,
    "SMART Extended Comprehensive Error Log": ERRORS,
    "SMART Error Log": ERRORS,
    "SMART Extended Self-test Log": SELF_TESTS,
    "SMART Self-test log": SELF_TESTS,
    "SMART Self-test Log": SELF_TESTS,
    "Self-test Log (NVMe": SELF_TESTS,
    "SMART Selective self-test": SKIP,
    "Selective Self-tests/Logging": SKIP,
    "SCT Status Version": SCT,
    "SCT Temperature History": SKIP,
    "SCT Data Table": SKIP,
    "SCT Error Recovery Control": SKIP,
    "SCT Commands not supported": SKIP,
    "Device Statistics (": STATISTICS,
    "Pending Defects log": ERRORS,
    "SATA Phy Event Counters": PHY,
    "SMART/Health Information (NVMe": NVME,
    "Error Information (NVMe": NVME_ERRORS,
    "Supported Power States": SKIP,
    "Supported LBA Sizes": SKIP,
    "Seagate FARM": SKIP,
    "Error counter log": SCSI,
    "Background scan results log": SCANS,
    "Zoned block device statistics": SKIP,
    "Protocol Specific port log": SAS,
}
_UNREAD_SECTIONS = {"Seagate FARM": "the Seagate FARM log"}
BEGINNINGS = frozenset(name[0] for name in _SECTIONS)
"""The first letters of all sections: a quick test."""
_BY_START: dict[str, list[tuple[str, str]]] = {}
for _name in sorted(_SECTIONS, key=len, reverse=True):
    _BY_START.setdefault(_name[:4], []).append((_name, _SECTIONS[_name]))

_NVME_ERROR = re.compile(r"\s*\d{1,4}\s+(\d{1,20})\s+\S+\s+\S+\s+(0x[0-9a-fA-F]{1,4})\s")
_NVME_RESULTS = {
    "Completed without error": 0, "Completed: unknown": 6, "Completed: failed": 7, "Fatal or unknown": 5, "Aborted": 8,
}  # fmt: skip
_NVME_TEST = re.compile(rf"\s*\d{{1,2}}\s+\S.*?\s{{2,}}((?:{'|'.join(_NVME_RESULTS)}).*)")
_ATA_TEST = re.compile(r"\s*#\s*\d+\s+(?:Short|Extended|Conveyance|Selective) \w+\s+Completed(:| without error)")
_NO_NUMBERS = re.compile(r"\D*")
_MIN_MAX = re.compile(r"(-?\d+)/(-?\d+) Celsius")
_SCT_LABELS = {
    "Power Cycle Min/Max Temperature": "power_cycle",
    "Lifetime    Min/Max Temperature": "lifetime",
    "Lifetime Min/Max Temperature": "lifetime",
}


class Sections:
    """Takes the lines of all sections but the attribute table."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.hex_pages = HexPages()
        self.information = Information(draft)
        self.scsi = ScsiText(draft)
        self._readers: dict[str, Callable[[str], bool]] = {
            INFORMATION: self._any,
            NVME: self._nvme,
            STATISTICS: self._statistic,
            SCT: self._sct,
            PHY: self._phy,
            ERRORS: self._count,
            SELF_TESTS: self._self_test,
            HEX: self.hex_pages.line,
            SCSI: self.scsi.counters,
            SCANS: self.scsi.background,
            SAS: self.scsi.phy,
            NVME_ERRORS: self._nvme_error,
        }

    def begun_by(self, line: str) -> str:
        """The section that this line begins; "" when it begins none."""
        for name, state in _BY_START.get(line[:4], ()):
            if line.startswith(name):
                if name in _UNREAD_SECTIONS and "not supported" not in line:
                    self.draft.not_read(f"{_UNREAD_SECTIONS[name]} (from: {line.strip()})")
                if state == HEX:
                    self.hex_pages.begin(line)
                if state == STATISTICS or name == "General Purpose Log Directory":  # only -x lists these
                    self.draft.format = FULL_TEXT
                return state
        return ""

    def blank_line(self, state: str) -> str:
        """The state after a blank line: it ends the sections that are lists of lines."""
        if state in (NVME, STATISTICS, SCT, PHY, SCSI, SAS):
            return INFORMATION
        return state

    def line(self, line: str, state: str) -> None:
        """Take a line within a section; a line with digits that is not understood is kept as unread."""
        if self._readers[state](line) or _NO_NUMBERS.fullmatch(line):
            return
        if state == INFORMATION or not self._any(line):
            self.draft.not_read(line)

    def _any(self, line: str) -> bool:
        """A line outside of its section, as in posts where every other line is blank."""
        return (
            self.information.line(line)
            or self.scsi.line(line)
            or self._nvme(line)
            or (line.startswith("0x0") and self._statistic(line))
        )

    def finish(self) -> None:
        """Write what is known only at the end into the draft."""
        self.hex_pages.finish(self.draft)
        self.scsi.finish()

    def _nvme(self, line: str) -> bool:
        label, _, value = line.partition(":")
        name = BY_SMARTCTL_LABEL.get(" ".join(label.split()))
        if not name:
            return False
        value = value.strip()
        if value == "-":
            return True
        if name.startswith("temperature"):
            celsius = whole_number(value.removesuffix("Celsius").strip().lstrip("-"))
            if celsius is None or not value.endswith("Celsius"):
                return False
            self.draft.health(name, KELVIN_OF_0_CELSIUS + (-celsius if value.startswith("-") else celsius))
            return True
        number = whole_number(value.partition("[")[0].strip().removesuffix("%"))
        if number is None:
            return False
        self.draft.health(name, number)
        return True

    def _statistic(self, line: str) -> bool:
        words = line.split()
        if len(words) < 4 or words[1].startswith("=") or words[0].startswith(("Page", "|")):
            return len(words) > 1 and (words[1].startswith("=") or words[0].startswith(("Page", "|")))
        page, offset_bytes = _hexadecimal(words[0]), _hexadecimal(words[1])
        if page is None or offset_bytes is None or (not words[2].isdigit() and words[2] != "?"):
            return False
        printed = words[3].removesuffix("~")
        value = None if printed == "-" else _signed(printed)
        if value is None and printed != "-":
            return False
        has_flags = len(words) > 4 and len(words[4]) == 3 and set(words[4]) <= set("VNDC-")
        normalized = words[3].endswith("~") or (has_flags and "N" in words[4])
        name = " ".join(words[5 if has_flags else 4 :])
        # Without a name the line is cut off, perhaps within the flags.
        if not any(sign.isalpha() for sign in name):
            return False
        self.draft.statistics.append(Statistic(page, offset_bytes, value, normalized, name))
        return True

    def _sct(self, line: str) -> bool:
        label, _, value = line.partition(":")
        label = label.strip()
        if label == "Current Temperature":
            number = _signed(value.strip().split(" ")[0])
            if number is not None:
                self.draft.log("sct", "temperature_celsius", number)
            return True
        if label in _SCT_LABELS:
            if match := _MIN_MAX.search(value):
                self.draft.log("sct", f"{_SCT_LABELS[label]}_temperature_min_celsius", int(match[1]))
                self.draft.log("sct", f"{_SCT_LABELS[label]}_temperature_max_celsius", int(match[2]))
            return True
        # The rest is the drive's limits, its state and its version.
        return True

    def _phy(self, line: str) -> bool:
        words = line.split()
        if words and (words[0] in ("ID", "[Reserved:") or len(words) < 3):
            return True
        if line.rstrip().endswith("Invalid entry"):
            return True
        number = _hexadecimal(words[0])
        value = whole_number(words[2].removesuffix("+")) if words[0].startswith("0x") else None
        if number is None or value is None:
            return False
        self.draft.log("sata_phy", f"event_{number:04x}h", value)
        return True

    def _count(self, line: str) -> bool:
        """Of the error logs only the counts are taken."""
        label, _, value = line.partition(":")
        self.information.count(label.strip(), value.strip())
        return True

    def _nvme_error(self, line: str) -> bool:
        """A row of NVMe's error log: its number, then the status with the phase tag."""
        if match := _NVME_ERROR.match(line):
            add_error(self.draft, int(match[1]), *status(int(match[2], 16), with_phase=True))
        return True

    def _self_test(self, line: str) -> bool:
        if self.scsi.self_test(line):
            return True
        if match := _NVME_TEST.match(line):
            add_test(self.draft, next(code for words, code in _NVME_RESULTS.items() if match[1].startswith(words)))
            return True
        if line.lstrip()[:1] == "#" and "ompleted: " in line:
            tests = self.draft.vendor_logs.setdefault("smartctl", {})
            tests["self_test_failed_count"] = tests.get("self_test_failed_count", 0) + 1
        if match := _ATA_TEST.match(line):
            newest = self.draft.vendor_logs.setdefault("smartctl", {})
            newest.setdefault("self_test_newest_failed", int(match[1] == ":"))
        return True


def _hexadecimal(word: str) -> int | None:
    try:
        return int(word, 16) if len(word) < 8 else None
    except ValueError:
        return None


def _signed(word: str) -> int | None:
    digits = word.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 25):
        return None
    return int(word)
