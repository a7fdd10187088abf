"""The progress of a run, from its journal: each entry is applied once, in order.

values of an entry
    begin     the run itself: drive, settings, layout (first entry)
    state     everything known when the journal was last begun anew (replaces the entries before)
    done      the write that was under way is on the drive, flushed
    intent    a write is about to be sent; its blocks are in `raw`
    resolved  after a crash: the write in doubt was looked at
    event     anything else: session, head blanked, checkpoint, hold, end
"""

from __future__ import annotations

import struct
from dataclasses import asdict, dataclass, field
from typing import Any, Self

import numpy as np

from flashscope.endurance.real.journal import Entry
from flashscope.endurance.real.traffic import blocks_of
from flashscope.records.build import UNKNOWN

_COUNT = struct.Struct("<Q")


@dataclass(frozen=True)
class Intent:
    """A write about to be sent, or under way.

    kind: "fill", "write", "repair" (verified), "figures" or "jobs" (fio's, not verified), "blank" (zeros at both ends).
    firsts, counts: stretches of blocks. generations: what each block has afterwards; empty when not verified.
    most_bytes: what it writes at most. cursor: where the next stretch in order begins.
    """

    kind: str
    most_bytes: int
    cursor: int
    firsts: np.ndarray
    counts: np.ndarray
    generations: np.ndarray

    @property
    def blocks(self) -> np.ndarray:
        """Every block it touches, in the order of `generations`."""
        return blocks_of(self.firsts, self.counts)

    def packed(self) -> tuple[dict[str, Any], bytes]:
        """As a journal keeps it: plain values and raw bytes."""
        values = {"kind": self.kind, "most_bytes": self.most_bytes, "cursor": self.cursor}
        raw = b"".join(
            _COUNT.pack(len(array)) + array.astype(kind).tobytes()
            for array, kind in ((self.firsts, "<i8"), (self.counts, "<i8"), (self.generations, "<u4"))
        )
        return values, raw

    @classmethod
    def unpacked(cls, values: dict[str, Any], raw: bytes) -> Self:
        """The reverse of `packed`."""
        arrays, at = [], 0
        for kind in ("<i8", "<i8", "<u4"):
            (count,) = _COUNT.unpack_from(raw, at)
            at += _COUNT.size
            arrays.append(np.frombuffer(raw, dtype=kind, count=count, offset=at))
            at += arrays[-1].nbytes
        return cls(values["kind"], values["most_bytes"], values["cursor"], *arrays)


@dataclass
class RunState:
    """The progress of a run.

    written_bytes: acknowledged. doubtful_bytes: sent when a crash came; some, all or none of them reached the drive.
    batches: writes done, of any kind. cursor: where the next stretch in order begins [block]; while not `filled`, how
    far the first writing is. elapsed_ns: time at work, by a clock that only runs forward.
    checkpoints: done. checkpoint_bytes, checkpoint_ns: written and elapsed at the last one.
    sessions: times the run was begun or resumed. builds: of flashscope, in the order of the sessions.
    crashes: sessions after something was left in doubt.
    verified: blocks read back -> how many of each kind, over the whole run. torn_bytes: of journals, dropped.
    hold_until_s: wall time until which the drive is to stay off power, 0 when there is none; hold: what was known then.
    ended: why the run is over, empty while it is not.
    """

    written_bytes: int = 0
    doubtful_bytes: int = 0
    read_bytes: int = 0
    batches: int = 0
    cursor: int = 0
    filled: bool = False
    blanked: bool = False
    elapsed_ns: int = 0
    checkpoints: int = 0
    checkpoint_bytes: int = 0
    checkpoint_ns: int = 0
    sessions: int = 0
    builds: list[str] = field(default_factory=list)
    crashes: int = 0
    torn_bytes: int = 0
    verified: dict[str, int] = field(default_factory=dict)
    in_doubt: dict[str, int] = field(default_factory=dict)
    examples: list[dict[str, Any]] = field(default_factory=list)
    overrides: list[dict[str, Any]] = field(default_factory=list)
    clock_jumps_s: list[float] = field(default_factory=list)
    hold_until_s: float = 0.0
    hold: dict[str, Any] = field(default_factory=dict)
    ended: str = ""
    intent: Intent | None = None

    @property
    def may_be_written_bytes(self) -> int:
        """The most that the drive may have taken of all that was sent and is not under way: the budget counts this."""
        return self.written_bytes + self.doubtful_bytes

    def apply(self, entry: Entry) -> Intent | None:
        """Apply an entry. Returns the intent that it ended, whose generations are now valid; None without one."""
        values, finished = entry.values, None
        if "state" in values:
            self.__dict__.update(values["state"])
        if "done" in values:
            finished = self._done(values["done"])
        if "intent" in values:
            self.intent = Intent.unpacked(values["intent"], entry.raw)
        if "resolved" in values:
            self._resolved(values["resolved"])
        for name, value in values.get("event", {}).items():
            self._event(name, value)
        return finished

    def to_json(self) -> dict[str, Any]:
        """Plain data for `state`. Only while no write is under way."""
        assert self.intent is None, "a journal is begun anew between writes only"
        plain = asdict(self)
        del plain["intent"]
        return plain

    def _done(self, done: dict[str, Any]) -> Intent:
        intent = self.intent
        assert intent is not None, "a write that was never begun cannot end"
        self.written_bytes += done["written_bytes"]
        self.read_bytes += done.get("read_bytes", 0)
        self.elapsed_ns = done["elapsed_ns"]
        self.batches += 1
        self.cursor = intent.cursor
        self.intent = None
        return intent

    def _resolved(self, resolved: dict[str, Any]) -> None:
        intent = self.intent
        assert intent is not None, "nothing was in doubt"
        self.doubtful_bytes += intent.most_bytes
        self.crashes += 1
        self.intent = None
        add(self.in_doubt, resolved["found"])

    def _event(self, name: str, value: Any) -> None:
        match name:
            case "session":
                self.sessions += 1
                self._built(value.get("build", UNKNOWN))
                self.torn_bytes += value["torn_bytes"]
                self.overrides.append({"session": self.sessions, **value["consent"]})
            case "verified":
                add(self.verified, value["counts"])
                self.read_bytes += value["read_bytes"]
                self.examples = [*self.examples, *value["examples"]][:20]
            case "checkpoint":
                self.checkpoints += 1
                self.checkpoint_bytes = self.written_bytes
                self.checkpoint_ns = self.elapsed_ns = value["elapsed_ns"]
            case "blanked":
                self.blanked = True
                self.written_bytes += value  # 0 unless it was sent without an intent, by an earlier version
            case "filled":
                self.filled, self.cursor = True, 0
            case "clock":
                self.clock_jumps_s.append(value)
            case "hold":
                self.hold_until_s, self.hold = value["until_s"], value
            case "held":
                self.hold_until_s = 0.0
            case "ended":
                self.ended = value
            case _:
                raise AssertionError(f"an event of no kind: {name}")

    def _built(self, build: str) -> None:
        """Note the build of a session; an older journal may have noted none for earlier sessions."""
        if self.sessions > 1 and not self.builds:
            self.builds = [UNKNOWN]
        if build not in self.builds:
            self.builds = [*self.builds, build]


def add(counts: dict[str, int], more: dict[str, int]) -> None:
    """Add counts by name."""
    for name, count in more.items():
        counts[name] = counts.get(name, 0) + count
