"""smartctl's text is read whole, however it was printed, posted, wrapped or cut."""

from __future__ import annotations

import pytest

from flashscope.errors import WrongUse
from flashscope.smart.dump import Dump
from flashscope.smart.readers.read import read_dump

from .texts import ATTRIBUTES, BRIEF, NVME, OLD_ROWS, SCSI


def read(text: str) -> Dump:
    return read_dump(text.encode(), "test")


def test_every_section_of_a_dump_finds_its_place() -> None:
    dump = read(BRIEF)
    assert dump.attributes == ATTRIBUTES
    assert (dump.protocol, dump.model, dump.firmware, dump.serial) == ("ATA", "FLASHSCOPE TEST 128", "T1.0", "F0001")
    assert (dump.family_printed, dump.user_bytes, dump.rotation_rpm) == ("Fictional based SSDs", 128035676160, 0)
    assert dump.taken_at_s == 1764374349  # 2025-11-28 23:59:09 UTC
    assert dump.printed[5].threshold == 10
    assert dump.printed[5].pre_failure
    assert [dump.printed[id].when_failed for id in (5, 190, 241)] == ["", "past", "now"]
    assert dump.printed[190].raw_text == "33 (Min/Max 18/45)"
    assert dump.statistic(1, 0x18) == 29682857185
    assert dump.statistic(5, 0x28) == -4
    assert [one.normalized for one in dump.statistics] == [False, False, False, True, False]
    assert dump.statistics[-1].value is None
    assert dump.vendor_logs["smartctl"] == {"smart_passed": 1, "ata_error_count": 7}
    assert dump.vendor_logs["sct"]["lifetime_temperature_max_celsius"] == 45
    assert dump.vendor_logs["sata_phy"] == {"event_0009h": 13}
    assert dump.unread == ()


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\n".join(f"> {line}" for line in text.split("\n")) + "\n",
        lambda text: text.replace("\n", "\n\n"),
        lambda text: "\n".join(" ".join(line.split()) for line in text.split("\n")),
        lambda text: text.replace("Always       -       852", "Always       -\n       852"),
        lambda text: text.replace("Old_age   Always       -       16922", "Old_a\nge   Always       -       16922"),
        lambda text: text.replace("33 (Min/Max", "33\n(Min/Max"),
        lambda text: text.replace("  9 Power", "9\nPower"),
        lambda text: text.replace("-  ", "\u2013  "),
        lambda text: text[text.index("\n") + 1 :],
        lambda text: f"<pre>{text.rstrip()}</pre>\n".replace("  ", "&nbsp; "),
        lambda text: f"[CODE]{text.rstrip()}[/CODE]\n",
        lambda text: (
            "\n".join("| " + " | ".join(line.split(maxsplit=9)) + " |" for line in text.rstrip().split("\n")) + "\n"
        ),
    ],
    ids=[
        "plain",
        "CRLF",
        "quoted",
        "blank lines",
        "one blank",
        "wrapped",
        "broken word",
        "in raw",
        "id",
        "dash",
        "bare",
        "web page",
        "forum",
        "pipes",
    ],
)
def test_the_table_survives_what_forums_and_terminals_do_to_it(change: object) -> None:
    assert callable(change)
    dump = read(change(OLD_ROWS))
    assert dump.attributes == ATTRIBUTES
    assert dump.unread == ()


@pytest.mark.parametrize(
    ("printed", "bytes_of_user"),
    [
        ("32 017 047 552 bytes [32,0 GB]", 32017047552),
        ("32\u202f017\u202f047\u202f552 bytes [32,0 GB]", 32017047552),
        ("32\u00a0017\u00a0047\u00a0552 bytes [32,0 GB]", 32017047552),
        ("32.017.047.552 bytes [32,0 GB]", 32017047552),
        ("32'017'047'552 bytes [32.0 GB]", 32017047552),
        ("32017047552 bytes [32.0 GB]", 32017047552),
        ("32,0 GB", None),
    ],
)
def test_the_capacity_is_read_in_any_locale(printed: str, bytes_of_user: int | None) -> None:
    for encoding in ("utf-8", "cp1252", "utf-16", "utf-16-le"):
        text = BRIEF.replace("128,035,676,160 bytes [128 GB]", printed)
        data = text.encode(encoding, errors="replace" if encoding == "cp1252" else "strict")
        dump = read_dump(data, "test")
        assert dump.attributes == ATTRIBUTES
        assert dump.user_bytes == bytes_of_user
        assert (bytes_of_user is None) == any("32,0 GB" in line for line in dump.unread)


