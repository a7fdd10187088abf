"""The file system of a virtual drive: where files, records, directories and journal come to lie."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from flashscope.errors import WrongUse
from flashscope.vocabulary import TraceMetadata, TraceOperation
from flashscope.workloads.file_system import WINDOWS_7, FileSystem, load_trace, lower, save_trace
from flashscope.workloads.file_system.clusters import Clusters
from flashscope.workloads.file_system.trace import Trace
from flashscope.workloads.file_trees import ARCHIVES_BYTES, PICTURES_BYTES, archives, source_tree
from flashscope.workloads.file_work import Copy, Create, Delete, Extract, File, Program, Read

JOURNAL, RECORD, INDEX, BITMAP = TraceMetadata
READ, WRITE, TRIM = TraceOperation.READ, TraceOperation.WRITE, TraceOperation.TRIM
CHANGE = TraceOperation.CHANGE_METADATA

MIB, GIB = 1 << 20, 1 << 30


def file_system(sector_bytes: int = 512, user_bytes: int = 8 * GIB, *, can_trim: bool = True) -> FileSystem:
    return FileSystem(user_bytes, sector_bytes, can_trim=can_trim)


def rows(trace: Trace) -> np.ndarray:
    operations: np.ndarray = trace.operations.reshape(-1, 4)
    return operations


def test_files_lie_one_after_the_other_and_never_on_each_other() -> None:
    system = file_system()
    nodes = [system.create(f"a/{number}", 10_000 * number + 1000, 0.0)[0] for number in range(50)]
    places = sorted(extent for node in nodes for extent in node.extents)
    assert all(offset + length <= after for (offset, length), (after, _) in pairwise(places))
    assert all(offset % 4096 == 0 and length % 4096 == 0 for offset, length in places)
    layout = system.layout
    own = range(layout.log_bytes, layout.mft_bytes + layout.mft_length_bytes)
    assert not any(offset in own for offset, _ in places)


def test_clusters_come_back_joined() -> None:
    clusters = Clusters(0, 1000)
    runs = [clusters.allocate(100)[0] for _ in range(10)]
    for start, count in runs[::2] + runs[1::2]:
        clusters.release(start, count)
    assert clusters.allocate(1000) == [(0, 1000)]


def test_without_a_run_that_is_long_enough_a_file_is_cut() -> None:
    clusters = Clusters(0, 100)
    runs = [clusters.allocate(10)[0] for _ in range(10)]
    for start, count in runs[::2]:
        clusters.release(start, count)
    assert sum(count for _, count in clusters.allocate(25)) == 25
    with pytest.raises(WrongUse, match="free"):
        clusters.allocate(26)


@pytest.mark.parametrize(("sector_bytes", "record_bytes"), [(512, 1024), (4096, 4096)])
def test_a_record_is_written_in_its_own_size(sector_bytes: int, record_bytes: int) -> None:
    _, changes = file_system(sector_bytes).create("a/b.c", 5000, 0.0)
    records = [change for change in changes if change[0] == RECORD]
    assert {length for _, _, length in records} == {record_bytes}
    assert {offset % record_bytes for _, offset, _ in records} == {0}
    assert {length for kind, _, length in changes if kind in (JOURNAL, INDEX, BITMAP)} == {4096}


def test_the_data_of_a_tiny_file_lie_in_its_record() -> None:
    system = file_system()
    assert system.create("tiny", 600, 0.0)[0].extents == []
    assert system.create("small", 900, 0.0)[0].stored_bytes == 4096


def test_a_directory_grows_out_of_its_record_block_by_block() -> None:
    system = file_system()
    blocks = [system.create(f"d/name-of-a-file-{number:04d}", 100, 0.0)[0].block_bytes for number in range(200)]
    assert blocks[0] is None
    assert len(set(blocks) - {None}) > 3


def test_the_lowest_free_record_is_taken_first() -> None:
    system = file_system()
    records = {name: system.create(name, 9000, 0.0)[0].record for name in "abcdef"}
    for name in "dbe":
        system.delete(name)
    assert [system.create(name, 9000, 0.0)[0].record for name in "xyz"] == [records[name] for name in "bde"]


def test_the_journal_goes_round() -> None:
    system = file_system(user_bytes=64 * MIB)
    offsets = []
    for number in range(2000):
        _, changes = system.create(f"f{number}", 100, 0.0)
        offsets += [offset for kind, offset, _ in changes if kind == JOURNAL]
    layout = system.layout
    assert min(offsets) == layout.log_bytes
    assert max(offsets) < layout.log_bytes + layout.log_length_bytes
    assert offsets.count(layout.log_bytes) > 2


def test_programs_take_turns_in_getting_clusters() -> None:
    system = file_system()
    programs = [Program(name, tuple(Create(File(f"{name}/{n}", 8192)) for n in range(3))) for name in "ab"]
    lower(programs, system, WINDOWS_7)
    order = sorted(f"{name}/{n}" for name in "ab" for n in range(3))
    by_place = sorted(order, key=lambda path: system.find(path).extents[0])
    assert [path[0] for path in by_place] == list("ababab")


def test_a_copy_reads_and_writes_every_cluster_once() -> None:
    system = file_system()
    source, target = File("a", 5 * MIB + 17), File("b", 5 * MIB + 17)
    lower([Program("p", (Create(source),))], system, WINDOWS_7)
    trace = rows(lower([Program("p", (Copy(source, target),))], system, WINDOWS_7))
    stored = system.find("b").stored_bytes
    assert trace[trace[:, 0] == READ][:, 3].sum() == trace[trace[:, 0] == WRITE][:, 3].sum() == stored


def test_unpacking_reads_the_archive_once_and_writes_every_file() -> None:
    system = file_system()
    archive, files = File("a.zip", 3 * MIB + 5), tuple(File(f"x/{n}", 300_000 + n) for n in range(10))
    lower([Program("p", (Create(archive),))], system, WINDOWS_7)
    trace = rows(lower([Program("p", (Extract(archive, files, 10.0),))], system, WINDOWS_7))
    assert trace[trace[:, 0] == READ][:, 3].sum() == system.find("a.zip").stored_bytes
    assert trace[trace[:, 0] == WRITE][:, 3].sum() == sum(system.find(file.path).stored_bytes for file in files)


def test_deleting_trims_only_where_the_drive_can() -> None:
    for can_trim in (True, False):
        system = file_system(can_trim=can_trim)
        trace = rows(lower([Program("p", (Create(File("a", 9000)), Delete(File("a", 9000))))], system, WINDOWS_7))
        assert trace[trace[:, 0] == TRIM][:, 3].sum() == (12288 if can_trim else 0)


def test_files_in_memory_ask_nothing_of_the_drive() -> None:
    memory = File("m", 10 * MIB, "memory")
    trace = rows(lower([Program("p", (Create(memory), Read(memory), Copy(memory, memory)))], file_system(), WINDOWS_7))
    assert set(trace[:, 0].tolist()) == {0}


def test_a_file_that_is_not_there_is_an_error_that_teaches() -> None:
    with pytest.raises(WrongUse, match="no file 'a'"):
        lower([Program("p", (Read(File("a", 1)),))], file_system(), WINDOWS_7)


def test_too_many_files_are_an_error_that_teaches() -> None:
    system = file_system(user_bytes=16 * MIB)
    tree = tuple(Create(File(f"{number}", 10)) for number in range(100_000))
    with pytest.raises(WrongUse, match="files"):
        lower([Program("p", tree)], system, WINDOWS_7)


def test_a_trace_is_kept_and_comes_back_the_same(tmp_path: Path) -> None:
    trace = lower([Program("p", tuple(Create(file) for file in source_tree(file_count=200)))], file_system(), WINDOWS_7)
    save_trace(trace, tmp_path / "t")
    again = load_trace(tmp_path / "t")
    for name in ("program_ends", "operations", "file_ends", "extents", "compressible"):
        assert np.array_equal(getattr(again, name), getattr(trace, name)), name
    assert (again.programs, again.user_bytes, again.sector_bytes) == (("p",), 8 * GIB, 512)
    assert (tmp_path / "t").stat().st_size < trace.operations.nbytes / 5
    assert CHANGE in rows(again)[:, 0]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "is not a trace"),
        (b"flashscope file trace 2\n{}\n", "another version"),
        (b"flashscope file trace 1\n{}\nxx", "damaged"),
    ],
)
def test_what_is_no_trace_is_refused(content: bytes, says: str, tmp_path: Path) -> None:
    (tmp_path / "t").write_bytes(content)
    with pytest.raises(WrongUse, match=says):
        load_trace(tmp_path / "t")


def test_the_archives_have_the_sizes_of_the_source() -> None:
    packed = archives("a")
    assert len(packed) == 13
    assert sum(len(archive.pictures) for archive in packed) == pytest.approx(5825, abs=13)
    assert sum(archive.file.size_bytes for archive in packed) == pytest.approx(ARCHIVES_BYTES, rel=0.002)
    assert sum(file.size_bytes for one in packed for file in one.pictures) == pytest.approx(PICTURES_BYTES, rel=0.002)


def test_a_source_tree_is_the_same_every_time_and_mostly_small_files() -> None:
    tree = source_tree(file_count=5000)
    assert tree == source_tree(file_count=5000)
    sizes = np.array([file.size_bytes for file in tree])
    assert 4000 < sizes.mean() < 10_000
    assert 1000 < np.median(sizes) < 1500
