"""A run that an earlier flashscope began, and that was killed at work, is gone on with.

`written_before/run-of-0.1.0.tar.xz` holds its store and ledger as that version left them: no file that says what the
run is, no mark in the map, a record without a held byte. The drive is made anew from what the ledger says it holds.
"""

import tarfile
from pathlib import Path

import numpy as np

from flashscope.endurance.real.block_stamp import Stamper
from flashscope.endurance.real.journal import Entry, read_journal, write_journal
from flashscope.endurance.real.layout import Layout
from flashscope.records import Status
from flashscope.store.store import Store

from .worn import MIB, Worn


def unpacked(folder: Path) -> Worn:
    """The run in a folder, with a drive that holds what was acknowledged."""
    with tarfile.open(Path(__file__).parent / "written_before" / "run-of-0.1.0.tar.xz") as archive:
        archive.extractall(folder, filter="data")
    worn = Worn(folder, size_bytes=12 * MIB)
    journal = worn.folder / "journal"
    entries = list(read_journal(journal).entries)
    here = {"serial": str(worn.path), "name": worn.address}
    entries[0].values["begin"]["identity"] |= here  # the drive has been moved since
    write_journal(journal, [Entry(entry.values, entry.raw) for entry in entries])
    ledger = worn.ledger()
    layout = Layout(**ledger.begin["layout"])
    stamper = Stamper(bytes.fromhex(ledger.begin["drive_id"]), layout.block_bytes)
    generations = ledger.generations.known(slice(None))
    with worn.path.open("r+b") as drive:
        for block in np.flatnonzero(generations).tolist():
            address = layout.offset_bytes(block)
            drive.seek(address)
            drive.write(stamper.block(address, int(generations[block])))
    ledger.close()
    return worn


def test_a_run_that_an_earlier_version_began_is_gone_on_with_to_its_end(tmp_path: Path) -> None:
    worn = unpacked(tmp_path)
    assert not (worn.folder / "begin").exists()
    assert (worn.folder / "generations").stat().st_size % 4 == 0
    record = worn.resume()
    assert record.status is Status.DONE
    assert record.id == worn.folder.name
    ledger = worn.ledger()
    assert ledger.state.sessions == 2
    assert ledger.state.crashes == 1
    assert worn.verifier(ledger).everything().wrong_blocks == 0
    ledger.close()
    with Store(worn.store_path) as store:
        assert [one.status for one in store.list()] == [Status.DONE]
