"""A virtual drive built from a part.

Its inside can be read (`truth`, `inside`), so that what an experiment inferred from outside can be compared with it.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np

from flashscope import _core
from flashscope.drives.addresses.aged_state import AgedState
from flashscope.drives.hosts.host import Host
from flashscope.drives.parts.part import Part, load_part
from flashscope.drives.truth.capacity import truth_of_capacity
from flashscope.drives.truth.configured import ERASE_COUNT_ATTRIBUTE, truth_of_configuration
from flashscope.drives.truth.errors import inside_of_bit_errors
from flashscope.drives.truth.falls import rate_fall_of
from flashscope.drives.truth.late_traffic import Traffic, late_write_amplification
from flashscope.drives.virtual.abilities import abilities_of, why_not_of
from flashscope.drives.virtual.facts import virtual_facts
from flashscope.drives.virtual.in_virtual_time import InVirtualTime
from flashscope.drives.virtual.room import no_room, refusal
from flashscope.errors import WrongUse
from flashscope.records import FIRST_STATE_OUT_OF_USE, SmartSnapshot, Table
from flashscope.records.bounds import Bounds, at_most
from flashscope.records.drive_facts import AgedFacts, DriveFacts, VirtualFacts
from flashscope.units import format_bytes_binary


class SimulatedDrive(InVirtualTime):
    """A virtual drive of one part. The seed and the part's name stand in facts.virtual.

    host: the computer that makes its requests; None when making them costs nothing.
    """

    def __init__(self, part: Part, *, seed: int, address: str, host: Host | None = None) -> None:
        self.part = part
        self.seed = seed
        self._traffic: list[Traffic] = []  # at each reading of SMART
        self._configuration: dict[str, Any] = json.loads(part.to_core_json())
        try:
            core = _core.Drive(part.to_core_json(), seed)
        except _core.ConfigRefused as refused:
            raise refusal(part.name, *refused.args) from None
        except _core.NoRoom as refused:
            raise no_room(address, *refused.args) from None
        self._made_of = _made_of(part, seed)
        if host is not None:
            self._configuration["host"] = host.settings
        super().__init__(core, _facts(part, core, self._made_of, address), host)

    @classmethod
    def open(cls, target: str, seed: int, aged: AgedState | None = None) -> SimulatedDrive:
        """Build the drive of a shipped part ("onyx-32") or of a part file ("./mine.toml"), as new or in an aged state.

        Raises WrongUse when there is no such part, it contradicts itself, or it cannot be in that state.
        """
        drive = cls(load_part(target), seed=seed, address=f"sim:{target}")
        if aged is not None:
            drive.age(aged)
        return drive

    def age(self, state: AgedState) -> None:
        """Put a drive that is new, or was just secure-erased, into an aged state; no virtual time passes.

        Its counters then show what would have been written to reach that state. Raises WrongUse when it cannot.
        """
        erases = self.facts.rated_pe_cycles if state.erase_count_mean is None else state.erase_count_mean
        try:
            self.core.age(state.fill_ratio, state.overwrites, erases or 0, state.erase_count_spread_ratio)
        except _core.ConfigRefused as refused:
            key, found, accepted = refused.args
            raise WrongUse(f"{self.facts.address}: {key} is {found}", accepted=accepted) from None
        aged = AgedFacts(state.fill_ratio, state.overwrites, erases or 0, state.erase_count_spread_ratio)
        self.facts = replace(self.facts, virtual=replace(self._made_of, aged=aged), never_written=False)

    def lay_out(self, fill_ratio: float, *, overwritten: bool, zeros: bool) -> bool:
        """As for every virtual drive; a drive that compresses cannot be filled with zeros at once."""
        if zeros and "compression" in self._configuration:
            return False
        return super().lay_out(fill_ratio, overwritten=overwritten, zeros=zeros)

    def read_smart(self, elapsed_ns: int) -> SmartSnapshot:
        """All attributes, in the byte layout of the drive's family, or NVMe's log; and whether it has platters."""
        counts = self.core.counters()
        self._traffic.append(self._traffic_of(counts))
        return replace(super().read_smart(elapsed_ns), rotation_rpm=self._rotation_rpm())

    def _traffic_of(self, counts: dict[str, int]) -> Traffic:
        """Where merges erase log blocks that are hardly written, what is erased tells the wear, not what is written."""
        flash = counts.get("nand_written_bytes", 0)
        if self._configuration.get("log_blocks"):
            flash = counts["erased_blocks"] * self.part.geometry.data_block_bytes
        return Traffic(counts["host_written_bytes"], flash, counts["host_write_requests"])

    def _rotation_rpm(self) -> int | None:
        """Revolutions a minute of its platters; 0 for flash; None for memory, which must not be taken for flash."""
        if self.part.kind == "memory":
            return None
        spindle = self.part.values.get("disk.spindle_speed") if self.facts.is_rotational else None
        return 0 if spindle is None else int(str(spindle.value))

    def truth(self) -> dict[str, Any]:
        """The truth about the drive, under the keys of the findings that infer it.

        From the configuration alone: `truth/configured.py`, `truth/capacity.py`. With the counters and blocks of a
        flash drive as they are:
        erase_step_host_bytes: host bytes that write all blocks in use once, so that their average erase count rises by
        one; None when the drive's family shows no erase count. At most so many where a fine map's regions are folded:
        that programs more than the host writes, in order, too.
        write_amplification_random: flash bytes per host byte while the last eighth of the capacity was written, or
        the last writes of one size, between two readings of SMART; left out without such readings.
        rate_fall: host bytes at the first fall of a fresh drive's rate (`truth/falls.py`). Collection counts from
        the moment when the erased blocks are down to the low water mark, by its share of the banks' time from then on.
        """
        truth = truth_of_configuration(self._configuration, self.part.geometry if self.part.kind == "ssd" else None)
        truth |= truth_of_capacity(self._configuration, self.core.user_bytes)
        return truth | self._truth_of_blocks() if self.part.kind == "ssd" else truth

    def _truth_of_blocks(self) -> dict[str, Any]:
        inside = self.core.inside()
        in_use = inside["block_states"] < FIRST_STATE_OUT_OF_USE
        blocks_in_use = int(np.count_nonzero(in_use))
        block_bytes = self.part.geometry.data_block_bytes
        first_collection_bytes = (
            blocks_in_use - self._configuration["gc"]["low_water_blocks"] * len(inside["pool_free_blocks"])
        ) * block_bytes
        collecting = self._collection_time_ratio(first_collection_bytes)
        shown = self._configuration["smart"]["layout"] in ERASE_COUNT_ATTRIBUTE
        amplification = late_write_amplification(self._traffic, self.facts.user_bytes // 8)
        return {
            "erase_step_host_bytes": self._erase_step(blocks_in_use * block_bytes) if shown else None,
            **rate_fall_of(self._configuration, self.part.geometry, blocks_in_use, first_collection_bytes, collecting),
            **inside_of_bit_errors(self._configuration, inside["block_erase_counts"][in_use]),
            **({} if amplification is None else {"write_amplification_random": amplification}),
        }

    def _erase_step(self, flash_bytes: int) -> int | Bounds:
        return at_most(flash_bytes) if self._configuration.get("fine_map") else flash_bytes

    def _collection_time_ratio(self, first_collection_bytes: int) -> float:
        """Share of the banks' working time that collection took after so many bytes were written [ratio]."""
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
        before = first_collection_bytes // self.part.geometry.programmed_page_bytes
        host_ns = max(counts["host_programmed_pages"] - before, 0) * (transfer_ns + program_ns)
        return float(collection_ns / max(collection_ns + host_ns, 1.0))

    def inside(self) -> Table:
        """One row per erase block: valid_slots, erase_count, state; empty for a drive without."""
        if self.part.kind != "ssd":
            return super().inside()
        inside = self.core.inside()
        return Table.of(
            valid_slots=("count", inside["block_valid_slots"]),
            erase_count=("cycles", inside["block_erase_counts"]),
            state=("count", inside["block_states"]),
        )

    def resolved_part(self) -> dict[str, Any]:
        """The whole configuration in base units, for the record."""
        return self._configuration


