"""The options of a run, resolved: kept in its journal, so that `--resume` needs only the drive."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal, Self, get_args

from flashscope import units
from flashscope.endurance.real.traffic import PATTERNS
from flashscope.errors import WrongUse

Verify = Literal["full", "sampled", "none"]
VERIFY: tuple[Verify, ...] = get_args(Verify)
JOBS = "jobs"
"""The workload that a fio job file stands for."""

_UNTIL_ACCEPTED = 'death, rating, cycles such as "3000 cycles", an amount such as "100 TB"'
BLOCKS = (4096, 8192, 16384, 32768, 65536)
"""Possible sizes of a stamped block [bytes]."""


@dataclass(frozen=True)
class WearSettings:
    """workloads: patterns, or `JOBS`; one for each stretch between checkpoints, in turn.

    budget_bytes: written at most, everything included. until: "death", "rating", or erase_count is set.
    static_ratio: share written once [0..0.9]. compressible_ratio: of each block [0..0.95].
    checkpoint_bytes, checkpoint_ns, checkpoint_cycles: the distance of checkpoints; all but one are 0.
    hold_days: off power at the end, 0 for none. temperature_above_celsius: stop there, 0 for never.
    rated_written_bytes: the maker's promise, 0 when unknown. figures: measure performance at checkpoints.
    jobs_text, jobs_name: of the fio job file.
    """

    workloads: tuple[str, ...]
    budget_bytes: int
    until: str = "death"
    erase_count: int = 0
    static_ratio: float = 0.0
    compressible_ratio: float = 0.0
    block_bytes: int = 4096
    checkpoint_bytes: int = 0
    checkpoint_ns: int = 0
    checkpoint_cycles: int = 0
    verify: Verify = "sampled"
    hold_days: float = 0.0
    temperature_above_celsius: float = 0.0
    rated_written_bytes: int = 0
    figures: bool = True
    seed: int = 0
    jobs_text: str = ""
    jobs_name: str = ""

    def to_json(self) -> dict[str, Any]:
        """Plain data for the journal and the record."""
        return asdict(self) | {"workloads": list(self.workloads)}

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Self:
        """The reverse of `to_json`."""
        return cls(**(values | {"workloads": tuple(values["workloads"])}))


def parse_workloads(text: str) -> tuple[str, ...]:
    """Patterns separated by commas, or one path that ends in .fio (which gives `JOBS`). Raises WrongUse."""
    if text.endswith(".fio"):
        return (JOBS,)
    chosen = tuple(part.strip() for part in text.split(","))
    for one in chosen:
        if one not in PATTERNS:
            raise WrongUse(
                f'--workload is "{text}"',
                accepted=f"{', '.join(PATTERNS)}, several of them separated by commas, or a job file such as my.fio",
            )
    return chosen


def parse_until(text: str) -> tuple[str, int, int]:
    """(until, erase count, bytes) of `--until`. Raises WrongUse when it is none of the kinds, or nothing."""
    plain = text.strip().lower()
    if plain in ("death", "rating"):
        return plain, 0, 0
    for dimension in ("cycles", "bytes"):
        try:
            value = int(units.parse(text, dimension, key="--until"))
        except WrongUse:
            continue
        if value <= 0:
            raise WrongUse(f"--until {text} would write nothing", accepted=_UNTIL_ACCEPTED)
        return ("cycles", value, 0) if dimension == "cycles" else ("death", 0, value)
    raise WrongUse(f'--until is "{text}"', accepted=_UNTIL_ACCEPTED, advice="give a number with its unit")


def parse_budget(text: str) -> int:
    """`--budget` in bytes. Raises WrongUse when it is no amount, or zero."""
    value = int(units.parse(text, "bytes", key="--budget"))
    if value <= 0:
        raise WrongUse(
            f"--budget {text} leaves nothing to be written",
            accepted='an amount above zero, such as "10 TB"',
            advice="`flashscope examine` measures a drive without wearing it out",
        )
    return value


def parse_distance(text: str) -> dict[str, int]:
    """`--checkpoint-every` as the one setting it stands for. Raises WrongUse."""
    for dimension, setting in (
        ("bytes", "checkpoint_bytes"), ("time", "checkpoint_ns"), ("cycles", "checkpoint_cycles"),
    ):  # fmt: skip
        try:
            value = int(units.parse(text, dimension, key="--checkpoint-every"))
        except WrongUse:
            continue
        if value > 0:
            return {setting: value}
    raise WrongUse(
        f'--checkpoint-every is "{text}"',
        accepted='an amount such as "500 GB", a time such as "6 h", or erase counts such as "100 cycles"',
    )


def check_block(block_bytes: int, sector_bytes: int) -> None:
    """Raises WrongUse when a block is not of the sizes that are stamped, or smaller than the drive's sectors."""
    if block_bytes not in BLOCKS or block_bytes % sector_bytes:
        raise WrongUse(
            f"--block is {block_bytes} B, and the drive's sectors have {sector_bytes} B",
            accepted=", ".join(f"{size >> 10}KiB" for size in BLOCKS if size % sector_bytes == 0),
        )
