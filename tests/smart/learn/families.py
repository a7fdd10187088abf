"""Lives of virtual drives, laid out as families of real drives keep their numbers: a series, and what each number is.

A family says for each attribute which quantity it keeps, in which unit, and which parts share its raw bytes. "unusual"
puts the same quantities at numbers drawn at random, in any unit. What a family has beside the quantities of wear
(temperatures, power losses, workload timers, 1/1024 %) is there to be told apart.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from flashscope.smart.learning.observation import Moment, Observation, Series, Yardstick
from tests.smart.learn.histories import History, Row

MIB, GIB = 1 << 20, 1 << 30
Meaning = tuple[str, float]
"""A key of the vocabulary of readings and the scale of one count; "" is a quantity that `learn` knows no key for."""

PLAIN = "raw-48"


@dataclass(frozen=True)
class LaidOut:
    """A series and the truth. meanings: (attribute, field) -> what it counts; one that is not there means nothing."""

    series: Series
    meanings: Mapping[tuple[int, str], Meaning]
    family: str
    history: History

    def is_true(self, attribute: int, field: str, key: str, scale: float) -> bool:
        """Whether a hypothesis holds. Times and temperatures hold in any field of their attribute."""
        told, size = self.meanings.get((attribute, field), ("", 0.0))
        return told == key and (size == 0 or abs(scale / size - 1) < 1e-6)


@dataclass(frozen=True)
class _Life:
    """What the attributes are computed from, besides the row: of one drive, drawn once."""

    rated: int
    blocks: int
    user_bytes: int
    first: Row


Quantity = Callable[[Row, _Life], float]


def _used_ratio(row: Row, life: _Life) -> float:
    return row.erases_mean / life.rated


QUANTITIES: dict[str, tuple[str, float, Quantity]] = {
    "hours": ("power_on_time_hours", 1, lambda row, _: row.hours),
    "cycles": ("power_cycle_count", 1, lambda row, _: row.power_cycles),
    "losses": ("unexpected_power_loss_count", 1, lambda row, _: row.power_losses),
    "celsius": ("temperature_celsius", 1, lambda row, _: row.celsius),
    "host 512": ("host_written_bytes", 512, lambda row, _: row.host_bytes / 512),
    "host 32MiB": ("host_written_bytes", 32 * MIB, lambda row, _: row.host_bytes / (32 * MIB)),
    "host GiB": ("host_written_bytes", GIB, lambda row, _: row.host_bytes / GIB),
    "read 512": ("host_read_bytes", 512, lambda row, _: row.read_bytes / 512),
    "read 32MiB": ("host_read_bytes", 32 * MIB, lambda row, _: row.read_bytes / (32 * MIB)),
    "read GiB": ("host_read_bytes", GIB, lambda row, _: row.read_bytes / GIB),
    "flash 32MiB": ("nand_written_bytes", 32 * MIB, lambda row, _: row.nand_bytes / (32 * MIB)),
    "flash GiB": ("nand_written_bytes", GIB, lambda row, _: row.nand_bytes / GIB),
    "flash 16KiB": ("nand_written_bytes", 16384, lambda row, _: row.nand_bytes / 16384),
    "host pages": ("host_written_bytes", 16384, lambda row, _: row.host_bytes / 16384),
    "moved pages": ("", 16384, lambda row, _: max(0.0, row.nand_bytes - row.host_bytes) / 16384),
    "average": ("erase_count_average", 1, lambda row, _: row.erases_mean),
    "least": ("erase_count_min", 1, lambda row, _: row.erases_min),
    "most": ("erase_count_max", 1, lambda row, _: row.erases_max),
    "total": ("erase_count_total", 1, lambda row, life: row.erases_mean * life.blocks),
    "rated": ("rated_pe_cycles", 1, lambda _, life: life.rated),
    "used %": ("life_used_percent", 1, lambda row, life: min(255.0, 100 * _used_ratio(row, life))),
    "left %": ("life_left_percent", 1, lambda row, life: max(0.0, 100 - int(100 * _used_ratio(row, life)))),
    "1/1024 %": ("timed_wear_percent", 1 / 1024, lambda row, life: 102_400 * _used_ratio(row, life)),
    "1/1024 % since": (
        "timed_wear_percent",
        1 / 1024,
        lambda row, life: 102_400 * (row.erases_mean - life.first.erases_mean) / life.rated,
    ),
    "minutes": ("power_on_time_hours", 1 / 60, lambda row, _: row.hours * 60),
    "read share": ("", 1, lambda row, _: 100 * row.read_bytes / (row.read_bytes + row.host_bytes)),
    "write commands": ("host_write_commands", 1, lambda row, _: row.write_commands),
    "zero": ("", 1, lambda row, _: 0),
    "spare": ("", 1, lambda row, _: 100),
}
"""Name -> the key and scale that it has in `learn`, and its number."""

Part = tuple[str, int, str]
"""Field, lowest bit, quantity."""


def _one(quantity: str) -> tuple[Part, ...]:
    return ((PLAIN, 0, quantity),)


def _words(*quantities: str) -> tuple[Part, ...]:
    return tuple((f"raw-16-word-{place}", 16 * place, quantity) for place, quantity in enumerate(quantities))


_ALL = {9: _one("hours"), 12: _one("cycles"), 5: _one("zero"), 199: _one("zero")}
FAMILIES: dict[str, dict[int, tuple[Part, ...]]] = {
    "samsung": _ALL
    | {177: _one("average"), 179: _one("zero"), 190: _one("celsius"), 235: _one("losses"), 241: _one("host 512")},
    "samsung-dc": _ALL
    | {177: _one("average"), 194: _one("celsius"), 235: _one("losses"), 241: _one("host 512")}
    | {242: _one("read 512"), 251: _one("flash 32MiB"), 243: _one("cycles")},
    "phison": _ALL
    | {192: _one("losses"), 194: _one("celsius"), 233: _one("flash GiB"), 241: _one("host GiB")}
    | {242: _one("read GiB"), 244: _one("average"), 245: _one("most"), 246: _one("total"), 231: _one("left %")},
    "silicon-motion": _ALL
    | {164: _one("total"), 165: _one("most"), 166: _one("least"), 167: _one("average"), 168: _one("rated")}
    | {169: _one("left %"), 192: _one("losses"), 194: _one("celsius"), 241: _one("host 32MiB")}
    | {242: _one("read 32MiB"), 245: _one("flash 32MiB")},
    "micron": _ALL
    | {173: _one("average"), 174: _one("losses"), 194: _one("celsius"), 202: _one("used %")}
    | {246: _one("host 512"), 247: _one("host pages"), 248: _one("moved pages")},
    "intel-dc": _ALL
    | {174: _one("losses"), 192: _one("losses"), 190: _one("celsius"), 194: _one("celsius")}
    | {225: _one("host 32MiB"), 226: _one("1/1024 % since"), 227: _one("read share"), 228: _one("minutes")}
    | {233: _one("zero"), 241: _one("host 32MiB"), 242: _one("read 32MiB"), 243: _one("flash 32MiB")},
    "intel-early": _ALL
    | {192: _one("losses"), 225: _one("host 32MiB"), 226: _one("1/1024 %"), 227: _one("read share")}
    | {228: _one("minutes"), 232: _one("spare"), 233: _one("zero")},
    "sandisk": _ALL
    | {165: _one("total"), 166: _one("least"), 168: _one("most"), 173: _one("average"), 174: _one("losses")}
    | {194: _one("celsius"), 233: _one("flash GiB"), 241: _one("host GiB"), 242: _one("read GiB")},
    "sandforce": _ALL
    | {174: _one("losses"), 194: _one("celsius"), 231: _one("left %"), 233: _one("flash GiB")}
    | {241: _one("host GiB"), 242: _one("read GiB")},
    "sk-hynix": _ALL
    | {100: _one("total"), 168: _one("least"), 169: _one("most"), 174: _one("losses"), 194: _one("celsius")}
    | {177: _one("average"), 235: _one("flash GiB"), 241: _one("host GiB"), 242: _one("read GiB")},
    "jmicron": _ALL
    | {173: _words("average", "most", "least"), 192: _one("losses"), 194: _one("celsius")}
    | {241: _one("host 512"), 242: _one("read 512")},
    "dell-intel": _ALL
    | {173: _one("average"), 174: _one("losses"), 190: _one("celsius"), 225: _one("host 32MiB")}
    | {226: _one("1/1024 %"), 245: _one("left %"), 241: _one("host 32MiB"), 242: _one("read 32MiB")},
    "toshiba": _ALL | {173: _one("left %"), 192: _one("losses"), 194: _one("celsius"), 241: _one("host 32MiB")},
}
_SHOWN_BY_VALUE = {("samsung", 177), ("samsung-dc", 177), ("intel-dc", 233), ("intel-early", 233)}
"""Attributes whose normalized value is the life left."""
UNUSUAL = "unusual"


def laid_out(history: History, seed: int, family: str, *, yardstick: bool) -> LaidOut:
    """The life as a drive of a family shows it. yardstick: with the Device Statistics beside."""
    rng = random.Random(f"{family} {seed}")
    life = _Life(
        rng.choice((600, 1000, 1500, 3000, 3000, 5000, 10_000)),
        history.block_count,
        history.user_bytes,
        history.rows[0],
    )
    columns = FAMILIES[family] if family != UNUSUAL else _unusual(rng)
    meanings: dict[tuple[int, str], Meaning] = {}
    observations = []
    for time, row in enumerate(history.rows):
        for id, parts in sorted(columns.items()):
            raw = 0
            for field, low, quantity in parts:
                key, scale, number = QUANTITIES[quantity]
                width = 16 if len(parts) == 3 else 24 if len(parts) == 2 else 48
                raw |= min(int(number(row, life)), (1 << width) - 1) << low
                meanings[id, field] = (key, scale if key.endswith(("bytes", "hours", "wear_percent")) else 1.0)
                if len(parts) > 1 and low == 0:
                    meanings.setdefault((id, PLAIN), (key, 1.0))
            value = 100
            if (family, id) in _SHOWN_BY_VALUE:
                value = max(1, 100 - int(100 * _used_ratio(row, life)))
                meanings[id, "value"] = ("life_left_percent", 1.0)
            numbers = ((PLAIN, raw), ("value", value), ("worst", value), ("flags", 0x32))
            observations += [Observation(time, id, name, one) for name, one in numbers]
    moments = tuple(
        Moment(
            int(row.hours),
            None,
            int(row.host_bytes) // 512 * 512 if yardstick else None,
            int(row.read_bytes) if yardstick else None,
        )
        for row in history.rows
    )
    known = Yardstick("sectors written by the Device Statistics") if yardstick else None
    series = Series(moments, tuple(observations), history.user_bytes, known)
    return LaidOut(series, meanings, family, history)


def _unusual(rng: random.Random) -> dict[int, tuple[Part, ...]]:
    """Quantities drawn at random, at numbers drawn at random."""
    always = ("losses", "celsius")
    drawn = [one for one in QUANTITIES if one not in ("hours", "cycles", *always) and rng.random() < 0.35]
    free = list(range(13, 255))
    rng.shuffle(free)
    columns = {9: _one("hours"), 12: _one("cycles")}
    hosts = [one for one in drawn if one.startswith("host")]
    drawn = [one for one in drawn if one not in hosts[1:]]
    for quantity in (*always, *drawn):
        columns[free.pop()] = _one(quantity)
    return columns
