"""The journal keeps what it acknowledged, drops only a torn end, and refuses damage."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flashscope.endurance.real.journal import Entry, Journal, read_journal, write_journal
from flashscope.errors import WrongUse
from flashscope.store.store import StoreFailed

ENTRIES = st.lists(
    st.builds(Entry, st.dictionaries(st.text(max_size=5), st.integers(), max_size=3), st.binary(max_size=200)),
    min_size=1,
    max_size=6,
)


def written(path: Path, entries: list[Entry]) -> list[int]:
    """Append entries; where each ends."""
    path.unlink(missing_ok=True)
    write_journal(path, [])
    journal = Journal(path)
    ends = [journal.size_bytes]
    for entry in entries:
        journal.append(entry)
        ends.append(journal.size_bytes)
    journal.close()
    return ends


@given(entries=ENTRIES, data=st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_a_journal_cut_anywhere_keeps_every_entry_before_the_cut(
    tmp_path: Path, entries: list[Entry], data: st.DataObject
) -> None:
    path = tmp_path / "journal"
    ends = written(path, entries)
    cut = data.draw(st.integers(ends[0], ends[-1]))
    os.truncate(path, cut)
    whole = sum(end <= cut for end in ends[1:])
    journal = Journal(path)
    assert list(journal.entries) == entries[:whole]
    assert journal.torn_bytes == cut - ends[whole]
    journal.append(Entry({"after": 1}))
    journal.close()
    assert list(read_journal(path).entries) == [*entries[:whole], Entry({"after": 1})]


@given(entries=ENTRIES, data=st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_garbage_where_the_torn_entry_was_is_dropped(tmp_path: Path, entries: list[Entry], data: st.DataObject) -> None:
    path = tmp_path / "journal"
    ends = written(path, entries)
    cut = data.draw(st.integers(ends[-2], ends[-1] - 1))
    path.write_bytes(path.read_bytes()[:cut] + data.draw(st.binary(max_size=100)))
    found = list(read_journal(path).entries)
    assert found[: len(entries) - 1] == entries[:-1]
    assert len(found) <= len(entries)


@given(entries=ENTRIES, data=st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_a_flipped_bit_never_passes_and_before_the_last_entry_it_is_refused(
    tmp_path: Path, entries: list[Entry], data: st.DataObject
) -> None:
    path = tmp_path / "journal"
    ends = written(path, entries)
    bit = data.draw(st.integers(ends[0] * 8, ends[-1] * 8 - 1))
    content = bytearray(path.read_bytes())
    content[bit // 8] ^= 1 << bit % 8
    path.write_bytes(content)
    if bit // 8 < ends[-2]:
        with pytest.raises(WrongUse, match="damaged"):
            read_journal(path)
    else:
        assert list(read_journal(path).entries) == entries[:-1]


def test_a_full_disk_leaves_the_journal_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "journal"
    written(path, [Entry({"a": 1})])
    journal = Journal(path)
    real = os.pwrite

    def full(handle: int, data: bytes, offset: int) -> int:
        real(handle, data[:7], offset)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "pwrite", full)
    with pytest.raises(StoreFailed, match="its disk is full"):
        journal.append(Entry({"b": 2}))
    monkeypatch.setattr(os, "pwrite", real)
    journal.append(Entry({"c": 3}))
    journal.close()
    found = read_journal(path)
    assert [entry.values for entry in found.entries] == [{"a": 1}, {"c": 3}]
    assert found.torn_bytes == 0


def test_a_disk_that_takes_nothing_back_either_ends_the_appending_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "journal"
    written(path, [Entry({"a": 1})])
    journal = Journal(path)

    def fails(*_: object) -> None:
        raise OSError(30, "Read-only file system")

    with monkeypatch.context() as failing:
        failing.setattr(os, "fsync", fails)
        failing.setattr(os, "ftruncate", fails)
        with pytest.raises(StoreFailed, match="takes no writes, it is read-only"):
            journal.append(Entry({"b": 2}))
    with pytest.raises(StoreFailed, match="takes no writes"):
        journal.append(Entry({"c": 3}))
    journal.close()
    assert [entry.values for entry in Journal(path).entries] == [{"a": 1}, {"b": 2}], "it may be there, and whole"


def test_what_a_disk_may_only_seem_to_have_taken_is_written_again_when_the_journal_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "journal"
    ends = written(path, [Entry({"a": 1}), Entry({"b": 2})])
    whole, real, seen = path.read_bytes(), os.pwrite, []

    def keep(handle: int, data: bytes, offset: int) -> int:
        seen.append((offset, data))
        return real(handle, data, offset)

    monkeypatch.setattr(os, "pwrite", keep)
    Journal(path).close()
    assert seen == [(ends[1], whole[ends[1] :])]
    assert path.read_bytes() == whole


def test_another_file_is_no_journal(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("hello")
    with pytest.raises(WrongUse, match="not a journal"):
        read_journal(tmp_path / "x")
