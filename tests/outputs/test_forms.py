"""Every form of result carries its mark, is known by it, and is still what other programs take it for."""

from __future__ import annotations

import struct
import xml.etree.ElementTree as ElementTree
import zlib
from pathlib import Path

import pytest

from flashscope.endurance.real.ledger import Ledger
from flashscope.errors import WrongUse
from flashscope.outputs import CSV, HTML, MARKDOWN, METRICS, PARQUET, PNG, SQLITE, SVG, TRACE, Form, kept
from flashscope.outputs.sqlite_files import SERIES_ID, TABLES_ID, read_header
from flashscope.reports.charts import charts_of
from flashscope.reports.plotting import vega_lite
from flashscope.reports.plotting.theme import WIDE
from flashscope.reports.report import render
from flashscope.smart.fleets import keep
from flashscope.smart.fleets.member import Member
from flashscope.smart.watching.exposition import PlaceState, exposition
from flashscope.smart.watching.series_store import SeriesStore
from flashscope.store.store import Store
from flashscope.sweeps.outcome import to_csv
from tests.known import known
from tests.reports import planted

ROOT = Path(__file__).parents[2]
FORMS = (CSV, HTML, MARKDOWN, METRICS, PARQUET, PNG, SQLITE, SVG, TRACE)


def made() -> list[tuple[Form, bytes]]:
    spec = charts_of(planted.falling(rows=100))[0].draw(WIDE)
    return [
        (HTML, render([planted.falling(rows=100)]).encode()),
        (SVG, SVG.stamp(vega_lite.to_svg(spec).encode())),
        (PNG, PNG.stamp(vega_lite.to_png(spec))),
        (CSV, to_csv([]).encode()),
        (METRICS, exposition([PlaceState("/dev/sda")]).encode()),
        (MARKDOWN, (ROOT / "docs" / "figures" / "README.md").read_bytes()),
    ]


def test_each_form_is_known_by_its_mark_and_for_no_other_form() -> None:
    for form, content in made():
        assert [one.name for one in FORMS if one.made(content)] == [form.name]
        assert form.stamp(content) == content
        assert not form.made(content.replace(b"flashscope", b"").replace(b"record", b""))


def test_a_stamped_chart_is_a_chart() -> None:
    contents = {form.name: content for form, content in made()}
    assert ElementTree.fromstring(contents[SVG.name]).tag.endswith("svg")
    at, names = 8, []
    while at < len(contents[PNG.name]):
        (length,) = struct.unpack_from(">I", contents[PNG.name], at)
        chunk = contents[PNG.name][at + 4 : at + 8 + length]
        assert struct.unpack_from(">I", contents[PNG.name], at + 8 + length) == (zlib.crc32(chunk),)
        names.append(chunk[:4])
        at += 12 + length
    assert (names[:2], names[-1]) == ([b"IHDR", b"tEXt"], b"IEND")


def test_tables_of_a_fleet_carry_their_marks(tmp_path: Path) -> None:
    keep.write_sqlite([Member("a", "")], tmp_path / "a")
    found = known(read_header(tmp_path / "a"))
    assert found.application_id == TABLES_ID
    assert not found.is_store
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    for _ in range(2):
        keep.write_parquet([Member("a", "")], tmp_path / "b")
    parquet.write_table(parquet.read_table(tmp_path / "b").replace_schema_metadata({}), tmp_path / "c")
    with pytest.raises(WrongUse, match="--force"):
        keep.write_parquet([Member("a", "")], tmp_path / "c")


def test_the_charts_of_the_documents_carry_the_mark_so_that_they_can_be_drawn_anew() -> None:
    charts = sorted((ROOT / "docs").rglob("*.svg"))
    assert len(charts) > 100
    assert [str(chart) for chart in charts if not SVG.made(chart.read_bytes())] == []


def test_stores_and_ledgers_are_known_by_what_they_really_begin_with(tmp_path: Path) -> None:
    with Store(tmp_path / "records"), SeriesStore(tmp_path / "series"):
        pass
    Ledger.create(tmp_path / "run", {"blocks": 1}).close()
    series = known(read_header(tmp_path / "series"))
    assert series.application_id == SERIES_ID
    assert kept.is_store(tmp_path / "records")
    for name in ("journal", "begin", "generations"):
        assert kept.kept_as(tmp_path / "run" / name) == "it is part of the ledger of an endurance run"
    assert kept.kept_as(tmp_path / "run" / "lock").startswith("it is in the ledger")
    assert kept.kept_as(tmp_path / "other") == ""
