"""What a step's programs need before they begin, what room that takes, and what comes from the drive."""

import time
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

import pytest

from flashscope.errors import WrongUse
from flashscope.runner.hands.files.data import CHUNK_BYTES, DataSource, holds, make_archive
from flashscope.runner.hands.files.layout import cold_bytes, key_of, lay_out, plan_of, room_needed_bytes
from flashscope.workloads.file_work import Copy, Create, Delete, Extract, File, Program, Read

A, B, C = File("a", 10_000), File("b", 10_000), File("c", 10_000)
FROM_MEMORY = File("a", 10_000, "memory")


def test_only_what_the_program_does_not_make_itself_has_to_be_there() -> None:
    layout = lay_out((Program("p", (Create(A), Read(A), Copy(B, C), Delete(C))),))
    assert list(layout.before) == [("drive", "b")]
    assert set(layout.targets) == {("drive", "a"), ("drive", "c")}


def test_files_of_one_name_in_memory_and_on_the_drive_are_two() -> None:
    layout = lay_out((Program("p", (Copy(FROM_MEMORY, A),)),))
    assert list(layout.before) == [("memory", "a")]
    assert list(layout.targets) == [("drive", "a")]


def test_room_is_counted_at_its_highest_in_whole_clusters() -> None:
    in_turn = (Program("p", (Create(A), Delete(A), Create(B), Delete(B))),)
    assert room_needed_bytes(in_turn, lay_out(in_turn), "drive", 4096) == (3 * 4096, 2)
    at_once = (Program("p", (Create(A),)), Program("q", (Copy(FROM_MEMORY, B),)))
    assert room_needed_bytes(at_once, lay_out(at_once), "drive", 4096) == (6 * 4096, 2)
    assert room_needed_bytes(at_once, lay_out(at_once), "memory", 4096) == (3 * 4096, 1)


def test_what_a_program_wrote_itself_need_not_come_from_the_drive() -> None:
    programs = (Program("p", (Read(A), Create(B), Read(B))), Program("q", (Read(A),)))
    assert cold_bytes(programs, {key_of(A): 10_000, key_of(B): 10_000}) == 10_000


@pytest.mark.parametrize("path", ["/etc/passwd", "../x", "a/../../x", "", "a\0b"])
def test_a_path_that_leads_out_of_the_folder_is_refused(path: str) -> None:
    with pytest.raises(WrongUse, match="outside the run's folder"):
        lay_out((Program("p", (Delete(File(path, 1)),)),))


def test_an_archive_that_is_copied_before_it_is_unpacked_is_one_at_its_source_too() -> None:
    far, near = File("far.zip", 20_000, "memory"), File("near.zip", 20_000)
    programs = (Program("p", (Copy(far, near), Extract(near, (A, B)))),)
    layout = lay_out(programs)
    assert layout.archives[key_of(far)].members == [("a", 10_000, 0.0), ("b", 10_000, 0.0)]
    plan = plan_of(programs[0], layout)
    assert [each["do"] for each in plan] == ["copy", "extract"]
    assert (plan[0]["source"]["path"], plan[0]["source"]["drive"]) == ("far.zip", False)


def test_a_tree_of_many_thousand_files_is_laid_out_at_once() -> None:
    copies = tuple(Copy(File(f"t/{index}", 1), File(f"c/{index}", 1)) for index in range(20_000))
    began_s = time.process_time()
    layout = lay_out((Program("p", (*copies, Extract(File("c/7", 1), (A,)))),))
    assert time.process_time() - began_s < 5, "not a comparison of each copy with each other"
    assert set(layout.archives) == {("drive", "c/7"), ("drive", "t/7")}


@pytest.mark.parametrize(("deflated", "method"), [(False, ZIP_STORED), (True, ZIP_DEFLATED)])
def test_an_archive_holds_its_files_and_is_the_same_each_time(tmp_path: Path, deflated: bool, method: int) -> None:
    members = [("x/a", 300_000, 0.0), ("x/b", 1, 0.0), ("x/empty", 0, 0.0)]
    path = tmp_path / "one.zip"
    with path.open("wb") as one, (tmp_path / "two.zip").open("wb") as two:
        size_bytes = make_archive(one, members, deflated=deflated)
        make_archive(two, members, deflated=deflated)
    assert path.read_bytes() == (tmp_path / "two.zip").read_bytes()
    assert path.stat().st_size == size_bytes
    assert 300_000 < size_bytes < 302_000, "its data cannot be compressed"
    with ZipFile(path) as archive:
        assert archive.testzip() is None
        assert {entry.compress_type for entry in archive.infolist()} == {method}
    with path.open("rb") as file:
        assert holds(file, members, deflated=deflated)
        assert not holds(file, members, deflated=not deflated)
        assert not holds(file, members[:2], deflated=deflated)


def test_compressible_files_shrink_by_their_share(tmp_path: Path) -> None:
    with (tmp_path / "x").open("wb") as file:
        size_bytes = make_archive(file, [("a", 1_000_000, 0.5)], deflated=True)
    assert 0.48 < size_bytes / 1_000_000 < 0.54


def test_no_two_blocks_of_the_data_are_alike() -> None:
    seen = set()
    for name in ("a", "b"):
        source = DataSource(name)
        data = b"".join(source.take(CHUNK_BYTES) for _ in range(64))
        seen |= {data[at : at + 4096] for at in range(0, len(data), 4096)}
    assert len(seen) == 2 * 64 * CHUNK_BYTES // 4096
