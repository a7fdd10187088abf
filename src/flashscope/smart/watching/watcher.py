"""The watch: read every place, keep the sample, judge it, report it; repeatedly until it is stopped.

    take -> append -> notices, alerts -> hook, Prometheus, textfile      an error on the right never stops the left

A reading that fails is kept as a miss. A store that fails (disk full) is reported once per round; Prometheus still gets
the reading, and the next round tries again.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from flashscope.errors import FlashscopeError
from flashscope.moment import Moment, now
from flashscope.outputs import OWN_FILES, Replacing
from flashscope.smart.decoding.reading import UNKNOWN, Reading
from flashscope.smart.dump import Dump
from flashscope.smart.watching import alert_rows, alerts
from flashscope.smart.watching.alerts import Change
from flashscope.smart.watching.conditions import UNREADABLE, Limits
from flashscope.smart.watching.endpoint import Endpoint
from flashscope.smart.watching.exposition import PlaceState, exposition
from flashscope.smart.watching.history import KEPT_AT_LEAST, KEPT_S, History
from flashscope.smart.watching.hook import Hook
from flashscope.smart.watching.series_store import Appended, SeriesStore
from flashscope.smart.watching.textfile import write_textfile


@dataclass(frozen=True)
class Place:
    """Where a drive is read. name: as the user wrote it. take: reads it now; raises FlashscopeError when it cannot."""

    name: str
    take: Callable[[], Dump]


@dataclass
class Outputs:
    """Where the watch reports its results; each may be absent. replacing: the files that the textfile may replace."""

    hook: Hook | None = None
    endpoint: Endpoint | None = None
    textfile: Path | None = None
    replacing: Replacing = OWN_FILES
    tell: Callable[[Appended, Reading], None] = lambda appended, reading: None
    log: Callable[[str], None] = lambda line: None


@dataclass
class _Watched:
    place: Place
    state: PlaceState
    history: History = field(default_factory=History)
    drive: str = ""


class Watcher:
    """Watches places into a store. decode: a dump's reading. every_s: the interval; None for a single round.

    Use in one thread; `clock` gives the time (a test gives its own).
    """

    def __init__(
        self,
        places: Sequence[Place],
        store: SeriesStore,
        decode: Callable[[Dump], Reading],
        outputs: Outputs,
        *,
        every_s: float | None,
        limits: Limits = Limits(),  # noqa: B008 - frozen
        clock: Callable[[], Moment] = now,
    ) -> None:
        self._store, self._decode, self._outputs, self._every_s = store, decode, outputs, every_s
        self._limits, self._clock = limits, clock
        self._watched = [_Watched(place, PlaceState(place.name)) for place in places]
        for one in self._watched:
            self._remember(one, store.drive_at(one.place.name) or "")
        if outputs.hook is not None:
            for number, wall_s, change in alert_rows.untold(store):
                outputs.hook.tell(number, change, wall_s)

    @property
    def states(self) -> list[PlaceState]:
        """What is known of each place."""
        return [one.state for one in self._watched]

    def look(self) -> None:
        """Read every place once, and report the results."""
        for one in self._watched:
            try:
                self._look_at(one)
            except FlashscopeError as error:  # the store failed: acknowledged data is safe, the rest is retried
                self._outputs.log(f"{one.place.name}: {error}")
            except Exception as fault:  # our fault; the other drives are still watched
                self._outputs.log(f"{one.place.name}: a fault in flashscope: {type(fault).__name__}: {fault}")
        self._publish()

    def run(self, stop: threading.Event) -> None:
        """Read all places every `every_s` until `stop` is set. A round that takes longer skips the missed ones."""
        every_s = self._every_s
        assert every_s is not None, "a watch that goes on has an interval"
        due_s = time.monotonic()
        while not stop.is_set():
            self.look()
            late_s = max(0.0, time.monotonic() - due_s)
            due_s += every_s * (1 + late_s // every_s)
            stop.wait(max(0.0, due_s - time.monotonic()))

    def _look_at(self, one: _Watched) -> None:
        name = one.place.name
        try:
            dump = one.place.take()
        except FlashscopeError as error:
            self._missed(one, str(error))
            return
        except Exception as fault:  # a fault of ours in a reader must not end the watch of the other drives
            self._missed(one, f"a fault in flashscope: {type(fault).__name__}: {fault}")
            return
        reading = self._read(name, dump)
        one.state.is_readable = True
        one.state.readings += 1
        appended = self._store.append(dump, reading, name, self._clock(), self._every_s)
        one.state.sample = appended.sample
        if UNREADABLE in one.state.raised:
            self._change(one, alerts.readable(name))
        if not appended.is_new:
            return
        if appended.drive_before:
            for condition in alert_rows.raised(self._store, appended.drive_before):
                self._change(one, alerts.taken_away(appended.drive_before, name, condition, appended.sample.drive))
        if one.drive != appended.sample.drive:
            self._remember(one, appended.sample.drive)
        else:
            one.history.add(appended.sample)
        for notice in appended.notices:
            one.state.notices[notice.kind] = one.state.notices.get(notice.kind, 0) + 1
            self._outputs.log(f"{name}: {notice.kind}: {notice.message}")
        self._outputs.tell(appended, reading)
        for change in alerts.changes(one.history, one.state.raised, self._limits):
            self._change(one, change)

    def _read(self, name: str, dump: Dump) -> Reading:
        """The reading of a dump. A dump that cannot be decoded is kept all the same: better tables may read it."""
        try:
            return self._decode(dump)
        except Exception as error:
            self._outputs.log(f"{name}: kept, but not decoded: {type(error).__name__}: {error}")
            return Reading(UNKNOWN, "could not be decoded", None)

    def _remember(self, one: _Watched, drive: str) -> None:
        """Load the past of a drive: its samples, and the alerts that are raised."""
        one.drive = drive
        one.history = History(self._store.recent(drive, KEPT_S, KEPT_AT_LEAST) if drive else ())
        of_place = alert_rows.raised(self._store, one.place.name)
        one.state.raised = of_place | (alert_rows.raised(self._store, drive) if drive else frozenset())

    def _missed(self, one: _Watched, reason: str) -> None:
        one.state.is_readable = False
        one.state.failures += 1
        self._outputs.log(f"{one.place.name}: not read: {reason}")
        misses = self._store.miss(one.place.name, reason, self._clock())
        if misses >= self._limits.misses and UNREADABLE not in one.state.raised:
            self._change(one, alerts.unreadable(one.place.name, reason, misses, self._limits))

    def _change(self, one: _Watched, change: Change) -> None:
        hook, wall_s = self._outputs.hook, self._clock().wall_s
        number = alert_rows.keep(self._store, change, wall_s, to_be_told=hook is not None)
        changed = {change.condition}
        one.state.raised = one.state.raised | changed if change.state == "raised" else one.state.raised - changed
        self._outputs.log(
            f"{change.place}: {change.severity} alert {change.state}: {change.condition}: {change.message}"
        )
        if hook is not None:
            hook.tell(number, change, wall_s)

    def _publish(self) -> None:
        if self._outputs.endpoint is None and self._outputs.textfile is None:
            return
        text = exposition(self.states)
        if self._outputs.endpoint is not None:
            self._outputs.endpoint.show(text)
        if self._outputs.textfile is not None:
            try:
                write_textfile(self._outputs.textfile, text, self._outputs.replacing)
            except FlashscopeError as error:
                self._outputs.log(str(error))
