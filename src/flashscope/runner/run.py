"""Run an experiment on a drive, and keep a record of it whatever happens.

    steps of the experiment -> record begun -> for each step: perform it, keep it -> findings -> record finished

Every step is durable in the store before the next begins. The record ends as
    done          all steps were taken (or skipped, with the reason)
    interrupted   a person stopped it: what was measured is kept, and analysed as far as possible
    failed        the drive, a program that loads it, or the analysis failed: the note says how
"""

from __future__ import annotations

import contextlib
import datetime
import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, assert_never

from flashscope.drives.drive import Drive
from flashscope.drives.held.held import Held
from flashscope.errors import DriveFailed, FlashscopeError, Interrupted, WrongUse
from flashscope.records import Doubt, Record, Status, StepRecord
from flashscope.records.drive_facts import DriveFacts
from flashscope.records.keeper import Keeper
from flashscope.records.plain import fingerprint, plain
from flashscope.runner.asked import Asked
from flashscope.runner.budget.allotted import Allotted
from flashscope.runner.cost import expected_cost_s, share_done
from flashscope.runner.experiment import Experiment
from flashscope.runner.fault import note_run
from flashscope.runner.hands.choose import choose_hands, choose_virtual
from flashscope.runner.hands.hands import Hands, OnProgress, Outcome
from flashscope.runner.host import describe_host, program_versions
from flashscope.runner.host_load import doubts_of_load, host_load
from flashscope.runner.pace import paced
from flashscope.runner.progress.interrupt import Interruption
from flashscope.runner.progress.progress import Progress, StepAhead
from flashscope.runner.room import check_room
from flashscope.runner.run_warnings import run_warnings
from flashscope.runner.stalls import Stalls
from flashscope.store.store import make_record_id
from flashscope.units import format_time
from flashscope.workloads.steps import (
    CheckPlaces,
    FileWork,
    FormStripe,
    Idle,
    ReadMembers,
    ReadSmart,
    SecureErase,
    Step,
    Trim,
    Workload,
)

_log = logging.getLogger("flashscope.runner")


def run_experiment(
    experiment: Experiment,
    drive: Drive,
    asked: Asked,
    *,
    store: Keeper,
    progress: Progress,
    interruption: Interruption | None = None,
    cost_of: Callable[[Step], float] | None = None,
) -> Record:
    """Run an experiment on an open drive and return its record, which is in the store already.

    interruption: shared with the caller; by default the run listens to Ctrl-C itself. cost_of: what a step is expected
    to take [s]; by default on an imagined drive. A failed drive, a stop by a person and the end of the time are in the
    record's status, and not exceptions.
    Raises WrongUse before the first byte when a step does not fit the drive, fio is missing or the store cannot be
    written; StoreFailed when it fails later. Any other exception is our fault; the record is then marked as failed.
    """
    if interruption is None:
        with Interruption() as own:
            return run_experiment(
                experiment, drive, asked, store=store, progress=progress, interruption=own, cost_of=cost_of
            )
    facts = drive.facts
    if isinstance(experiment, Allotted):
        asked = replace(asked, effort=experiment.effort)  # which the record keeps, and the findings' advice reads
    steps = experiment.steps(facts, asked.effort)
    check_steps(steps, facts)
    hands = choose_hands(drive, asked.seed, glass=asked.glass)
    record, virtual = _new_record(experiment, drive, steps, hands, asked), facts.in_virtual_time
    store.begin(record)
    progress.run_begins(f"{experiment.name} on {facts.address}", _ahead(steps, cost_of, virtual=virtual))
    _log.debug("%s on %s: record %s, %d steps", record.experiment, record.drive, record.id, len(steps))
    try:
        before = host_load(facts)
        with contextlib.nullcontext() if virtual else Stalls() as stalls:
            _take_steps(steps, record, hands, store, progress, interruption)
        if stalls is not None:
            record.doubts += [*stalls.doubts(), *doubts_of_load(before, host_load(facts), record)]
        if record.status is Status.RUNNING:
            record.status = Status.DONE
        # Of a drive that was stopped in the middle of a request nothing is known.
        with contextlib.suppress(Interrupted):
            _look_inside(drive, record)
        record.versions |= hands.versions()
        _analyse(experiment, record)
        record.doubts += run_warnings(record, experiment.expects)
        store.finish(record)
    except BaseException as error:
        note_run(error, record, hands.now_ns(), virtual=virtual)
        stopped = isinstance(error, KeyboardInterrupt)
        record.status = Status.INTERRUPTED if stopped else Status.FAILED
        record.note = "stopped at once by a second Ctrl-C" if stopped else f"{type(error).__name__}: {error}"
        with contextlib.suppress(FlashscopeError):  # when the store itself failed, report the first error
            store.finish(record)
        raise
    finally:
        progress.run_ends(record.status.value)
        _log_end(record)
    return record


