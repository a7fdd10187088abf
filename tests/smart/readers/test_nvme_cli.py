"""nvme-cli's health log, the OCP log and Intel's are read in every shape they are printed in."""

from __future__ import annotations

import json
from typing import Any

from flashscope.smart.dump import Dump
from flashscope.smart.readers.read import read_dump, read_dumps

from .texts import NVME_CLI

V1: dict[str, Any] = {
    "Physical media units written": {"hi": 1, "lo": 5},
    "Bad user nand blocks - Raw": 3,
    "Uncorrectable read error count": 4,
    "Refresh counts": 6,
    "Max User data erase counts": 7,
    "Number of Thermal throttling events": 8,
    "PCIe correctable error count": 9,
    "Unaligned I/O": 10,
    "NUSE - Namespace utilization": 11,
    "PLP start count": 12,
    "Log page version": 4,
    "Log page GUID": "0xafd514c97c6f4f9ca4f2bfea2810afc5",
    "Sys area erase fail count noralized": 100,
}
NAMES = {
    "physical_media_units_written": 1 << 64 | 5,
    "bad_user_nand_blocks_raw": 3,
    "uncorrectable_read_errors": 4,
    "refresh_count": 6,
    "max_user_data_erase_count": 7,
    "thermal_throttling_events": 8,
    "pcie_correctable_errors": 9,
    "unaligned_io": 10,
    "nuse_namespace_utilization": 11,
    "plp_start_count": 12,
    "log_page_version": 4,
    "sys_area_erase_fail_count_normalized": 100,
}


def read(data: str | dict[str, Any]) -> Dump:
    return read_dump((data if isinstance(data, str) else json.dumps(data)).encode(), "test")


def test_the_text_of_smart_log_is_read_in_any_locale() -> None:
    dump = read(NVME_CLI)
    assert dump.nvme_health == {
        "critical_warning": 0,
        "temperature": 305,
        "avail_spare": 100,
        "spare_thresh": 10,
        "percent_used": 0,
        "endurance_grp_critical_warning_summary": 0,
        "data_units_read": 12448420,
        "data_units_written": 16584005,
        "host_read_commands": 1106256291,
        "host_write_commands": 61982961,
        "power_on_hours": 75,
        "warning_temp_time": 0,
        "critical_comp_time": 0,
        "temperature_sensor_1": 311,
        "thm_temp1_trans_count": 4,
    }
    assert dump.unread == ()


def test_a_temperature_in_fahrenheit_alone_is_not_guessed_at() -> None:
    dump = read(NVME_CLI.replace("32 °C (305 K)", "90 °F"))
    assert "temperature" not in dump.nvme_health
    assert any("90" in line for line in dump.unread)


def test_the_json_of_smart_log_is_read() -> None:
    document = {"critical_warning": {"value": 4, "ro": 1}, "temperature": 305, "avail_spare": 100, "percent_used": 255}
    dump = read(document | {"data_units_written": "340282366920938463463374607431768211455", "odd": 3})
    assert dump.nvme_health["critical_warning"] == 4
    assert dump.nvme_health["data_units_written"] == (1 << 128) - 1
    assert dump.unread == ("odd: 3",)


def test_both_shapes_of_the_ocp_log_and_its_text_give_the_same_names() -> None:
    v2 = {name: value for name, value in NAMES.items() if name != "physical_media_units_written"}
    v2_document: dict[str, Any] = {"physical_media_units_written": {"hi": 1, "lo": 5}, **v2}
    text = "SMART Cloud Attributes :-\n  Physical media units written -\t\t1 5\n" + "".join(
        f"  {label}\t\t\t{value}\n" for label, value in V1.items() if not isinstance(value, (dict, str))
    )
    for form in (V1, v2_document, text):
        dump = read(form)
        assert dump.vendor_logs["ocp_c0"] == NAMES
        assert (dump.unread, dump.remarks) == ((), ())


def test_captures_with_their_times_are_told_apart() -> None:
    first, second = json.dumps(V1), json.dumps(V1 | {"Unaligned I/O": 20})
    data = f"2025-09-02 14:30:00\n{first}\n\n2025-09-02T14:35:00Z\n{second}\n".encode()
    dumps = read_dumps(data, "test")
    assert [dump.taken_at_s for dump in dumps] == [1756823400, 1756823700]
    assert [dump.vendor_logs["ocp_c0"]["unaligned_io"] for dump in dumps] == [10, 20]
    assert any("UTC is assumed" in remark for remark in dumps[0].remarks)
    assert not any("UTC is assumed" in remark for remark in dumps[1].remarks)


def test_logs_of_one_drive_beside_each_other_become_one_dump() -> None:
    health = {"temperature": 305, "avail_spare": 100, "percent_used": 1}
    controller = {"mn": "FLASHSCOPE NVME ", "fr": "N2", "sn": "F1", "tnvmcap": 512110190592}
    data = "\n".join(json.dumps(one) for one in (controller, health, V1)).encode()
    (dump,) = read_dumps(data, "test")
    assert (dump.model, dump.user_bytes) == ("FLASHSCOPE NVME", 512110190592)
    assert dump.nvme_health["temperature"] == 305
    assert dump.vendor_logs["ocp_c0"]["unaligned_io"] == 10


def test_intels_log_is_read_as_json() -> None:
    document = {
        "Intel Smart log": "nvme0n1",
        "Device stats": {
            "program_fail_count": {"normalized": 100, "raw": 0},
            "wear_leveling": {"normalized": 99, "raw": {"min": 4, "max": 5, "avg": 4}},
            "timed_workload_media_wear": {"normalized": 100, "raw": 63.999},
            "thermal_throttle_status": {"normalized": 100, "raw": {"pct": 7, "cnt": 258}},
        },
    }
    assert read(document).vendor_logs["intel_ca"] == {
        "program_fail_count": 0,
        "program_fail_count_normalized": 100,
        "wear_leveling_min": 4,
        "wear_leveling_max": 5,
        "wear_leveling_avg": 4,
        "wear_leveling_normalized": 99,
        "timed_workload_media_wear": 65535,
        "timed_workload_media_wear_normalized": 100,
        "thermal_throttle_status": 7,
        "thermal_throttle_count": 258,
        "thermal_throttle_status_normalized": 100,
    }


def test_copies_that_other_programs_keep_are_read() -> None:
    flat = {"Physical media units written_hi": 1.0, "Physical media units written_lo": 5.0, "Refresh counts": 6.0}
    health = {"temperature": 305, "avail_spare": 100, "percent_used": 1}
    dump = read({"smart-log": health, "ocp-smart-add-log": flat, "made_by": "somebody"})
    assert dump.nvme_health == health
    assert dump.vendor_logs["ocp_c0"] == {"physical_media_units_written": 1 << 64 | 5, "refresh_count": 6}
