"""Whether the SMART of a real drive can be read, and if not, why not.

smartctl reads it from SATA, SAS and NVMe drives. Not asked here: whether the drive answers, which only a reading shows.
"""

from __future__ import annotations

from collections.abc import Mapping

from flashscope.drives.system.tools import find_program
from flashscope.drives.system.view import Block
from flashscope.records.capability import Capability

_WITH_SMART = ("sd", "nvme")
_HEALTH_LOG_ONLY = "an NVMe drive's SMART is its health log, which has no attributes whose meaning is to be found"


def why_no_smart(whole: Block) -> str:
    """Why the SMART of a whole drive cannot be read, as a clause; "" when it can."""
    if whole.backing_file:
        return f"a loop device has no SMART; name the drive that {whole.backing_file} is on"
    if not whole.name.startswith(_WITH_SMART):
        return f"{whole.path} is no SATA, SAS or NVMe drive, and only from these SMART can be read"
    if find_program("smartctl") is None:
        return "SMART is read by smartctl, which is not installed (package smartmontools)"
    return ""


def smart_reasons(why: str, *, only_health_log: bool) -> Mapping[Capability, str]:
    """The reasons for `DriveFacts.why_not`. why: from `why_no_smart`. only_health_log: the drive is an NVMe drive."""
    if why:
        return {Capability.SMART_ATTRIBUTES: why, Capability.ERROR_BITS: why}
    return {Capability.SMART_ATTRIBUTES: _HEALTH_LOG_ONLY} if only_health_log else {}