def check_steps(steps: list[Step], facts: DriveFacts) -> None:
    """Check that every step fits the drive, and that there is room for all files.

    Raises WrongUse, naming the job or step, when one reaches beyond the drive's end or finds no room.
    """
    names = [step.name for step in steps]
    assert len(names) == len(set(names)), f"step names are not unique: {names}"
    for step in steps:
        for who, end_bytes in _ends_of(step):
            if end_bytes > facts.user_bytes:
                raise WrongUse(
                    f"{who} of step {step.name!r} reaches to byte {end_bytes}, but {facts.address} ends at "
                    f"{facts.user_bytes}",
                    accepted=f"offset + size up to {facts.user_bytes} bytes",
                    advice="take a larger drive or a smaller job",
                )
    check_room(steps, facts)


def _ends_of(step: Step) -> list[tuple[str, int]]:
    """The largest address of each job in a step that names addresses [bytes]."""
    match step:
        case Workload():
            return [(f"job {job.name}", job.offset_bytes + job.size_bytes) for job in step.jobs]
        case Trim():
            return [("the trim", step.offset_bytes + step.length_bytes)]
        case CheckPlaces():
            return [("the check", step.span_bytes)]
        case ReadSmart() | Idle() | SecureErase() | FileWork() | FormStripe() | ReadMembers():
            return []
    assert_never(step)


def _new_record(experiment: Experiment, drive: Drive, steps: list[Step], hands: Hands, asked: Asked) -> Record:
    facts = drive.facts
    virtual = choose_virtual(drive)
    configuration: dict[str, Any] = plain(
        {
            "experiment": experiment.name,
            "effort": asked.effort,
            "seed": asked.seed,
            "drive": facts.to_json(),
            "part": virtual.resolved_part() if virtual else None,
            "steps": steps,
        }
    )
    created_utc = datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return Record(
        id=make_record_id(created_utc, facts.address, experiment.name),
        experiment=experiment.name,
        drive=facts.address,
        status=Status.RUNNING,
        created_utc=created_utc,
        seed=asked.seed,
        command=asked.command,
        versions=program_versions() | hands.versions(),
        host=describe_host(_path_of(drive)),
        configuration=configuration,
        configuration_hash=fingerprint(configuration),
        drive_facts=facts,
        doubts=[*facts.all_doubts(), *asked.doubts],
        examination=asked.examination,
    )


def _path_of(drive: Drive) -> Path | None:
    """The path of a held drive, through its descriptor; None for all others."""
    held = getattr(drive, "held", None)
    return held.path if isinstance(held, Held) else None


