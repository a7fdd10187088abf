"""What to do about a start that misses a boundary, in one sentence each, by what begins there.

A partition can be moved. What begins off inside an aligned partition cannot be put right from outside: its own program
has to make it anew.
"""

from __future__ import annotations

from flashscope.alignment.boundaries import MIB, PAGE_BYTES, MappingUnit
from flashscope.alignment.judged import Start
from flashscope.units import format_bytes_binary

_NOTHING_KNOWN = (
    "No partition table, file system or container that flashscope knows was found here, so there is nothing to judge. "
    "If the disk is empty, give its first partition a start of 1 MiB."
)
_ANEW = {
    "clusters": "copy its files away, make the file system anew (the clusters of {holds} then begin on a boundary when "
    "the number of reserved sectors is chosen for it), and copy them back",
    "extents": "make the physical volume anew with `pvcreate --dataalignment 1m`, after `pvmove` emptied it",
    "volume": "make the physical volume anew with `pvcreate --dataalignment 1m`, after `pvmove` emptied it",
    "payload": "make it anew with `cryptsetup luksFormat --offset 32768` (sectors), and copy the data back",
    "array data": "make the array anew with `mdadm --create --data-offset=1M`, or replace its members one by one",
}


def required_bytes(unit: MappingUnit) -> int:
    """The boundary that starts have to be on: the mapping unit, at least a page; where unknown, a page [bytes]."""
    return max(unit.size_bytes or PAGE_BYTES, PAGE_BYTES)


def misaligned(starts: tuple[Start, ...], unit: MappingUnit) -> tuple[Start, ...]:
    """The starts that writes meet and that miss the boundary that they have to be on."""
    return tuple(each for each in starts if each.counts and each.past(required_bytes(unit)))


def advice(starts: tuple[Start, ...], unit: MappingUnit, where: str) -> tuple[str, ...]:
    """What to do, a sentence for each thing that begins off; one that nothing is to be done, where nothing is.

    where: the disk, as a command names it.
    """
    off = misaligned(starts, unit)
    if not starts:
        return (_NOTHING_KNOWN,)
    if not off:
        return (_nothing_to_do(starts, unit),)
    required = required_bytes(unit)
    sentences = []
    movable = sorted({each.partition for each in off if each.partition is not None and _moves(each, starts, required)})
    if movable:
        named = "partition " + str(movable[0]) if len(movable) == 1 else "partitions " + ", ".join(map(str, movable))
        sentences.append(
            "Give another offset, such as @offset=1MiB, to see the drive through an aligned partition."
            if "@offset=" in where
            else f"Move {named} to a start at a multiple of 1 MiB; `flashscope align {where} --plan` says what that "
            "takes. Back up what is there first: every way to move a partition rewrites all of it."
        )
    for each in off:
        if each.partition not in movable:
            anew = _ANEW.get(each.what, "make it anew behind a start at a multiple of 1 MiB").format(holds=each.holds)
            at = f" in partition {each.partition}" if each.partition is not None and each.depth else ""
            sentences.append(f"{each.name[0].upper()}{each.name[1:]}{at}: {anew}.")
    return tuple(sentences)


def _moves(start: Start, starts: tuple[Start, ...], required_bytes: int) -> bool:
    """Whether a start is put right by moving its partition to a boundary: what lies before it within is a multiple."""
    outer = next(each for each in starts if each.partition == start.partition and each.depth == 0)
    return bool(outer.past(required_bytes)) and (start.start_bytes - outer.start_bytes) % required_bytes == 0


def _nothing_to_do(starts: tuple[Start, ...], unit: MappingUnit) -> str:
    if unit.size_bytes is not None:
        return f"Nothing: every start lies on the drive's mapping unit of {format_bytes_binary(unit.size_bytes)}."
    if all(not each.past(MIB) for each in starts if each.counts):
        return "Nothing: every start lies on a boundary of 1 MiB, which suits every drive."
    return (
        "Nothing for drives with a mapping unit of 4 KiB. For one with a larger unit, state it with --unit, or let "
        "`flashscope examine` find it."
    )
