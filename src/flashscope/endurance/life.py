"""One virtual drive, from new to its end or the goal, with checkpoints at equal distances in cycles.

    wear ... [checkpoint: counters, blocks, RBER by reading] ... wear ... [checkpoint] ... end

The core simulates writes where something happens and skips them elsewhere (docs/reference/wear-forward.md). A
checkpoint reads a sample of the data at random places to count wrong bits; SMART counts these reads like any others.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from flashscope import _core
from flashscope.endurance.goal import Goal
from flashscope.endurance.load import WearLoad
from flashscope.errors import DriveFailed, WrongUse
from flashscope.laws.distributions import poisson_interval
from flashscope.laws.uncorrectable_errors import code_bits
from flashscope.records import FIRST_STATE_OUT_OF_USE
from flashscope.vocabulary import GROWN_BAD_BLOCK_STATES, BlockState, WearPause
from flashscope.workloads.job import BlockSizes, Job
from flashscope.workloads.jobs_json import to_json

FAILURES: tuple[WearPause, ...] = ("read-only", "dead", "no-free-block")
"""How a drive ends; a life may also end earlier, when the goal is reached."""

_BUDGET_REQUESTS = 5_000
_READ_BLOCK_BYTES = 128 << 10
_CONFIDENCE = 0.95


@dataclass(frozen=True)
class Checkpoint:
    """The state at one moment. Counts since the drive was new; erase counts of the blocks in use.

    rber, rber_low, rber_high: wrong bits per bit read in this checkpoint's sample, with Poisson's 95 % interval; None
    when nothing could be read. spare_left: blocks that may still fail; None when the part states no such limit.
    """

    elapsed_ns: int
    host_written_bytes: int
    nand_written_bytes: int
    erase_count_min: int
    erase_count_mean: float
    erase_count_max: int
    program_failed_blocks: int
    erase_failed_blocks: int
    read_failed_blocks: int
    spare_left: int | None
    rber: float | None
    rber_low: float | None
    rber_high: float | None
    error_bits: int
    read_bits: int
    unreadable_reads: int

    @property
    def bad_blocks(self) -> int:
        """Blocks that went bad in use, from any cause."""
        return self.program_failed_blocks + self.erase_failed_blocks + self.read_failed_blocks

    def to_json(self) -> dict[str, Any]:
        """For a record."""
        return asdict(self)


@dataclass
class Life:
    """A life. end: one of `FAILURES`, or "reached".

    skipped_bytes: those of the host's bytes that were not simulated one by one.
    retired_blocks: in the order in which they went bad.
    """

    checkpoints: list[Checkpoint] = field(default_factory=list)
    end: str = ""
    skipped_bytes: int = 0
    skips: int = 0
    retired_blocks: list[int] = field(default_factory=list)

    @property
    def failed(self) -> bool:
        """True when the drive ended, not the run."""
        return self.end in FAILURES


OnCheckpoint = Callable[[Checkpoint], None]
OnProgress = Callable[[int, float], None]
"""Called with the bytes the host has written and the average erase count."""


@dataclass(frozen=True)
class Conditions:
    """How a drive is worn. read_bytes: sample read at each checkpoint. skips: False writes every byte (slow)."""

    load: WearLoad
    goal: Goal
    checkpoint_cycles: int
    read_bytes: int = 256 << 20
    skips: bool = True


def live(
    core: _core.Drive,
    configuration: dict[str, Any],
    conditions: Conditions,
    *,
    seed: int,
    on_checkpoint: OnCheckpoint = lambda _: None,
    on_progress: OnProgress = lambda *_: None,
) -> Life:
    """Wear a new drive until the goal or its end. The same arguments and seed give the same life.

    configuration: what the core was built from. Raises WrongUse when the drive cannot be worn so. Exceptions of
    the callbacks pass through, and the drive is then idle.
    """
    life = Life()
    goal = conditions.goal
    if configuration.get("endurance") is None and goal.is_death:
        raise WrongUse(
            "the blocks of this part never wear out: it has no [endurance]",
            accepted="a part with [endurance], or --until with cycles or bytes",
        )
    try:
        wear = _core.Wear(core, conditions.load.to_json(), seed, conditions.skips)
    except (_core.ConfigRefused, ValueError) as refused:
        raise _refusal(refused) from None
    number = 1
    while not life.end:
        step_cycles = float(number * conditions.checkpoint_cycles)
        until_cycles = step_cycles if goal.erase_count is None else min(step_cycles, float(goal.erase_count))
        said: WearPause = "working"
        while said == "working":
            try:
                said = wear.advance(core, goal.host_written_bytes or -1, until_cycles, _BUDGET_REQUESTS)
            except _core.OutOfTime as over:
                raise DriveFailed(
                    f"the drive outlives virtual time: {over.args[0]}", advice="ask for fewer cycles or bytes"
                ) from None
            on_progress(core.counters()["host_written_bytes"], _mean_erase_count(core))
        life.skipped_bytes, life.skips = wear.skipped()
        life.retired_blocks = core.worn()["retired_blocks"].tolist()
        checkpoint = look(core, configuration, conditions.read_bytes, number)
        life.checkpoints.append(checkpoint)
        if said != "reached":
            life.end = said
        elif _is_reached(goal, checkpoint):
            life.end = "reached"
        on_checkpoint(checkpoint)
        number += 1
    return life


def _is_reached(goal: Goal, checkpoint: Checkpoint) -> bool:
    by_cycles = goal.erase_count is not None and checkpoint.erase_count_mean >= goal.erase_count - 1e-9
    by_bytes = goal.host_written_bytes is not None and checkpoint.host_written_bytes >= goal.host_written_bytes
    return by_cycles or by_bytes


def look(core: _core.Drive, configuration: dict[str, Any], read_bytes: int, number: int) -> Checkpoint:
    """Read a sample and note the state of an idle drive."""
    counted = core.counters()
    errors, read = _read_sample(core, read_bytes, number)
    unreadable = core.counters()["unreadable_reads"] - counted["unreadable_reads"]
    ecc = configuration.get("ecc")
    # Wrong bits are counted in whole codewords, check bits included.
    words = code_bits(ecc["codeword_bytes"], ecc["correctable_bits"]) / (8 * ecc["codeword_bytes"]) if ecc else 1.0
    bits = round(8 * read * words)
    worn = core.worn()
    usable = worn["erase_counts"][worn["states"] < FIRST_STATE_OUT_OF_USE]
    states = worn["states"]
    failed = {cause: int(np.count_nonzero(states == cause)) for cause in GROWN_BAD_BLOCK_STATES}
    spare = configuration["capacity"].get("spare_block_count")
    fewest, most = poisson_interval(errors, confidence_ratio=_CONFIDENCE)
    return Checkpoint(
        elapsed_ns=core.now_ns,
        host_written_bytes=counted["host_written_bytes"],
        nand_written_bytes=counted["nand_written_bytes"],
        erase_count_min=int(usable.min()) if len(usable) else 0,
        erase_count_mean=float(usable.mean()) if len(usable) else 0.0,
        erase_count_max=int(usable.max()) if len(usable) else 0,
        program_failed_blocks=failed[BlockState.GROWN_BAD_PROGRAM],
        erase_failed_blocks=failed[BlockState.GROWN_BAD_ERASE],
        read_failed_blocks=failed[BlockState.GROWN_BAD_READ],
        spare_left=None if spare is None else max(0, int(spare) - sum(failed.values())),
        rber=errors / bits if bits else None,
        rber_low=fewest / bits if bits and errors else None,
        rber_high=most / bits if bits else None,
        error_bits=errors,
        read_bits=bits,
        unreadable_reads=unreadable,
    )


def _read_sample(core: _core.Drive, read_bytes: int, number: int) -> tuple[int, int]:
    """Wrong bits found, and bytes read, at random places."""
    block = min(_READ_BLOCK_BYTES, core.user_bytes // 8 // 4096 * 4096)
    amount = min(read_bytes, core.user_bytes) // block * block
    before = core.counters()
    job = Job(
        name="sample",
        direction="randread",
        read_sizes=BlockSizes(weighted=((block, 100.0),), align_bytes=block),
        size_bytes=core.user_bytes // block * block,
        io_bytes=amount,
        queue_depth=8,
        random_map=False,
        seed=number,
    )
    run = core.start(to_json([job]), 60_000_000_000)
    while not run.advance(core, _BUDGET_REQUESTS):
        pass
    after = core.counters()
    return after["error_bits"] - before["error_bits"], after["host_read_bytes"] - before["host_read_bytes"]


def _mean_erase_count(core: _core.Drive) -> float:
    worn = core.worn()
    usable = worn["erase_counts"][worn["states"] < FIRST_STATE_OUT_OF_USE]
    return float(usable.mean()) if len(usable) else 0.0


def _refusal(refused: Exception) -> WrongUse:
    if isinstance(refused, _core.ConfigRefused) and len(refused.args) == 3:
        key, found, accepted = refused.args
        return WrongUse(f"the {key} is {found}", accepted=str(accepted))
    return WrongUse(str(refused), accepted="a solid-state drive")