def _take_steps(
    steps: list[Step], record: Record, hands: Hands, store: Keeper, progress: Progress, interruption: Interruption
) -> None:
    """Perform the steps in order until one is interrupted or fails; keeps each one before the next begins."""
    for index, planned in enumerate(steps):
        if interruption.requested_by is not None:
            record.status, record.note = _stopped(interruption), f"stopped by {interruption.requested_by}"
            return
        step = paced(planned, record)
        described = record.configuration["steps"][index] if step is planned else plain(step)
        kept = StepRecord(
            index,
            step.name,
            step.kind,
            started_ns=hands.now_ns(),
            parameters=_parameters(described),
            labels=step.labels,
        )
        record.steps.append(kept)
        store.save_step(record.id, kept)
        progress.step_begins(index)
        place = f'{record.experiment} on {record.drive}, step {index + 1} of {len(steps)} "{step.name}"'
        _log.debug("%s begins", place)
        outcome = _perform(step, hands, _watch(step, progress, interruption))
        kept.status, kept.note = outcome.status, outcome.note
        kept.workload, kept.smart, kept.glass = outcome.workload, outcome.smart, outcome.glass
        kept.smart_series = outcome.smart_series
        kept.members, kept.places = outcome.members, outcome.places
        kept.ended_ns = hands.now_ns()
        record.doubts += [doubt for doubt in outcome.doubts if doubt not in record.doubts]
        store.save_step(record.id, kept)
        progress.step_ends(kept.status.value, kept.note)
        took = format_time(kept.ended_ns - kept.started_ns)
        _log.debug("%s: %s, took %s of the drive's time%s", place, kept.status.value, took, _noted(kept.note))
        if kept.status in (Status.INTERRUPTED, Status.FAILED):
            record.status = Status.FAILED if kept.status is Status.FAILED else _stopped(interruption)
            record.note = f"step {step.name!r}: {kept.note}"
            return


def _ahead(steps: list[Step], cost_of: Callable[[Step], float] | None, *, virtual: bool) -> list[StepAhead]:
    costs_s = (expected_cost_s(step, virtual=virtual) if cost_of is None else cost_of(step) for step in steps)
    return [StepAhead(step.name, cost_s) for step, cost_s in zip(steps, costs_s, strict=True)]


def _stopped(interruption: Interruption) -> Status:
    return Status.OUT_OF_TIME if interruption.is_out_of_time else Status.INTERRUPTED


def _log_end(record: Record) -> None:
    said = (record.experiment, record.drive, record.status.value, len(record.findings), _noted(record.note))
    _log.debug("%s on %s: %s, %d findings%s", *said)


def _noted(note: str) -> str:
    return f"; {note}" if note else ""


def _parameters(described: dict[str, Any]) -> dict[str, Any]:
    """Everything that describes a step except its labels, which the record keeps separately."""
    return {key: value for key, value in described.items() if key != "labels"}


def _perform(step: Step, hands: Hands, on_progress: OnProgress) -> Outcome:
    try:
        return hands.perform(step, on_progress)
    except Interrupted as stop:
        return Outcome(Status.INTERRUPTED, stop.what)
    except DriveFailed as failure:
        return Outcome(Status.FAILED, str(failure))


def _watch(step: Step, progress: Progress, interruption: Interruption) -> OnProgress:
    def on_progress(bytes_done: int, elapsed_ns: int) -> None:
        progress.advanced(share_done(step, bytes_done, elapsed_ns), bytes_done, elapsed_ns)
        interruption.check()

    return on_progress


def _look_inside(drive: Drive, record: Record) -> None:
    """Keep what only a virtual drive can show, so that findings can be compared with it."""
    virtual = choose_virtual(drive)
    if virtual is not None:
        record.truth = plain(virtual.truth())
        record.inside = virtual.inside()


def _analyse(experiment: Experiment, record: Record) -> None:
    """Add the findings. A run that ended early may hold too little for its analysis; that is a doubt, not a fault."""
    try:
        record.findings = experiment.analyse(record)
    except Exception as error:
        if record.status is Status.DONE:
            raise
        record.doubts.append(
            Doubt(
                "NotAnalysed",
                f"the run is {record.status.value} and holds too little for an analysis ({type(error).__name__})",
                "run the experiment to its end",
            )
        )
