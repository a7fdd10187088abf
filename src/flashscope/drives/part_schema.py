"""Every key a part may have: the one table behind validation, the reference page and what the core is told.

    TOML key                  schema row                          core (JSON, base units)
    timing.read_latency  -->  Key(dimension="time", least=1)   --> timing.read_latency_ns

To add a key, add a row here; `docs/reference/parts.md` carries this table and a test compares the two.
What several keys must satisfy together stands in `part_geometry.py`.
"""

from __future__ import annotations

from dataclasses import dataclass

ORIGINS = {
    "data sheet": "its maker states it",
    "teardown": "somebody opened the drive, or read its firmware or chip tables",
    "class": "usual for parts of this kind and year; not stated for this one",
    "assumed": "nobody says; a guess for which none of the drive's published figures was used",
    "fitted": "chosen so that the figures named in `fitted_to` come out",
}
UNSTATED = "unstated"
LONGEST_NS = 10**12  # a timing of more than 1000 s is a slip


@dataclass(frozen=True)
class Key:
    """One key of a part.

    name: as written in TOML, "section.key".
    dimension: one of `flashscope.units.parse`, or "number" (bare, any size), "choice", "yes or no", "text".
    core: its name in the same section of the core's JSON, where that differs (there the base unit is named).
    least, most: bounds in base units, both allowed. choices: for "choice".
    many: a list is accepted too (one entry for each page in turn). nand: may stand in a NAND part.
    default: used when the key is absent; None = the key must be there.
    """

    name: str
    dimension: str
    meaning: str
    example: str
    core: str = ""
    least: float = 0
    most: float = float("inf")
    choices: tuple[str, ...] = ()
    many: bool = False
    nand: bool = False
    default: int | str | None = None


