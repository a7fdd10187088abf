"""Begin a run, or find the run to continue: everything that can be refused is refused here, before the first byte.

begin    settings fit the drive -> total confirmed -> record in the store -> ledger -> session
resume   the run of this drive -> its record -> the drive holds this run's data -> session
"""

from __future__ import annotations

import contextlib
import datetime
import secrets
import shutil
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from flashscope.drives.drive import RealDrive
from flashscope.drives.guard.consent import Consent
from flashscope.drives.held.direct_file import DirectFile
from flashscope.endurance.real import figures, holding, identity, job_traffic, runs, smart_look
from flashscope.endurance.real.cycle_watch import check_can_count
from flashscope.endurance.real.layout import HEAD_BYTES, Layout
from flashscope.endurance.real.ledger import Ledger
from flashscope.endurance.real.settings import JOBS, WearSettings, check_block
from flashscope.endurance.real.smart_look import ReadDump
from flashscope.endurance.real.stops import Stops
from flashscope.endurance.real.wear_run import EXPERIMENT
from flashscope.errors import WrongUse
from flashscope.moment import now
from flashscope.records import Record, Status
from flashscope.records.plain import fingerprint, plain
from flashscope.runner.build import this_build
from flashscope.runner.engines.choose import engine_for
from flashscope.runner.host import describe_host, program_versions
from flashscope.store.on_call import StoreOnCall
from flashscope.store.store import make_record_id

_SPARE_ROOM_BYTES = 256 << 20  # the journal, twice, and records


def check_begin(drive: RealDrive, settings: WearSettings, store_path: Path, read_smart: ReadDump | None) -> Layout:
    """Check that a run can begin. Returns its layout. Raises WrongUse; nothing was written."""
    facts = drive.facts
    if facts.partition is not None:
        raise WrongUse(
            f"{facts.address} is seen through an offset or other sectors", accepted="the address of the drive itself"
        )
    check_block(settings.block_bytes, min(facts.sector_bytes, settings.block_bytes))
    layout = Layout.of(facts.user_bytes, settings.block_bytes, settings.static_ratio)
    least = 2 * HEAD_BYTES + layout.block_bytes + (figures.most_written_bytes(layout) if settings.figures else 0)
    if settings.budget_bytes < least:
        raise WrongUse(
            f"the budget of {settings.budget_bytes} bytes is too small for a run",
            accepted=f"{least} bytes or more",
            advice="give more, or leave the performance figures out (--no-figures)",
        )
    if JOBS in settings.workloads:
        job_traffic.jobs_of(settings, layout)
    if settings.figures or JOBS in settings.workloads:
        engine_for(drive.held)  # there is one, and what it needs is installed
    stops = Stops(settings)
    if stops.needs_smart:
        stops.check_can_watch(smart_look.look(read_smart, 0))
    if settings.checkpoint_cycles:
        check_can_count(smart_look.look(read_smart, 0))
    _check_runs(drive, runs.find_runs(store_path))
    _check_room(store_path, layout)
    return layout


def begin(
    drive: RealDrive, settings: WearSettings, layout: Layout, store: StoreOnCall, *, command: str, consent: Consent
) -> tuple[Ledger, Record]:
    """Make record and ledger of a new run; the total was confirmed."""
    drive_id = secrets.token_bytes(16)
    facts = drive.facts
    known: dict[str, Any] = {
        "identity": identity.identity_of(facts, drive.held.name),
        "drive_id": drive_id.hex(),
        "settings": settings.to_json(),
        "layout": asdict(layout),
        "blocks": layout.blocks,
        "began_utc": _utc(),
    }
    configuration = plain(
        {"experiment": EXPERIMENT, "seed": settings.seed, "drive": facts.to_json(), **known, "consent": told(consent)}
    )
    record = Record(
        id=make_record_id(_utc(), facts.address, EXPERIMENT),
        experiment=EXPERIMENT,
        drive=facts.address,
        status=Status.RUNNING,
        created_utc=_utc(),
        seed=settings.seed,
        command=command,
        versions=program_versions() | (engine_for(drive.held).versions() if settings.figures else {}),
        host=describe_host(drive.held.path),
        configuration=configuration,
        configuration_hash=fingerprint(configuration),
        drive_facts=facts,
        doubts=[*facts.all_doubts(), *runs.find_runs(store.path).doubts()],
    )
    store.begin(record)
    ledger = Ledger.create(runs.runs_folder(store.path) / record.id, {**known, "record": record.id})
    open_session(ledger, consent)
    return ledger, record


def resume(drive: RealDrive, store: StoreOnCall, consent: Consent, *, end_rest: bool = False) -> tuple[Ledger, Record]:
    """Open the run of this drive to continue it. Raises WrongUse; nothing was written.

    end_rest: do not wait for the end of the rest without power.
    """
    facts = drive.facts
    wanted = identity.identity_of(facts, drive.held.name)
    run = runs.run_of(runs.find_runs(store.path), wanted)
    ledger = Ledger(run.folder)
    try:
        if ledger.state.ended and store.load(ledger.begin["record"]).status is Status.DONE:
            raise WrongUse(
                f"the run {run.folder.name} is over: {ledger.state.ended}",
                accepted="a run that was cut short",
                advice=f"see it: flashscope report {run.folder.name}",
            )
        holding.check_due(ledger.state, end_rest=end_rest)
        with _reading(drive) as file:
            layout = Layout(**ledger.begin["layout"])
            drive_id = bytes.fromhex(ledger.begin["drive_id"])
            identity.check_blocks(file, layout, ledger.generations, drive_id, facts.address)
        record = store.resume(ledger.begin["record"])
        open_session(ledger, consent)
    except BaseException:
        ledger.close()
        raise
    return ledger, record


def open_session(ledger: Ledger, consent: Consent) -> None:
    """Write down which process begins, with which build, when by both clocks, and which guard rules were set aside."""
    moment = now()
    ledger.event(
        "session",
        {
            "wall_utc": _utc(),
            "boot_id": moment.boot_id,
            "boot_s": moment.boot_s,
            "build": f"build {this_build().identity}",
            "torn_bytes": ledger.torn_bytes,
            "consent": told(consent),
        },
    )


def told(consent: Consent) -> dict[str, Any]:
    """The options as typed, for the record; every override by name."""
    return {"write_ok": consent.write_ok, "serial": consent.serial, "allow": sorted(consent.allow)}


def _check_runs(drive: RealDrive, found: runs.Runs) -> None:
    """Check that no run of this drive is under way. Raises WrongUse."""
    facts = drive.facts
    runs.check_no_unfinished(found.of(identity.identity_of(facts, drive.held.name)))
    if found.untold:
        with _reading(drive) as file:
            if identity.bears_other_run(file, facts.user_bytes, found.drive_ids()):
                runs.refuse_untold(found, facts.address)


@contextlib.contextmanager
def _reading(drive: RealDrive) -> Iterator[DirectFile]:
    """The drive, only for reading."""
    file = DirectFile(drive.held, direct=drive.facts.takes_direct_requests, write=False)
    try:
        yield file
    finally:
        file.close()


def _check_room(store_path: Path, layout: Layout) -> None:
    from flashscope.endurance.real.generation_map import map_bytes

    needed = map_bytes(layout.blocks) + _SPARE_ROOM_BYTES
    place = store_path.parent
    while not place.exists():
        place = place.parent
    free = shutil.disk_usage(place).free
    if free < needed:
        raise WrongUse(
            f"the run needs {needed / 1e6:.0f} MB beside its store, and {free / 1e6:.0f} MB are free at {place}",
            advice="make room there, or name a store on another disk with --store",
        )


def _utc() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
