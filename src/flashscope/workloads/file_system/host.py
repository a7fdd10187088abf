"""The host's settings: one set for each generation of the operating system, the same for every drive.

Mechanisms and their sizes; their cost on a drive follows from the drive. Sources:

    [WI]  Russinovich, Solomon, Ionescu: Windows Internals, 6th edition, part 2 (2012), chapter 11, Cache Manager
    [R]   Russinovich: Inside Vista SP1 File Copy Improvements (2008)
    [D]   the documents (parts/figures/published.csv): CrystalDiskMark of their RAM disk
    [Z]   7-Zip, source of versions 4 to 9: CopyCoder.cpp and DeflateDecoder.cpp read into buffers of 1 << 17 bytes
    [F]   fitted to those rows
    [A]   assumed

Not modelled here: other running programs, paging, virus scanners, the drivers' own time, a processor cache.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from flashscope.workloads.file_work import HostName

_KIB, _MIB, _GIB = 1 << 10, 1 << 20, 1 << 30


@dataclass(frozen=True)
class Host:
    """The host between programs and a drive. The first ten are the core's (crates/workload/src/file_work/host.rs).

    core_count: programs that compute at the same time.
    transfer_bytes_max: largest request a driver makes. read_ahead_request_bytes, read_ahead_bytes: of the cache.
    lazy_*: how the cache is written: bytes at once, threads, interval, and the divisor for the least share per pass.
    dirty_limit_bytes: dirty data at which programs must wait. cache_bytes: files read from memory again.
    copy_chunk_bytes: read and then written at once by a program that copies.
    program_chunk_bytes: of a program that reads or unpacks.
    open_ns, create_ns, delete_ns: the processor's time for one file [ns].
    cache_copy_bytes_per_second: between a program and the cache. memory_*: of a RAM disk, the counterpart.
    """

    core_count: int
    transfer_bytes_max: int
    read_ahead_request_bytes: int
    read_ahead_bytes: int
    lazy_write_bytes: int
    lazy_writer_count: int
    lazy_pass_ns: int
    lazy_pass_divisor: int
    dirty_limit_bytes: int
    cache_bytes: int
    copy_chunk_bytes: int
    program_chunk_bytes: int
    open_ns: int
    create_ns: int
    delete_ns: int
    cache_copy_bytes_per_second: int
    memory_read_bytes_per_second: int
    memory_write_bytes_per_second: int

    def settings_json(self) -> str:
        """The settings that the core needs."""
        settings = asdict(self)
        return json.dumps({name: settings[name] for name in _OF_THE_CORE})


_OF_THE_CORE = (
    "core_count",
    "transfer_bytes_max",
    "read_ahead_request_bytes",
    "read_ahead_bytes",
    "lazy_write_bytes",
    "lazy_writer_count",
    "lazy_pass_ns",
    "lazy_pass_divisor",
    "dirty_limit_bytes",
    "cache_bytes",
)

WINDOWS_7 = Host(
    core_count=4,  # [A] a processor of 2010; with two cores or more, 13 parallel unpackers wait for the drives
    transfer_bytes_max=1 * _MIB,  # [A] drivers differ, from 128 KiB; the parts' rates are those of whole transfers
    read_ahead_request_bytes=64 * _KIB,  # [WI] granularity; as much as the program reads at once, if that is more
    read_ahead_bytes=64 * _KIB,  # [WI] the same: Explorer's reads of 1 MB are followed by reads of 1 MB ahead
    lazy_write_bytes=1 * _MIB,  # [WI] largest write-behind, client versions
    lazy_writer_count=4,  # [A] one less than the critical worker threads, which are 5 on a client
    lazy_pass_ns=1_000_000_000,  # [WI] once a second
    lazy_pass_divisor=8,  # [WI] an eighth of the dirty pages, or as much as becomes dirty
    dirty_limit_bytes=1536 * _MIB,  # [A] three eighths of 4 GiB of memory
    cache_bytes=2 * _GIB,  # [A] half of it
    copy_chunk_bytes=1 * _MIB,  # [WI] Explorer's reads; its writes go into the cache
    program_chunk_bytes=128 * _KIB,  # [Z] its unpackers read that much at once; it matters most for disks
    open_ns=100_000,  # [A] opening and closing, path and security included
    create_ns=1_200_000,  # [F] F042 to F047: creating, setting attributes and times, closing
    delete_ns=200_000,  # [A]
    cache_copy_bytes_per_second=3_000_000_000,  # [A] as memory, one way
    memory_read_bytes_per_second=5_116_000_000,  # [D] F352
    memory_write_bytes_per_second=3_068_000_000,  # [D] F353
)
"""A client of 2009 to 2012."""

WINDOWS_XP = Host(
    core_count=2,  # [A] a Core 2 Duo
    transfer_bytes_max=64 * _KIB,  # [A] longest transfer that most drivers took in one request
    read_ahead_request_bytes=64 * _KIB,  # [R] copying read 64 KB at once
    read_ahead_bytes=64 * _KIB,  # [WI]
    lazy_write_bytes=64 * _KIB,  # [R] write-behind wrote 64 KB at once
    lazy_writer_count=2,  # [A]
    lazy_pass_ns=1_000_000_000,  # [WI]
    lazy_pass_divisor=8,  # [WI]
    dirty_limit_bytes=768 * _MIB,  # [A] three eighths of 2 GiB
    cache_bytes=512 * _MIB,  # [A] the system cache's space of 32-bit versions
    copy_chunk_bytes=64 * _KIB,  # [R]
    program_chunk_bytes=128 * _KIB,  # [Z]
    open_ns=100_000,  # [A]
    create_ns=1_200_000,  # [F]
    delete_ns=200_000,  # [A]
    cache_copy_bytes_per_second=3_000_000_000,  # [A]
    memory_read_bytes_per_second=5_116_000_000,  # [D]
    memory_write_bytes_per_second=3_068_000_000,  # [D]
)
"""A client of 2001 to 2008."""

HOSTS: dict[HostName, Host] = {"windows-7": WINDOWS_7, "windows-xp": WINDOWS_XP}
"""All of them by name."""
