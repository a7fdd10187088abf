"""What a SCSI drive's log means beside its table: sums, its sense code in words that all drives share, and doubts.

    vendor_logs["scsi"]  --entries-->  the same, with sums over reads, writes and verifies, the temperature of the
                                       sensor that tells one, and the sense code of its health as the warnings of NVMe
                         --kind-->     flash or disk, where the drive does not state how fast it turns
                         --doubts-->   bytes that no drive can have moved in its time with power on

Not modelled here: counters of one maker, such as Seagate's cache page, whose blocks have no stated size.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from flashscope.smart.decoding.reading import Contradiction, Field
from flashscope.units import format_bytes

LOG = "scsi"
SPARE_LOW, TOO_HOT, UNRELIABLE = 1, 2, 4
"""Bits of the critical warning of NVMe, in which the sense code of a drive's health is told."""
_KINDS = ("read", "write", "verify")
_SUMS = {
    "sum_uncorrected_errors": "total_uncorrected_errors",
    "sum_corrected_errors": "total_errors_corrected",
    "sum_reread_errors": "errors_corrected_by_rereads_rewrites",
}
_ALL_ONES = frozenset({0xFFFF_FFFF, 0xFFFF_FFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFF})
_PREDICTED, _WARNING, _FALSE_ALARM = 0x5D, 0x0B, 0xFF  # ASC, ASC, and the ASCQ of a prediction made for a test
_SPARE_EXHAUSTED = frozenset({0x03, 0x73})  # ASCQ: spare area; end of the medium's endurance
_TEMPERATURE_EXCEEDED = 0x01
_FASTEST_BYTES_PER_S = {False: 80e6, True: 2.4e9}  # over the whole life: no disk is always at work; SAS with two links
_FEW_HOURS = 10


def entries(log: Mapping[str, int]) -> dict[str, int]:
    """The entries of the log, and those that follow from them."""
    made = dict(log)
    for name, counter in _SUMS.items():
        counts = [log[f"{kind}_{counter}"] for kind in _KINDS if f"{kind}_{counter}" in log]
        if known := [count for count in counts if count not in _ALL_ONES]:
            made[name] = sum(known)
    told = log.get("temperature_celsius") or log.get("environment_temperature_celsius")
    if told is not None:
        made["temperature_now_celsius"] = told
    if (warning := _warning(log.get("health_asc"), log.get("health_ascq"))) is not None:
        made["critical_warning"] = warning
    return made


def _warning(asc: int | None, ascq: int | None) -> int | None:
    """The sense code of the drive's health as bits of NVMe's critical warning; None when it has none."""
    if asc == _WARNING:
        return TOO_HOT if ascq == _TEMPERATURE_EXCEEDED else 0
    if asc != _PREDICTED or ascq == _FALSE_ALARM:
        return None if asc is None else 0
    return SPARE_LOW if ascq in _SPARE_EXHAUSTED else UNRELIABLE


def is_flash(log: Mapping[str, int]) -> bool | None:
    """Whether a drive that does not state its rotation is flash; None when its log does not tell."""
    if "percentage_used_endurance_indicator" in log:
        return True
    moving = ("accumulated_load_unload_cycles", "specified_load_unload_count_over_device_lifetime",
              "specified_cycle_count_over_device_lifetime", "track_following_error_count")  # fmt: skip
    return False if any(log.get(name) for name in moving) else None


def doubts(fields: Mapping[str, Field], flash: bool | None) -> Iterator[Contradiction]:
    """One doubt where the host moved more bytes than such a drive can in its time with power on."""
    hours = fields.get("power_on_time_hours")
    moved = [field for key in ("host_written_bytes", "host_read_bytes") if (field := fields.get(key)) is not None]
    if hours is None or hours.value < _FEW_HOURS or not moved:
        return
    whole = sum(field.value for field in moved)
    rate = whole / (3600 * hours.high)
    if rate > _FASTEST_BYTES_PER_S[flash is not False]:
        message = (
            f"{format_bytes(whole)} read and written in {hours.value:.6g} h of power-on time are {rate / 1e6:.0f} MB/s "
            "over its whole life, more than such a drive moves; one of these counters was reset, has overflowed, or is "
            "in another unit. Neither is certain."
        )
        yield Contradiction("FasterThanTheDrive", message, "")
