"""Drives made up for the learner: what every attribute means is planted, at random, and kept beside the series.

Nothing here is taken from the learner but the shape of its input. Units, places, packings, write amplification, the
pace of writing and the noise all come from the seed.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from flashscope.smart.learning.observation import Moment, Observation, Series, Yardstick

UNIT_BYTES = (512, 4096, 8192, 16384, 512_000, 1 << 20, 16 << 20, 32 << 20, 64 << 20, 128 << 20, 10**9, 1 << 30)
COMMON_UNIT_BYTES = (512, 512, 32 << 20, 32 << 20, 1 << 30, 1 << 30, 16384, 10**9)
HOST_PLACES, ERASE_PLACES, NAND_PLACES = (241, 225, 246), (173, 177, 167, 208, 164), (249, 243, 233, 245)

Row = tuple[float, float, float, float, float]
"""Hours, host bytes, flash bytes, bytes read, cycles."""


@dataclass(frozen=True)
class Planted:
    """A series and the truth: where erases and host bytes are (None: nowhere), and the unit of the latter [bytes]."""

    series: Series
    erase_id: int | None
    host_id: int | None
    host_unit_bytes: int
    fills: float


def planted(seed: int, *, yardstick: bool, little: bool = False, odd_units: bool = True) -> Planted:
    """A drive. yardstick: Device Statistics beside. little: next to nothing is written between the readings."""
    rng = random.Random(seed)
    user = rng.choice((32, 64, 120, 128, 240, 256, 480, 512, 960, 1000, 1920, 4000)) * 10**9
    count = rng.randint(4, 14)
    amplification = math.exp(rng.gauss(math.log(1.6), 0.45))
    fills = rng.uniform(0.01, 0.4) if little else math.exp(rng.uniform(math.log(8), math.log(300)))
    before = math.exp(rng.uniform(math.log(1), math.log(300)))
    parts = [rng.expovariate(1) * (rng.random() > 0.15) for _ in range(count - 1)]
    parts = [part / (sum(parts) or 1) for part in parts]
    waits = [rng.uniform(20, 2000) for _ in parts]
    hours, host, nand, reads, cycles = rng.uniform(200, 8000), before * user, 0.0, 0.0, rng.randint(5, 3000)
    nand, reads = host * amplification * rng.uniform(0.8, 1.3), host * math.exp(rng.gauss(0, 1))
    flash = user * rng.uniform(1.02, 1.28)
    rows = [(hours, host, nand, reads, float(cycles))]
    for part, wait in zip(parts, waits, strict=True):
        hours += wait
        host += part * fills * user
        nand += part * fills * user * amplification * math.exp(rng.gauss(0, 0.25))
        reads += rng.expovariate(1) * fills * user / count
        cycles += rng.randint(0, 40)
        rows.append((hours, host, nand, reads, float(cycles)))
    return _drive(rng, rows, user, flash, yardstick, odd_units, fills)


def _drive(
    rng: random.Random,
    rows: list[Row],
    user: int,
    flash: float,
    yardstick: bool,
    odd_units: bool,
    fills: float,
) -> Planted:
    used = {9, 12, 194}

    def place(usual: tuple[int, ...]) -> int:
        choice = rng.choice(usual) if rng.random() < 0.6 else rng.randint(13, 254)
        while choice in used:
            choice = rng.randint(13, 254)
        used.add(choice)
        return choice

    columns: dict[int, list[int]] = {9: [int(row[0]) for row in rows], 12: [int(row[4]) for row in rows]}
    columns[194] = [rng.randint(22, 48) for _ in rows]
    unit = rng.choice(UNIT_BYTES if odd_units and rng.random() < 0.4 else COMMON_UNIT_BYTES)
    host_id = place(HOST_PLACES) if rng.random() < 0.85 else None
    if host_id is not None:
        columns[host_id] = [int(row[1] / unit) for row in rows]
        if rng.random() < 0.7:
            columns[place((242,))] = [int(row[3] / unit) for row in rows]
    if rng.random() < 0.5:
        nand_unit = unit if rng.random() < 0.5 else rng.choice(COMMON_UNIT_BYTES)
        columns[place(NAND_PLACES)] = [int(row[2] / nand_unit) for row in rows]
    erases = [int(row[2] / flash) for row in rows]
    erase_id = place(ERASE_PLACES) if rng.random() < 0.8 else None
    wide = rng.random() < 0.1
    if erase_id is not None:
        packing = rng.choice(("plain", "plain", "words", "halves"))
        most = [int(one * 1.3) + 7 for one in erases]
        least = [int(one * 0.8) for one in erases]
        if packing == "words" and not wide and max(most) < 1 << 16:
            columns[erase_id] = [
                (high << 32) | (low << 16) | one for high, low, one in zip(most, least, erases, strict=True)
            ]
        elif packing == "halves" and not wide:
            columns[erase_id] = [(high << 24) | one for high, one in zip(most, erases, strict=True)]
        else:
            columns[erase_id] = erases
        if rng.random() < 0.5:
            rated = rng.choice((1000, 1500, 3000, 5000, 10_000))
            columns[place((202, 169, 231))] = [min(100, 100 * one // rated) for one in erases]
    _noise(rng, rows, columns, place)
    observations = []
    for time in range(len(rows)):
        for id, column in sorted(columns.items()):
            number = column[time]
            value, worst = (100, 100)
            if wide:
                number, worst, value = number >> 16, (number >> 8) & 0xFF, number & 0xFF
            numbers = (("raw-48", number), ("value", value), ("worst", worst), ("flags", 0 if wide else 0x32))
            observations += [Observation(time, id, name, one) for name, one in numbers]
    moments = tuple(
        Moment(row[0], None, int(row[1]) // 512 * 512 if yardstick else None, int(row[3]) if yardstick else None)
        for row in rows
    )
    known = Yardstick("sectors written by the Device Statistics") if yardstick else None
    return Planted(Series(moments, tuple(observations), user, known), erase_id, host_id, unit, fills)


def _noise(
    rng: random.Random, rows: Sequence[Row], columns: dict[int, list[int]], place: Callable[[tuple[int, ...]], int]
) -> None:
    """What else a drive counts: events with the cycles, with time, in bursts; and constants."""
    for _ in range(rng.randint(2, 6)):
        kind = rng.choice(("cycles", "time", "bursts", "constant", "state", "minutes"))
        start, pace = rng.randint(0, 500), math.exp(rng.uniform(-4, 3))
        if kind == "cycles":
            column = [start + int(row[4] * min(pace, 1)) for row in rows]
        elif kind == "time":
            column = [start + int(row[0] * pace / 20) for row in rows]
        elif kind == "minutes":
            column = [int(row[0] * 60) for row in rows]
        elif kind == "state":
            column = [rng.randint(5, 90) for _ in rows]
        elif kind == "constant":
            column = [rng.choice((0, 0, start, 3000, 5000))] * len(rows)
        else:
            column, now = [], start
            for _ in rows:
                now += int(rng.expovariate(1) * 30 * pace) * (rng.random() < 0.3)
                column.append(now)
        columns[place((5, 187, 199, 174, 192, 196))] = column
