"""The endurance run of a virtual drive, kept in the store checkpoint by checkpoint.

    drive -> life.py -> each checkpoint: SMART in its controller's layout, counters, projection -> store -> findings

Every checkpoint is durable before wear continues. When a person stops the run, its record is marked, and analysed as
far as possible.
"""

from __future__ import annotations

import contextlib
import datetime
import json
from dataclasses import asdict
from typing import Any

from flashscope.drives.virtual.simulated import SimulatedDrive
from flashscope.endurance.findings import findings_of
from flashscope.endurance.goal import Goal
from flashscope.endurance.life import Checkpoint, Conditions, Life, live
from flashscope.endurance.projection import project
from flashscope.endurance.retention import retention_of
from flashscope.errors import FlashscopeError, Interrupted
from flashscope.records import Record, Status, StepKind, StepRecord
from flashscope.records.keeper import Keeper
from flashscope.records.plain import fingerprint, plain
from flashscope.runner.fault import note_run
from flashscope.runner.host import describe_host, program_versions
from flashscope.runner.progress.interrupt import Interruption
from flashscope.runner.progress.progress import Progress, StepAhead
from flashscope.store.rows.facts_json import facts_from_json
from flashscope.store.store import make_record_id

EXPERIMENT = "endurance"


def configuration_of(drive: SimulatedDrive) -> dict[str, Any]:
    """What a drive of a part is built from; a population changes it drive by drive."""
    configuration: dict[str, Any] = json.loads(drive.part.to_core_json())
    return configuration


def new_record(experiment: str, address: str, seed: int, command: str, configuration: dict[str, Any]) -> Record:
    """A record that has just begun. configuration: all that was resolved, with the drive's facts under "drive"."""
    resolved = plain(configuration)
    created_utc = datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return Record(
        id=make_record_id(created_utc, address, experiment),
        experiment=experiment,
        drive=address,
        status=Status.RUNNING,
        created_utc=created_utc,
        seed=seed,
        command=command,
        versions=program_versions(),
        host=describe_host(),
        configuration=resolved,
        configuration_hash=fingerprint(resolved),
        drive_facts=facts_from_json(resolved["drive"]),
    )


def run_endurance(
    drive: SimulatedDrive,
    conditions: Conditions,
    *,
    store: Keeper,
    command: str,
    progress: Progress,
    interruption: Interruption,
) -> Record:
    """Wear the drive out and return its record, which is in the store already.

    Raises WrongUse when the drive cannot be worn so; then nothing was kept as done.
    """
    configuration = configuration_of(drive)
    record = new_record(EXPERIMENT, drive.facts.address, drive.seed, command, _resolved(drive, conditions))
    store.begin(record)
    progress.run_begins(f"{EXPERIMENT} of {drive.facts.address}", [StepAhead("wearing", 1.0)])
    progress.step_begins(0)
    kept = _Keeper(drive, configuration, conditions, record, store)
    expected = expected_cycles(configuration, conditions.goal)

    def on_progress(host_written_bytes: int, erase_count_mean: float) -> None:
        share = min(0.99, erase_count_mean / expected)
        if conditions.goal.host_written_bytes:
            share = max(share, min(0.99, host_written_bytes / conditions.goal.host_written_bytes))
        progress.advanced(share, host_written_bytes, drive.now_ns)
        interruption.check()

    try:
        life: Life | None = None
        try:
            life = live(
                drive.core, configuration, conditions,
                seed=drive.seed, on_checkpoint=kept.keep, on_progress=on_progress,
            )  # fmt: skip
            record.status = Status.DONE
        except Interrupted as stop:
            record.status, record.note = Status.INTERRUPTED, stop.what
        with contextlib.suppress(
            Interrupted
        ):  # of a drive that was stopped in the middle of a request nothing is known
            record.inside = drive.inside()
        kept.end(life)
        record.findings = findings_of(record)
        store.finish(record)
    except BaseException as error:
        note_run(error, record, drive.now_ns, virtual=True)
        record.status = Status.INTERRUPTED if isinstance(error, KeyboardInterrupt) else Status.FAILED
        record.note = f"{type(error).__name__}: {error}"
        with contextlib.suppress(FlashscopeError):
            store.finish(record)
        raise
    finally:
        progress.run_ends(record.status.value)
    return record