def test_numbers_of_64_bits_and_of_other_byte_orders_are_laid_back() -> None:
    rows = OLD_ROWS.split("\n")[0] + (
        "\n199 Write_Sectors_Tot_Ct 0x0000 --- --- --- Old_age Offline - 6330340287"
        "\n229 Flash_ID 0x0002 100 --- 000 Old_age Always - 0x00ecd755b678ecd7"
        "\n234 Erase_Count 0x0002 100 --- 000 Old_age Always - 5478/5662"
        "\n170 Bad_Blk_Ct_Erl/Lat 0x0013 100 100 010 Pre-fail Always - 1/2705"
        "\n  9 Hours_and_Msec 0x0032 085 085 000 Old_age Always - 13221h+06m+31.670s"
        "\n 13 Rate 0x0032 085 085 000 Old_age Always - 2/46886511"
        "\n175 Cap_Test 0x0032 085 085 000 Old_age Always - 2494 (74 65535)"
        "\n173 Erase_Ct 0x0032 085 085 000 Old_age Always - 36 (Average 5)"
        "\n194 Temperature_Celsius 0x0022 045 054 000 Old_age Always - 45 (0 22 1 0)"
        "\n187 All_Ones 0x0032 085 085 000 Old_age Always - 281474976710655"
        "\n188 Placeholder 0x0032 085 085 000 Old_age Always - 4294967295\n"
    )
    dump = read(rows)
    raw = {one.id: (one.value, one.worst, one.raw.hex()) for one in dump.attributes}
    assert raw[199] == (191, 83, (96593).to_bytes(6, "little").hex())
    assert raw[229] == (100, 0x00, "ecd755b678ec")
    assert raw[234] == (100, 0x00, "156600161e00")
    assert raw[170][2] == (2705 | 1 << 32).to_bytes(6, "little").hex()
    assert raw[9][2] == (13221 | 391670 << 32 & (1 << 48) - 1).to_bytes(6, "little").hex()
    assert raw[13][2] == (46886511 | 2 << 32).to_bytes(6, "little").hex()
    assert raw[175][2] == (2494 | 65535 << 16 | 74 << 32).to_bytes(6, "little").hex()
    assert raw[173][2] == (36 | 5 << 16).to_bytes(6, "little").hex()
    assert raw[194][2] == bytes((45, 0, 0, 1, 22, 0)).hex()
    assert raw[187][2] == "ff" * 6
    assert raw[188][2] == "ffffffff0000"


def test_a_raw_number_in_an_unknown_form_is_kept_as_unread() -> None:
    dump = read(OLD_ROWS + "200 Odd 0x0032 100 100 000 Old_age Always - twelve-ish 7\n")
    assert dump.attributes == ATTRIBUTES
    assert "twelve-ish 7" in dump.unread[0]
    assert any("attribute 200" in remark for remark in dump.remarks)


def test_of_two_values_for_one_id_both_are_kept_in_order() -> None:
    dump = read(OLD_ROWS + "  9 Power_On_Hours 0x0032 096 096 000 Old_age Always - 5\n")
    assert [int.from_bytes(one.raw, "little") for one in dump.attributes if one.id == 9] == [16922, 5]
    assert dump.attribute(9) == ATTRIBUTES[1]
    assert any("attribute 9 appears more than once" in remark for remark in dump.remarks)


def test_two_models_in_one_dump_are_said() -> None:
    dump = read(BRIEF.replace("Serial Number:", "Device Model:     OTHER\nSerial Number:"))
    assert dump.model == "FLASHSCOPE TEST 128"
    assert "model: OTHER" in dump.unread


