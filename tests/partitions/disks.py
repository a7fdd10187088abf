"""Disks drawn at random: a table by a real program, starts as old and new programs choose them, real contents.

draw(seed) -> Drawn: the table's kind, its sector, and for each partition start, size, number and contents
"""

from __future__ import annotations

import json
import os
import random
from dataclasses import dataclass
from pathlib import Path

from .made import MIB, Made, missing, tool

_STARTS = (34, 63, 64, 65, 128, 2047, 2048, 2049, 2056, 4096)
_GAPS = (0, 1, 7, 8, 33, 62, 63, 64, 2048)
_FIRST = {"mbr": 1, "gpt": 34}  # the first sector of 512 B that a partition may take
_FIRST_OF_FDISK = 256  # it takes no earlier sector of 4096 B
TOOLS = ("sfdisk", "sgdisk", "fdisk", "parted")


@dataclass(frozen=True)
class DrawnPartition:
    """start, size: sectors of the disk. contents: index into the pool; None for none."""

    number: int
    start: int
    size: int
    contents: int | None
    logical: bool = False


@dataclass(frozen=True)
class Drawn:
    """A disk as it was drawn."""

    seed: int
    table: str
    sector_bytes: int
    program: str
    partitions: tuple[DrawnPartition, ...]


def draw(seed: int, pool: list[tuple[Path, Made]]) -> Drawn:
    """A disk of one to five partitions. pool: what may stand in them."""
    rng = random.Random(seed)
    table, sector, program = rng.choice(
        (
            ("mbr", 512, "sfdisk"),
            ("mbr", 512, "sfdisk"),
            ("gpt", 512, "sfdisk"),
            ("gpt", 512, "sgdisk"),
            ("mbr", 512, "parted"),
            ("gpt", 512, "parted"),
            ("gpt", 4096, "fdisk"),
            ("mbr", 4096, "fdisk"),
        )
    )
    # 512 B sectors inside: what its tool made in a plain file does not fit a device of 4 KiB sectors, except these
    fitting = [index for index, (_, made) in enumerate(pool) if sector == 512 or made.kind in ("ext4", "btrfs", "luks")]
    here = max(rng.choice(_STARTS), _FIRST[table] if sector == 512 else _FIRST_OF_FDISK)
    count = rng.randint(1, 5)
    logical_from = rng.randint(1, 3) if table == "mbr" and sector == 512 and count > 1 else 99
    partitions: list[DrawnPartition] = []
    for index in range(count if sector == 512 or table == "gpt" else min(count, 3)):
        logical = index >= logical_from
        number = index + 1 if not logical else 5 + index - logical_from
        contents = rng.choice([*fitting, *fitting, None]) if fitting else None
        size_bytes = pool[contents][0].stat().st_size if contents is not None else rng.randint(1, 5) * MIB
        size = -(-size_bytes // sector) + rng.choice((0, 1, 63, 2048))
        here += rng.choice((1, 2, 63, 64, 2048)) if logical else 0
        if index == logical_from:
            here += 1
        partitions.append(DrawnPartition(number, here, size, contents, logical))
        here += size + rng.choice(_GAPS)
    return Drawn(seed, table, sector, program, tuple(partitions))


def build(drawn: Drawn, pool: list[tuple[Path, Made]], path: Path) -> None:
    """Make the disk: the table by its program, then the contents copied into their places."""
    last = drawn.partitions[-1]
    with path.open("wb") as disk:
        disk.truncate((last.start + last.size + 5000) * drawn.sector_bytes)
    {"sfdisk": _by_sfdisk, "sgdisk": _by_sgdisk, "fdisk": _by_fdisk, "parted": _by_parted}[drawn.program](drawn, path)
    for each in drawn.partitions:
        if each.contents is not None:
            copy_sparse(pool[each.contents][0], path, each.start * drawn.sector_bytes)


def sfdisk_says(path: Path) -> list[tuple[int, int]]:
    """(start, size) of every partition but the extended one, in sectors, as sfdisk reads the table."""
    table = json.loads(tool("sfdisk", "--json", path))["partitiontable"]
    return [(each["start"], each["size"]) for each in table["partitions"] if each["type"] not in ("5", "f", "85")]


def copy_sparse(source: Path, target: Path, at_bytes: int) -> None:
    """Copy what is not a hole of one file to a place in another."""
    with source.open("rb") as reading, target.open("r+b") as writing:
        size, here = source.stat().st_size, 0
        while here < size:
            try:
                start = os.lseek(reading.fileno(), here, os.SEEK_DATA)
            except OSError:  # only a hole is left
                return
            end = os.lseek(reading.fileno(), start, os.SEEK_HOLE)
            while start < end:
                piece = os.pread(reading.fileno(), min(end - start, 4 * MIB), start)
                os.pwrite(writing.fileno(), piece, at_bytes + start)
                start += len(piece)
            here = end


def _by_sfdisk(drawn: Drawn, path: Path) -> None:
    lines = ["label: dos"] if drawn.table == "mbr" else ["label: gpt", "first-lba: 34"]
    extended = False
    for each in drawn.partitions:
        if each.logical and not extended:
            last = drawn.partitions[-1]
            begin = each.start - 1
            lines.append(f"{each.number - 5 + 1 + _primaries(drawn)} : start={begin}, "
                         f"size={last.start + last.size - begin}, type=5")  # fmt: skip
            extended = True
        lines.append(f"{each.number} : start={each.start}, size={each.size}")
    tool("sfdisk", "-q", "--no-reread", "--no-tell-kernel", path, stdin="\n".join(lines) + "\n")


def _primaries(drawn: Drawn) -> int:
    return sum(not each.logical for each in drawn.partitions)


def _by_sgdisk(drawn: Drawn, path: Path) -> None:
    words: list[str] = ["--clear", "--set-alignment=1"]
    for each in drawn.partitions:
        words += [f"--new={each.number}:{each.start}:{each.start + each.size - 1}", f"--change-name={each.number}:part"]
    tool("sgdisk", *words, path)


def _by_parted(drawn: Drawn, path: Path) -> None:
    words = ["mklabel", "msdos" if drawn.table == "mbr" else "gpt"]
    last = drawn.partitions[-1]
    extended = False
    for each in drawn.partitions:
        if each.logical and not extended:
            words += ["mkpart", "extended", f"{each.start - 1}s", f"{last.start + last.size - 1}s"]
            extended = True
        kind = "part" if drawn.table == "gpt" else "logical" if each.logical else "primary"
        words += ["mkpart", kind, f"{each.start}s", f"{each.start + each.size - 1}s"]
    tool("parted", "--script", "--align", "none", path, *words)


def _by_fdisk(drawn: Drawn, path: Path) -> None:
    keys = ["g" if drawn.table == "gpt" else "o"]
    for each in drawn.partitions:
        kind = ["p"] if drawn.table == "mbr" else []
        keys += ["n", *kind, str(each.number), str(each.start), str(each.start + each.size - 1)]
    tool("fdisk", "-b", drawn.sector_bytes, "-w", "never", "-W", "never", path, stdin="\n".join([*keys, "w", ""]))


def absent() -> list[str]:
    """The programs that are missing here."""
    return missing(*TOOLS)
