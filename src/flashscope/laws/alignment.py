"""How many mapping units a write touches, and what that does to its rate.

    units    |........|........|........|
    aligned      [####]                      touches 1, part of it
    straddling      [####]                   may touch 2, both in part
    whole    [########]                      touches 1, all of it: nothing has to be read first

A unit that is covered in part must be read, changed and written back (read-modify-write).
Not modelled here: requests that are joined in a write buffer before they reach the flash.
"""

from dataclasses import dataclass
from math import gcd


@dataclass(frozen=True)
class TouchedUnits:
    """Units that one request touches, on average over all its possible starts.

    whole: units covered from end to end. partial: units covered in part.
    any_partial_ratio: share of the requests that cover at least one unit in part [0..1].
    """

    whole: float
    partial: float
    any_partial_ratio: float

    @property
    def total(self) -> float:
        """Units touched, whole and partial."""
        return self.whole + self.partial


def touched_units(request_bytes: int, unit_bytes: int, grid_bytes: int, offset_bytes: int = 0) -> TouchedUnits:
    """Mean units touched by a request that starts on a random point of a grid [units].

    request_bytes: size S. unit_bytes: mapping unit U. grid_bytes: starts are multiples of g. All [bytes, > 0].
    offset_bytes: where the grid begins, such as the start of a partition [bytes, >= 0].
    Exact, by counting every start; if g divides S and U, the total is 1 + (S - g) / U.
    Raises ValueError when a size is not positive or the offset negative.
    """
    if min(request_bytes, unit_bytes, grid_bytes) <= 0 or offset_bytes < 0:
        found = f"{request_bytes}, {unit_bytes}, {grid_bytes}, offset {offset_bytes}"
        raise ValueError(f"sizes must be positive and the offset not negative, found {found}")
    step = gcd(grid_bytes, unit_bytes)
    starts = range(offset_bytes % step, unit_bytes, step)  # every start modulo the unit, with equal chance
    whole = partial = with_partial = 0
    for start in starts:
        end = start + request_bytes
        covered = max(end // unit_bytes - -(-start // unit_bytes), 0)
        touched = -(-end // unit_bytes) - start // unit_bytes
        whole += covered
        partial += touched - covered
        with_partial += touched > covered
    return TouchedUnits(whole / len(starts), partial / len(starts), with_partial / len(starts))


def misaligned_rate_ratio(request_bytes: int, unit_bytes: int) -> float:
    """Rate of shifted writes over rate of aligned ones, U / (U + S) [ratio].

    Shifted: requests on a grid of their own size, moved by an offset that is no multiple of it (a partition that
    starts at sector 63). 4/5, 8/9, 16/17 for S = 4 KiB and U = 16, 32, 64 KiB; the size of the offset does not matter.
    request_bytes: S [bytes, 0 < S < U]. unit_bytes: U [bytes]. Assumes that every touched unit costs the same
    read-modify-write. At S = U an aligned write reads nothing, so the ratio is below 1/2 and this law does not hold.
    Raises ValueError unless 0 < S < U.
    """
    if not 0 < request_bytes < unit_bytes:
        raise ValueError(f"request_bytes must lie between 0 and unit_bytes, found {request_bytes}, {unit_bytes}")
    return unit_bytes / (unit_bytes + request_bytes)


def offset_rate_ratio(
    request_bytes: int, unit_bytes: int, offset_bytes: int, program_ns: float, modify_ns: float
) -> float:
    """Rate of writes whose grid begins at an offset, over that of the same writes from 0 on [ratio, 0..1].

    The time of a write is that of the units it touches: program_ns for one that it covers, modify_ns for one that it
    covers in part, which is read before it is programmed:

        (whole(0) tP + partial(0) tM) / (whole(o) tP + partial(o) tM)

    For S < U and an offset that S does not divide it is `misaligned_rate_ratio`, whatever the times; for S = U it is
    `shifted_whole_unit_rate_ratio`; for larger requests only their two ends cost more.
    request_bytes: S, also the grid of the writes. unit_bytes: U. offset_bytes: the start of the partition [bytes].
    program_ns, modify_ns: of one unit [ns, 0 < program_ns <= modify_ns].
    Assumes a drive that is busy with these units: nothing is joined in a buffer, and neither the link nor collection
    takes the time. Raises ValueError outside these ranges.
    """
    if not 0 < program_ns <= modify_ns:
        raise ValueError(f"program_ns must lie between 0 and modify_ns, found {program_ns}, {modify_ns}")
    aligned, moved = (touched_units(request_bytes, unit_bytes, request_bytes, at) for at in (0, offset_bytes))
    aligned_ns, moved_ns = (each.whole * program_ns + each.partial * modify_ns for each in (aligned, moved))
    return aligned_ns / moved_ns


@dataclass(frozen=True)
class MergedBlocks:
    """A drive that maps by blocks and merges one log block with its data block for each write that misses.

    program_ns, modify_ns: of one page, written whole or changed in part. copy_ns: of one page in a merge. erase_ns: of
    a block, of which a merge takes two. pages_per_block: n. miss_ratio: share of random writes whose block has no log
    block, (B - L) / B for B logical blocks and L log blocks [0..1].
    """

    program_ns: float
    modify_ns: float
    copy_ns: float
    erase_ns: float
    pages_per_block: int
    miss_ratio: float


def merged_offset_rate_ratio(request_bytes: int, page_bytes: int, offset_bytes: int, drive: MergedBlocks) -> float:
    """As `offset_rate_ratio`, on a drive that is mapped by blocks [ratio, 0..1].

    A write also merges each block that it touches and that has no log block, n copies and two erases. Moved writes
    touch one page more but seldom one block more, 1 + (S - g) / (n U): the merge hides most of the loss.
    page_bytes: U, a programmed page, which is the unit. The rest as there.
    Assumes one log block for a data block, random writes that miss with miss_ratio, requests much smaller than a block,
    and one page at a time.
    """
    block_bytes = drive.pages_per_block * page_bytes
    merge_ns = drive.miss_ratio * (drive.pages_per_block * drive.copy_ns + 2 * drive.erase_ns)
    times_ns = []
    for at in (0, offset_bytes):
        pages = touched_units(request_bytes, page_bytes, request_bytes, at)
        blocks = touched_units(request_bytes, block_bytes, request_bytes, at)
        written_ns = pages.whole * drive.program_ns + pages.partial * drive.modify_ns
        times_ns.append(written_ns + blocks.total * merge_ns)
    return times_ns[0] / times_ns[1]


def unit_from_rate_ratio(request_bytes: int, rate_ratio: float) -> float:
    """The mapping unit [bytes] that gives a misaligned_rate_ratio, U = S r / (1 - r).

    request_bytes: S [bytes]. rate_ratio: shifted over aligned rate [ratio, 1/2 < r < 1].
    Raises ValueError outside that range, where no unit larger than the request explains the ratio.
    """
    if not 0.5 < rate_ratio < 1:
        raise ValueError(f"rate_ratio must lie between 0.5 and 1, found {rate_ratio}")
    return request_bytes * rate_ratio / (1 - rate_ratio)


def programmed_per_host_byte(request_bytes: int, unit_bytes: int, grid_bytes: int) -> float:
    """Bytes programmed per host byte before garbage collection [ratio].

    U / S for aligned requests smaller than a unit, more for others.

    Multiply by the write amplification of garbage collection for the total. Parameters as for `touched_units`.
    """
    return touched_units(request_bytes, unit_bytes, grid_bytes).total * unit_bytes / request_bytes


def shifted_whole_unit_rate_ratio(program_ns: float, modify_ns: float) -> float:
    """Rate of shifted writes over rate of aligned ones when the request is as large as the unit [ratio].

    tPROG / (2 (tR + tPROG)): aligned writes cover a unit whole and read nothing, shifted ones change two in part.
    Always below 1/2, unlike `misaligned_rate_ratio`. program_ns: time of a write that reads nothing [ns, > 0].
    modify_ns: time of one read-modify-write [ns, >= program_ns]. Raises ValueError outside those ranges.
    """
    return sub_unit_rate_ratio(program_ns, modify_ns) / 2


def sub_unit_rate_ratio(program_ns: float, modify_ns: float) -> float:
    """Rate of writes below the unit over that of whole aligned units, tPROG / (tR + tPROG) [ratio].

    512 B writes on a 4 KiB map also program eight times their bytes. Assumes that nothing is joined in a buffer.
    program_ns, modify_ns: as for `shifted_whole_unit_rate_ratio`, with the same errors.
    """
    if not 0 < program_ns <= modify_ns:
        raise ValueError(f"program_ns must lie between 0 and modify_ns, found {program_ns}, {modify_ns}")
    return program_ns / modify_ns
