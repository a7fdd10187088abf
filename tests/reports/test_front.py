"""The front page of a report: what the drive is, before anything else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from flashscope.dossier.drive_kind import DriveKind
from flashscope.dossier.join import make_dossier
from flashscope.records import Doubt, Record, Status
from flashscope.reports.front.box import Box
from flashscope.reports.front.drawing import draw_inside
from flashscope.reports.front.pictures import dies
from flashscope.reports.front.tiles import make_tiles
from flashscope.reports.report import render
from tests.known import known
from tests.reports import planted
from tests.reports.of_every_experiment import sampled
from tests.reports.test_report import Reader

NAMES = ["Sequential", "Random 4 KiB", "Cache", "Worst sustained rate", "Write amplification", "Latency at the tail"]


def examined() -> list[Record]:
    """The findings of a complete examination; the long write with its curve."""
    return [*(record for record in sampled() if record.experiment != "sustained-sequential-write"), planted.falling()]


@pytest.fixture(scope="module", autouse=True)
def without_pictures() -> Iterator[None]:
    """Drawing charts takes most of the time of a page, and none of these tests looks at one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("flashscope.reports.section.why_no_pictures", lambda: "no pictures here")
        yield


@pytest.fixture(scope="module")
def page(without_pictures: None) -> str:
    return render(examined())


def all_boxes(parts: tuple[Box, ...]) -> list[Box]:
    return [inner for part in parts for inner in (part, *all_boxes(part.inside))]


def test_the_verdict_comes_first_and_the_advice_before_all_properties(page: str) -> None:
    dossier, words = make_dossier(examined()), Reader(page).words.replace("\u00a0", " ")
    places = [words.index(text) for text in (dossier.verdict[0], "Sequential", dossier.advice[0].text, "Properties")]
    assert places == sorted(places)


def test_the_page_with_a_front_is_well_formed_and_its_links_lead_somewhere(page: str) -> None:
    reader = Reader(page)
    assert len(reader.ids) == len(set(reader.ids))
    assert {target.removeprefix("#") for target in reader.targets} <= set(reader.ids)


def test_there_are_six_named_numbers_and_each_has_a_unit_or_is_not_measured() -> None:
    tiles = make_tiles(make_dossier(examined()))
    assert [tile.name for tile in tiles] == NAMES
    for tile in tiles:
        for figure in tile.figures:
            assert figure.label
            assert re.search(r"\d (×|%|[GMk]?B/s|[TGMK]i?B|[mnµ]?s|min|h)$|^no |^not measured$", figure.told.said.text)


def test_what_was_not_measured_says_so_and_why() -> None:
    tiles = make_tiles(make_dossier([planted.falling(), planted.small_writes()]))
    random = tiles[1].figures[0].told
    assert random.said.text == "not measured"
    assert "crystaldiskmark-8" in random.why


def test_a_number_of_low_confidence_says_so_beside_itself() -> None:
    doubt = Doubt("OtherPrograms", "other programs used the processors", "")
    noisy = planted.falling()
    noisy.findings[0] = replace(noisy.findings[0], doubts=(doubt,))
    tile = known(re.search(r"<h2>Cache</h2>.*?</li>", render([noisy, planted.small_writes()]), re.S))
    assert "low confidence" in tile[0]


@pytest.mark.parametrize("kind", DriveKind)
def test_each_kind_of_drive_has_six_numbers_and_a_drawing(kind: DriveKind) -> None:
    dossier = replace(make_dossier(examined()), kind=kind.value)
    assert len(make_tiles(dossier)) == 6
    link, *rest = draw_inside(dossier)
    assert link.shape == "link"
    assert rest


@pytest.mark.parametrize("kind", [DriveKind.DISK, DriveKind.HYBRID])
def test_the_slow_end_of_platters_is_not_called_the_end_of_a_cache(kind: DriveKind) -> None:
    names = [tile.name for tile in make_tiles(replace(make_dossier(examined()), kind=kind.value))]
    assert "Cache" not in names
    assert names[2] == "Slow end"


def test_unknown_parts_of_the_drawing_are_grey_and_known_ones_have_their_number() -> None:
    boxes = {box.name: box for box in all_boxes(draw_inside(make_dossier(examined())))}
    assert boxes["Map"].value == "units of 16 KiB"
    assert boxes["Channels and dies"].value == "4 at work at once"
    little = {box.name: box for box in all_boxes(draw_inside(make_dossier([planted.falling(), planted.wearing()])))}
    assert not little["Write buffer"].is_known
    assert "unknown" in little["Channels and dies"].picture


def test_a_file_has_no_flash_in_its_drawing() -> None:
    names = {box.name for box in all_boxes(draw_inside(replace(make_dossier(examined()), kind=DriveKind.FILE.value)))}
    assert not names & {"Flash", "Controller", "Spare", "Map"}


def test_a_counterfeit_is_drawn_with_what_it_holds() -> None:
    dossier = make_dossier(examined())
    held = known(dossier.answer("real_capacity"))
    fake = replace(held, value=8 * planted.GB, text="8 GB")
    answers = tuple(fake if each is held else each for each in dossier.answers)
    boxes = {box.name: box for box in all_boxes(draw_inside(replace(dossier, answers=answers)))}
    assert "Your space" not in boxes
    assert boxes["It holds"].value == "8 GB"
    assert boxes["It holds"].note.startswith("and says 12")


def test_many_dies_are_counted_and_not_all_drawn() -> None:
    assert dies(4).count("<rect") == 4
    assert dies(128).count("<rect") == 32
    assert "128 in all" in dies(128)


def test_experiments_stand_folded_in_groups_and_benchmark_programs_last(page: str) -> None:
    heads = re.findall(r"\n<h3>([^<]+)</h3>|<details class=\"experiment\"[^>]*><summary><b>([^<]+)", page)
    groups = [group for group, _ in heads if group]
    assert groups[0] == "Long writes"
    assert groups[-1] == "Benchmark programs"
    assert not re.search(r'<details class="experiment"[^>]* open', page)
    order = [title for _, title in heads if title]
    assert order.index("Sustained sequential write") == 0
    assert order.index("CrystalDiskMark 8") < order.index("CrystalDiskMark 3") < order.index("Iometer")


def test_what_could_not_be_told_says_why(page: str) -> None:
    words = Reader(render([planted.falling(), planted.wearing()])).words
    assert "What could not be told" in words
    assert re.search(r"Write buffer: [a-z]", words)


def test_one_reason_of_the_judge_is_said_once_with_all_findings_that_it_concerns(page: str) -> None:
    part = known(re.search(r'<details class="fold" id="objections">.*?</details>', page, re.S))
    reasons = re.findall(r"\): ([^<]+)</li>", part[0])
    assert reasons
    assert len(reasons) == len(set(reasons))


def test_a_run_that_did_not_end_is_named_on_the_front() -> None:
    cut = replace(planted.wearing(), status=Status.INTERRUPTED, findings=[])
    words = Reader(render([planted.falling(), planted.small_writes(), cut])).words
    assert "Not finished: smart-inference (interrupted)" in words


def test_one_experiment_has_its_findings_and_no_front() -> None:
    alone = render([planted.falling()])
    assert 'id="first-screen"' not in alone
    assert 'class="experiment"' not in alone
    assert "130\u00a0GB" in alone
