"""Virtual drives side by side as one (RAID 0).

    stripe:128KiB:sim:jmf602-32+sim:jmf602-32        two drives of a part
    stripe:128KiB:sim:jmf602-32*4?host_rate=660MB/s  four of it, behind a host controller of that rate

Member n has the seed of the address plus n, so that members differ as real drives do. The limits of the host's
controller belong to the host, not to the drives, so they are in the address: `host_rate` for the data of all members
together, `host_command_cost` for each command to a member, `host_command_size` for the longest such command (a longer
part of a request becomes several commands, one after another). Without them only the drives limit the rate.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from flashscope import _core
from flashscope.drives.addresses.address import Address
from flashscope.drives.hosts.host import Host
from flashscope.drives.parts.part import Part, load_part
from flashscope.drives.truth.capacity import capacity_of_stripe
from flashscope.drives.truth.configured import truth_of_members
from flashscope.drives.virtual.abilities import WITH_PLATTERS, abilities_of_flash, takes_trim
from flashscope.drives.virtual.facts import virtual_facts
from flashscope.drives.virtual.in_virtual_time import InVirtualTime
from flashscope.drives.virtual.room import no_room, refusal
from flashscope.errors import WrongUse
from flashscope.records import Table
from flashscope.records.capability import Capability
from flashscope.records.drive_facts import VirtualFacts

UNLIMITED_BYTES_PER_SECOND = 10**12
_NO_SMART = "an array has no SMART of its own; take one of its members"
_WHY_NOT = {Capability.SMART_ATTRIBUTES: _NO_SMART, Capability.ERROR_BITS: _NO_SMART}


class StripedDrive(InVirtualTime):
    """A stripe of virtual drives, all new when it is built."""

    def __init__(self, address: Address, parts: Sequence[Part] = (), host: Host | None = None) -> None:
        """parts: of the members, in order; by default as the address names them. host: makes the requests."""
        parts = parts or [load_part(member, address.part_keys) for member in address.members]
        configurations = [part.to_core_json() for part in parts]
        rate, cost_ns = address.host_bytes_per_second or UNLIMITED_BYTES_PER_SECOND, address.host_command_cost_ns
        self._address, self._member_texts = address, configurations
        self._before_ns = 0  # virtual time of the arrays before this one
        core = self._build(len(parts), rate, cost_ns)
        self._configuration: dict[str, Any] = {
            "kind": "stripe",
            "chunk_bytes": address.chunk_bytes,
            "host": {
                "bytes_per_second": rate,
                "command_cost_ns": cost_ns,
                "command_bytes_max": address.host_command_bytes_max,
                **({} if host is None else host.settings),
            },
            "members": [json.loads(text) for text in configurations],
        }
        names = tuple(part.name for part in parts)
        facts = virtual_facts(
            address=str(address),
            model=f"stripe of {len(parts)}: {', '.join(dict.fromkeys(names))}",
            serial=f"stripe-of-{len(parts)}-seed-{address.seed}",
            core=core,
            capabilities=_abilities(parts),
            virtual=VirtualFacts("stripe", address.seed),
        )
        super().__init__(core, replace(facts, members=names, why_not={**facts.why_not, **_WHY_NOT}), host)

    def _build(self, member_count: int, rate: int, cost_ns: int) -> _core.Drive:
        address = self._address
        try:
            return _core.Drive.striped(
                self._member_texts[:member_count],
                address.seed,
                address.chunk_bytes,
                rate,
                cost_ns,
                address.host_command_bytes_max,
            )
        except _core.ConfigRefused as refused:
            raise refusal(str(address), *refused.args) from None
        except _core.NoRoom as refused:
            raise no_room(str(address), *refused.args) from None

    def form(self, member_count: int) -> None:
        """Build the array anew from its first members, all of them fresh; virtual time goes on.

        The facts stay those of the complete array; a smaller array takes the same requests up to its share of capacity.
        Raises WrongUse when the stripe has fewer members.
        """
        if not 1 <= member_count <= len(self._member_texts):
            raise WrongUse(
                f"{self.facts.address}: an array of {member_count} members was asked for",
                accepted=f"1 to {len(self._member_texts)} members",
            )
        host = self._configuration["host"]
        self._before_ns = self.now_ns
        self.core = self._build(member_count, host["bytes_per_second"], host["command_cost_ns"])

    @property
    def now_ns(self) -> int:
        """Virtual time since the first array was built [ns]."""
        return self._before_ns + self.core.now_ns

    def members(self) -> Table:
        """Counters of each member since the array was formed; 0 where a kind of drive does not count it."""
        counters = self.member_counters()
        return Table.of(
            host_read_bytes=("bytes", [each.get("host_read_bytes", 0) for each in counters]),
            host_written_bytes=("bytes", [each.get("host_written_bytes", 0) for each in counters]),
            nand_written_bytes=("bytes", [each.get("nand_written_bytes", 0) for each in counters]),
            erased_blocks=("count", [each.get("erased_blocks", 0) for each in counters]),
        )

    def truth(self) -> dict[str, Any]:
        """The limits of the array, under the keys of the findings that infer them (`truth/configured.py`)."""
        capacity = capacity_of_stripe(self._configuration["members"], self.core.user_bytes)
        return truth_of_members(self._configuration) | capacity

    def member_counters(self) -> list[dict[str, int]]:
        """The counters of every member since it was built."""
        return self.core.member_counters()

    def resolved_part(self) -> dict[str, Any]:
        """The configuration of the stripe and of all members in base units, for the record."""
        return self._configuration


def _abilities(parts: Sequence[Part]) -> frozenset[Capability]:
    """The capabilities of the array, beside those of all virtual drives."""
    moving = any(part.kind in WITH_PLATTERS for part in parts)
    abilities = frozenset() if moving else frozenset({Capability.SOLID_STATE})
    if all(part.kind == "ssd" for part in parts):
        abilities |= abilities_of_flash(trims=all(takes_trim(part) for part in parts))
    return abilities | {Capability.MEMBERS} if len(parts) > 1 else abilities
