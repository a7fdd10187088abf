"""The tables themselves: all families are there, they say what they must, and wrong tables are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from flashscope.errors import WrongUse
from flashscope.records.smart_snapshot import SmartAttribute
from flashscope.smart.decoding.families_page import families_page
from flashscope.smart.decoding.layouts import LAYOUTS, value_first_64
from flashscope.smart.decoding.reading import PROVENANCES
from flashscope.smart.decoding.table import all_tables, log_tables, parse_log_table, parse_table
from tests.smart.made_up import attribute, words

FAMILIES = {
    "indilinx", "indilinx-barefoot-2", "indilinx-barefoot-3", "jmicron-602", "jmicron-61x", "maxio", "sandforce",
    "intel-x25", "intel-sandforce", "intel-dc", "intel-dell", "silicon-motion-intel", "micron", "micron-client",
    "micron-dc", "micron-p400", "silicon-motion-micron", "samsung", "samsung-old", "samsung-hp", "toshiba-hg",
    "toshiba-hg6", "toshiba-sg", "toshiba-hk", "toshiba-phison", "phison", "silicon-motion", "sandisk",
    "sandisk-cloudspeed", "sk-hynix", "seagate", "kingston-uv", "apple", "apacer", "liteon", "plextor", "disk",
    "dell-server", "dell-client", "samsung-dell-client", "hpe-server", "hp-client", "lenovo-client",
    "ibm-lenovo-server",
    "foresee", "realtek", "hosin", "hosin-2259", "silicon-motion-usb", "silicon-motion-early", "sandisk-embedded",
    "maxio-sn", "apacer-163", "sandisk-cloudspeed-2", "innodisk", "ssstc", "apple-samsung-c",
    "apple-toshiba-e", "ocz-intrepid", "kioxia-hk6", "superdom", "atp", "smart-modular", "swissbit-x",
    "swissbit-x8", "ironwolf-pro", "nytro-xf1230", "sk-hynix-dc",
}  # fmt: skip
UNITS = {"bytes": "_bytes", "hours": "_hours", "per cent": "_percent", "degrees Celsius": "_celsius"}


def test_every_family_and_log_has_a_table() -> None:
    assert {table.name for table in all_tables()} == FAMILIES
    assert set(log_tables()) == {
        "statistics",
        "nvme_health",
        "ocp_c0",
        "intel_ca",
        "indilinx_gp_03",
        "scsi",
        "nvme_records",
    }


def test_every_row_says_what_it_is_and_names_its_unit_in_the_key() -> None:
    rows = [row for table in all_tables() for row in table.rows]
    for row in (*rows, *(row for table in log_tables().values() for row in table.rows)):
        assert row.meaning, row
        assert row.provenance in PROVENANCES
        if row.unit in UNITS:
            assert f"{UNITS[row.unit]}_" in f"{row.key}_", row


def test_a_unit_in_doubt_lists_more_than_one_scale() -> None:
    by_name = {table.name: table for table in all_tables()}
    for name in ("sk-hynix", "phison", "silicon-motion", "apacer"):
        row = next(row for row in by_name[name].rows if row.key == "host_written_bytes")
        assert len(row.scales) > 1, name


@pytest.mark.parametrize(
    ("layout", "raw", "value", "number"),
    [
        ("raw-48", 0x0102_0304_0506, 1, 0x0102_0304_0506),
        ("raw-32", 0x0102_0304_0506, 1, 0x0304_0506),
        ("raw-24-low", 0x0102_0304_0506, 1, 0x04_0506),
        ("raw-24-high", 0x0102_0304_0506, 1, 0x01_0203),
        ("raw-16-word-0", words(5971, 8369, 4569), 1, 5971),
        ("raw-16-word-1", words(5971, 8369, 4569), 1, 8369),
        ("raw-16-word-2", words(5971, 8369, 4569), 1, 4569),
        ("raw-byte-1", 0x0002_00, 1, 2),
        ("value", 0, 96, 96),
        ("value-over-100", 0, 170, 70),
        ("value-over-100", 0, 99, None),
        ("hours", 18038, 1, 18038),
        ("hours", 18038 | 23736 << 32, 1, 18038),
        ("hours-offset", 236979116442159, 1, 23260),  # 0x0DA753 added, minutes above
        ("hours-offset", 101945343755894, 1, 18038),
        ("celsius", 0xF6, 1, -10),
        ("celsius-min", words(25, 14, 40), 1, 14),
        ("celsius-max", words(25, 40, 14), 1, 40),
        ("celsius-max", words(25, 0, 0), 1, None),
        ("celsius-max", words(25, 30, 40), 1, None),  # now is outside: no such words
    ],
)
def test_numbers_lie_where_a_layout_says(layout: str, raw: int, value: int, number: int | None) -> None:
    assert LAYOUTS[layout](attribute(9, raw, value)) == number


def test_jmicron_602_counts_are_big_endian_from_the_worst_byte() -> None:
    entry = SmartAttribute(234, 2, 100, 0x00, bytes([0x15, 0x66, 0x00, 0x16, 0x1E, 0x00]))
    assert (LAYOUTS["worst-first-24"](entry), LAYOUTS["raw-2-first-24"](entry)) == (5478, 5662)


def test_a_number_that_begins_at_the_value_byte_is_put_together() -> None:
    assert value_first_64(SmartAttribute(199, 0, 191, 83, (96593).to_bytes(6, "little"))) == 6_330_340_287


ROW = '[[attribute]]\nid = 1\nkey = "a"\nmeaning = "m"\nlayout = "raw-48"\nunit = "count"\nprovenance = "assumed"\n'
TABLE = f'name = "x"\ntitle = "X"\n[recognise]\nalways = [1]\nmark = [{{ equal = [1, 2], bits = 1 }}]\n{ROW}'
LOG = (
    'log = "x"\ntitle = "X"\nplace = "X"\n[[entry]]\nkey = "a"\nmeaning = "m"\nunit = "count"\nprovenance = "assumed"\n'
)


@pytest.mark.parametrize(
    "text",
    [
        TABLE[:20],
        TABLE.replace("always", "needed"),
        TABLE.replace("always", "always = [1]\nneeded"),
        TABLE.replace("equal", "same"),
        TABLE.replace("equal = [1, 2]", 'model = "("'),
        TABLE.replace("raw-48", "raw-47"),
        TABLE.replace("assumed", "guessed"),
        TABLE.replace("unit =", "units ="),
        TABLE.replace("unit =", "scale = 0\nunit ="),
        TABLE.replace("unit =", "scale = []\nunit ="),
        TABLE + ROW,
        LOG,
    ],
)
def test_a_wrong_table_is_refused(text: str) -> None:
    assert parse_table(TABLE, label="x.toml").name == "x"
    with pytest.raises(WrongUse, match=r"x\.toml"):
        parse_table(text, label="x.toml")


def test_the_table_of_a_log_is_none_of_a_family() -> None:
    assert parse_log_table(LOG, label="x.toml").log == "x"
    with pytest.raises(WrongUse, match="of a family"):
        parse_log_table(TABLE, label="x.toml")


def test_the_page_of_families_is_that_of_the_tables() -> None:
    page = Path(__file__).parents[2] / "docs" / "reference" / "smart-families.md"
    assert page.read_text() == families_page(), "run scripts/write-docs.py"
