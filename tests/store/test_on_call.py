"""The store of a run on a real drive: nothing of it stays open between two calls."""

from pathlib import Path

import pytest

from flashscope.errors import WrongUse
from flashscope.records import Status
from flashscope.store.on_call import StoreOnCall
from flashscope.store.store import Store, StoreFailed
from tests.records.make_records import small_record, small_step


def is_open(path: Path) -> bool:
    """Whether this process has the store mapped or open."""
    if f"{path}-shm" in Path("/proc/self/maps").read_text():
        return True
    open_ones = [link.resolve().name for link in Path("/proc/self/fd").iterdir()]
    return any(name in (path.name, f"{path.name}-wal", f"{path.name}-shm") for name in open_ones)


def test_between_two_calls_nothing_is_mapped_or_open_and_the_run_is_seen_to_be_at_work(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    with StoreOnCall(path) as store:
        record = small_record()
        store.begin(record)
        assert not is_open(path)
        store.save_step(record.id, small_step(0))
        with Store(path) as reader:
            assert is_open(path)
            assert reader.list()[0].status is Status.RUNNING
        assert not is_open(path)
        assert len(store.load(record.id).steps) == 1
        record.status = Status.DONE
        store.finish(record)
    with Store(path) as reader:
        assert reader.list()[0].status is Status.DONE


def test_a_run_that_ends_without_its_end_is_interrupted(tmp_path: Path) -> None:
    with StoreOnCall(tmp_path / "s.sqlite") as store:
        store.begin(small_record())
    with Store(tmp_path / "s.sqlite") as reader:
        assert reader.list()[0].status is Status.INTERRUPTED


def test_a_store_that_goes_away_is_wrong_use_before_a_run_and_a_failure_of_it_after(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    with pytest.raises(WrongUse, match="no store at"):
        StoreOnCall(path, create=False)
    with StoreOnCall(path) as store:
        path.rename(tmp_path / "kept")
        with pytest.raises(WrongUse, match="no store at"):
            store.begin(small_record())
        (tmp_path / "kept").rename(path)
        store.begin(small_record())
        path.rename(tmp_path / "kept")
        with pytest.raises(StoreFailed, match="no store at"):
            store.save_step(small_record().id, small_step(0))
