"""The shipped parts are complete, sourced and honest about what was fitted."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from flashscope.drives.parts.part import Part, list_parts, load_part, part_table
from flashscope.drives.parts.published_figures import figures_of, published_figures
from flashscope.drives.parts.schema import KEYS, ORIGINS, key_table, keys_of
from flashscope.drives.parts.shipped import shipped_folder
from flashscope.laws import parity
from flashscope.laws.write_amplification import fifo

ROOT = Path(__file__).parents[2]
# Published figures that carry a number, per part; compared with the file itself where that is at hand.
WITHOUT_FIGURES = {"x25m-80", "intel-520", "vertex2-60", "kc3000-1024", "counterfeit-64"}
GIB = 2**30
RAW_GIB = {
    "onyx-32": 32,
    "k5-64": 64,
    "c300-256": 256,
    "vertex-30": 32,
    "hg3-512": 512,
    "x25v-40": 40,
    "x25m-80": 80,
    "sm128ni-128": 128,
    "jmf602-32": 32,
    "mtron-3535-16": 16,
    "mobi3000": 16,
    "thnsns-120": 128,
    "intel-520": 128,
    "vertex2-60": 64,
    "kc3000-1024": 1024,
    "counterfeit-64": 8,
}

PARTS = [load_part(name) for name in list_parts()]
SSDS = [part for part in PARTS if part.kind == "ssd"]
each_part = pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
each_ssd = pytest.mark.parametrize("part", SSDS, ids=lambda part: part.name)


def whole(part: Part, key: str) -> int:
    value = part.values[key].value
    assert isinstance(value, int), key
    return value


def test_every_drive_of_the_documents_is_shipped() -> None:
    measured = {figure.drive.split("-raid")[0] for figure in published_figures()} - {"any", "drive"}
    assert {part.name for part in PARTS} == measured | WITHOUT_FIGURES


def test_parts_of_the_checkout_are_those_of_the_package() -> None:
    assert shipped_folder().resolve() == ROOT / "parts"


@each_part
def test_every_part_says_in_one_line_what_it_is(part: Part) -> None:
    assert 10 < len(part.title) < 80
    assert "\n" not in part.title


@each_part
def test_every_value_states_origin_and_source(part: Part) -> None:
    for name, value in part.values.items():
        assert value.origin in ORIGINS, name
        assert value.source, name


@each_part
def test_fewer_values_are_fitted_than_figures_are_published(part: Part) -> None:
    assert part.fitted_count < max(len(figures_of(part.name)), 1)


@each_part
def test_fitted_values_name_figures_of_their_own_drive_that_carry_a_number(part: Part) -> None:
    named = {figure for value in part.values.values() for figure in value.fitted_to}
    assert named <= {figure.id for figure in figures_of(part.name)}


@each_part
def test_the_notes_own_up_to_what_was_fitted(part: Part) -> None:
    if part.fitted_count:
        assert re.search(r"\b(is|are) fitted\b", part.notes)
        assert "No value is fitted" not in part.notes


def test_no_key_takes_what_a_test_of_the_drive_would_measure() -> None:
    measured = re.compile(r"throughput|bandwidth|iops|per second|MB/s of|transfer rate|benchmark", re.IGNORECASE)
    for key in KEYS:
        assert not measured.search(f"{key.name} {key.meaning}"), key.name
        assert key.dimension != "request-rate", key.name
    # The only rates are those of wires: between host and drive, and between controller and flash.
    wires = {key.name for key in KEYS if key.dimension == "rate"}
    assert {name for name in wires if keys_are_of_an_ssd(name)} == {"link.rate", "timing.bus_rate"}


def keys_are_of_an_ssd(name: str) -> bool:
    return any(key.name == name and "ssd" in key.kinds for key in KEYS)


@each_ssd
def test_the_rate_of_the_link_follows_from_its_generation(part: Part) -> None:
    assert part.values["link.generation"].value
    assert "link.rate" not in Path(ROOT / "parts" / "drives" / f"{part.name}.toml").read_text(encoding="utf-8")
    assert "line rate less coding" in part.values["link.rate"].source


@each_ssd
def test_every_drive_can_be_worn_out(part: Part) -> None:
    assert whole(part, "endurance.life") > 0
    assert whole(part, "ecc.correctable_bits") > 0
    assert part.values["bit_errors.retention_coefficient"].value != 0
    spare_blocks = part.geometry.programmed_block_count - whole(part, "capacity.reserved_block_count")
    spare_blocks -= whole(part, "capacity.user_size") // part.geometry.data_block_bytes
    assert whole(part, "endurance.spare_block_count") < spare_blocks


@each_ssd
def test_a_block_is_refreshed_before_it_cannot_be_corrected(part: Part) -> None:
    assert whole(part, "ecc.refresh_threshold_bits") < whole(part, "ecc.correctable_bits")


@pytest.mark.parametrize(("name", "gibibytes"), RAW_GIB.items())
def test_chips_add_up_to_the_flash_on_the_board(name: str, gibibytes: int) -> None:
    assert load_part(name).geometry.raw_bytes == pytest.approx(gibibytes * GIB, rel=1e-4)  # blocks are whole


@each_ssd
def test_a_block_mapped_drive_maps_programmed_pages(part: Part) -> None:
    if "log_blocks.count" in part.values:
        assert whole(part, "mapping.unit") == part.geometry.programmed_page_bytes


@each_ssd
def test_a_block_holds_fewer_units_than_the_map_can_count(part: Part) -> None:
    assert part.geometry.programmed_block_bytes // whole(part, "mapping.unit") < 1 << 15


def test_the_law_of_fifo_meets_the_figures_of_the_micron_with_its_usable_area_and_its_parity() -> None:
    part = load_part("micron-7450-max-800")
    kept = part.geometry.pool_count * (whole(part, "gc.high_water_blocks") + 2)
    lost = whole(part, "capacity.initial_bad_block_count") + whole(part, "capacity.reserved_block_count")
    usable_blocks = part.geometry.programmed_block_count - lost - kept
    usable_gib = usable_blocks * part.geometry.data_block_bytes / GIB
    pages = part.geometry.programmed_block_bytes // part.geometry.programmed_page_bytes
    with_parity = parity.of_block(pages, whole(part, "parity.stripe_pages"))
    for used_gib, published in ((372, 1.112), (447, 1.184), (521, 1.277), (596, 1.410), (670, 1.596), (745, 1.886)):
        assert fifo(1 - used_gib / usable_gib) * with_parity == pytest.approx(published, rel=0.03)


def test_the_counterfeit_announces_eight_times_what_it_has() -> None:
    part = load_part("counterfeit-64")
    assert round(whole(part, "capacity.announced_size") / whole(part, "capacity.user_size")) == 8


def test_the_hg3_does_not_queue_and_the_x25_does() -> None:
    assert whole(load_part("hg3-512"), "link.queue_depth") == 1
    assert whole(load_part("x25v-40"), "link.queue_depth") == 32
    assert load_part("hg3-512").values["buffer.flush_order"].value == "sorted"


@pytest.mark.parametrize(
    "path",
    sorted(path for room in ("nand", "drives", "smart") for path in (ROOT / "parts" / room).glob("*.toml")),
    ids=lambda path: path.stem,
)
def test_a_shipped_part_is_named_like_its_file(path: Path) -> None:
    told = tomllib.loads(path.read_text(encoding="utf-8"))
    name = told["name"] if "name" in told else "log-" + told["log"].replace("_", "-")
    assert name == path.stem


def test_every_nand_part_is_used() -> None:
    used = Counter(
        tomllib.loads(path.read_text("utf-8")).get("nand") for path in (ROOT / "parts/drives").glob("*.toml")
    )
    assert {path.stem for path in (ROOT / "parts" / "nand").glob("*.toml")} <= set(used)


@each_part
def test_the_core_gets_every_key_in_integer_base_units(part: Part) -> None:
    document = json.loads(part.to_core_json())
    stated = [
        key
        for key in keys_of(part.kind, {name.split(".")[0] for name in part.values})
        if key.for_core and not (key.zero_is_off and part.values[key.name].value == 0)
    ]
    leaves = dict(leaves_of(document))
    # Of a hybrid, all that is not its flash describes its disk.
    beside = ("cache_flash", "admission")
    inner = ("disk",) if part.kind == "hybrid" else ()
    expected = {key.core_path if key.section in beside else (*inner, *key.core_path) for key in stated}
    assert set(leaves) == expected | {(*inner, "name"), ("kind",)}
    for path, value in leaves.items():
        if path[-1].endswith(("_ns", "_bytes", "_count", "_blocks", "_per_second", "_cycles")):
            each = value if isinstance(value, list) else [value]
            assert all(type(one) is int for one in each), path


def leaves_of(document: dict[str, object], above: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], object]]:
    found: list[tuple[tuple[str, ...], object]] = []
    for name, value in document.items():
        path = (*above, name)
        found += leaves_of(value, path) if isinstance(value, dict) else [(path, value)]
    return found


def test_the_onyx_programs_16_kib_and_erases_4_mib_in_four_pools() -> None:
    part = load_part("onyx-32")
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
    assert key_table() in page, "paste the output of flashscope.drives.parts.schema.key_table() into the page"
    for origin, meaning in ORIGINS.items():
        assert f"| `{origin}` | {meaning} |" in page


def test_the_reference_page_lists_every_shipped_drive() -> None:
    page = (ROOT / "docs" / "reference" / "parts.md").read_text(encoding="utf-8")
    assert part_table() in page, "run make docs"


def test_an_installed_package_brings_the_parts_along() -> None:
    # src/flashscope/parts is a link to parts/; maturin follows it only where `include` says so.
    maturin = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["maturin"]
    wanted = {"path": "src/flashscope/parts/**/*.toml", "format": ["wheel", "sdist"]}
    assert wanted in maturin.get("include", [])