KEYS = (
    Key("model", "text", "model name the drive gives of itself", '"OCZ-ONYX"'),
    Key("firmware", "text", "firmware version the drive gives of itself", '"1.6"'),
    Key("geometry.channels", "count", "channels between controller and flash", "4", least=1, most=64),
    Key("geometry.packages_per_channel", "count", "flash packages per channel", "2", least=1, most=64),
    Key("geometry.dies_per_package", "count", "dies in a package", "1", least=1, most=64, nand=True),
    Key("geometry.planes_per_die", "count", "planes in a die", "2", least=1, most=16, nand=True),
    Key("geometry.blocks_per_plane", "count", "erase blocks in a plane", "2048", least=1, most=1 << 20, nand=True),
    Key("geometry.pages_per_block", "count", "pages in an erase block", "256", least=1, most=1 << 14, nand=True),
    Key(
        "geometry.page_size",
        "bytes",
        "data bytes of a page",
        '"4 KiB"',
        core="page_bytes",
        least=512,
        most=64 * 1024,
        nand=True,
    ),
    Key(
        "geometry.lockstep_packages",
        "count",
        "packages of a channel that are driven as one, each on a bus lane of its own",
        "2",
        least=1,
        most=2,
    ),
    Key("geometry.multiplane", "yes or no", "all planes of a die are programmed and erased together", "true"),
    Key(
        "geometry.superblock",
        "yes or no",
        "one block of every die is filled, collected and erased together; otherwise each die works for itself",
        "false",
        default=False,
    ),
    Key(
        "timing.read_latency",
        "time",
        "page read, flash cells to page register (tR)",
        '"50 us"',
        core="read_latency_ns",
        least=1,
        most=LONGEST_NS,
        nand=True,
    ),
    Key(
        "timing.program_latency",
        "time",
        "page program (tPROG); a list is gone through page by page, as with lower and upper pages",
        '"900 us"',
        core="program_latencies_ns",
        least=1,
        most=LONGEST_NS,
        many=True,
        nand=True,
    ),
    Key(
        "timing.erase_latency",
        "time",
        "block erase (tBERS)",
        '"2 ms"',
        core="erase_latency_ns",
        least=1,
        most=LONGEST_NS,
        nand=True,
    ),
    Key(
        "timing.bus_rate",
        "rate",
        "flash bus, per lane",
        '"40 MB/s"',
        core="bus_bytes_per_second",
        least=1000,
        most=10**12,
        nand=True,
    ),
    Key(
        "timing.rated_pe_cycles",
        "cycles",
        "program/erase cycles a block is rated for",
        '"5000 cycles"',
        least=1,
        most=10**9,
        nand=True,
    ),
    Key("bit_errors.fresh_ratio", "ratio", "wrong bits per bit read on unworn flash", "1.7e-8", most=0.5, nand=True),
    Key(
        "bit_errors.wear_coefficient",
        "number",
        "a in: wrong bits per bit = fresh_ratio + a x (erase count) ^ wear_exponent",
        "1.8e-12",
        most=1,
        nand=True,
    ),
    Key("bit_errors.wear_exponent", "number", "the exponent in it", "1.5", nand=True, most=10),
    Key("capacity.user_size", "bytes", "bytes the host can address", '"32017047552 B"', core="user_bytes", least=512),
    Key(
        "capacity.initial_bad_block_count",
        "count",
        "blocks bad from the factory, counted in blocks as the controller groups them (pairs, planes, superblocks)",
        "18",
    ),
    Key(
        "capacity.reserved_block_count",
        "count",
        "blocks, grouped likewise, that never hold host data (firmware, map, parity)",
        "32",
    ),
    Key("link.rate", "rate", "host link, payload", '"300 MB/s"', core="bytes_per_second", least=1000, most=10**12),
    Key(
        "link.command_cost",
        "time",
        "time a request takes besides its data: host, link, controller",
        '"20 us"',
        core="command_cost_ns",
        least=1,
        most=LONGEST_NS,
    ),
    Key(
        "link.queue_depth",
        "count",
        "requests the drive holds at once (1 = no command queuing)",
        "32",
        least=1,
        most=65536,
    ),
    Key("buffer.size", "bytes", 'write buffer; "0 B" = none', '"32 MiB"', core="bytes", most=2**40),
    Key(
        "buffer.acknowledge",
        "choice",
        "a write is answered when it is in the buffer, or when it is programmed",
        '"buffered"',
        choices=("buffered", "programmed"),
    ),
    Key(
        "buffer.sub_unit_writes",
        "choice",
        "writes that cover part of a mapping unit wait in the buffer, or go through to flash at once",
        '"through"',
        choices=("buffered", "through"),
    ),
    Key(
        "buffer.idle_flush",
        "time",
        "idle time after which the buffer is written out",
        '"1 s"',
        core="idle_flush_ns",
        least=1,
        most=LONGEST_NS,
    ),
    Key(
        "mapping.unit",
        "bytes",
        "what the map moves as one; a smaller write is read, changed and written back",
        '"4 KiB"',
        core="unit_bytes",
        least=512,
        most=64 * 1024,
    ),
    Key(
        "gc.policy",
        "choice",
        "which block is collected: fewest valid pages, oldest, fewest of some picked at random, any",
        '"greedy"',
        choices=("greedy", "fifo", "d-choices", "random"),
    ),
    Key(
        "gc.choices",
        "count",
        'blocks picked at random to choose from, with "d-choices"',
        "10",
        least=1,
        most=1024,
        default=10,
    ),
    Key("gc.low_water_blocks", "count", "free blocks per pool at which collection starts", "4", least=1, most=1 << 16),
    Key("gc.high_water_blocks", "count", "free blocks per pool at which it stops", "5", least=1, most=1 << 16),
    Key(
        "gc.pacing",
        "choice",
        "the work of a collection is done at once, or spread over the host pages it made room for",
        '"spread"',
        choices=("blocking", "spread"),
        default="blocking",
    ),
    Key(
        "smart.layout",
        "choice",
        "controller family whose SMART attributes the drive shows",
        '"indilinx"',
        choices=("indilinx", "micron", "sandforce"),
    ),
)

BY_NAME = {key.name: key for key in KEYS}
SECTIONS = tuple(dict.fromkeys(key.name.split(".")[0] for key in KEYS if "." in key.name))


def accepted_text(key: Key) -> str:
    """What a key accepts, in words, without its bounds: for messages and for the reference page."""
    match key.dimension:
        case "choice":
            return ", ".join(f'"{choice}"' for choice in key.choices)
        case "yes or no":
            return "true, false"
        case "text":
            return "text"
        case "number":
            return "a bare number"
    return f"{key.dimension}, such as {key.example}" + (" (or a list of them)" if key.many else "")


def key_table() -> str:
    """The reference table of all keys, in Markdown; docs/reference/parts.md holds exactly this."""
    lines = ["| key | meaning | accepts | in a NAND part |", "|---|---|---|---|"]
    for key in KEYS:
        bounds = f", {key.least:g} to {key.most:g}" if key.dimension in ("count", "number") and key.most < 1e6 else ""
        optional = f" (default {key.default})" if key.default is not None else ""
        nand = "yes" if key.nand else ""
        lines.append(f"| `{key.name}` | {key.meaning} | {accepted_text(key)}{bounds}{optional} | {nand} |")
    return "\n".join(lines)
