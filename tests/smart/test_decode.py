"""Numbers come out right, with unit, interval and provenance: by hand and on real dumps."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flashscope.records.smart_snapshot import SmartAttribute, SmartSnapshot
from flashscope.smart.decoding.decode import decode, read
from flashscope.smart.decoding.reading import PROVENANCES, Reading
from flashscope.smart.decoding.table import all_tables
from flashscope.smart.dump import Dump
from flashscope.smart.readers.path import read_path, read_path_dumps
from tests.smart.made_up import attribute, dump, nameless, words

TABLES = {table.name: table for table in all_tables()}
GIB, MIB_32 = 1 << 30, 1 << 25
WRITTEN, WRITE_COMMANDS, READ = (1, 0x18), (1, 0x20), (1, 0x28)


def indilinx(**numbers: int) -> SmartSnapshot:
    """A snapshot in the Indilinx layout; numbers by id ("n202")."""
    ids = (1, 9, 12, 184, *range(195, 210), 211, 212, 213)
    attributes = []
    for number in ids:
        whole = numbers.get(f"n{number}", 0).to_bytes(8, "little")
        attributes.append(SmartAttribute(number, 0, whole[0], whole[1], whole[2:]))
    return SmartSnapshot(0, "test", "", "", 0, tuple(attributes))


def reading_of(family: str, numbers: dict[int, int], statistics: dict[tuple[int, int], int] | None = None) -> Reading:
    """A nameless drive of a family with these raw numbers."""
    plain = nameless(TABLES[family], numbers)
    with_all = {one.id: one for one in plain.attributes} | {
        id: attribute(id, raw) for id, raw in numbers.items() if plain.attribute(id) is None
    }
    found = read(dump(tuple(with_all.values()), statistics=statistics))
    assert found.family == family, found.evidence
    return found


def test_indilinx_numbers_begin_at_the_value_byte() -> None:
    reading = decode(indilinx(n202=36951, n198=160_699_137, n205=5000, n208=148, n9=70_000))
    assert reading.family == "indilinx"
    assert reading.value("error_bits") == 36951
    assert reading.value("host_read_bytes") == 160_699_137 * 512
    assert reading.value("rated_pe_cycles") == 5000
    assert reading.value("power_on_time_hours") == 70_000  # more than 16 bits
    assert reading.fields["erase_count_average"].low == 148
    assert reading.fields["erase_count_average"].high == 149  # an average is rounded down


def test_a_drive_without_attributes_has_no_smart_and_a_stranger_is_unknown() -> None:
    assert decode(SmartSnapshot(0, "", "", "", 0, ())).family == "no SMART"
    stranger = decode(SmartSnapshot(0, "", "", "", 0, (SmartAttribute(5, 51, 100, 100, bytes(6)),)))
    assert (stranger.family, stranger.fields, stranger.undecoded) == ("unknown", {}, (5,))


def test_of_a_stranger_only_conventions_and_statistics_are_told() -> None:
    ids = (attribute(9, 777), attribute(33, 5), attribute(44, 6), attribute(194, 31))
    reading = read(dump(ids, statistics={WRITTEN: 1000}))
    assert reading.family == "unknown"
    assert reading.fields["power_on_time_hours"].provenance == "assumed"
    assert reading.value("temperature_celsius") == 31
    assert reading.value("host_written_bytes") == 512_000
    flagless = read(dump((attribute(9, 777, flags=0), attribute(33, 5, flags=0))))
    assert flagless.fields == {}


@pytest.mark.parametrize(
    ("family", "numbers", "expected"),
    [
        (
            "jmicron-61x", {173: words(5971, 8369, 4569)},
            {"erase_count_average": 5971, "erase_count_max": 8369, "erase_count_min": 4569},
        ),
        ("jmicron-61x", {170: words(15, 219, 11)}, {"grown_bad_block_count": 11, "initial_bad_block_count": 15}),
        ("sandforce", {9: 1308 | 52052 << 32}, {"power_on_time_hours": 1308}),
        (
            "sandforce", {241: 1032, 234: 1032, 233: 711},
            {"host_written_bytes": 1032 * GIB, "nand_written_bytes": 711 * GIB},
        ),
        (
            "intel-sandforce", {9: 236979116442159, 225: 523479, 241: 523479},
            {"power_on_time_hours": 23260, "host_written_bytes": 523479 * MIB_32},
        ),
        (
            "intel-dc", {225: 64870, 241: 64870, 243: 144734, 226: 1024},
            {"host_written_bytes": 64870 * MIB_32, "nand_written_bytes": 144734 * MIB_32, "timed_wear_percent": 1.0},
        ),
        (
            "micron-client", {173: 138, 202: 4, 246: 32 * 10**9, 247: 10**9, 248: 5 * 10**8},
            {"host_written_bytes": 32 * 10**9 * 512, "nand_written_bytes": 15 * 10**8 * 16384, "life_used_percent": 4},
        ),
        ("toshiba-hk", {241: 2725836, 173: 0}, {"host_written_bytes": 2725836 * MIB_32, "life_left_percent": 80}),
        ("samsung", {241: 29682857185, 177: 28}, {"host_written_bytes": 29682857185 * 512, "erase_count_average": 28}),
        ("phison", {173: 298 | 246 << 16}, {"erase_count_max": 298, "erase_count_average": 246}),
        ("apple", {175: 57045894, 174: 1}, {"host_written_bytes": 57045894 << 20, "host_read_bytes": 1 << 20}),
        ("seagate", {241: 141921, 173: 534}, {"host_written_bytes": 141921 * GIB, "erase_count_average": 534}),
        ("kingston-uv", {241: 6585, 231: 6}, {"host_written_bytes": 6585 * GIB, "life_used_percent": 6}),
        ("indilinx-barefoot-3", {249: 214764705}, {"nand_written_bytes": 214764705 * 32768}),
        (
            "maxio", {241: 91756397848, 173: words(87, 172, 53)},
            {"host_written_bytes": 91756397848 * 512, "erase_count_average": 87},
        ),
        ("maxio", {241: 18493, 173: words(1100, 1300, 900)}, {"host_written_bytes": 18493 * GIB}),
        ("phison", {241: 5 * 10**7, 173: 730 | 536 << 16, 9: 30062}, {"host_written_bytes": 5 * 10**7 << 20}),
    ],
)  # fmt: skip
def test_numbers_of_a_family_have_its_units_and_layouts(
    family: str, numbers: dict[int, int], expected: dict[str, float]
) -> None:
    reading = reading_of(family, numbers)
    assert {key: reading.value(key) for key in expected} == expected


def test_a_count_of_whole_units_is_true_within_one_unit() -> None:
    field = reading_of("intel-dc", {225: 100, 241: 100}).fields["host_written_bytes"]
    assert (field.low, field.high, field.raw) == (100 * MIB_32, 101 * MIB_32, 100)


@pytest.mark.parametrize("raw", [0xFFFF_FFFF, 0xFFFF_FFFF_FFFF])
def test_placeholders_give_no_field(raw: int) -> None:
    reading = reading_of("intel-dc", {175: raw, 226: 65535, 227: 65535, 228: 65535, 9: raw})
    for key in ("capacitor_test_raw", "timed_wear_percent", "timed_read_percent", "timed_workload_minutes"):
        assert reading.value(key) is None
    assert reading.value("power_on_time_hours") is None or reading.value("power_on_time_hours") == 65535


def test_a_sandforce_drive_without_a_sensor_has_no_temperature() -> None:
    assert reading_of("sandforce", {194: words(30, 30, 30)}).value("temperature_celsius") is None
    assert reading_of("sandforce", {194: words(24, 16, 35)}).value("temperature_max_celsius") == 35


def test_statistics_that_agree_win_and_the_counter_is_kept() -> None:
    reading = reading_of("sandforce", {241: 1032, 234: 1032}, {WRITTEN: 2_165_016_352})
    assert reading.value("host_written_bytes") == 2_165_016_352 * 512
    assert reading.fields["host_written_bytes"].provenance == "verified"
    assert reading.value("host_written_bytes_vendor") == 1032 * GIB


def test_statistics_that_disagree_win_and_both_are_kept() -> None:
    reading = reading_of("samsung", {241: 1_000_000_000}, {WRITTEN: 3_000_000_000})
    assert reading.value("host_written_bytes") == 3_000_000_000 * 512
    assert reading.value("host_written_bytes_vendor") == 1_000_000_000 * 512
    assert reading.fields["host_written_bytes_vendor"].provenance == "assumed"


@pytest.mark.parametrize(
    ("family", "numbers", "statistics", "why"),
    [
        (
            "micron-client",
            {246: 68_482_222_257, 173: 138, 202: 4, 180: 5552},
            {WRITTEN: 68_482_222_257 % 2**32},
            "wrapped",
        ),
        ("sandisk", {241: 31304}, {WRITTEN: 31304, WRITE_COMMANDS: 528_875_666}, "no more sectors than commands"),
        ("sandisk", {241: 3294, 173: 24}, {WRITTEN: 140_114_827_947}, "erased far more often"),
        ("kingston-uv", {241: 31304}, {WRITTEN: 31304}, "repeat"),
    ],
)
def test_statistics_that_cannot_be_are_not_believed_and_that_is_said(
    family: str, numbers: dict[int, int], statistics: dict[tuple[int, int], int], why: str
) -> None:
    reading = reading_of(family, numbers, statistics)
    field = reading.fields["host_written_bytes"]
    assert field.attribute_id in numbers
    assert reading.value("host_written_bytes_statistics") == statistics[WRITTEN] * 512
    assert any(why in one.message and one.believed == "host_written_bytes" for one in reading.contradictions)


@pytest.mark.parametrize(("sectors", "scale"), [(5_445_951_094, 512), (7351 << 21, GIB)])
def test_a_unit_in_doubt_is_told_by_the_statistics(sectors: int, scale: int) -> None:
    count = sectors * 512 // scale
    reading = reading_of("sk-hynix", {241: count, 242: count, 234: 3 * count}, {WRITTEN: sectors})
    assert reading.value("host_written_bytes") == sectors * 512
    assert reading.value("host_read_bytes") == count * scale  # the same unit
    assert reading.value("nand_written_bytes") == 3 * count * scale


def test_a_unit_in_doubt_is_told_by_wear_or_else_left_wide() -> None:
    worn = reading_of("phison", {241: 3243, 173: 17 | 13 << 16, 9: 2686}).fields["host_written_bytes"]
    assert (worn.value, worn.provenance) == (3243 * GIB, "inferred")
    open_ = reading_of("phison", {241: 3243, 9: 2686}).fields["host_written_bytes"]
    assert open_.value == 3243 * GIB
    assert open_.provenance == "assumed"
    assert open_.low <= 3243 << 24
    assert open_.high >= 3244 * GIB
    assert "assumed" in open_.meaning


def test_the_nvme_log_counts_thousands_of_sectors_rounded_up() -> None:
    log = {
        "data_units_written": 1000,
        "data_units_read": 0,
        "temperature": 303,
        "percent_used": 255,
        "unsafe_shutdowns": 3,
    }
    reading = read(dump(nvme_health=log, rotation_rpm=None))
    field = reading.fields["host_written_bytes"]
    assert reading.family == "nvme"
    assert (field.low, field.value, field.high) == (999 * 512_000, 512_000_000, 512_000_000)
    assert reading.value("host_read_bytes") is None  # 0 stands for "not reported"
    assert reading.value("temperature_celsius") == 30
    assert reading.value("endurance_used_percent") == 255
    assert reading.value("unexpected_power_loss_count") == 3


def test_vendor_logs_have_their_own_units() -> None:
    log = {
        "nand_bytes_written": 155767,
        "host_bytes_written": 43768,
        "wear_leveling_avg": 4,
        "timed_workload_timer": 65535,
    }
    reading = read(
        dump(vendor_logs={"intel_ca": log}, rotation_rpm=None, nvme_health={"data_units_written": 2_868_000})
    )
    assert reading.value("nand_written_bytes") == 155767 * MIB_32
    assert reading.value("host_written_bytes_vendor") == 43768 * MIB_32
    assert reading.value("erase_count_average") == 4
    assert reading.value("timed_workload_minutes") is None
    ocp = read(dump(vendor_logs={"ocp_c0": {"physical_media_units_written": 2**70}}, rotation_rpm=None))
    assert ocp.value("nand_written_bytes") == 2**70


def test_temperatures_that_no_sensor_gave_are_not_told() -> None:
    no_sensor = read(dump(statistics={(5, 8): -128, (5, 0x20): 0, (7, 8): 255}))
    assert no_sensor.fields == {}
    assert read(dump(statistics={(5, 8): 29, (5, 0x20): 52})).value("temperature_max_celsius") == 52


@given(
    st.sampled_from(sorted(TABLES)),
    st.dictionaries(st.integers(1, 255), st.integers(0, 2**48 - 1), max_size=12),
    st.dictionaries(st.tuples(st.integers(0, 7), st.integers(0, 64).map(lambda n: 8 * n)), st.integers(-200, 2**48)),
)
def test_any_numbers_give_a_reading_whose_intervals_hold_their_values(
    family: str, numbers: dict[int, int], statistics: dict[tuple[int, int], int]
) -> None:
    plain = nameless(TABLES[family], numbers)
    reading = read(dump(plain.attributes, statistics=statistics, rotation_rpm=plain.rotation_rpm))
    for key, field in reading.fields.items():
        assert field.key == key
        assert field.low <= field.value <= field.high, field
        assert field.provenance in PROVENANCES
        assert field.origin


def test_an_indilinx_dump_printed_without_the_preset_reads_right(samples: Path) -> None:
    reading = sample(samples, "indilinx__Corsair_CMFSSD-32D1__901C977BB6CE")
    assert reading.value("power_on_time_hours") == 10454
    assert reading.value("host_written_bytes") == 6_330_340_287 * 512
    assert reading.value("erase_count_average") == 3799
    assert reading.value("rated_pe_cycles") == 10000
    assert reading.value("reported_life_percent") == 63


def test_a_c300_and_a_sandforce_dump_read_right(samples: Path) -> None:
    c300 = sample(samples, "crucial-c300__Crucial_C300-CTFDDAC256MAG__976B3F69C81D")
    assert c300.value("erase_count_average") == 953
    assert c300.value("initial_bad_block_count") == 480
    assert c300.value("non_4k_aligned_access_count") == 1621
    assert c300.value("host_written_bytes") == 19_750_457_704 * 512
    kingston = sample(samples, "sandforce__Kingston_SV300S37A120G__EAD159B522D6")
    assert kingston.value("host_written_bytes") == 2_165_016_352 * 512
    assert kingston.value("power_on_time_hours") == 1308
    assert kingston.value("temperature_celsius") == 24


def sample(samples: Path, name: str) -> Reading:
    return read(read_path(next(samples.glob(f"*/{name}.txt"))))


def all_dumps(samples: Path) -> list[tuple[str, Dump]]:
    paths = [*samples.glob("*/*.txt"), *samples.glob("*/*.json"), *samples.glob("series/*/*.txt")]
    return [(path.name, one) for path in sorted(paths) for one in read_path_dumps(path)]


# Drives whose Device Statistics are wrong, by the reason told; where they wrapped, the remainder is compared.
DISBELIEVED = ("SanDisk_SDSSDA120G", "SanDisk_SDSSDXPS240G")


def test_host_bytes_are_within_1_percent_of_the_device_statistics_wherever_both_are_told(samples: Path) -> None:
    compared = 0
    for name, one in all_dumps(samples):
        reading = read(one)
        for key, place in (("host_written_bytes", WRITTEN), ("host_read_bytes", READ)):
            sectors, field = one.statistic(*place), reading.fields.get(key)
            if not sectors or field is None or any(part in name for part in DISBELIEVED):
                continue
            compared += 1
            told = reading.fields.get(f"{key}_statistics")
            if told is None or told.value == field.value:
                assert abs(field.value - sectors * 512) <= 0.01 * sectors * 512, (name, key)
            else:
                apart = (field.value / 512 - sectors) % 2**32
                assert "wrapped" in told.meaning, (name, key)
                assert min(apart, 2**32 - apart) <= 0.01 * field.value / 512, (name, key)
    assert compared > 350


def test_every_dump_gives_a_reading_made_of_its_own_attributes(samples: Path) -> None:
    dumps = [one for _, one in all_dumps(samples)]
    for one in dumps:
        reading = read(one)
        assert reading.family in {*TABLES, "nvme", "unknown", "no SMART"}
        attributes = {attribute.id for attribute in one.attributes}
        made = {field.attribute_id for field in reading.fields.values() if field.attribute_id is not None}
        assert made <= attributes
        assert set(reading.undecoded) <= attributes
