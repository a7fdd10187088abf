"""The shipped parts are complete, sourced and honest about what was fitted."""

from __future__ import annotations

import csv
import json
import tomllib
from pathlib import Path

import pytest

from flashscope.drives.part import Part, list_parts, load_part, shipped_folder
from flashscope.drives.part_schema import KEYS, ORIGINS, key_table

ROOT = Path(__file__).parents[2]
FIGURES = ROOT.parent / "shared" / "seeds" / "figures.csv"
# Published figures that carry a number, per drive; compared with the file itself where that is at hand.
FIGURE_COUNTS = {"onyx-32": 7, "c300-256": 20, "thnsns-120": 3}

each_part = pytest.mark.parametrize("part", [load_part(name) for name in list_parts()], ids=lambda part: part.name)


def test_the_three_documented_drives_are_shipped() -> None:
    assert set(FIGURE_COUNTS) <= set(list_parts())


def test_parts_of_the_checkout_are_those_of_the_package() -> None:
    assert shipped_folder().resolve() == ROOT / "parts"


@each_part
def test_every_value_states_origin_and_source(part: Part) -> None:
    for name, value in part.values.items():
        assert value.origin in ORIGINS, name
        assert value.source, name


@each_part
def test_fewer_values_are_fitted_than_figures_are_published(part: Part) -> None:
    assert part.fitted_count < FIGURE_COUNTS[part.name]


@each_part
def test_fitted_values_name_figures_of_their_own_drive_that_carry_a_number(part: Part) -> None:
    if not FIGURES.exists():
        pytest.skip(f"{FIGURES} is not there, so figure ids cannot be looked up")
    with FIGURES.open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["drive"] == part.name and row["value"]]
    assert len(rows) == FIGURE_COUNTS[part.name]
    named = {figure for value in part.values.values() for figure in value.fitted_to}
    assert named <= {row["id"] for row in rows}


@pytest.mark.parametrize("path", sorted((ROOT / "parts").glob("*/*.toml")), ids=lambda path: path.stem)
def test_a_shipped_part_is_named_like_its_file(path: Path) -> None:
    assert tomllib.loads(path.read_text(encoding="utf-8"))["name"] == path.stem


@each_part
def test_the_core_gets_every_key_in_integer_base_units(part: Part) -> None:
    document = json.loads(part.to_core_json())
    sections = {key.name.split(".")[0] for key in KEYS}
    assert set(document) == sections | {"name"}
    assert sum(len(section) if isinstance(section, dict) else 1 for section in document.values()) == len(KEYS) + 1
    for section, entries in document.items():
        for name, value in entries.items() if isinstance(entries, dict) else ():
            if name.endswith(("_ns", "_bytes", "_count", "_per_second", "_cycles")):
                each = value if isinstance(value, list) else [value]
                assert all(type(one) is int for one in each), f"{section}.{name}"


def test_the_onyx_programs_16_kib_and_erases_4_mib_in_four_pools() -> None:
    part = load_part("onyx-32")
    assert part.geometry.raw_bytes == 8 * 4 * 2**30
    assert part.geometry.programmed_page_bytes == 16 * 1024
    assert part.geometry.programmed_block_bytes == 4 * 2**20
    assert part.geometry.pool_count == 4
    assert json.loads(part.to_core_json())["timing"]["program_latencies_ns"] == [900_000]


def test_a_drive_part_overrides_a_key_of_its_nand() -> None:
    latency = load_part("c300-256").values["timing.program_latency"]
    assert latency.value == (630_000,)
    assert latency.file == "parts/drives/c300-256.toml"
    assert load_part("c300-256").values["timing.read_latency"].file == "parts/nand/imft-l63b-34nm.toml"


def test_the_reference_page_holds_the_table_of_keys() -> None:
    page = (ROOT / "docs" / "reference" / "parts.md").read_text(encoding="utf-8")
    assert key_table() in page, "paste the output of flashscope.drives.part_schema.key_table() into the page"
    for origin, meaning in ORIGINS.items():
        assert f"| `{origin}` | {meaning} |" in page


def test_an_installed_package_brings_the_parts_along() -> None:
    # src/flashscope/parts is a link to parts/; maturin follows it only where `include` says so.
    maturin = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["maturin"]
    wanted = {"path": "src/flashscope/parts/**/*.toml", "format": ["wheel", "sdist"]}
    assert wanted in maturin.get("include", [])
