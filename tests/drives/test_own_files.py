"""Stores and ledgers of flashscope are never a target, whichever run they are of and however they are reached."""

import os
from pathlib import Path

from flashscope.drives.addresses.address import parse_address
from flashscope.drives.guard.consent import Consent
from flashscope.drives.open import refusals
from flashscope.endurance.real.ledger import Ledger
from flashscope.smart.watching.series_store import SeriesStore
from flashscope.store.store import Store

from .bench import MIB, Bench

CONSENT = Consent(write_ok=True, create_bytes=None, allow=frozenset({"data", "hard-link", "memory"}))
NEW = Consent(write_ok=True, create_bytes=MIB, allow=CONSENT.allow)


def store_at(path: Path) -> Path:
    """A store with the ledger of a run beside it, in use. Returns the folder of the ledger."""
    Store(path).close()
    folder = Path(f"{path}.endurance") / "20260101-000000-x-endurance-real"
    Ledger.create(folder, {"blocks": 2048, "identity": {}, "settings": {}}).close()
    (folder / "lock").write_bytes(b" ")  # an empty file is refused for that alone
    return folder


def rules(address: str, store: Path | None, consent: Consent = CONSENT) -> list[str]:
    return [each.rule for each in refusals(parse_address(address), destructive=True, consent=consent, store_path=store)]


def names_of(path: Path, other: Path) -> list[Path]:
    """A file under its own name and as a hard link."""
    other.mkdir(exist_ok=True)
    link = other / f"{path.name}.img"
    os.link(path, link)
    return [path, link]


def test_every_file_of_a_store_and_of_its_ledgers_is_refused_under_any_name(tmp_path: Path) -> None:
    path = tmp_path / "records.sqlite"
    folder = store_at(path)
    with Store(path) as store:
        assert store.list() == ()
        assert {one.name for one in folder.iterdir()} == {"journal", "begin", "generations", "lock"}
        beside = [Path(f"{path}{suffix}") for suffix in ("-wal", "-shm")]
        Path(f"{path}-running").write_bytes(b" ")
        for file in (path, *beside, Path(f"{path}-running"), *folder.iterdir()):
            for named in names_of(file, tmp_path / f"links-of-{file.name}"):
                assert "store" in rules(f"file:{named}", path), named
    (tmp_path / "soft.img").symlink_to(folder / "generations")
    assert "store" in rules(f"file:{tmp_path}/soft.img", path)
    for name in (
        "records.sqlite-journal",
        "records.sqlite.endurance/new.img",
        f"records.sqlite.endurance/{folder.name}/x",
    ):
        assert "store" in rules(f"file:{tmp_path / name}", path, NEW), name
    assert "store" not in rules(f"file:{tmp_path}/records.sqlite.img", path, NEW)


def test_a_ledger_that_lies_elsewhere_is_refused_there_too(tmp_path: Path) -> None:
    path = tmp_path / "records.sqlite"
    folder = store_at(path)
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    assert "store" in rules(f"file:{tmp_path}/elsewhere/generations", path)


def test_another_store_of_flashscope_is_no_target(tmp_path: Path) -> None:
    mine, other = tmp_path / "mine.sqlite", tmp_path / "other.sqlite"
    folder = store_at(other)
    SeriesStore(tmp_path / "series.sqlite").close()
    files = [other, tmp_path / "series.sqlite", *(folder / name for name in ("journal", "begin", "generations"))]
    for file in files:
        for named in names_of(file, tmp_path / f"links-of-{file.name}"):
            assert rules(f"file:{named}", mine) == ["store"], named
    assert "store" in rules(f"file:{folder}/lock", mine)
    assert "store" in rules(f"file:{other}-wal", mine, NEW), "where its journal will be"
    for store in (mine, None):
        found = refusals(parse_address(f"file:{other}"), destructive=True, consent=CONSENT, store_path=store)
        assert [each.found for each in found] == [f"{other}: it is a store of flashscope"]
    folder.rename(tmp_path / "moved")
    assert rules(f"file:{tmp_path}/moved/generations", mine) == ["store"], "a ledger without its store"


def test_a_folder_among_the_ledgers_is_no_place_to_measure_in(tmp_path: Path) -> None:
    path, other = tmp_path / "records.sqlite", tmp_path / "other.sqlite"
    for folder in (store_at(path), store_at(other)):
        for place in (folder, folder.parent):
            assert "store" in rules(f"dir:{place}", path), place
        (tmp_path / f"link-{folder.parent.name}").symlink_to(folder)
        assert "store" in rules(f"dir:{tmp_path}/link-{folder.parent.name}", path)
    assert "store" not in rules(f"dir:{tmp_path}", path)


def test_a_database_of_another_program_is_no_store(tmp_path: Path) -> None:
    import sqlite3

    with sqlite3.connect(tmp_path / "foreign.sqlite") as connection:
        connection.execute("CREATE TABLE t (x)")
    connection.close()
    assert "store" not in rules(f"file:{tmp_path}/foreign.sqlite", tmp_path / "mine.sqlite")


def test_a_loop_device_over_another_store_is_refused(bench: Bench, tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite"
    folder = store_at(other)
    device = bench.loop(folder / "generations")
    consent = Consent(serial=str(folder / "generations"))
    assert "store" in rules(device, tmp_path / "mine.sqlite", consent)