@pytest.mark.parametrize("text", [BRIEF, NVME, SCSI], ids=["ATA", "NVMe", "SCSI"])
def test_cut_anywhere_a_dump_gives_only_what_is_whole(text: str) -> None:
    """At every length: each number read is one of the whole dump's, never a part of it."""
    whole = read(text)
    for length in range(len(text)):
        try:
            part = read(text[:length])
        except WrongUse:
            continue
        assert set(part.attributes) <= set(whole.attributes)
        assert set(part.statistics) <= set(whole.statistics)
        assert part.nvme_health.items() <= whole.nvme_health.items()
        for log, fields in part.vendor_logs.items():
            assert fields.items() <= whole.vendor_logs[log].items()
        assert part.user_bytes in (None, whole.user_bytes)


def wrapped(text: str, width: int) -> str:
    """As a terminal of that width shows it, and copies it."""
    lines = text.split("\n")
    return "\n".join(line[start : start + width] for line in lines for start in range(0, max(1, len(line)), width))


@pytest.mark.parametrize("width", range(45, 100))
def test_a_terminal_of_any_width_breaks_no_number(width: int) -> None:
    for text in (BRIEF, OLD_ROWS):
        dump = read(wrapped(text, width))
        assert set(dump.attributes) <= set(ATTRIBUTES)
        assert len(dump.attributes) == 4 or dump.unread
        for one in dump.statistics:
            assert one.value == read(BRIEF).statistic(one.page, one.offset_bytes)
        if width >= 60:
            assert dump.attributes == ATTRIBUTES


def test_a_lonely_number_below_a_row_makes_its_raw_number_unbelievable() -> None:
    dump = read(OLD_ROWS.replace("852\n", "852\n77\n"))
    assert [one.id for one in dump.attributes] == [9, 190, 241]
    assert "77" in dump.unread
    assert any("a single number follows attribute 5" in remark for remark in dump.remarks)


def test_a_table_without_its_last_line_break_says_that_digits_may_be_missing() -> None:
    dump = read(OLD_ROWS.replace("FAILING_NOW", "-").rstrip("\n"))
    assert len(dump.attributes) == 4
    assert any("if it was cut there" in remark for remark in dump.remarks)


def test_an_nvme_dump_is_read_in_nvme_clis_names() -> None:
    dump = read(NVME)
    assert (dump.protocol, dump.model, dump.user_bytes) == ("NVMe", "FLASHSCOPE NVME", 512110190592)
    assert dump.nvme_health == {
        "critical_warning": 1,
        "temperature": 270,
        "avail_spare": 9,
        "spare_thresh": 10,
        "percent_used": 103,
        "data_units_read": 24781409,
        "data_units_written": 24287809,
        "host_read_commands": 281587588,
        "power_on_hours": 823,
        "temperature_sensor_2": 334,
    }
    assert any("FAILED!" in remark for remark in dump.remarks)


def test_a_scsi_dump_is_read() -> None:
    dump = read(SCSI)
    assert (dump.protocol, dump.model, dump.firmware, dump.rotation_rpm) == ("SCSI", "FLASH SCOPE", "0001", 10020)
    scsi = dump.vendor_logs["scsi"]
    assert scsi["read_processed_bytes"] == 111_593_179 * 10**6
    assert scsi["write_processed_bytes"] == 292_086_584 * 10**6
    assert scsi["read_total_uncorrected_errors"] == 4
    assert scsi["percentage_used_endurance_indicator"] == 3
    assert scsi["non_medium_error_count"] == 5
    assert dump.unread == ()


def test_several_readings_in_one_file_are_told_apart() -> None:
    from flashscope.smart.readers.read import read_dumps

    later = BRIEF.replace("16922", "17000")
    dumps = read_dumps((BRIEF + later).encode(), "test")
    assert [dump.statistic(1, 0x10) for dump in dumps] == [16922, 17000]
    assert read_dump((BRIEF + later).encode(), "test").statistic(1, 0x10) == 17000
    with pytest.raises(WrongUse, match="2 drives"):
        read(BRIEF + BRIEF.replace("F0001", "F0002"))


@pytest.mark.parametrize(
    "data", [b"", b"   \n\n", b"hello\n", b"\x00" * 600, b"\xff" * 4000, b"[1, 2]", b"{}", bytes(512)]
)
def test_what_is_no_dump_is_refused_in_words(data: bytes) -> None:
    with pytest.raises(WrongUse) as caught:
        read_dump(data, "the file")
    assert "the file" in caught.value.what
    assert caught.value.accepted
