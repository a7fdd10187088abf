"""Exports of Scrutiny and pages of smartctl_exporter, as dumps: right numbers, and none where only a 0 was written."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from click.testing import CliRunner

from flashscope.cli.smart.fleet import fleet
from flashscope.errors import WrongUse
from flashscope.smart.decoding.clocks import clocks
from flashscope.smart.decoding.decode import read
from flashscope.smart.decoding.verdict import COPY_NOW, GOOD, judge
from flashscope.smart.dump import Dump
from flashscope.smart.readers.collectors.influx import points_of
from flashscope.smart.readers.collectors.prometheus import sample_of
from flashscope.smart.readers.read import read_dump, read_dumps
from tests.known import known

MOMENT_S = 1_700_000_000


def verdict(dump: Dump) -> str:
    reading = read(dump)
    return judge(reading, clocks([(dump.taken_at_s, reading)]), dump).level


# smartctl_exporter.

_DISK = [(1, 83, 64, 44, 220_000_000), (5, 100, 100, 10, 0), (9, 80, 80, 0, 17_520), (12, 100, 100, 20, 12),
         (187, 100, 100, 0, 0), (194, 30, 45, 0, 30), (197, 100, 100, 0, 0), (198, 100, 100, 0, 0),
         (199, 200, 200, 0, 0), (3, 90, 90, 0, 0), (4, 100, 100, 20, 12), (7, 85, 60, 45, 4_000_000),
         (10, 100, 100, 97, 0)]  # fmt: skip


def device(name: str, model: str, serial: str, protocol: str, instance: str = "") -> str:
    labels = {"instance": instance} if instance else {}
    labels |= {"device": name, "interface": "sat", "protocol": protocol, "model_family": 'Some \\"A\\" disks',
               "model_name": model, "serial_number": serial, "firmware_version": "SC61"}  # fmt: skip
    told = ",".join(f'{key}="{one}"' for key, one in labels.items())
    return f"smartctl_device{{{told}}} 1\n"


def metric(name: str, drive: str, value: object, **labels: str) -> str:
    told = ",".join(f'{key}="{one}"' for key, one in {"device": drive, **labels}.items())
    return f"smartctl_{name}{{{told}}} {value}\n"


def attributes(drive: str, rows: list[tuple[int, int, int, int, int]] = _DISK, **labels: str) -> str:
    text = "# HELP smartctl_device_attribute Device attributes\n# TYPE smartctl_device_attribute gauge\n"
    for id, *numbers in rows:
        long = "prefailure,updated_online" if id in (1, 5, 10) else "updated_online"
        for kind, number in zip(("value", "worst", "thresh", "raw"), numbers, strict=True):
            text += metric("device_attribute", drive, f"{number:g}" if number < 1e6 else f"{number:.9e}",
                           attribute_flags_long=long, attribute_id=str(id), attribute_name="x",
                           attribute_value_type=kind, **labels)  # fmt: skip
    return text


def page(*parts: str) -> bytes:
    return "".join(parts).encode()


def test_drives_of_a_page_are_told_apart_by_device_and_host() -> None:
    dumps = read_dumps(
        page(
            attributes("sda"), device("sda", "ST12000NM0007", "ZA1", "ATA"),
            device("sdb", "ST12000NM0007", "ZA2", "ATA"), attributes("sdb"),
            metric("device_capacity_bytes", "sda", "1.2000138625024e+13"),
            device("sda", "ST12000NM0007", "ZA3", "ATA", "other:9633"), attributes("sda", instance="other:9633"),
            metric("device_rotation_rate", "sda", 7200), metric("device_smart_status", "sda", 1),
        ),
        "metrics",
    )  # fmt: skip
    by_serial = {one.serial: one for one in dumps}
    assert by_serial.keys() == {"ZA1", "ZA2", "ZA3"}
    first = by_serial["ZA1"]
    assert (first.model, first.user_bytes, first.rotation_rpm) == ("ST12000NM0007", 12_000_138_625_024, 7200)
    assert first.family_printed == 'Some "A" disks'
    assert {one.id: (one.value, one.worst, int.from_bytes(one.raw, "little")) for one in first.attributes} == {
        id: (value, worst, raw) for id, value, worst, _, raw in _DISK
    }
    assert first.printed[1].threshold == 44
    assert first.printed[1].pre_failure
    assert not first.printed[9].pre_failure
    assert read(first).value("power_on_time_hours") == 17_520
    assert verdict(first) == GOOD
    assert first.taken_at_s is None


def test_a_self_assessment_of_zero_counts_only_with_smartctls_word() -> None:
    lines = [device("sda", "ST12000NM0007", "ZA1", "ATA"), attributes("sda"), metric("device_smart_status", "sda", 0)]
    silent = read_dump(page(*lines, metric("device_smartctl_exit_status", "sda", 4)), "metrics")
    assert verdict(silent) == GOOD
    assert any("self-assessment of 0" in one for one in silent.remarks)
    failed = read_dump(page(*lines, metric("device_smartctl_exit_status", "sda", 8)), "metrics")
    assert verdict(failed) == COPY_NOW


def test_an_attribute_below_its_threshold_is_an_alarm() -> None:
    rows = [(5, 9, 9, 10, 4000) if one[0] == 5 else one for one in _DISK]
    dump = read_dump(page(device("sda", "ST12000NM0007", "ZA1", "ATA"), attributes("sda", rows)), "metrics")
    assert dump.printed[5].when_failed == "now"
    assert verdict(dump) == COPY_NOW


def nvme(*, written: int, block: int = 512) -> bytes:
    zeros = ("critical_warning", "media_errors", "num_err_log_entries")
    return page(
        device("nvme0", "Samsung SSD 980 PRO", "S5", "NVMe"),
        *(metric(f"device_{name}", "nvme0", 0) for name in zeros),
        metric("device_percentage_used", "nvme0", 3), metric("device_available_spare", "nvme0", 100),
        metric("device_available_spare_threshold", "nvme0", 10), metric("device_bytes_written", "nvme0", written),
        metric("device_block_size", "nvme0", block, blocks_type="logical"),
        metric("device_power_on_seconds", "nvme0", 3600 * 5000), metric("device_power_cycle_count", "nvme0", 0),
        metric("device_temperature", "nvme0", 40, temperature_type="current"),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("written", "block", "units"),
    [
        (12_345_677 * 512_000, 512, 12_345_677),  # since the unit was corrected
        (12_345_677 * 512 * 1024, 512, 12_345_677),  # before
        (12_345_677 * 4096 * 1024, 4096, 12_345_677),  # before, with sectors of 4 KiB
        (128_000 * 512_000, 512, None),  # either
        (12_345, 512, None),  # none
        (1 << 60, 512, None),  # no longer exact
    ],
)
def test_data_units_are_taken_where_one_unit_alone_fits(written: int, block: int, units: int | None) -> None:
    dump = read_dump(nvme(written=written, block=block), "metrics")
    assert dump.nvme_health.get("data_units_written") == units
    assert (dump.nvme_health["power_on_hours"], dump.nvme_health["percent_used"]) == (5000, 3)
    assert dump.nvme_health["temperature"] == 313
    assert "power_cycles" not in dump.nvme_health
    assert verdict(dump) == GOOD


def test_numbers_of_nvme_written_for_a_disk_are_not_taken() -> None:
    dump = read_dump(
        page(device("sda", "ST12000NM0007", "ZA1", "ATA"), attributes("sda"),
             metric("device_available_spare", "sda", 0), metric("device_percentage_used", "sda", 0)), "metrics",
    )  # fmt: skip
    assert not dump.nvme_health
    assert verdict(dump) == GOOD


def test_a_time_that_cannot_be_true_is_none() -> None:
    for stamp, taken_at_s in ((MOMENT_S * 1000, MOMENT_S), (1_234_567_890_000, None), (10**17, None), (-5, None)):
        text = device("sda", "ST12000NM0007", "ZA1", "ATA").strip() + f" {stamp}\n" + attributes("sda")
        assert read_dump(page(text), "metrics").taken_at_s == taken_at_s


def test_a_page_without_numbers_is_refused() -> None:
    with pytest.raises(WrongUse, match="no numbers of a drive"):
        read_dumps(page(device("sda", "ST12000NM0007", "ZA1", "ATA")), "metrics")


def test_a_last_line_without_its_end_is_not_read() -> None:
    whole = device("sda", "ST12000NM0007", "ZA1", "ATA") + attributes("sda", [_DISK[1], (9, 80, 80, 0, 17_520)])
    cut = read_dump(whole[:-3].encode(), "metrics")  # 17520 would be read as 175
    assert ([one.id for one in cut.attributes], cut.cut) == ([5], "the page ends in the middle of a line")
    assert read_dump(whole.encode(), "metrics").cut == ""


def test_samples_are_read_as_the_format_says() -> None:
    sample = known(sample_of(r'a_b{x="1,2} \"q\" \\ \n",y=""} 1e3 1700000000000'))
    assert (sample.labels, sample.value) == ({"x": '1,2} "q" \\ \n', "y": ""}, 1000)
    assert known(sample_of("a 5")).labels == {}
    assert known(sample_of("a NaN")).value is None
    for broken in ("# HELP a b", "a{x=1} 5", 'a{x="1"', 'a{x="1"} five', ""):
        assert sample_of(broken) is None


# Scrutiny.

WWN = "0x5000c500a1b2c3d4"
UUID = "9d2f3a04-54b8-5d5c-a3a1-0c6e6fd1a111"


def ata_fields(rows: list[tuple[int, int, int, int, int]] = _DISK, when_failed: str = "") -> dict[str, object]:
    fields: dict[str, object] = {"temp": 30, "power_on_hours": 17_520, "power_cycle_count": 12}
    for id, value, worst, threshold, raw in rows:
        fields |= {f"attr.{id}.attribute_id": str(id), f"attr.{id}.value": value, f"attr.{id}.worst": worst,
                   f"attr.{id}.thresh": threshold, f"attr.{id}.raw_value": raw,
                   f"attr.{id}.raw_string": f"{raw} (a, b)",
                   f"attr.{id}.when_failed": when_failed, f"attr.{id}.failure_rate": 0.25}  # fmt: skip
    return fields


def written(value: object) -> str:
    if isinstance(value, str):
        return '"' + value.replace('"', '\\"') + '"'
    return f"{value}i" if isinstance(value, int) else str(value)


def lines(fields: dict[str, object], at_s: int, tags: str = f"device_protocol=ATA,device_wwn={WWN}") -> str:
    """Line protocol as `influxd inspect export-lp` writes it: a line for each field."""
    return "".join(f"smart,{tags} {key}={written(value)} {at_s}000000000\n" for key, value in fields.items())


def annotated(fields: dict[str, object], at: str, tag: str = "device_wwn", drive: str = WWN) -> str:
    """CSV as `influx query --raw` writes it: a row for each field, a table for each type."""
    text = ""
    for kind, type in ((int, "long"), (str, "string"), (float, "double")):
        text += (
            f"#group,false,false,true,true\n#datatype,string,long,dateTime:RFC3339,x,x,{type}\n#default,_result,,,\n"
        )
        text += (
            f"#default,_result,,,\n,result,table,_start,_stop,_time,_value,_field,_measurement,device_protocol,{tag}\n"
        )
        for key, value in fields.items():
            if type_of(value) is kind:
                cell = f'"{value}"' if "," in str(value) else str(value)
                text += f",_result,0,2023-01-01T00:00:00Z,2024-01-01T00:00:00Z,{at},{cell},{key},smart,ATA,{drive}\n"
        text += "\n"
    return text


def type_of(value: object) -> type:
    return type(value)


def pivoted(fields: dict[str, object], at: str) -> str:
    names = ["_time", "_measurement", "device_protocol", "device_wwn", *fields]
    cells = [at, "smart", "ATA", WWN, *(f'"{one}"' if isinstance(one, str) else str(one) for one in fields.values())]
    return ",result,table," + ",".join(names) + "\r\n,_result,0," + ",".join(cells) + "\r\n"


@pytest.mark.parametrize(
    "text",
    [
        lines(ata_fields(), MOMENT_S),
        lines(ata_fields(), MOMENT_S - 86_400 * 30).replace("=30i", "=99i") + lines(ata_fields(), MOMENT_S),
        annotated(ata_fields(), "2023-11-14T22:13:20Z"),
        pivoted(ata_fields(), "2023-11-14T22:13:20Z"),
    ],
    ids=["lines", "two readings", "annotated CSV", "pivoted CSV"],
)
def test_each_form_of_an_export_gives_the_same_dump(text: str) -> None:
    dump = read_dump(text.encode(), "export")
    assert (dump.wwn, dump.taken_at_s, dump.protocol) == (WWN, MOMENT_S, "ATA")
    assert {one.id: (one.value, one.worst, int.from_bytes(one.raw, "little")) for one in dump.attributes} == {
        id: (value, worst, raw) for id, value, worst, _, raw in _DISK
    }
    assert dump.printed[1].threshold == 44
    assert dump.vendor_logs["smartctl"]["temperature_celsius"] == 30
    assert verdict(dump) == GOOD


def test_drives_are_told_apart_and_a_single_reading_of_several_is_refused() -> None:
    text = lines(ata_fields(), MOMENT_S) + lines(ata_fields(), MOMENT_S, f"device_protocol=ATA,scrutiny_uuid={UUID}")
    dumps = read_dumps(text.encode(), "export")
    assert sorted((one.wwn, one.serial) for one in dumps) == [("", UUID), (WWN, "")]
    with pytest.raises(WrongUse, match="dumps of 2 drives"):
        read_dump(text.encode(), "export")


def test_an_attribute_that_fails_now_is_watched_although_its_kind_is_not_known() -> None:
    rows = [(5, 9, 9, 10, 4000) if one[0] == 5 else one for one in _DISK]
    for when_failed in ("FAILING_NOW", "now", ""):
        dump = read_dump(lines(ata_fields(rows, when_failed), MOMENT_S).encode(), "export")
        assert dump.printed[5].when_failed == "now"
        assert verdict(dump) != GOOD


def test_nvme_drives_of_scrutiny_have_their_health_log() -> None:
    names = {"critical_warning": 0, "temperature": 40, "available_spare": 100, "percentage_used": 3,
             "power_on_hours": 5000, "data_units_written": 12_345_677, "media_errors": 0, "num_err_log_entries": 4,
             "power_cycles": 0}  # fmt: skip
    fields: dict[str, object] = {"temp": 40, "power_on_hours": 5000}
    for name, value in names.items():
        fields |= {f"attr.{name}.value": value, f"attr.{name}.thresh": 10 if name == "available_spare" else -1}
    dump = read_dump(lines(fields, MOMENT_S, f"device_protocol=NVMe,scrutiny_uuid={UUID}").encode(), "export")
    assert (dump.nvme_health["data_units_written"], dump.nvme_health["percent_used"]) == (12_345_677, 3)
    assert dump.nvme_health["spare_thresh"] == 10
    assert verdict(dump) == GOOD


def test_scsi_drives_of_scrutiny_have_their_error_counters() -> None:
    fields: dict[str, object] = {"temp": 30, "power_on_hours": 100, "attr.scsi_grown_defect_list.value": 7,
                                 "attr.read_total_uncorrected_errors.value": 2}  # fmt: skip
    dump = read_dump(lines(fields, MOMENT_S, f"device_protocol=SCSI,device_wwn={WWN}").encode(), "export")
    assert dump.vendor_logs["scsi"]["grown_defect_list"] == 7
    assert dump.vendor_logs["scsi"]["read_total_uncorrected_errors"] == 2


def test_points_of_one_time_are_joined_and_a_time_that_nobody_knew_is_none() -> None:
    text = 'smart,device_wwn=a\\ b,t=1 x=1i,s="a,b \\" c=d" 1234567890000000000\n'
    text += "smart,device_wwn=a\\ b,t=1 y=2.5\nsmart,cut"
    points, broken = points_of(text)
    assert [(one.tags["device_wwn"], one.taken_at_s, one.fields) for one in points] == [
        ("a b", None, {"x": 1, "s": 'a,b \\" c=d', "y": "2.5"}),
    ]
    assert broken == 1


def test_fleet_reads_both(tmp_path: Path) -> None:
    (tmp_path / "metrics.prom").write_bytes(page(device("sda", "ST12000NM0007", "ZA1", "ATA"), attributes("sda")))
    (tmp_path / "scrutiny.lp").write_text(lines(ata_fields(), MOMENT_S))
    told = CliRunner().invoke(fleet, [str(tmp_path), "--quiet"])
    assert told.exit_code == 0, told.output
    assert "2 drives" in told.stdout


@pytest.mark.parametrize(
    "whole",
    [nvme(written=5 * 512_000), page(device("sda", "M", "Z", "ATA"), attributes("sda")),
     lines(ata_fields(), MOMENT_S).encode(), annotated(ata_fields(), "2023-11-14T22:13:20Z").encode()],
    ids=["nvme", "disk", "lines", "csv"],
)  # fmt: skip
def test_cut_and_changed_exports_never_end_in_a_traceback_or_in_other_numbers(whole: bytes) -> None:
    chance = random.Random(18)
    raw = {id: number for id, _, _, _, number in _DISK}
    for turn in range(300):
        data = bytearray(whole)
        if turn % 2:
            del data[chance.randrange(len(data)) :]
        else:
            for _ in range(chance.randrange(1, 20)):
                data[chance.randrange(len(data))] = chance.choice(b'\x00\xff\n,="{}# 9e-')
        try:
            dumps = read_dumps(bytes(data), "fuzzed")
        except WrongUse:
            continue
        for dump in dumps:
            read(dump)
            if turn % 2:  # of a cut export no number is another one
                assert all(int.from_bytes(one.raw, "little") == raw[one.id] for one in dump.attributes)
