"""Rules about what must never be lost: the running system and the results."""

from __future__ import annotations

import os
from collections.abc import Iterator

from flashscope.drives.guard.rules.rule import NOTHING, Case, Rule
from flashscope.outputs.kept import BESIDE_STORE, LEDGERS_SUFFIX

# The places without which the system does not run or does not start again.
_SYSTEM_PLACES = ("/", "/usr", "/etc", "/var", "/boot", "/boot/efi", "/efi")


class System(Rule):
    """The drive does not hold the running system, on the target or on any other of its partitions."""

    name = "system"
    explains = "the drive, or one under it, holds the running system, on any of its partitions"
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
    """The results are not written over: not those of this run, and not those of any other store."""

    name = "store"
    explains = (
        "the results store, its journals or its ledgers lie on the drive, or the file is one of them, or it is any "
        "other store or ledger of flashscope"
    )
    lifted_by = "`--store` on another drive; for another store, nothing"

    def find(self, case: Case) -> Iterator[tuple[str, str]]:
        """See `explains`."""
        lift = "give --store a place on another drive"
        mine = case.identities & case.own.identities
        if case.store_path is not None:
            store = os.path.realpath(case.store_path)
            if mine or (case.block is None and _is_named_by(store, str(case.target.path))):
                yield f"{case.target.path} is the results store {store}, or part of it", lift
                return
            places = (store, *case.own.places)
            lies_here = [each for each in places if case.block and _lies_on(each, case.block.name, case)]
            if lies_here and case.block:
                yield f"the results store {store} lies on {case.block.path}, with {lies_here[0]}", lift
        if case.own.target_is:
            yield f"{case.target.path}: {case.own.target_is}", NOTHING


def _is_named_by(store: str, path: str) -> bool:
    """Whether a path is a store, a file that stands beside it, or one of its ledgers."""
    return path in (store, *(store + suffix for suffix in BESIDE_STORE)) or f"{path}/".startswith(
        f"{store}{LEDGERS_SUFFIX}/"
    )


def _lies_on(path: str, block_name: str, case: Case) -> bool:
    return bool(case.view.above(block_name) & case.view.drives_under_path(path))
