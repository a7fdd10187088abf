"""One program of a `FileWork` step as a process of its own: `python -m flashscope.runner.hands.files.program PLAN`.

    start, read the plan, say "ready"  |  wait until standard input ends  |  operations, in turn  |  write the result
                                          (all programs wait on one pipe,
                                           so they begin together)

It inherits the descriptors of the folders it works in and reaches every file through them (drives/held/beneath.py), so
that nothing is ever written elsewhere, whatever is moved, linked or mounted there while it works.
It reads and writes as programs do, through the host's cache, CHUNK_BYTES at a time. SIGTERM ends it at the next call,
with what it measured until then. An error of the operating system ends it too, and stands in the result.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, BinaryIO
from zipfile import ZipFile

from flashscope.drives.held.beneath import Beneath
from flashscope.runner.hands.files.data import CHUNK_BYTES, DataSource, make_archive
from flashscope.runner.hands.files.meter import Meter


class _Stopped(Exception):
    """Somebody asked the program to end."""


class Worker:
    """Carries the operations of one plan out. folders: the descriptors of those on the drive and in memory."""

    def __init__(self, meter: Meter, folders: dict[str, int]) -> None:
        self._meter = meter
        self._folders = {place: Beneath(handle) for place, handle in folders.items()}
        self._stop = False
        self._buffer = memoryview(bytearray(CHUNK_BYTES))

    def ask_to_stop(self, number: int, frame: FrameType | None) -> None:
        """The handler of SIGTERM."""
        self._stop = True

    def perform(self, operation: dict[str, Any]) -> None:
        """One operation of the plan. Raises OSError when the operating system refuses it."""
        match operation["do"]:
            case "create":
                self._create(operation["file"], operation.get("members"), operation.get("deflated", False))
            case "read":
                for _ in self._pieces(operation["file"]):
                    pass
            case "copy":
                self._copy(operation["source"], operation["target"])
            case "extract":
                self._extract(operation["archive"], operation["files"])
            case "delete":
                self._folder(operation["file"]).unlink(operation["file"]["path"])

    def _create(self, file: dict[str, Any], members: list[Any] | None, deflated: bool) -> None:
        if members is not None:
            began_ns = time.monotonic_ns()
            with os.fdopen(self._new(file), "w+b") as archive:
                made_bytes = make_archive(archive, members, deflated=deflated)
            self._meter.moved("write", made_bytes, began_ns, on_drive=file["drive"])
            return
        source = DataSource(file["name"], file["compressible_ratio"])
        with _closing(self._new(file)) as target:
            for left in range(file["size_bytes"], 0, -CHUNK_BYTES):
                self._write(target, source.take(min(left, CHUNK_BYTES)), file)

    def _copy(self, source: dict[str, Any], target: dict[str, Any]) -> None:
        with _closing(self._new(target)) as handle:
            for piece in self._pieces(source):
                self._write(handle, piece, target)

    def _extract(self, archive: dict[str, Any], files: list[dict[str, Any]]) -> None:
        handle = self._open(archive)
        with os.fdopen(handle, "rb", buffering=0) as raw, ZipFile(_Counted(raw, self, archive)) as opened:
            for entry, file in zip(opened.infolist(), files, strict=True):
                with opened.open(entry) as member, _closing(self._new(file)) as target:
                    while piece := member.read(CHUNK_BYTES):
                        self._write(target, memoryview(piece), file)

    def _pieces(self, file: dict[str, Any]) -> Any:
        with _closing(self._open(file)) as handle:
            while length := self.read(lambda: os.readv(handle, [self._buffer]), file):
                yield self._buffer[:length]

    def _folder(self, file: dict[str, Any]) -> Beneath:
        return self._folders["drive" if file["drive"] else "memory"]

    def _open(self, file: dict[str, Any]) -> int:
        return self._folder(file).open(file["path"])

    def _new(self, file: dict[str, Any]) -> int:
        return self._folder(file).make(file["path"])

    def read(self, call: Any, file: dict[str, Any]) -> int:
        """Count a call that reads; it returns the bytes read."""
        self._check()
        began_ns = time.monotonic_ns()
        length = int(call())
        if length:
            self._meter.moved("read", length, began_ns, on_drive=file["drive"])
        return length

    def _write(self, handle: int, piece: memoryview, file: dict[str, Any]) -> None:
        while piece:
            self._check()
            began_ns = time.monotonic_ns()
            written = os.write(handle, piece)
            self._meter.moved("write", written, began_ns, on_drive=file["drive"])
            piece = piece[written:]

    def _check(self) -> None:
        if self._stop:
            raise _Stopped


@contextmanager
def _closing(handle: int) -> Iterator[int]:
    try:
        yield handle
    finally:
        os.close(handle)


class _Counted:
    """An archive whose reads are counted; all that `zipfile` asks of a file."""

    def __init__(self, raw: Any, worker: Worker, file: dict[str, Any]) -> None:
        self._raw, self._worker, self._file = raw, worker, file
        self.tell, self.close = raw.tell, raw.close

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        return int(self._raw.seek(offset, whence))

    def read(self, length: int = -1) -> bytes:
        found = b""

        def call() -> int:
            nonlocal found
            found = self._raw.read(length)
            return len(found)

        self._worker.read(call, self._file)
        return found


def _read_from_drive_bytes() -> int:
    """Bytes that the kernel fetched for this process from a drive, not from its cache."""
    try:
        lines = Path("/proc/self/io").read_text().splitlines()
    except OSError:
        return -1
    return next((int(line.split()[1]) for line in lines if line.startswith("read_bytes:")), -1)


def main(plan_path: Path, start: BinaryIO) -> None:
    """Run the plan when `start` ends; the result is then a file beside the plan."""
    plan = json.loads(plan_path.read_text())
    meter = Meter(plan["interval_ns"], Path(plan["counter"]))
    worker = Worker(meter, plan["folders"])
    signal.signal(signal.SIGTERM, worker.ask_to_stop)
    for operation in plan["operations"]:  # the data is made before the clock starts
        if operation["do"] == "create":
            DataSource("", operation["file"]["compressible_ratio"]).take(0)
    print("ready", flush=True)
    start.read()
    error: dict[str, Any] | None = None
    stopped, before_bytes = False, _read_from_drive_bytes()
    meter.begin()
    try:
        for operation in plan["operations"]:
            worker.perform(operation)
    except _Stopped:
        stopped = True
    except OSError as failed:
        where = str(failed.filename or "")
        error = {"errno": failed.errno or 0, "what": failed.strerror or str(failed), "path": where}
    meter.end()
    fetched_bytes = _read_from_drive_bytes() - before_bytes if before_bytes >= 0 else -1
    result = {**meter.result(), "error": error, "stopped": stopped, "fetched_bytes": fetched_bytes}
    Path(plan["result"]).write_text(json.dumps(result))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.stdin.buffer)
