"""Runs on files for tests: begun, gone on with, and looked into."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypedDict, Unpack

from flashscope.drives.drive import RealDrive
from flashscope.drives.guard.consent import Consent
from flashscope.drives.held.direct_file import DirectFile
from flashscope.drives.held.held import Held
from flashscope.endurance.real import opening
from flashscope.endurance.real.block_stamp import Stamper
from flashscope.endurance.real.layout import Layout
from flashscope.endurance.real.ledger import Ledger
from flashscope.endurance.real.runs import find_runs
from flashscope.endurance.real.settings import WearSettings
from flashscope.endurance.real.smart_look import ReadDump
from flashscope.endurance.real.verification import Verifier
from flashscope.endurance.real.wear_run import Surroundings, WearRun
from flashscope.records import Record
from flashscope.runner.progress.interrupt import Interruption
from flashscope.runner.progress.progress import Silent
from flashscope.store.on_call import StoreOnCall
from tests.drives.opened import open_real

MIB = 1 << 20
PLAIN = WearSettings(("sequential",), 24 * MIB, checkpoint_bytes=8 * MIB, verify="full", figures=False)


class Around(TypedDict, total=False):
    """What a test may arrange around a run."""

    read_smart: ReadDump | None
    on_acknowledged: Callable[[int, int], None]


Change = Callable[[WearRun], None]
OpenLedger = Callable[[RealDrive, StoreOnCall], tuple[Ledger, Record]]


def unchanged(run: WearRun) -> None:
    """The run as it is."""


class Worn:
    """One file as a drive, and the store of its runs."""

    def __init__(self, folder: Path, *, address: str = "", consent: Consent | None = None, size_bytes: int = 12 * MIB):
        self.path = folder / "drive.img"
        if not address:
            self.path.write_bytes(bytes(size_bytes))
        self.address = address or f"file:{self.path}"
        self.consent = consent or Consent(write_ok=True)
        self.store_path = folder / "records.sqlite"

    def begin(self, settings: WearSettings = PLAIN, *, change: Change = unchanged, **around: Unpack[Around]) -> Record:
        """A new run, to its end or a pause."""

        def open_ledger(drive: RealDrive, store: StoreOnCall) -> tuple[Ledger, Record]:
            read_smart = around.get("read_smart")
            layout = opening.check_begin(drive, settings, self.store_path, read_smart)
            return opening.begin(drive, settings, layout, store, command="test", consent=self.consent)

        return self._session(open_ledger, change, around)

    def resume(self, *, end_rest: bool = False, change: Change = unchanged, **around: Unpack[Around]) -> Record:
        """The same run again."""

        def open_ledger(drive: RealDrive, store: StoreOnCall) -> tuple[Ledger, Record]:
            return opening.resume(drive, store, self.consent, end_rest=end_rest)

        return self._session(open_ledger, change, around)

    def _session(self, open_ledger: OpenLedger, change: Change, around: Around) -> Record:
        drive = open_real(self.address, consent=self.consent, store_path=self.store_path)
        with StoreOnCall(self.store_path) as store, Interruption() as interruption:
            try:
                ledger, record = open_ledger(drive, store)
                try:
                    surroundings = replace(Surroundings(store, Silent(), interruption), **around)
                    run = WearRun(drive, ledger, record, surroundings)
                    change(run)
                    return run.run()
                finally:
                    ledger.close()
            finally:
                drive.close()

    @property
    def folder(self) -> Path:
        """Of the newest ledger."""
        return find_runs(self.store_path).known[-1].folder

    def ledger(self) -> Ledger:
        """The newest ledger, opened; the caller closes it."""
        return Ledger(self.folder)

    def verifier(self, ledger: Ledger) -> Verifier:
        """One of its own, not that of the run."""
        layout = Layout(**ledger.begin["layout"])
        stamper = Stamper(bytes.fromhex(ledger.begin["drive_id"]), layout.block_bytes)
        path = Path(self.address.removeprefix("file:"))
        return Verifier(
            DirectFile(Held.take(path, os.O_RDONLY), direct=True, write=False), stamper, layout, ledger.generations
        )


def dump_of(**numbers: float) -> ReadDump:
    """SMART that says these NVMe numbers."""
    from flashscope.smart.dump import Dump

    return lambda: Dump("test", "test", protocol="NVMe", model="T", nvme_health={k: int(v) for k, v in numbers.items()})
