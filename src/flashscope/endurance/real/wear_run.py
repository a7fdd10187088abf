"""The endurance run of a real drive, from begin or resume to its end or a pause.

    check the blocks in doubt after a crash -> [ batch, batch, ... checkpoint ] ... -> end
                                           every arrow is in the journal before the next one begins

A drive's death is a result, so the record is then done. A pause (a person, heat, a drive that went away, a full disk
under the store) leaves the record interrupted, and `--resume` continues the same record.
"""

from __future__ import annotations

import contextlib
import errno
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass

import numpy as np

from flashscope.drives.drive import RealDrive
from flashscope.drives.held.direct_file import DirectFile
from flashscope.drives.held.vanished import Watched
from flashscope.endurance.real import figures, holding, smart_look
from flashscope.endurance.real.block_stamp import Kind, Stamper
from flashscope.endurance.real.checkpoint import Seen, checkpoints_of
from flashscope.endurance.real.cycle_watch import ERASE_COUNT, CycleWatch
from flashscope.endurance.real.findings import doubts_of, findings_of
from flashscope.endurance.real.layout import Layout
from flashscope.endurance.real.ledger import Ledger
from flashscope.endurance.real.projection import project
from flashscope.endurance.real.run_state import Intent
from flashscope.endurance.real.runs import find_runs
from flashscope.endurance.real.schedule import Schedule
from flashscope.endurance.real.settings import JOBS, WearSettings
from flashscope.endurance.real.smart_look import ReadDump, SmartLook
from flashscope.endurance.real.stops import DATA_LOST, DEAD, FAILURES, READ_ONLY, Stop, Stops, budget_reached
from flashscope.endurance.real.traffic import read_requests
from flashscope.endurance.real.verification import NEW, OLD, TORN, Tally, Verifier
from flashscope.endurance.real.writer import BLANKED_BYTES, WriteFailed, Writer
from flashscope.errors import DriveFailed, FlashscopeError, Interrupted
from flashscope.moment import elapsed_s, now
from flashscope.records import Record, Status
from flashscope.records.plain import plain
from flashscope.runner.engines.choose import engine_for
from flashscope.runner.engines.engine import Load
from flashscope.runner.fault import note_run
from flashscope.runner.progress.interrupt import Interruption
from flashscope.runner.progress.progress import Progress, StepAhead
from flashscope.store.on_call import StoreOnCall

EXPERIMENT = "endurance-real"
_TEMPERATURE_EVERY_NS = 60 * 10**9
_SAMPLE_NS = 10**9
_AWAY = (errno.ESTALE, errno.ENODEV, errno.ENXIO, errno.ESHUTDOWN, errno.ENOMEDIUM)


@dataclass(frozen=True)
class Surroundings:
    """What a run needs besides the drive and its ledger.

    read_smart: None for a drive without. on_acknowledged: called after each durable step with (batches, bytes).
    """

    store: StoreOnCall
    progress: Progress
    interruption: Interruption
    read_smart: ReadDump | None = None
    on_acknowledged: Callable[[int, int], None] = lambda batches, written_bytes: None


class _Paused(Exception):
    """The run stops here and can be continued."""


