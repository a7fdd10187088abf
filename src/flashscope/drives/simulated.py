"""A virtual drive: a part, built by the Rust core, that runs jobs in virtual time.

It stores no data, only where data would lie. What is inside can be asked (`truth`, `inside`), so that what an
experiment inferred from outside can be held against it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from flashscope import _core
from flashscope.drives.drive import DriveFacts
from flashscope.drives.part import Part, load_part
from flashscope.errors import WrongUse
from flashscope.records import FIRST_STATE_OUT_OF_USE, Histogram, SmartAttribute, SmartSnapshot, Table, WorkloadResult
from flashscope.workloads.job import Job
from flashscope.workloads.jobs_json import to_json

# The attribute that holds the average erase count in the layouts that show it (crates/drive/src/smart/).
_ERASE_COUNT_ATTRIBUTE = {"indilinx": 208, "micron": 173}
_HOST_WRITTEN_ATTRIBUTE = {"indilinx": 199, "sandforce": 241}
_VISIBLE_RATIO = 0.03  # below this share of the time nobody would call it a fall


class SimulatedRun:
    """Jobs under way on a virtual drive, advanced in slices so that a person can watch and interrupt."""

    def __init__(self, core: _core.Drive, run: _core.Run) -> None:
        self._core = core
        self._run = run

    def advance(self, budget_requests: int) -> bool:
        """Go on for at most budget_requests requests; True when all jobs are done."""
        return self._run.advance(self._core, budget_requests)

    def stop(self) -> None:
        """End the jobs now; what the drive has under way is waited for, in virtual time."""
        self._run.stop(self._core)

    def progress(self) -> dict[str, int]:
        """What is done so far: requests, bytes_done, elapsed_ns (virtual)."""
        requests, bytes_done, elapsed_ns = self._run.progress()
        return {"requests": requests, "bytes_done": bytes_done, "elapsed_ns": elapsed_ns}

    def result(self) -> WorkloadResult:
        """What was measured, also when the jobs were not finished."""
        duration_ns, columns, latencies, totals = self._run.result()
        series = {name: (_unit_of(name), values) for name, values in columns.items()}
        latency = {
            kind: Histogram(dict(zip(buckets.tolist(), counts.tolist(), strict=True)), sum_ns, min_ns, max_ns)
            for kind, (buckets, counts, sum_ns, min_ns, max_ns) in latencies.items()
        }
        return WorkloadResult(duration_ns, Table.of(**series), latency, totals)


class SimulatedDrive:
    """A virtual drive. Same part, seed and steps: same numbers, always.

    facts: as for every drive; the seed and the part's name stand in facts.extra.
    core: the Rust drive, for what has no verb here.
    """

    def __init__(self, part: Part, *, seed: int, address: str) -> None:
        self.part = part
        self.seed = seed
        self._traffic: list[tuple[int, int]] = []  # (host, flash) bytes written, at each reading of SMART
        self._configuration: dict[str, Any] = json.loads(part.to_core_json())
        try:
            self.core = _core.Drive(part.to_core_json(), seed)
        except _core.ConfigRefused as refused:
            raise _refusal(part, *refused.args) from None
        self.facts = DriveFacts(
            address=address,
            kind="virtual",
            model=self._configuration["model"],
            firmware=self._configuration["firmware"],
            serial=f"{part.name}-seed-{seed}",
            user_bytes=self.core.user_bytes,
            sector_bytes=self.core.sector_bytes,
            raw_bytes=self.core.raw_bytes,
            rated_pe_cycles=self._configuration["timing"]["rated_pe_cycles"],
            can_trim=True,
            can_secure_erase=True,
            has_smart=True,
            extra={"part": part.name, "seed": seed},
        )

    @classmethod
    def open(cls, target: str, seed: int) -> SimulatedDrive:
        """Build the drive of a shipped part ("onyx-32") or of a part file ("./mine.toml").

        Raises WrongUse when there is no such part or it contradicts itself.
        """
        return cls(load_part(target), seed=seed, address=f"sim:{target}")

    def close(self) -> None:
        """Nothing to let go of: the drive is memory."""

    @property
    def now_ns(self) -> int:
        """Virtual time since the drive was built [ns]."""
        return self.core.now_ns

    def start(self, jobs: Sequence[Job], sample_interval_ns: int) -> SimulatedRun:
        """Prepare jobs. Raises WrongUse when one does not fit the drive."""
        try:
            return SimulatedRun(self.core, self.core.start(to_json(jobs), sample_interval_ns))
        except _core.JobRefused as refused:
            raise WrongUse(
                f"{self.facts.address}: {refused.args[0]}",
                accepted=f"requests on sectors of {self.facts.sector_bytes} B inside {self.facts.user_bytes} B",
                advice="change the job's offset, size or bs",
            ) from None

    def idle(self, duration_ns: int) -> None:
        """Let virtual time pass."""
        self.core.idle(duration_ns)

    def trim(self, offset_bytes: int, length_bytes: int) -> None:
        """Tell the drive that a range holds no data any more."""
        self.core.trim(offset_bytes, length_bytes)

    def secure_erase(self) -> None:
        """Bring the drive back to its first state; wear stays."""
        self.core.secure_erase()

    def read_smart(self, elapsed_ns: int) -> SmartSnapshot:
        """All attributes, in the bytes of the family the drive stands for."""
        counts = self.core.counters()
        self._traffic.append((counts["host_written_bytes"], counts["nand_written_bytes"]))
        return SmartSnapshot(
            elapsed_ns=elapsed_ns,
            source="virtual drive",
            model=self.facts.model,
            firmware=self.facts.firmware,
            user_bytes=self.facts.user_bytes,
            attributes=tuple(SmartAttribute(*entry) for entry in self.core.smart_attributes()),
        )

    def counters(self) -> dict[str, int]:
        """Everything counted inside since the drive was built, name -> value."""
        return self.core.counters()

    def truth(self) -> dict[str, Any]:
        """What is inside, under the keys of the findings that infer it.

        erase_step_host_bytes: all blocks in use written once, so their average erase count rises by one; None when
        the drive's family shows no erase count.
        write_amplification_random: flash bytes per host byte while the last quarter of the capacity was written,
        between two readings of SMART; left out when there were none.
        rate_fall: host bytes after which a fresh drive has no erased block left above its low water mark; None
        while collection takes so little of the banks' time that nothing can be seen from outside.
        """
        gc = self._configuration["gc"]
        layout = self._configuration["smart"]["layout"]
        inside = self.core.inside()
        blocks_in_use = int(np.count_nonzero(inside["block_states"] < FIRST_STATE_OUT_OF_USE))
        block_bytes = self.part.geometry.programmed_block_bytes
        first_collection_bytes = (
            blocks_in_use - gc["low_water_blocks"] * len(inside["pool_free_blocks"])
        ) * block_bytes
        falls = self._collection_time_ratio() > _VISIBLE_RATIO
        truth: dict[str, Any] = {
            "mapping_unit_bytes": self._configuration["mapping"]["unit_bytes"],
            "erase_count_attribute": _ERASE_COUNT_ATTRIBUTE.get(layout),
            "host_written_attribute": _HOST_WRITTEN_ATTRIBUTE.get(layout),
            "erase_step_host_bytes": blocks_in_use * block_bytes if layout in _ERASE_COUNT_ATTRIBUTE else None,
            "rate_fall": first_collection_bytes if falls else None,
        }
        amplification = self._late_write_amplification()
        return truth if amplification is None else truth | {"write_amplification_random": amplification}

    def _late_write_amplification(self) -> float | None:
        last_host, last_flash = self._traffic[-1] if self._traffic else (0, 0)
        begin = last_host - self.facts.user_bytes // 4
        earlier = [(host, flash) for host, flash in self._traffic if 0 < host <= begin]
        if not earlier:
            return None
        host, flash = earlier[-1]
        return (last_flash - flash) / (last_host - host)

    def _collection_time_ratio(self) -> float:
        """Share of the banks' working time that collection took since the drive was built [ratio]."""
        timing, counts = self._configuration["timing"], self.core.counters()
        lanes = self._configuration["geometry"]["lockstep_packages"]
        transfer_ns = self.part.geometry.programmed_page_bytes * 10**9 / (timing["bus_bytes_per_second"] * lanes)
        program_ns = float(np.mean(timing["program_latencies_ns"]))
        erase_ns = timing["erase_latency_ns"] * self.part.geometry.erase_blocks_per_programmed_block
        collection_ns = float(
            counts["gc_read_pages"] * timing["read_latency_ns"]
            + counts["gc_programmed_pages"] * (2 * transfer_ns + program_ns)
            + counts["erased_blocks"] * erase_ns
        )
        host_ns = counts["host_programmed_pages"] * (transfer_ns + program_ns)
        return float(collection_ns / max(collection_ns + host_ns, 1.0))

    def inside(self) -> Table:
        """One row per erase block: valid_slots, erase_count, state."""
        inside = self.core.inside()
        return Table.of(
            valid_slots=("count", inside["block_valid_slots"]),
            erase_count=("cycles", inside["block_erase_counts"]),
            state=("count", inside["block_states"]),
        )

    def resolved_part(self) -> dict[str, Any]:
        """The whole configuration in base units, for the record."""
        return self._configuration


def _unit_of(name: str) -> str:
    """The unit of a series column, which its name ends with."""
    return name.rsplit("_", 1)[1]


def _refusal(part: Part, key: str, found: str, accepted: str) -> WrongUse:
    return WrongUse(
        f"{part.name}: {key} is {found}", accepted=accepted, advice=f"change {key}, or the values it depends on"
    )
