"""Makers' promises: the right one for model and capacity, none for anything else; wrong tables are refused by line."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from flashscope.errors import WrongUse
from flashscope.smart.decoding.rated_writes import parse_rated_writes, promised_writes, rated_models
from flashscope.smart.documents import tables_folder
from tests.known import known
from tests.smart.readings import dump

TB = 10**12
FOLDER = tables_folder() / "rated-writes"


def promised_tb(model: str, user_bytes: int | None) -> float | None:
    found = promised_writes(dump(model=model, user_bytes=user_bytes))
    return found.rated_bytes / TB if found else None


@pytest.mark.parametrize(
    ("model", "user_bytes", "rated_tb"),
    [
        ("Samsung SSD 850 EVO 250GB", 250_059_350_016, 75),
        ("Samsung SSD 860 EVO M.2 500GB", 500_107_862_016, 300),
        ("Samsung SSD 870 EVO 1TB", 1_000_204_886_016, 600),
        ("Samsung SSD 870 QVO 2TB", 2_000_398_934_016, 720),
        ("Samsung SSD 970 PRO 512GB", 512_110_190_592, 600),
        ("Samsung SSD 960 EVO 250GB", 250_059_350_016, 100),
        ("CT1000MX500SSD1", 1_000_204_886_016, 360),
        ("CT250MX500SSD1", 250_059_350_016, 100),
        ("CT4000MX500SSD1", 4_000_787_030_016, 1000),
        ("Crucial_CT240M500SSD3", 240_057_409_536, 72),
        ("M4-CT128M4SSD2", 128_035_676_160, 72),
        ("INTEL SSDSC2BX800G4", 800_166_076_416, 5300),
        ("WDC  WDS500G1B0A-00H9H0", 500_107_862_016, 200),
        ("WDS100T1X0E-00AFY0", 1_000_204_886_016, 600),
        ("KINGSTON SA400M8240G", 240_057_409_536, 80),
        ("SHGP31-1000GM", 1_000_204_886_016, 750),
    ],
)
def test_a_promise_goes_by_model_and_capacity(model: str, user_bytes: int, rated_tb: float) -> None:
    assert promised_tb(model, user_bytes) == rated_tb


@pytest.mark.parametrize(
    ("model", "user_bytes"),
    [
        ("Samsung SSD 870 EVO 1TB", 960_197_124_096),  # made smaller: another ratio of spare, another life
        ("Samsung SSD 870 EVO 1TB", None),
        ("", 1_000_204_886_016),
        ("X SSD 850 PRO 128GB", 128_035_676_160),
        ("Samsung SSD 840 EVO 500GB", 500_107_862_016),
        ("SAMSUNG MZ7LN256HAJQ-000L7", 256_060_514_304),
        ("Samsung SSD 870 EVO 1TB Clone", 1_000_204_886_016),
        ("WDC PC SN520 SDAPNUW-512G-1006", 512_110_190_592),
        ("INTEL SSDSC2BB016T7", 1_600_321_314_816),
        ("INTEL SSDSC2KB480G8", 480_103_981_056),
        ("KINGSTON SA400M8240G", 250_059_350_016),
        ("CT525MX300SSD1", 525_112_713_216),  # its series is known, but no page confirmed this size
        ("ST4000DM004", 4_000_787_030_016),
    ],
)
def test_whatever_fits_nothing_gets_no_promise(model: str, user_bytes: int | None) -> None:
    assert promised_tb(model, user_bytes) is None


def test_a_promise_names_its_drive_and_its_source() -> None:
    found = known(promised_writes(dump(model="Samsung SSD 970 EVO Plus 1TB", user_bytes=1_000_204_886_016)))
    assert (found.title, found.provenance) == ("Samsung SSD 970 EVO Plus", "documented")
    assert re.fullmatch(r"Samsung .* data sheet, 20\d\d", found.source)
    assert found.seen_at.startswith("https://")


def test_larger_drives_of_a_family_are_never_promised_less() -> None:
    for model in rated_models():
        promises = [model.rated[capacity].rated_bytes for capacity in sorted(model.rated)]
        assert promises == sorted(promises), model.model.pattern


def test_a_real_drive_is_of_one_family_at_most(samples: Path) -> None:
    found = 0
    with (samples / "MANIFEST.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if re.match(r"[\d,]+", row["capacity"])]
    for row in rows:
        user_bytes = int(re.sub(r"\D", "", row["capacity"].split()[0]))
        families = [one for one in rated_models() if one.promise(" ".join(row["model"].split()), user_bytes)]
        assert len(families) <= 1, row["model"]
        found += len(families)
        assert row["kind"] == "ssd" or not families, row["model"]
    assert found >= 8, f"{found} of {len(rows)}"


PAGE = "https://a.maker/sheet"
FAMILY = f"""[[family]]
title = "T"
model = "M\\\\d"
source = "sheet, 2020"
seen = "{PAGE}"
rated = {{ "1 TB" = "600 TB" }}
"""
TABLE = f'# a comment\nmaker = "M"\n\n{FAMILY}'


def test_a_table_is_read() -> None:
    (one,) = parse_rated_writes(TABLE, label="x.toml")
    found = known(one.promise("M1", TB))
    assert (found.title, found.rated_bytes, found.seen_at) == ("M T", 600 * TB, PAGE)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ("\n\n\n\nmaker = = 1", r"x\.toml.*line 5"),
        ('maker = "M"\nfamily = [{ title = "T" }]\n', "begins with a line"),
        (FAMILY, "needs `maker`"),
        (TABLE.replace("[[family]]", "[family]"), "needs `maker`"),
        (TABLE + "more = 1", r"line 4: more missing or unknown"),
        (TABLE + FAMILY.replace("source", "sauce"), r"line 10: sauce, source missing"),
        (TABLE + FAMILY.replace("2020", "new"), "line 10: .*no year"),
        (TABLE + FAMILY.replace(f'seen = "{PAGE}"\n', ""), "line 10: seen missing"),
        (TABLE + FAMILY.replace(PAGE, "a data sheet"), "line 10: .*no web address"),
        (TABLE + FAMILY.replace(PAGE, "ftp://a.maker/sheet"), "line 10: .*no web address"),
        (TABLE + FAMILY.replace(f'"{PAGE}"', "1"), "line 10"),
        (TABLE + FAMILY.replace("M\\\\d", "("), "line 10"),
        (TABLE + FAMILY.replace("600 TB", "600"), "line 10: .*unit"),
        (TABLE + FAMILY.replace('"1 TB" =', '"1" ='), "line 10: .*unit"),
        (TABLE + FAMILY.replace('"1 TB" = "600 TB"', ""), "line 10: rated is empty"),
        (TABLE + FAMILY.replace("600 TB", "600 GB"), "line 10: .*times the drive"),
        (TABLE + FAMILY.replace("}", ', "1010 GB" = "700 TB" }'), "line 10: .*too near"),
        (TABLE + FAMILY.replace("}", ', "1000 GB" = "700 TB" }'), "line 10: .*twice"),
    ],
)
def test_a_wrong_table_is_refused_with_its_line(wrong: str, says: str) -> None:
    with pytest.raises(WrongUse, match=says):
        parse_rated_writes(wrong, label="x.toml")


def test_all_tables_that_come_with_flashscope_are_read() -> None:
    count = sum(path.read_text("utf-8").count("[[family]]") for path in FOLDER.glob("*.toml"))
    assert len(rated_models()) == count > 0


def test_the_reference_counts_what_the_tables_hold() -> None:
    text = (Path(__file__).parents[2] / "docs" / "reference" / "smart.md").read_text("utf-8")
    sizes = sum(len(model.rated) for model in rated_models())
    assert f"{len(rated_models())} families, {sizes} sizes" in text