class WearRun:
    """One session of a run. The ledger is open, the guard has agreed, and the record is in the store."""

    def __init__(self, drive: RealDrive, ledger: Ledger, record: Record, around: Surroundings) -> None:
        self._drive, self._ledger, self._record, self._around = drive, ledger, record, around
        begin = ledger.begin
        self._settings = WearSettings.from_json(begin["settings"])
        self._layout = Layout(**begin["layout"])
        self._stamper = Stamper(
            bytes.fromhex(begin["drive_id"]), self._layout.block_bytes, self._settings.compressible_ratio
        )
        self._file = DirectFile(drive.held, direct=drive.facts.takes_direct_requests)
        self._writer = Writer(self._file, self._stamper, self._layout, ledger, self._now_ns)
        self._verifier = Verifier(self._file, self._stamper, self._layout, ledger.generations, self._read_on)
        self._stops = Stops(self._settings)
        self._watched = Watched(drive.held)
        self._session_ns = time.monotonic_ns()
        self._before_ns = ledger.state.elapsed_ns
        self._moment = now()
        self._pending = Tally()
        self._looked_ns = self._before_ns - _TEMPERATURE_EVERY_NS - 1  # a drive may be hot when its run is continued
        last = checkpoints_of(record.steps)[-1:]
        self._cycles = CycleWatch(
            self._settings.checkpoint_cycles,
            drive.facts.user_bytes,
            last[0]["smart"].get(ERASE_COUNT) if last else None,
            ledger.state.checkpoint_bytes,
        )
        self._schedule = Schedule(self._settings, self._layout, ledger.state, self._writer.intent_of, self._now_ns)

    def run(self) -> Record:
        """Continue to the end or a pause; the record is in the store in both cases.

        Raises faults of flashscope, and StoreFailed; the journal then still has the progress.
        """
        record, around = self._record, self._around
        around.progress.run_begins(f"endurance of {record.drive}", [StepAhead("wearing", 1.0)])
        around.progress.step_begins(0)
        record.status, record.note = Status.RUNNING, ""
        try:
            try:
                self._go_on()
                record.status = Status.DONE
            except (Interrupted, _Paused) as pause:
                record.status = Status.INTERRUPTED
                record.note = f"{pause.what if isinstance(pause, Interrupted) else pause}; go on with --resume"
            except WriteFailed as failure:
                self._write_failed(failure.error)
            self._conclude()
        except BaseException as error:
            note_run(error, record, self._now_ns(), virtual=False)
            record.status, record.note = Status.INTERRUPTED, f"{type(error).__name__}: {error}; go on with --resume"
            with contextlib.suppress(FlashscopeError):  # when the store itself failed, report the first error
                around.store.finish(record)
            raise
        finally:
            around.progress.run_ends(record.status.value)
            self._file.close()
        return record

    def _go_on(self) -> None:
        state = self._ledger.state
        self._settle_doubt()
        if state.ended:
            return
        if any(count for kind, count in state.verified.items() if kind != Kind.GOOD):
            self._ledger.event("ended", DATA_LOST)  # the last session found it, and was killed before it reported it
            return
        if state.hold_until_s:
            self._end_hold()
            return
        if not state.blanked and self._room_bytes >= BLANKED_BYTES:
            self._writer.blank_ends(self._drive.facts.user_bytes)
        while True:
            stop = self._checkpoint_if_due() or self._stop_by_budget()
            if stop is not None:
                self._end(stop)
                return
            self._note_clock()
            self._around.interruption.check()
            intent = self._schedule.next_intent()
            assert intent is not None, "the budget was looked at just now"
            self._ledger.intend(intent)
            while self._ledger.state.intent is not None:
                self._one_write()

    # One write after another

    def _one_write(self) -> None:
        """Send the intended write and acknowledge it, together with the next intent when nothing else is due."""
        under_way = self._ledger.state.intent
        assert under_way is not None
        if under_way.kind == JOBS:
            self._send_jobs()
            return
        self._writer.send(under_way)
        following = self._schedule.next_intent(after=under_way) if not self._something_else_is_due(under_way) else None
        self._writer.acknowledge(following)
        state = self._ledger.state
        self._around.on_acknowledged(state.batches, state.written_bytes)
        self._tell()
        if self._schedule.workload == "jesd219" and under_way.kind == "write":
            reads = read_requests(
                self._layout, seed=self._settings.seed, number=state.batches, writes=len(under_way.firsts)
            )
            for first, count in zip(reads.firsts.tolist(), reads.counts.tolist(), strict=True):
                self._pending.add(self._verifier.stretch(first, count))

    def _send_jobs(self) -> None:
        """The user's job file once; the engine reports how much it wrote."""
        try:
            loaded = engine_for(self._drive.held).run(Load(self._schedule.jobs, _SAMPLE_NS), self._beside)
        except DriveFailed as failure:
            raise _Paused(self._watched.why_it_failed() or failure.what) from failure
        self._writer.acknowledge(written_bytes=int(loaded.result.totals.get("written_bytes", 0)))
        self._around.on_acknowledged(self._ledger.state.batches, self._ledger.state.written_bytes)

    def _something_else_is_due(self, under_way: Intent) -> bool:
        """Whether the chain of writes must be interrupted after this one."""
        ahead_bytes = self._ledger.state.written_bytes + under_way.most_bytes
        too_warm = self._settings.temperature_above_celsius > 0 and (
            self._now_ns() - self._looked_ns > _TEMPERATURE_EVERY_NS
        )
        return (
            self._around.interruption.requested_by is not None
            or self._ledger.is_long
            or self._schedule.checkpoint_due(ahead_bytes)
            or self._cycles.looks_now(ahead_bytes)
            or (under_way.kind == "fill" and under_way.cursor >= self._layout.blocks)
            or too_warm
            or self._pending.wrong_blocks > 0
        )

    def _stop_by_budget(self) -> Stop | None:
        used_up = not self._ledger.state.blanked or self._schedule.next_intent() is None
        return budget_reached(self._settings, self._ledger.state.doubtful_bytes) if used_up else None

    @property
    def _room_bytes(self) -> int:
        """How much the budget still permits to write [bytes]."""
        return self._settings.budget_bytes - self._ledger.state.may_be_written_bytes

    # Checkpoints

    def _checkpoint_if_due(self) -> Stop | None:
        """Take a checkpoint when it is due, or check temperature and reads in between. Returns why to stop."""
        state = self._ledger.state
        if not state.filled and state.cursor >= self._layout.blocks:
            self._ledger.event("filled", True)
            return self._checkpoint("fill")
        by_cycles = (
            state.filled
            and self._cycles.looks_now(state.written_bytes)
            and self._cycles.looked(self._look(), state.written_bytes)
        )
        if by_cycles or self._pending.wrong_blocks or self._schedule.checkpoint_due(state.written_bytes):
            return self._checkpoint(self._schedule.workload)
        if self._settings.temperature_above_celsius and self._now_ns() - self._looked_ns > _TEMPERATURE_EVERY_NS:
            self._looked_ns = self._now_ns()
            stop = self._stops.after_look(self._look(), state.written_bytes)
            if stop is not None and stop.pause:
                raise _Paused(stop.says)
            return stop
        return None

    def _checkpoint(
        self, workload: str, *, last: bool = False, figures_too: bool = True, read_too: bool = True, note: str = ""
    ) -> Stop | None:
        state, settings = self._ledger.state, self._settings
        began_ns = self._now_ns()
        moved, taken_ns = state.written_bytes - state.checkpoint_bytes, began_ns - state.checkpoint_ns
        seen_smart = self._look()
        verify = "full" if last and settings.verify != "none" else settings.verify if read_too else "none"
        tally, self._pending = self._pending, Tally()
        if verify == "full":
            tally.add(self._verifier.everything())
        elif verify == "sampled":
            tally.add(self._verifier.sample(seed=settings.seed, checkpoint=state.checkpoints))
        away = self._watched.what_happened()
        if away:
            raise _Paused(away)
        seen = Seen(
            state.checkpoints, workload, 0, 0, moved / (taken_ns / 1e9) if moved and taken_ns > 0 else None,
            seen_smart, verify, tally, note=note,
        )  # fmt: skip
        if figures_too and settings.figures and not tally.wrong_blocks:
            seen.figures, seen.figures_failure = self._figures()
        seen.host_written_bytes, seen.elapsed_ns = state.written_bytes, self._now_ns()
        before = checkpoints_of(self._record.steps[: seen.index])
        made = project([*before, seen.to_json()], settings.rated_written_bytes)
        step = seen.step(plain(asdict(made)) if made else None, began_ns)
        self._record.steps[seen.index :] = [step]
        self._around.store.save_step(self._record.id, step)
        self._ledger.events(
            verified={key: tally.to_json()[key] for key in ("counts", "read_bytes", "examples")},
            checkpoint={"elapsed_ns": seen.elapsed_ns},
        )
        self._cycles.checkpoint_taken(seen_smart.numbers.get(ERASE_COUNT), state.written_bytes)
        self._around.on_acknowledged(state.batches, state.written_bytes)
        if tally.wrong_blocks:
            return Stop(DATA_LOST, f"{tally.wrong_blocks} blocks were not as they were written")
        stop = self._stops.after_look(seen_smart, state.written_bytes)
        if stop is not None and stop.pause:
            raise _Paused(stop.says)
        return stop

    def _figures(self) -> tuple[figures.Figures, str]:
        """Short performance figures, and why there are none."""
        most = figures.most_written_bytes(self._layout)
        if most > self._room_bytes:
            return {}, "the budget has no room for them"
        none = np.zeros(0, dtype=np.int64)
        self._ledger.intend(Intent("figures", most, self._ledger.state.cursor, none, none, none.astype(np.uint32)))
        try:
            found, written, read = figures.measure(
                self._drive.held, self._drive.facts, self._layout, seed=self._settings.seed, on_progress=self._beside
            )
        except FlashscopeError as failure:
            if isinstance(failure, Interrupted):
                raise
            self._ledger.done(written_bytes=most, elapsed_ns=self._now_ns())
            return {}, failure.what
        self._ledger.done(written_bytes=written, read_bytes=read, elapsed_ns=self._now_ns())
        return found, ""

    def _look(self) -> SmartLook:
        self._looked_ns = self._now_ns()
        return smart_look.look(self._around.read_smart, self._looked_ns)

    # Ends, pauses, and what a crash left

    def _settle_doubt(self) -> None:
        """Check the write that was under way when the last session was interrupted, and repair it."""
        intent = self._ledger.state.intent
        if intent is None:
            return
        none = np.zeros(0, dtype=np.int64)
        if not len(intent.generations):
            self._ledger.resolved({}, none, none.astype(np.uint32))
            return
        found, blocks, generations, again = self._verifier.in_doubt(intent)
        self._ledger.resolved(found, blocks, generations)
        self._writer.repair(again, self._room_bytes)
        wrong = {kind: count for kind, count in found.items() if kind not in (OLD, NEW, TORN)}
        if wrong:
            self._pending.add(Tally(wrong))

    def _end(self, stop: Stop) -> None:
        """Verify everything once more, then write down the end; or let the drive rest without power first."""
        if stop.reason != DATA_LOST:
            failed = stop.reason in FAILURES
            seen = self._checkpoint(self._schedule.workload, last=True, figures_too=not failed)
            if seen is not None and seen.reason in FAILURES:
                stop = seen
        self._record.note = stop.says
        if self._settings.hold_days and stop.reason not in FAILURES:
            until = holding.begin(self._ledger, self._settings.hold_days, self._record.steps)
            raise _Paused(holding.words(until))
        self._ledger.event("ended", stop.reason)

    def _end_hold(self) -> None:
        """After the rest without power: read everything, before anything else is done."""
        note = holding.after(self._ledger.state, self._look())
        stop = self._checkpoint("rest off power", last=True, figures_too=False, note=note)
        self._ledger.event("held", True)
        self._ledger.event("ended", stop.reason if stop is not None else "held")

    def _write_failed(self, error: OSError) -> None:
        """The drive did not take a write: is it gone, the file system full, the drive read-only, or dead?"""
        said = error.strerror or str(error)
        away = self._watched.why_it_failed()
        if away or error.errno in _AWAY or error.errno == errno.ENOSPC:
            self._record.status = Status.INTERRUPTED
            self._record.note = f"{away or f'the drive went away ({said})'}; go on with --resume"
            return
        with contextlib.suppress(WriteFailed):  # a torn block stays torn on a drive that takes no more writes
            self._settle_doubt()
        readable = self._verifier.answers()
        if readable:
            self._pending.add(self._verifier.everything())
        with contextlib.suppress(_Paused):
            self._checkpoint(self._schedule.workload, figures_too=False, note=f"a write failed: {said}", read_too=False)
        reason = READ_ONLY if readable else DEAD
        self._record.status, self._record.note = Status.DONE, f"a write failed: {said}"
        self._ledger.event("ended", reason)

    def _conclude(self) -> None:
        """Findings and doubts; they replace those of an earlier session."""
        record, state = self._record, self._ledger.state
        record.findings = findings_of(record, state)
        beside = find_runs(self._around.store.path).doubts()
        record.doubts = [*self._drive.facts.all_doubts(), *beside, *doubts_of(state, self._settings)]
        self._around.store.finish(record)

    def _note_clock(self) -> None:
        """Write down a jump of the wall clock; nothing here uses it for times."""
        passed = now()
        _, jump_s = elapsed_s(self._moment, passed)
        if jump_s:
            self._ledger.event("clock", round(jump_s, 1))
            self._moment = passed

    # Reporting

    def _now_ns(self) -> int:
        """Time at work over all sessions [ns]."""
        return self._before_ns + time.monotonic_ns() - self._session_ns

    def _tell(self) -> None:
        done = self._ledger.state.written_bytes
        self._around.progress.advanced(min(1.0, done / self._settings.budget_bytes), done, self._now_ns())

    def _beside(self, moved_bytes: int, elapsed_ns: int) -> None:
        self._tell()
        self._around.interruption.check()

    def _read_on(self, read_bytes: int) -> None:
        self._tell()
        self._around.interruption.check()
