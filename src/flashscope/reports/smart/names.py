"""The names of the fields of a SMART reading for a person: short and full name, group, explanation.

Groups follow the order of reading: erase counts; bad blocks; raw errors; the rest. A key that is not
listed here (a table may have its own) becomes its own name; its words decide its group.
"""

from __future__ import annotations

from dataclasses import dataclass

from flashscope.smart.decoding.words import QUALIFIERS, without_unit

ERASES = "Erase counts"
BLOCKS = "Bad blocks and spare"
ERRORS = "Raw errors"
REST = "The rest"

GROUPS = {
    ERASES: "How worn the flash is. Each block is rated for a number of erase cycles.",
    BLOCKS: "Blocks that no longer work, by what went wrong, and the spare blocks that replace them.",
    ERRORS: "What went wrong before and after correction. Corrected errors are normal in flash.",
    REST: "What was written and read, time, power, temperature, link.",
}


@dataclass(frozen=True)
class Name:
    """short: for a narrow table. full: for a page. explanation: for a tooltip; empty: the field's own meaning."""

    short: str
    full: str
    group: str
    explanation: str = ""


NAMES: dict[str, Name] = {
    "remaining_life_ratio": Name(
        "life left", "Rated life left", ERASES, "From all that the drive says of its life, held against each other.",
    ),
    "erase_count_average": Name("avg erases", "Average erase count", ERASES),
    "erase_count_min": Name("min erases", "Lowest erase count", ERASES),
    "erase_count_max": Name(
        "max erases", "Highest erase count", ERASES,
        "A few blocks that hold the drive's own tables may be far above the average; that does no harm.",
    ),
    "erase_count_total": Name("erases", "Erases of all blocks", ERASES),
    "rated_pe_cycles": Name("rated P/E", "Rated program/erase cycles", ERASES),
    "erase_count_evenness_ratio": Name("evenness", "Evenness of wear (average over highest)", ERASES),
    "wear_range_percent": Name("wear range", "Spread of wear (highest less lowest, of the rating)", ERASES),
    "slc_erase_count_average": Name("SLC avg", "Average erase count of the SLC part", ERASES),
    "slc_erase_count_min": Name("SLC min", "Lowest erase count of the SLC part", ERASES),
    "slc_erase_count_max": Name("SLC max", "Highest erase count of the SLC part", ERASES),
    "life_used_percent": Name("life used", "Life used, as the drive says", ERASES),
    "life_left_percent": Name("life left (drive)", "Life left, as the drive says", ERASES),
    "reported_life_percent": Name(
        "life left (drive)", "Life left, as the drive says", ERASES, "Known to be wrong once the rating is reached."
    ),
    "endurance_used_percent": Name(
        "used (drive)", "Endurance used, as the drive says", ERASES, "Above 100 % the maker's promise ends, but "
        "the drive may work on."
    ),
    "initial_bad_block_count": Name("factory bad", "Bad blocks from the factory", BLOCKS, "Normal."),
    "grown_bad_block_count": Name("grown bad", "Blocks that went bad in use", BLOCKS),
    "program_failure_block_count": Name("program fail", "Failures to program", BLOCKS),
    "erase_failure_block_count": Name("erase fail", "Failures to erase", BLOCKS),
    "read_failure_block_count": Name("read fail", "Blocks lost to failed reads", BLOCKS),
    "retired_block_count": Name("retired", "Blocks taken out of use", BLOCKS),
    "spare_block_count": Name("spare", "Spare blocks left", BLOCKS),
    "spare_left_percent": Name("spare left", "Spare left", BLOCKS),
    "spare_threshold_percent": Name("spare limit", "Spare at which the drive warns", BLOCKS),
    "reallocated_sector_count": Name("reallocated", "Sectors moved elsewhere", BLOCKS),
    "pending_sector_count": Name("pending", "Sectors that could not be read yet", BLOCKS),
    "bad_block_table_full": Name("table full", "Table of bad blocks is full", BLOCKS),
    "uncorrectable_error_count": Name("uncorrectable", "Errors that could not be corrected", ERRORS),
    "media_error_count": Name("media errors", "Errors of the medium, not corrected", ERRORS),
    "corrected_read_count": Name("corrected", "Reads with corrected errors", ERRORS),
    "error_bits": Name("error bits", "Wrong bits seen in flash", ERRORS),
    "read_uncorrectable_error_count": Name("bad reads", "Reads that could not be put right", ERRORS),
    "write_uncorrectable_error_count": Name("bad writes", "Writes that could not be put right", ERRORS),
    "verify_uncorrectable_error_count": Name("bad verifies", "Verifies that could not be put right", ERRORS),
    "corrected_error_count": Name("corrected", "Errors that were put right", ERRORS, "Normal in any drive."),
    "reread_error_count": Name("rereads", "Errors that took a second reading or writing", ERRORS),
    "non_medium_error_count": Name("non-medium", "Errors outside of the medium, such as on the cable", ERRORS),
    "self_test_failed_count": Name("failed tests", "Self-tests that failed", ERRORS),
    "self_test_count": Name("tests", "Self-tests in the log", REST),
    "error_log_shown_count": Name("log shown", "Entries of the error log that are shown", ERRORS, "Mostly refusals."),
    "error_log_medium_count": Name("log: medium", "Entries of the error log about the medium", ERRORS),
    "error_log_internal_count": Name("log: inside", "Entries of the error log about the drive's inside", ERRORS),
    "event_hardware_error_count": Name("hardware", "Errors of the hardware in the event log", ERRORS),
    "event_too_hot_count": Name("too hot", "Times too hot, in the event log", REST),
    "event_count": Name("events", "Events in the persistent log", REST),
    "event_power_on_count": Name("power events", "Power-ons and resets in the event log", REST),
    "bad_block_room_percent": Name("room", "Room left for bad blocks", BLOCKS),
    "self_test_newest_failed": Name("newest test", "Whether the newest self-test failed", ERRORS),
    "background_scan_defect_count": Name("scan defects", "Bad places found by scans while idle", ERRORS),
    "background_scan_count": Name("scans", "Scans of the medium while idle", REST),
    "link_invalid_dword_count": Name("link words", "Invalid words on the SAS link", ERRORS),
    "link_lost_synchronization_count": Name("link losses", "Times the SAS link lost synchronization", ERRORS),
    "link_reset_problem_count": Name("link resets", "Resets of the SAS link that failed", ERRORS),
    "start_stop_rated_count": Name("rated starts", "Starts and stops it is rated for", REST),
    "load_cycle_rated_count": Name("rated parkings", "Parkings of the heads it is rated for", REST),
    "temperature_limit_celsius": Name("limit", "Temperature at which the drive warns", REST),
    "rber": Name(
        "RBER", "Raw bit error ratio", ERRORS,
        "Wrong bits per bit read, before correction. Usual flash has 1e-8 to 1e-5 over its rated life.",
    ),
    "read_error_exponent": Name("RBER exponent", "Negative power of ten of the bit error ratio", ERRORS),
    "error_bits_per_event": Name(
        "bits per event", "Wrong bits per corrected read", ERRORS,
        "Near 1 while errors are spread; up to 2 and more when a few blocks are bad or the flash is old.",
    ),
    "bank_error_spread_ratio": Name("worst bank", "Wrong bits of the worst flash bank over the mean", ERRORS),
    "bank_error_bits_max": Name("worst bank bits", "Wrong bits in the worst flash bank", ERRORS),
    "soft_ecc_error_count": Name("soft ECC", "Errors corrected by reading again", ERRORS),
    "ecc_error_count": Name("ECC errors", "Errors corrected", ERRORS),
    "raid_recovery_count": Name("RAID recoveries", "Pages rebuilt from parity inside the drive", ERRORS),
    "panic_code": Name("panic", "A fault inside has stopped the controller", ERRORS),
    "panic_count": Name("panics", "Times a fault inside stopped the controller", ERRORS),
    "end_to_end_error_count": Name("end-to-end", "Data damaged inside the drive", ERRORS),
    "link_crc_error_count": Name("link CRC", "Transfers damaged on the cable", ERRORS, "A cable or plug is bad."),
    "non_4k_aligned_access_count": Name(
        "unaligned", "Accesses that did not keep to 4 KiB", REST, "At least so many: the counter wraps at 65 536."
    ),
    "unaligned_command_count": Name("unaligned", "Commands that did not keep to the drive's unit", REST),
    "command_timeout_count": Name("timeouts", "Commands that took too long", ERRORS),
    "error_log_entry_count": Name(
        "log entries", "Entries in the error log", ERRORS, "Not faults: also commands the drive does not know."
    ),
    "critical_warning": Name("warning", "Critical warning of the drive", ERRORS),
    "host_written_bytes": Name("host written", "Written by the host", REST),
    "host_read_bytes": Name("host read", "Read by the host", REST),
    "nand_written_bytes": Name("NAND written", "Written to flash", REST),
    "full_cell_nand_written_bytes": Name("full cells", "Written to flash outside the write cache", REST),
    "slc_nand_written_bytes": Name("cache", "Written to the write cache (one bit per cell)", REST),
    "nand_read_bytes": Name("NAND read", "Read from flash", REST),
    "write_amplification": Name("WAF", "Write amplification", REST),
    "host_write_commands": Name("writes", "Write commands of the host", REST),
    "host_read_commands": Name("reads", "Read commands of the host", REST),
    "host_program_page_count": Name("host pages", "Flash pages programmed for the host", REST),
    "background_program_page_count": Name("own pages", "Flash pages programmed by the drive for itself", REST),
    "trim_count": Name("trims", "TRIM commands", REST),
    "power_on_time_hours": Name("power-on", "Power-on time", REST),
    "power_cycle_count": Name("power cycles", "Times switched on", REST),
    "unexpected_power_loss_count": Name("power losses", "Times the power was lost without warning", REST),
    "temperature_celsius": Name("temperature", "Temperature", REST),
    "temperature_min_celsius": Name("coldest", "Lowest temperature so far", REST),
    "temperature_max_celsius": Name("hottest", "Highest temperature so far", REST),
    "throttle_count": Name("throttled", "Times slowed down for heat or wear", REST),
    "controller_busy_time_minutes": Name("busy", "Time the controller was busy", REST),
    "spin_up_count": Name("spin-ups", "Times the disk was spun up", REST),
    "start_stop_count": Name("starts", "Starts and stops", REST),
    "load_cycle_count": Name("load cycles", "Times the heads were parked", REST),
    "seek_error_count": Name("seek errors", "Seek errors", ERRORS),
    "head_flying_time_hours": Name("heads flying", "Time the heads were in flight", REST),
}  # fmt: skip

_WORDS = ((ERASES, ("erase_count", "_pe_", "wear", "life")), (BLOCKS, ("block", "spare")), (ERRORS, ("error", "fail")))


def name_of(key: str) -> Name:
    """The names of a field."""
    if key in NAMES:
        return NAMES[key]
    for ending, words in QUALIFIERS.items():
        if key.endswith(ending):
            base = name_of(key.removesuffix(ending))
            return Name(f"{base.short}, {ending[1:]}", f"{base.full}, {words}", base.group, base.explanation)
    said = without_unit(key)
    group = next((group for group, parts in _WORDS if any(part in key for part in parts)), REST)
    return Name(said, said[:1].upper() + said[1:], group)


def in_order(keys: list[str]) -> list[str]:
    """Keys in the order in which they are shown: as listed, then the rest by name."""
    places = {key: place for place, key in enumerate(NAMES)}
    return sorted(keys, key=lambda key: (places.get(key, len(places)), key))
