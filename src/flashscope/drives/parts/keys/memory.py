"""Drives made of memory."""

from __future__ import annotations

from flashscope.drives.parts.keys.key import LONGEST_NS, Key

MEMORY = ("memory",)

KEYS = (
    Key(
        "memory.user_size",
        "bytes",
        "bytes the host can address",
        '"16 GiB"',
        core="/user_bytes",
        least=512,
        kinds=MEMORY,
    ),
    Key(
        "memory.bus_rate",
        "rate",
        "memory bus, as its modules state it",
        '"6400 MB/s"',
        core="/bytes_per_second",
        least=1000,
        most=1000000000000000,
        kinds=MEMORY,
    ),
    Key(
        "memory.read_passes",
        "count",
        "how many times a byte that is read crosses the memory bus",
        "2",
        core="/read_passes",
        least=1,
        most=8,
        default=1,
        kinds=MEMORY,
    ),
    Key(
        "memory.write_passes",
        "count",
        "how many times a byte that is written crosses the memory bus",
        "3",
        core="/write_passes",
        least=1,
        most=8,
        default=1,
        kinds=MEMORY,
    ),
    Key(
        "memory.command_cost",
        "time",
        "the server's time for a command",
        '"10 us"',
        core="/command_cost_ns",
        least=1,
        most=LONGEST_NS,
        kinds=MEMORY,
    ),
    Key(
        "memory.servers",
        "count",
        "commands served at a time",
        "1",
        core="/server_count",
        least=1,
        most=1024,
        default=1,
        kinds=MEMORY,
    ),
)
