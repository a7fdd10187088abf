"""No store, journal or ledger of flashscope is ever a drive, whichever run it belongs to."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path

import pytest

from flashscope.drives.addresses.address import parse_address
from flashscope.drives.guard.consent import Consent
from flashscope.drives.open import open_drive, refusals
from flashscope.errors import WrongUse
from flashscope.store.store import Store
from tests.drives.bench import Bench, why_no_loop_devices

OK = Consent(write_ok=True)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store with the ledger of a run beside it, and no run at work."""
    path = tmp_path / "r.sqlite"
    Store(path).close()
    ledger = tmp_path / "r.sqlite.endurance" / "run-1"
    ledger.mkdir(parents=True)
    (ledger / "generations").write_bytes(bytes(1 << 20))
    (ledger / "journal").write_bytes(b"flashscope wear journal 1\n" + bytes(1 << 20))
    os.link(ledger / "journal", tmp_path / "another name")
    return path


def broken(address: str, consent: Consent = OK) -> dict[str, str]:
    """The rules that refuse a target, with what they found; the run keeps its own results elsewhere."""
    found = refusals(parse_address(address), destructive=True, consent=consent, store_path=Path("/nowhere/else.sqlite"))
    return {refusal.rule: refusal.found for refusal in found}


@pytest.mark.parametrize(
    "name", ["r.sqlite", "r.sqlite.endurance/run-1/generations", "r.sqlite.endurance/run-1/journal", "another name"]
)
def test_no_file_of_any_store_or_ledger_is_a_target(store: Path, name: str) -> None:
    target = store.parent / name
    before = target.read_bytes()
    found = broken(f"file:{target}", Consent(write_ok=True, allow=frozenset({"data", "hard-link"})))
    assert list(found) == ["store"]
    assert str(target) in found["store"]
    with pytest.raises(WrongUse, match="store: "):
        open_drive(parse_address(f"file:{target}"), destructive=True, consent=OK)
    assert target.read_bytes() == before


def test_nothing_new_is_made_where_a_store_has_its_journals(store: Path) -> None:
    wanted = Consent(write_ok=True, create_bytes=1 << 20)
    assert "store" in broken(f"file:{store}-wal", wanted)
    assert "store" in broken(f"file:{store}.endurance/run-1/new", wanted)
    assert "store" in broken(f"dir:{store}.endurance/run-1")
    assert "store" not in broken(f"file:{store.parent}/beside.img", wanted)


def test_a_loop_device_over_a_store_is_no_target(store: Path, tmp_path: Path) -> None:
    reason = why_no_loop_devices()
    if reason:
        pytest.skip(reason)
    with ExitStack() as undo:
        device = Bench(tmp_path, undo).loop(store)
        found = broken(device, Consent(serial=str(store)))
    assert "it is a store of flashscope" in found["store"]
