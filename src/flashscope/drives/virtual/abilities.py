"""What a virtual drive of a part can do beside what all virtual drives can, and why not, where a reader would ask.

kind of part          can
flash                 be erased and laid out at once, be seen inside, take TRIM where the part does
memory                nothing moves in it
disk, hybrid          nothing of these; it shows SMART attributes
smart.layout          attributes, or the health log of NVMe, or nothing
"""

from __future__ import annotations

from flashscope.drives.parts.part import Part
from flashscope.records.capability import Capability

WITH_PLATTERS = ("disk", "hybrid")
_LAYOUTS_WITH_ERROR_BITS = ("indilinx",)
_WHY_NO_ATTRIBUTES = {
    "nvme-health": "the drive's SMART is the health log of NVMe, which has no attributes whose meaning is to be found",
    "none": "the drive shows no SMART",
}


def abilities_of(part: Part) -> frozenset[Capability]:
    """The capabilities of a drive of that part, beside those of all virtual drives."""
    abilities: frozenset[Capability] = frozenset()
    if part.kind == "ssd":
        abilities |= abilities_of_flash(trims=takes_trim(part)) | {Capability.GLASS}
    if part.kind not in WITH_PLATTERS:
        abilities |= {Capability.SOLID_STATE}
    shown = _smart_shown(part)
    if shown == "nvme-health":
        abilities |= {Capability.HEALTH_LOG}
    elif shown != "none" or part.kind in WITH_PLATTERS:
        abilities |= {Capability.SMART_ATTRIBUTES}
    return abilities | {Capability.ERROR_BITS} if shown in _LAYOUTS_WITH_ERROR_BITS else abilities


def abilities_of_flash(*, trims: bool) -> frozenset[Capability]:
    """The capabilities of a virtual drive made only of flash, or of several such drives."""
    always = frozenset({Capability.SECURE_ERASE, Capability.LAID_OUT})
    return always | {Capability.TRIM} if trims else always


def why_not_of(part: Part) -> dict[Capability, str]:
    """Why a drive of that part shows less of its SMART than others do."""
    shown = _smart_shown(part)
    if part.kind in WITH_PLATTERS or shown not in _WHY_NO_ATTRIBUTES:
        return {}
    why = _WHY_NO_ATTRIBUTES[shown]
    return {Capability.SMART_ATTRIBUTES: why} | ({Capability.ERROR_BITS: why} if shown == "none" else {})


def takes_trim(part: Part) -> bool:
    """Whether a drive of that part takes TRIM; so it is where the part does not say."""
    stated = part.values.get("trim.supported")
    return stated is None or bool(stated.value)


def _smart_shown(part: Part) -> str:
    layout = part.values.get("smart.layout")
    return "none" if layout is None else str(layout.value)
