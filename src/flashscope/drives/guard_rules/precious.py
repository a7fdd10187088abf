"""Rules about what must never be lost: the running system and the results."""

from __future__ import annotations

import os
from collections.abc import Iterator

from flashscope.drives.guard_rules.rule import NOTHING, Case, Rule

# The places without which the system does not run or does not start again.
_SYSTEM_PLACES = ("/", "/usr", "/etc", "/var", "/boot", "/boot/efi", "/efi")


class System(Rule):
    """The drive does not hold the running system, not even on a partition next to the target."""

    name = "system"
    explains = "the drive, or one under it, holds the running system, on whichever partition"
    lifted_by = "nothing; start the system from another drive"

    def find(self, case: Case) -> Iterator[tuple[str, str]]:
        """See `explains`."""
        if case.block is None:
            return
        own = case.view.below(case.block.name)
        for place in _SYSTEM_PLACES:
            if own & case.view.drives_under_path(place):
                yield f"{case.block.path} belongs to a drive that holds the running system ({place})", NOTHING
                return


class Store(Rule):
    """No results are written over: not those of this run, and no store, journal or ledger of any other."""

    name = "store"
    explains = (
        "the results store lies on the drive, or is the file itself; or the file is a store of flashscope, its "
        "journal, or part of the ledger of an endurance run, whichever store it belongs to"
    )
    lifted_by = "`--store` on another drive; nothing, when the target is a file of a store"

    def find(self, case: Case) -> Iterator[tuple[str, str]]:
        """See `explains`."""
        if case.kept:
            yield case.kept, NOTHING
        if case.store_path is None:
            return
        store = os.path.realpath(case.store_path)
        lift = "give --store a place on another drive"
        is_the_file = bool(case.identities & case.store_files) or (
            case.block is None and store == str(case.target.path)
        )
        if is_the_file:
            yield f"{case.target.path} is the results store", lift
        elif case.block and case.view.above(case.block.name) & case.view.drives_under_path(store):
            yield f"the results store {store} lies on {case.block.path}", lift