def _made_of(part: Part, seed: int) -> VirtualFacts:
    layout = part.values.get("smart.layout")
    return VirtualFacts(part.kind, seed, part.name, "" if layout is None else str(layout.value))


def _facts(part: Part, core: _core.Drive, made_of: VirtualFacts, address: str) -> DriveFacts:
    """The facts of a drive of that part."""
    rated = part.values["timing.rated_pe_cycles"].value if part.kind == "ssd" else 0
    facts = virtual_facts(
        address=address,
        model=str(part.values["model"].value),
        serial=f"{part.name}-seed-{made_of.seed}",
        core=core,
        capabilities=abilities_of(part),
        virtual=made_of,
    )
    return replace(
        facts,
        why_not={**facts.why_not, **why_not_of(part)},
        firmware=str(part.values["firmware"].value),
        rated_pe_cycles=rated if isinstance(rated, int) else 0,
        never_written=part.kind == "ssd",
        warnings=_without_spare(part, core),
    )


def _without_spare(part: Part, core: _core.Drive) -> tuple[str, ...]:
    """A warning when the part leaves its collector no room to work in."""
    most = core.bytes_with_spare
    if most is None or int(str(part.values["capacity.user_size"].value)) < most:
        return ()
    stated = part.values["capacity.user_size"].text
    return (
        f"this part leaves no spare flash (capacity.user_size is {stated}, with spare it would be under"
        f" {format_bytes_binary(most)}): once it is full, a write finds no free block",
    )
