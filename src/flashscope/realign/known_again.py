"""Before a repair goes on: is this the disk, in the state in which the repair left it?"""

from __future__ import annotations

from collections.abc import Iterator

from flashscope.errors import WrongUse
from flashscope.realign.disk import Disk
from flashscope.realign.journal import Journal
from flashscope.realign.progress import Phase
from flashscope.realign.repair import Batch, DiskIdentity, Repair, digest


def check_disk(identity: DiskIdentity, disk: Disk, *, serial: str) -> None:
    """Raise WrongUse when the disk has another size or serial number than the one that the repair was begun on."""
    if disk.size_bytes != identity.size_bytes:
        raise WrongUse(
            f"the disk has {disk.size_bytes} bytes, and the repair was begun on one of {identity.size_bytes} bytes "
            f"({identity.name})",
            accepted="the disk that the repair was begun on",
            advice="nothing was written",
        )
    if identity.serial and serial and serial != identity.serial:
        raise WrongUse(
            f"the disk has another serial number than the one that the repair was begun on ({identity.name})",
            accepted="the disk that the repair was begun on",
            advice="nothing was written",
        )


def check_state(journal: Journal, disk: Disk, *, table_may_differ: bool) -> None:
    """Raise WrongUse when the disk was changed since the repair was cut short. Raises OSError when it cannot be read.

    table_may_differ: a table that somebody has changed is accepted, and will be replaced by the one that was planned.
    """
    progress, repair = journal.progress, journal.repair
    if not table_may_differ and not progress.phase.is_over:
        for at_bytes, contents in _table_sectors(repair):
            if disk.read(at_bytes, repair.disk.sector_bytes) not in contents:
                raise WrongUse(
                    f"the sector at byte {at_bytes}, part of the partition table, was changed by something else since "
                    "the repair was cut short",
                    accepted="the table as the repair left it",
                    advice="if no partition was made or changed on purpose, give --overwrite-table: the planned table "
                    "is then written. Nothing was written",
                )
    if progress.phase in (Phase.MOVE, Phase.UNMOVE) and progress.last_bytes and not progress.kept_bytes:
        found = disk.read(progress.last_at_bytes, progress.last_bytes)
        if digest(found) != progress.last_digest:
            raise WrongUse(
                f"what was moved last is not at byte {progress.last_at_bytes} any more ({progress.last_bytes} bytes)",
                accepted="the disk as the repair left it",
                advice="it is another disk, an older copy of it, or something wrote to it meanwhile; "
                "nothing was written, and the journal is kept",
            )


def _table_sectors(repair: Repair) -> Iterator[tuple[int, set[bytes]]]:
    """Sectors of the table, each with all that may stand in it: old, veiled and new."""
    sector_bytes = repair.disk.sector_bytes
    known: dict[int, set[bytes]] = {}
    for at_bytes, content in _contents((*repair.veil, *repair.table, repair.untable[-1])):
        for at in range(0, len(content), sector_bytes):
            known.setdefault(at_bytes + at, set()).add(content[at : at + sector_bytes])
    veiled = {at for at, _ in _contents(repair.veil)}
    for at_bytes, content in _contents(repair.untable):
        if at_bytes in veiled:
            known[at_bytes].add(content)
    yield from sorted((at, contents) for at, contents in known.items() if at in veiled)


def _contents(batches: tuple[Batch, ...]) -> Iterator[tuple[int, bytes]]:
    for batch in batches:
        for write in batch:
            yield write.at_bytes, write.content
