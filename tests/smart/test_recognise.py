"""Families are told by evidence in the dump; names weigh little, and a stranger stays unknown."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flashscope.records.smart_snapshot import SmartAttribute
from flashscope.smart.decoding.recognise import recognise
from flashscope.smart.decoding.table import FamilyTable, all_tables
from flashscope.smart.readers.path import read_path_dumps
from tests.smart.made_up import attribute, dump, nameless, words

TABLES = {table.name: table for table in all_tables()}
# Folder label -> families its drives truly have, where the label alone does not say it.
TRUE_FAMILIES = {
    "apple": {"apple"},
    "crucial-c300": {"micron"},
    "crucial-m4": {"micron", "nvme"},
    "crucial-mx": {"micron-client", "silicon-motion", "silicon-motion-micron"},
    "hynix": {"sk-hynix"},
    "indilinx": {"indilinx", "phison"},
    "indilinx-b2-b3": {"indilinx-barefoot-2", "indilinx-barefoot-3"},
    "intel-520-330": {"intel-sandforce"},
    "intel-53x-540": {"intel-sandforce", "silicon-motion-intel"},
    "intel-dc": {"intel-dc", "intel-dell"},
    "intel-x25": {"intel-x25"},
    "jmicron": {"jmicron-602", "jmicron-61x", "toshiba-hg"},
    "kingston-dc-other": {"phison", "apacer", "innodisk", "nvme"},
    "marvell-plextor-liteon": {"liteon", "plextor"},
    "micron-dc": {"micron-dc", "micron-client", "micron-p400"},
    "nvme": {"nvme"},
    "phison": {"phison", "jmicron-61x", "maxio"},
    "samsung": {"samsung"},
    "samsung-old": {"samsung", "samsung-old", "samsung-hp"},
    "sandforce": {"sandforce", "silicon-motion"},
    "smi": {"silicon-motion", "maxio"},
    "toshiba": {"toshiba-hg", "toshiba-hk", "toshiba-sg", "dell-server", "toshiba-phison"},
    "toshiba-hg2-hg3": {"toshiba-hg"},
    "wd-sandisk": {"sandisk", "sandisk-embedded", "silicon-motion-early", "sandisk-cloudspeed", "silicon-motion"},
}
# Drives whose label or name leads astray: what their numbers say.
ODD_ONES = {
    "crucial-m4__Seagate_FireCuda_530": "nvme",
    "crucial-mx__Crucial_CT500BX100SSD1": "silicon-motion",
    "crucial-mx__Crucial_CT240BX500SSD1": "silicon-motion-micron",
    "indilinx__Corsair_CSSD-V60GB2": "phison",
    "intel-53x-540__Intel_SSDSC2KW256G8": "silicon-motion-intel",
    "jmicron__Kingston_SNVP325S2128GB__24D955A1684F": "toshiba-hg",
    "phison__KingSpec_KDM-SA.51-008GMJ": "jmicron-61x",
    "phison__Patriot_P200_2TB": "maxio",
    "sandforce__OWC_Mercury_Electra_6G_SSD": "silicon-motion",
    "wd-sandisk__SanDisk_SDSSDA120G": "sandisk",
    "wd-sandisk__SanDisk_SDCFXPS-032G": "silicon-motion-early",
}
SERIES = {
    "c300": "micron", "indilinx": "indilinx", "intel520": "intel-sandforce", "m4": "micron", "mx500": "micron-client",
    "micron": "micron-dc", "nvme": "nvme", "samsung840": "samsung", "samsung850": "samsung",
    "samsung860_870": "samsung", "sandforce": "sandforce",
}  # fmt: skip
ODD_SERIES = {
    "inteldc__67FDD263DD23": "silicon-motion-intel",  # an Intel 545s
    "inteldc__1095FB4D46A1": "intel-dc",
    "phison__5FC70E5A4616": "silicon-motion",  # a PNY
    "m5xx__0CC635CC0564": "micron",  # an early M500, whose attributes are those of the m4
    "m5xx__F88CBA363AFF": "micron-client",
}


@pytest.mark.parametrize("table", all_tables(), ids=lambda table: table.name)
def test_a_nameless_drive_with_a_familys_ids_and_marks_is_of_it(table: FamilyTable) -> None:
    found = recognise(nameless(table))
    twins = {"micron-client": "silicon-motion-micron", "silicon-motion-micron": "micron-client"}
    if found.table is None:  # two tables may fit alike; then neither is named
        alike = ("micron-client", "samsung-hp", "samsung-old", "samsung", "toshiba-hg", "toshiba-hg6", "liteon")
        assert table.name in (*alike, "samsung-dell-client"), found.evidence
        return
    assert found.table.name in (table.name, twins.get(table.name) if table.name == "micron-client" else None)
    assert found.confidence_ratio > 0.75
    assert found.evidence
    assert found.is_flash is table.is_flash


@pytest.mark.parametrize(
    ("family", "model"),
    [("sandforce", "Crucial_CT500MX500SSD1"), ("intel-dc", "SAMSUNG MZ7LN"), ("maxio", "KINGSTON SA400")],
)
def test_a_false_name_is_outvoted(family: str, model: str) -> None:
    found = recognise(replace(nameless(TABLES[family]), model=model))
    assert found.table is TABLES[family]


def test_the_life_left_of_a_bx500_tells_it_from_an_mx500() -> None:
    micron = nameless(TABLES["micron-client"], {173: 138, 202: 4, 180: 5552}, {202: 96, 180: 100})
    assert recognise(replace(micron, model="CT500MX500SSD1")).table is TABLES["micron-client"]
    repeats = nameless(TABLES["micron-client"], {173: 80, 202: 95, 180: 100}, {202: 95, 180: 100})
    assert recognise(repeats).table is TABLES["silicon-motion-micron"]


def test_a_stranger_is_unknown() -> None:
    for ids in ((5,), (1, 5, 9, 12), (9, 12, 33, 44, 55, 66, 77, 88), tuple(range(100, 160))):
        found = recognise(dump(tuple(attribute(id) for id in ids)))
        assert found.table is None
        assert found.is_flash is True  # it says that nothing in it turns
        assert found.evidence


@given(st.sets(st.integers(1, 255), max_size=30), st.integers(0, 2**48 - 1), st.integers(0, 255))
def test_any_set_of_ids_gets_an_answer(ids: set[int], raw: int, value: int) -> None:
    found = recognise(dump(tuple(SmartAttribute(id, 50, value, 100, raw.to_bytes(6, "little")) for id in ids)))
    assert 0 <= found.confidence_ratio <= 1
    assert found.table is None or found.table.is_flash


DISK = (1, 3, 4, 5, 7, 9, 10, 12, 187, 188, 190, 193, 194, 195, 197, 198, 199, 240, 241, 242)


@pytest.mark.parametrize("rotation_rpm", [7200, None])
def test_a_disk_is_not_flash_whether_or_not_it_says_that_it_turns(rotation_rpm: int | None) -> None:
    found = recognise(dump(tuple(attribute(id, 5) for id in DISK), rotation_rpm=rotation_rpm))
    assert found.table is TABLES["disk"]
    assert found.is_flash is False


def test_a_turning_drive_is_no_flash_whatever_its_ids_and_a_still_one_no_disk() -> None:
    assert recognise(replace(nameless(TABLES["samsung"]), rotation_rpm=5400)).is_flash is False
    still = recognise(dump(tuple(attribute(id, 5) for id in DISK), rotation_rpm=0))
    assert still.is_flash is True
    assert still.table is not TABLES["disk"]


def test_without_attributes_only_what_the_drive_says_of_itself_counts() -> None:
    assert recognise(dump(rotation_rpm=10020)).is_flash is False
    assert recognise(dump(nvme_health={"percent_used": 1}, rotation_rpm=None)).is_flash is True
    assert recognise(dump(rotation_rpm=None)).is_flash is None


def test_packed_words_tell_apple_from_others() -> None:
    found = recognise(nameless(TABLES["apple"], {173: words(943, 1121, 822)}))
    assert found.table is TABLES["apple"]


def sample_dumps(samples: Path) -> dict[str, str]:
    """Name of each sample of a solid-state drive -> family found."""
    found = {}
    for path in sorted([*samples.glob("linuxhw/*.txt"), *samples.glob("forum/*.txt")]):
        table = recognise(read_path_dumps(path)[-1]).table
        found[path.stem] = table.name if table is not None else "unknown"
    return found


def test_at_least_95_percent_of_the_samples_are_of_their_family_and_none_is_named_wrong(samples: Path) -> None:
    found = sample_dumps(samples)
    assert len(found) > 110
    wrong = {
        name: family for name, family in found.items() if family not in {"unknown", *TRUE_FAMILIES[name.split("__")[0]]}
    }
    right = [name for name, family in found.items() if family in TRUE_FAMILIES[name.split("__")[0]]]
    assert not wrong
    assert len(right) >= 0.95 * len(found), Counter(found.values())
    for start, family in ODD_ONES.items():
        assert [one for name, one in found.items() if name.startswith(start)] == [family], start


def test_every_dump_of_a_disk_is_not_flash(samples: Path) -> None:
    names = ("ST3", "ST4", "HITACHI", "Hitachi", "ST18", "MG04", "megaraid")
    paths = [path for path in samples.glob("*/*.json") if any(name in path.name for name in names)]
    assert len(paths) == 9
    for path in paths:
        assert recognise(read_path_dumps(path)[-1]).is_flash is False, path.name


def test_the_families_of_the_series_are_found_at_every_age(samples: Path) -> None:
    folders = [folder for folder in (samples / "series").iterdir() if folder.is_dir()]
    assert len(folders) == 26
    for folder in folders:
        expected = ODD_SERIES.get(folder.name) or SERIES[folder.name.split("__")[0]]
        found = {
            table.name if (table := recognise(one).table) else "unknown"
            for path in folder.iterdir()
            for one in read_path_dumps(path)
        }
        assert found == {expected}, folder.name
