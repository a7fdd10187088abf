"""A file system of one file that forgets: what was written since the last flush is lost, or some of it, at a moment.

    with ForgettingMount(image, folder, cut_after=500, seed=1) as path:
        ...         path is folder/disk.img, which any program may read and write. At the 501st write or flush the power
                    goes: of the sectors written since the last flush chance keeps some, they go into the image, and
                    every request from then on fails

FUSE, spoken directly with the kernel through /dev/fuse, in a process of its own; takes root. Sectors are 512 B.
Source: linux/fuse.h, version 7.31.
"""

from __future__ import annotations

import ctypes
import enum
import errno
import os
import random
import stat
import struct
from pathlib import Path
from types import TracebackType

_SECTOR = 512
_NAME = "disk.img"
_ROOT, _FILE = 1, 2
_IN = struct.Struct("<IIQQIIIHH")
_OUT = struct.Struct("<IiQ")
_ATTRIBUTES = struct.Struct("<6Q10I")
_MOST_WRITE = 1 << 20
_BIG_WRITES, _MAX_PAGES = 1 << 5, 1 << 22
_DIRECT_IO = 1
_DETACH = 2


def why_not() -> str:
    """Why this cannot be mounted here; empty when it can."""
    if os.geteuid() != 0:
        return "mounting takes root"
    if not Path("/dev/fuse").exists():
        return "this system has no FUSE"
    kinds = Path("/proc/filesystems").read_text().split()
    return "" if "fuse" in kinds else "this kernel has no FUSE"


class ForgettingMount:
    """See above. cut_after: None for a disk that keeps its power. The image holds what was kept after the end."""

    def __init__(self, image: Path, folder: Path, *, cut_after: int | None = None, seed: int = 0) -> None:
        self._image, self._folder, self._cut_after, self._seed = image, folder, cut_after, seed
        self.path = folder / _NAME

    def __enter__(self) -> Path:
        self._folder.mkdir(exist_ok=True)
        channel = os.open("/dev/fuse", os.O_RDWR | os.O_CLOEXEC)
        options = f"fd={channel},rootmode=40000,user_id=0,group_id=0,max_read={_MOST_WRITE}"
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.mount(b"forgetting", os.fsencode(self._folder), b"fuse.forgetting", 0, options.encode()) != 0:
            number = ctypes.get_errno()
            os.close(channel)
            raise OSError(number, os.strerror(number), str(self._folder))
        self._child = os.fork()
        if self._child == 0:
            try:
                _Server(channel, self._image, self._cut_after, random.Random(self._seed)).serve()
            finally:
                os._exit(0)
        os.close(channel)
        return self.path

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        ctypes.CDLL(None).umount2(os.fsencode(self._folder), _DETACH)
        os.waitpid(self._child, 0)


class _Op(enum.IntEnum):
    """Requests of the kernel."""

    LOOKUP, FORGET, GETATTR, SETATTR, OPEN, READ, WRITE, STATFS = 1, 2, 3, 4, 14, 15, 16, 17
    RELEASE, FSYNC, FLUSH, INIT, OPENDIR, RELEASEDIR, INTERRUPT, DESTROY = 18, 20, 25, 26, 27, 29, 36, 38
    BATCH_FORGET = 42


class _PowerCut(Exception):
    """The power is gone."""


