"""Families are told by their bytes, and their numbers come out right, on real dumps and by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from flashscope.errors import WrongUse
from flashscope.records.record import SmartAttribute, SmartSnapshot
from flashscope.smart.decode import DecodedSmart, decode
from flashscope.smart.derive import error_exponent, raw_bit_error_ratio
from flashscope.smart.layouts import value_first_64
from flashscope.smart.table import PROVENANCES, all_tables, parse_table

ReadDump = Callable[[Path], SmartSnapshot]

# All dumps whose bytes are of a known family; every other dump must stay "unknown" (folder names may lie).
FAMILIES = {
    "indilinx": {
        "indilinx__Corsair_CMFSSD-256D1__A5A4F29E030B",
        "indilinx__Corsair_CMFSSD-32D1__901C977BB6CE",
        "indilinx__Corsair_CMFSSD-32D1__A9AE1BB81E59",
        "indilinx__OCZ_ONYX_32GB__21F48858979A",
        "indilinx__OCZ_VERTEX_64GB__5FC75E71ABD8",
        "indilinx__Transcend_TS120GSSD25D-M__6855742EF586",
        "indilinx__OCZ-VERTEX-32GB_fw1.6__ubuntuforums-2013-05-28",
        "indilinx__OCZ-VERTEX-96GB_fw1.6__ubuntuforums-2013-03-16",
    },
    "micron": {
        "crucial-c300__Crucial_C300-CTFDDAC128MAG__7479F19B0657",
        "crucial-c300__Crucial_C300-CTFDDAC128MAG__F167713E7472",
        "crucial-c300__Crucial_C300-CTFDDAC256MAG__976B3F69C81D",
        "crucial-c300__Crucial_C300-CTFDDAC256MAG__EBAAD82A0B6A",
        "crucial-m4__Micron_C400-MTFDDAK128MAM__522C6312361E",
    },
}


def indilinx(**numbers: int) -> SmartSnapshot:
    """A snapshot in the Indilinx layout; numbers by id ("n202")."""
    ids = (1, 9, 12, 184, *range(195, 210), 211, 212, 213)
    attributes = []
    for number in ids:
        whole = numbers.get(f"n{number}", 0).to_bytes(8, "little")
        attributes.append(SmartAttribute(number, 0, whole[0], whole[1], whole[2:]))
    return SmartSnapshot(0, "test", "", "", 0, tuple(attributes))


def test_a_number_that_begins_at_the_value_byte_is_put_together() -> None:
    attribute = SmartAttribute(199, 0, 191, 83, (96593).to_bytes(6, "little"))
    assert value_first_64(attribute) == 6_330_340_287


@pytest.mark.parametrize(
    ("error_bits", "sectors", "ratio", "exponent"),
    [(36951, 160_699_137, 5.61e-8, 7), (13243, 4_314_373_168, 7.50e-10, 9)],
    ids=["F001 to F004", "F005 to F008"],
)
def test_the_published_bit_error_ratios_come_out(error_bits: int, sectors: int, ratio: float, exponent: int) -> None:
    decoded = decode(indilinx(n202=error_bits, n198=sectors, n205=5000))
    rber = decoded.fields["rber"].value
    assert rber == pytest.approx(ratio, rel=1.5e-3)  # the figures are printed with two and three digits
    assert rber == raw_bit_error_ratio(error_bits, sectors * 512) == error_bits / (sectors * 4096)
    assert error_exponent(rber) == exponent


def test_nothing_is_derived_from_a_drive_that_read_nothing() -> None:
    decoded = decode(indilinx(n202=5, n205=0))
    assert decoded.value("rber") is None
    assert decoded.value("error_bits_per_event") is None
    assert decoded.value("remaining_life_ratio") is None


@pytest.mark.parametrize(
    ("average", "rated", "reported", "life", "doubted"),
    [
        (148, 5000, 98, 0.9704, False),  # real: 100 - floor(2.96)
        (3799, 10000, 63, 0.6201, False),
        (13, 5000, 99, 0.9974, False),  # new drives never show 100
        (11047, 10000, 100, 0.0, True),  # past the rating the drive shows itself as new
        (14092, 5000, 97, 0.0, True),
    ],
)
def test_life_left_is_recomputed_and_a_wrong_report_is_doubted(
    average: int, rated: int, reported: int, life: float, doubted: bool
) -> None:
    decoded = decode(indilinx(n208=average, n205=rated, n209=reported))
    assert decoded.value("remaining_life_ratio") == pytest.approx(life)
    assert decoded.value("reported_life_percent") == reported
    assert [doubt.kind for doubt in decoded.doubts] == (["LifeDisagrees"] if doubted else [])


def test_a_drive_without_attributes_has_no_smart_and_a_stranger_is_unknown() -> None:
    assert decode(SmartSnapshot(0, "", "", "", 0, ())).family == "no SMART"
    stranger = decode(SmartSnapshot(0, "", "", "", 0, (SmartAttribute(5, 51, 100, 100, bytes(6)),)))
    assert (stranger.family, stranger.fields, stranger.undecoded) == ("unknown", {}, (5,))


def test_flags_or_a_missing_attribute_rule_a_family_out() -> None:
    snapshot = indilinx()
    flagged = [SmartAttribute(one.id, 2, one.value, one.worst, one.raw) for one in snapshot.attributes]
    for attributes in (flagged, snapshot.attributes[1:]):
        assert decode(SmartSnapshot(0, "", "", "", 0, tuple(attributes))).family == "unknown"


def test_each_dump_is_recognised_by_its_bytes_and_not_by_its_name(samples: Path, read_dump: ReadDump) -> None:
    found: dict[str, set[str]] = {}
    for path in [*samples.glob("*/*.txt"), *samples.glob("*/*.json")]:
        found.setdefault(decode(read_dump(path)).family, set()).add(path.stem)
    assert found["indilinx"] == FAMILIES["indilinx"]
    assert found["micron"] == FAMILIES["micron"]
    assert {name.split("__")[0] for name in found["sandforce"]} == {"sandforce"}
    assert len(found["sandforce"]) == 8


def decoded_dump(samples: Path, read_dump: ReadDump, name: str) -> DecodedSmart:
    return decode(read_dump(next(samples.glob(f"*/{name}.txt"))))


def test_an_indilinx_dump_printed_without_the_preset_reads_right(samples: Path, read_dump: ReadDump) -> None:
    decoded = decoded_dump(samples, read_dump, "indilinx__Corsair_CMFSSD-32D1__901C977BB6CE")
    assert decoded.value("power_on_time_hours") == 10454
    assert decoded.value("host_written_bytes") == 6_330_340_287 * 512
    assert decoded.value("erase_count_average") == 3799
    assert decoded.value("rated_pe_cycles") == 10000
    assert decoded.value("reported_life_percent") == 63
    assert decoded.doubts == ()


def test_the_error_exponent_of_real_drives_is_that_of_their_bit_errors(samples: Path, read_dump: ReadDump) -> None:
    for name in FAMILIES["indilinx"]:
        decoded = decoded_dump(samples, read_dump, name)
        rber = decoded.value("rber")
        assert rber is not None
        assert decoded.value("read_error_exponent") == error_exponent(rber), name


def test_the_rating_of_a_c300_follows_from_two_attributes(samples: Path, read_dump: ReadDump) -> None:
    decoded = decoded_dump(samples, read_dump, "crucial-c300__Crucial_C300-CTFDDAC256MAG__976B3F69C81D")
    assert decoded.value("erase_count_average") == 953
    assert decoded.value("initial_bad_block_count") == 480
    assert decoded.value("rated_pe_cycles") == 5000
    assert decoded.value("remaining_life_ratio") == pytest.approx(1 - 953 / 5000)
    assert decoded.value("non_4k_aligned_access_count") == 1621


def test_a_sandforce_dump_agrees_with_its_device_statistics(samples: Path, read_dump: ReadDump) -> None:
    decoded = decoded_dump(samples, read_dump, "sandforce__Kingston_SV300S37A120G__EAD159B522D6")
    assert decoded.value("host_written_bytes") == pytest.approx(2_165_016_352 * 512, abs=2**30)
    assert decoded.value("host_read_bytes") == pytest.approx(2_136_047_479 * 512, abs=2**30)
    assert decoded.value("write_amplification") == pytest.approx(711 / 1032)
    assert decoded.value("power_on_time_hours") == 1308
    assert decoded.value("temperature_celsius") == 24
    assert decoded.value("remaining_life_ratio") == 1.0


def test_every_attribute_of_a_known_family_keeps_its_raw_bytes(samples: Path, read_dump: ReadDump) -> None:
    snapshot = read_dump(next(samples.glob("*/indilinx__OCZ_ONYX*.txt")))
    decoded = decode(snapshot)
    by_id = {attribute.id: attribute.raw for attribute in snapshot.attributes}
    assert {one.attribute_id: one.raw for one in decoded.fields.values() if one.attribute_id} == by_id
    assert all(one.provenance in PROVENANCES for one in decoded.fields.values())


def test_tables_of_all_layouts_a_part_can_name_are_there() -> None:
    assert {table.name for table in all_tables()} >= {"indilinx", "micron", "sandforce"}


ROW = '[[attribute]]\nid = 1\nkey = "a"\nmeaning = "m"\nlayout = "raw-48"\nunit = "count"\nprovenance = "assumed"\n'
TABLE = f'name = "x"\ntitle = "X"\n[recognise]\nrequired = [1]\n{ROW}'


@pytest.mark.parametrize(
    "text",
    [
        TABLE[:20],
        TABLE.replace("required", "needed"),
        TABLE.replace("raw-48", "raw-47"),
        TABLE.replace("assumed", "guessed"),
        TABLE.replace("unit =", "units ="),
        TABLE + ROW,
    ],
)
def test_a_wrong_table_is_refused(text: str) -> None:
    assert parse_table(TABLE, label="x.toml").name == "x"
    with pytest.raises(WrongUse, match=r"x\.toml"):
        parse_table(text, label="x.toml")