def _resolved(drive: SimulatedDrive, conditions: Conditions) -> dict[str, Any]:
    return {
        "experiment": EXPERIMENT,
        "seed": drive.seed,
        "drive": drive.facts.to_json(),
        "part": drive.resolved_part(),
        "load": asdict(conditions.load),
        "goal": asdict(conditions.goal),
        "checkpoint_cycles": conditions.checkpoint_cycles,
        "read_bytes": conditions.read_bytes,
        "skips": conditions.skips,
    }


def expected_cycles(configuration: dict[str, Any], goal: Goal) -> float:
    """About how many cycles the run takes, only for the bar: until too many blocks have failed [cycles]."""
    if goal.erase_count is not None:
        return float(goal.erase_count)
    endurance, capacity = configuration.get("endurance"), configuration["capacity"]
    if not endurance:
        return float(configuration["timing"]["rated_pe_cycles"])
    spared = 0.5 * min(1.0, (capacity.get("spare_block_count") or 100) / 8192) + 1e-4
    return float(endurance["characteristic_cycles"] * spared ** (1 / endurance["shape"]))


class _Keeper:
    """Keeps checkpoints in the record and the store as they come."""

    def __init__(
        self,
        drive: SimulatedDrive,
        configuration: dict[str, Any],
        conditions: Conditions,
        record: Record,
        store: Keeper,
    ) -> None:
        self._drive, self._configuration, self._conditions = drive, configuration, conditions
        self._record, self._store = record, store
        self._checkpoints: list[Checkpoint] = []
        self._at_rating: dict[str, Any] = {}

    def keep(self, checkpoint: Checkpoint) -> None:
        """One step with SMART, what was seen, and the projection to the rating."""
        started_ns = self._checkpoints[-1].elapsed_ns if self._checkpoints else 0
        self._checkpoints.append(checkpoint)
        rated = int(self._configuration["timing"]["rated_pe_cycles"])
        projection = project(self._checkpoints, rated, self._drive.facts.user_bytes)
        if not self._at_rating and checkpoint.erase_count_mean >= rated - 1:
            self._at_rating = retention_of(self._drive.core, self._configuration)
        index = len(self._checkpoints) - 1
        step = StepRecord(
            index,
            f"checkpoint {index + 1}, {checkpoint.erase_count_mean:.0f} cycles",
            StepKind.SMART,
            status=Status.DONE,
            started_ns=started_ns,
            ended_ns=checkpoint.elapsed_ns,
            parameters=plain(
                {
                    "checkpoint": checkpoint.to_json(),
                    "projection_to_rating": asdict(projection) if projection else None,
                }
            ),
            smart=self._drive.read_smart(checkpoint.elapsed_ns) if self._drive.facts.has_smart else None,
        )
        self._record.steps.append(step)
        self._store.save_step(self._record.id, step)

    def end(self, life: Life | None) -> None:
        """The last step: how it ended, and what is then kept without power. life: None when it was stopped."""
        result: dict[str, Any] = plain(
            {
                "end": life.end if life else "interrupted",
                "failed": bool(life and life.failed),
                "skipped_bytes": life.skipped_bytes if life else None,
                "skips": life.skips if life else None,
                "retired_blocks": life.retired_blocks if life else [],
                "rated_pe_cycles": self._configuration["timing"]["rated_pe_cycles"],
                "retention": retention_of(self._drive.core, self._configuration) if life else {},
                "retention_at_rating": self._at_rating,
            }
        )
        now_ns, index = self._drive.now_ns, len(self._record.steps)
        step = StepRecord(
            index, "end", StepKind.IDLE,
            status=Status.DONE, started_ns=now_ns, ended_ns=now_ns, parameters={"result": result},
        )  # fmt: skip
        self._record.steps.append(step)
        self._store.save_step(self._record.id, step)