class _Server:
    """Answers the kernel until it unmounts, or the power is gone."""

    def __init__(self, channel: int, image: Path, cut_after: int | None, chance: random.Random) -> None:
        self._channel, self._cut_after, self._chance = channel, cut_after, chance
        self._image = os.open(image, os.O_RDWR | os.O_CLOEXEC)
        self._size_bytes = os.fstat(self._image).st_size
        self._pending: dict[int, list[bytes]] = {}
        self._used = 0
        self._has_power = True

    def serve(self) -> None:
        """Until the end of the mount."""
        while True:
            try:
                request = os.read(self._channel, _MOST_WRITE + 8192)
            except OSError as error:
                if error.errno in (errno.EINTR, errno.EAGAIN, errno.ENOENT):
                    continue
                self._flush()
                return
            _, opcode, unique, node, *_ = _IN.unpack_from(request)
            if opcode in (_Op.FORGET, _Op.BATCH_FORGET, _Op.INTERRUPT):
                continue
            try:
                number, answer = self._answer(opcode, node, request[_IN.size :])
            except _PowerCut:
                self._lose_power()
                number, answer = errno.EIO, b""
            os.write(self._channel, _OUT.pack(_OUT.size + len(answer), -number, unique) + answer)

    def _answer(self, opcode: int, node: int, body: bytes) -> tuple[int, bytes]:
        match opcode:
            case _Op.INIT:
                return 0, struct.pack("<IIIIHHIIHHI28x", 7, 31, 1 << 17, _BIG_WRITES | _MAX_PAGES, 16, 12, _MOST_WRITE,
                                      1, _MOST_WRITE // 4096, 0, 0)  # fmt: skip
            case _Op.LOOKUP:
                if body.rstrip(b"\0").decode() != _NAME:
                    return errno.ENOENT, b""
                return 0, struct.pack("<QQQQII", _FILE, 0, 1, 1, 0, 0) + self._attributes(_FILE)
            case _Op.GETATTR | _Op.SETATTR:
                return 0, struct.pack("<QII", 1, 0, 0) + self._attributes(node)
            case _Op.OPEN | _Op.OPENDIR:
                return 0, struct.pack("<QIi", 0, _DIRECT_IO if opcode == _Op.OPEN else 0, 0)
            case _Op.STATFS:
                return 0, struct.pack("<5Q4I24x", 1 << 20, 1 << 19, 1 << 19, 10, 5, 4096, 255, 4096, 0)
            case _Op.READ:
                _, offset, size = struct.unpack_from("<QQI", body)
                return (0, self._read(offset, size)) if self._has_power else (errno.EIO, b"")
            case _Op.WRITE:
                _, offset, size = struct.unpack_from("<QQI", body)
                self._write(offset, body[40 : 40 + size])
                return 0, struct.pack("<II", size, 0)
            case _Op.FSYNC:
                self._use_power()
                self._flush()
                return 0, b""
            case _Op.RELEASE | _Op.FLUSH | _Op.RELEASEDIR | _Op.DESTROY:
                return 0, b""
        return errno.ENOSYS, b""

    def _attributes(self, node: int) -> bytes:
        mode, size = (stat.S_IFREG | 0o600, self._size_bytes) if node == _FILE else (stat.S_IFDIR | 0o700, 0)
        links = 1 if node == _FILE else 2
        return _ATTRIBUTES.pack(node, size, size // 512, *(0,) * 3, *(0,) * 3, mode, links, 0, 0, 0, 4096, 0)

    def _use_power(self) -> None:
        if not self._has_power or (self._cut_after is not None and self._used >= self._cut_after):
            raise _PowerCut
        self._used += 1

    def _read(self, offset: int, size: int) -> bytes:
        content = bytearray(os.pread(self._image, size, offset))
        for at in range(offset // _SECTOR * _SECTOR, offset + len(content), _SECTOR):
            if at in self._pending:
                newest, first = self._pending[at][-1], max(at, offset)
                last = min(at + _SECTOR, offset + len(content))
                content[first - offset : last - offset] = newest[first - at : last - at]
        return bytes(content)

    def _write(self, offset: int, content: bytes) -> None:
        assert offset % _SECTOR == len(content) % _SECTOR == 0, "not whole sectors"
        cut = None
        try:
            self._use_power()
        except _PowerCut as error:
            cut = error  # it was sent, and any of its sectors may be there
        if self._has_power:
            for at in range(0, len(content), _SECTOR):
                self._pending.setdefault(offset + at, []).append(content[at : at + _SECTOR])
        if cut is not None:
            raise cut

    def _flush(self) -> None:
        if self._has_power:
            for at, versions in self._pending.items():
                os.pwrite(self._image, versions[-1], at)
            self._pending.clear()

    def _lose_power(self) -> None:
        kept_ratio = self._chance.choice((0.0, 0.1, 0.5, 0.9, 1.0))
        for at, versions in self._pending.items():
            if self._chance.random() < kept_ratio:
                os.pwrite(self._image, self._chance.choice(versions), at)
        self._pending.clear()
        self._has_power = False
