"""The names of the fields of `vendor_logs["scsi"]`, and what the rows of its lists mean.

Self-tests and background scans are lists of events. Of them only counts are kept: how many tests failed and whether
the newest did, how many places of the medium a scan found to be bad and how many of these still wait to be mended.
"""

from __future__ import annotations

from flashscope.smart.readers.draft import Draft

LOG = "scsi"
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
KINDS = ("read", "write", "verify")
"""The rows of that table."""
START_STOP = (
    "specified_cycle_count_over_device_lifetime",
    "accumulated_start_stop_cycles",
    "specified_load_unload_count_over_device_lifetime",
    "accumulated_load_unload_cycles",
)
"""The start-stop cycle counter."""
PHY_ERRORS = (
    "invalid_dword_count",
    "running_disparity_error_count",
    "loss_of_dword_synchronization_count",
    "phy_reset_problem_count",
)
"""The error counts of a SAS phy; the log holds each as a sum over the phys, its name beginning with "phys_"."""
JSON_PLACES = {
    "grown_defect_list": ("scsi_grown_defect_list",),
    "percentage_used_endurance_indicator": ("scsi_percentage_used_endurance_indicator",),
    "pending_defect_count": ("scsi_pending_defects", "count"),
    "background_scan_count": ("scsi_background_scan", "status", "number_scans_performed"),
    "background_medium_scan_count": ("scsi_background_scan", "status", "number_medium_scans_performed"),
    "grown_defects_during_certification": ("scsi_format_status", "grown_defects_during_cert"),
    "blocks_reassigned_during_format": ("scsi_format_status", "blocks_reassigned_during_format"),
    "new_blocks_reassigned_since_format": ("scsi_format_status", "total_new_block_since_format"),
    "power_on_minutes_since_format": ("scsi_format_status", "power_on_minutes_since_format"),
}
"""Where smartctl's JSON says them, in one way in all of its versions."""
FAILED_TESTS = range(4, 8)
"""The results of a self-test that say that a segment failed (SPC-4, self-test results)."""
MENDED = {2: "Successfully reassigned", 5: "Recovered via rewrite", 6: "Reassigned by app", 7: "Reassigned by app"}
WAITING = {
    1: "Require Write or Reassign Blocks command",
    4: "Reassignment by disk failed",
    8: "Unsuccessfully reassigned by app",
}
"""Reassign status of a place that a background scan found to be bad: those that are mended, and those that wait."""
TEST_ALARM, TEMPERATURE = (0x5D, 0xFF), 0x0B
"""ASC and ASCQ of a failure prediction made for a test; ASC of warnings, of which two are about the temperature."""
_MINUTES_MOST = 60 * 24 * 366 * 60  # sixty years


def tell_powered(draft: Draft, minutes: int) -> bool:
    """Set the time with power on [minutes]; the first statement counts. Returns whether it is possible."""
    if not 0 <= minutes <= _MINUTES_MOST:
        return False
    log = draft.vendor_logs.setdefault(LOG, {})
    if "power_on_time_minutes" not in log:
        log["power_on_time_minutes"] = minutes
        log.setdefault("power_on_time_hours", minutes // 60)
    return True


def tell_health(draft: Draft, passed: bool, asc: int | None, ascq: int | None, words: str) -> None:
    """Set the drive's own judgement of its health.

    asc, ascq: the sense code behind it; None when it is not printed. A failure prediction made for a test counts as
    passed. A warning (ASC 0Bh) is about temperature or power, not about failure: it sets no judgement.
    """
    if asc is not None and ascq is not None:
        draft.log(LOG, "health_asc", asc)
        draft.log(LOG, "health_ascq", ascq)
    if asc == TEMPERATURE:
        draft.remark(f"the drive warns, but predicts no failure: {words}")
    elif (asc, ascq) == TEST_ALARM:
        draft.log("smartctl", "smart_passed", 1)
        draft.remark(f"the failure prediction is one made for a test: {words}")
    else:
        draft.log("smartctl", "smart_passed", int(passed))
        if not passed:
            draft.remark(f"smartctl says of the drive's health: {words}")


class Tests:
    """Counts the rows of the self-test log; the newest comes first."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft

    def add(self, result: str) -> None:
        """Take one row. result: "completed", "failed" or "" for a test that ended otherwise."""
        log = self._draft.vendor_logs.setdefault(LOG, {})
        log["self_test_failed_count"] = log.get("self_test_failed_count", 0) + (result == "failed")
        if result:
            log.setdefault("self_test_newest_failed", int(result == "failed"))


class Scans:
    """Counts the rows of the background scan log."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft

    def add(self, status: int | None) -> None:
        """Take one row. status: its reassign status; None when it is of no known kind, which is no defect."""
        log = self._draft.vendor_logs.setdefault(LOG, {})
        for name, counts in (
            ("background_scan_defect_count", status in MENDED or status in WAITING),
            ("background_scan_waiting_count", status in WAITING),
        ):
            log[name] = log.get(name, 0) + counts


def add_phy_errors(draft: Draft, name: str, value: int) -> None:
    """Add one phy's count to the sum over the phys. name: one of `PHY_ERRORS`."""
    log = draft.vendor_logs.setdefault(LOG, {})
    log[f"phys_{name}"] = log.get(f"phys_{name}", 0) + value
