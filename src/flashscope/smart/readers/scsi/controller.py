"""Volumes of RAID controllers: they answer as SCSI disks, but say nothing about the drives they consist of.

A volume is told by what it answers, not by a list of controllers: it has no SMART, no error counters, and either no
temperature at all or 0 degrees now and 0 degrees as the limit. Names that only volumes have are a second sign.
A drive behind a controller is named by smartctl as "/dev/sda [megaraid_disk_03] [SAT]".
"""

from __future__ import annotations

import re

from flashscope.smart.readers.draft import Draft
from flashscope.smart.readers.scsi.names import LOG

VOLUME = "is_volume"
BEHIND = re.compile(r"\[((?:megaraid|cciss|areca|3ware|hpt|sssraid|ps3stor|aacraid|sas?t\+\w+)_disk[^\]]*)\]")
"""How smartctl names a drive behind a controller: the kind of controller, and the drive's number."""
_NAMES = re.compile(r"logical (volume|drive)|virtual (disk|drive)|raid|perc |smart array|\blun\b", re.IGNORECASE)
_TELLING = ("read_processed_bytes", "write_processed_bytes", "grown_defect_list", "power_on_time_minutes",
            "percentage_used_endurance_indicator", "accumulated_start_stop_cycles")  # fmt: skip
ADVICE = (
    "this is a volume of a RAID controller, not a drive: `smartctl --scan` lists the drives behind it, "
    "and `smartctl -x -d megaraid,N` (or cciss,N, areca,N, 3ware,N) reads drive N"
)


def note_volume(draft: Draft, *, without_smart: bool) -> None:
    """Say in the draft, once it is complete, that it is of a volume. without_smart: the device says it lacks SMART."""
    log = draft.vendor_logs.get(LOG, {})
    if draft.protocol != "SCSI" or any(name in log for name in _TELLING):
        return
    no_temperature = not log.get("temperature_celsius") and not log.get("temperature_trip_celsius")
    named = _NAMES.search(draft.model) is not None
    zeros = log.get("temperature_celsius") == 0 and log.get("temperature_trip_celsius") == 0
    if no_temperature and without_smart and (named or zeros):
        draft.log(LOG, VOLUME, 1)
        draft.remark(ADVICE)
