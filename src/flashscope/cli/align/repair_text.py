"""The words of `align --plan`, `--apply`, `--resume` and `--undo`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from flashscope import units
from flashscope.cli.texts.folded import folded
from flashscope.partitions.layout import Layout, Partition
from flashscope.realign.plan import Plan
from flashscope.realign.rates import Rates
from flashscope.realign.repair import Move, Repair
from flashscope.realign.survey import Unreadable
from flashscope.units import counted

_MOST_SHOWN = 20


def plan_text(name: str, plan: Plan, rates: Rates) -> str:
    """What a repair would do, in lines."""
    lines = _lines(name, plan, rates)
    return "\n".join(part for line in lines for part in folded(line, hanging=2))


def _lines(name: str, plan: Plan, rates: Rates) -> Iterator[str]:
    boundary = units.format_bytes_binary(plan.boundary_bytes)
    if plan.obstacles:
        yield f"{name}: nothing on it can be moved"
        for each in plan.obstacles:
            yield f"  {each.found}"
            yield f"    to do: {each.advice}"
        return
    if not plan.moves and not plan.left:
        yield f"{name}: every partition begins at a multiple of {boundary}; there is nothing to do"
        return
    if plan.moves:
        yield f"{name}: {_partitions(len(plan.moves))} would be moved to multiples of {boundary}, in this order"
        for move in plan.moves:
            yield from _move_lines(plan, move)
        yield from _totals(plan, rates)
    for left in plan.left:
        yield f"  partition {left.number} stays misaligned: {left.why}"
        yield f"    to do: {left.advice}"


def _move_lines(plan: Plan, move: Move) -> Iterator[str]:
    partition = next(each for each in plan.layout.partitions if each.number == move.number)
    sector = plan.layout.sector_bytes
    way = "forward" if move.shift_bytes > 0 else "back"
    yield (
        f"  partition {move.number} ({_what(partition)}, {units.format_bytes(move.length_bytes)}): sector "
        f"{move.from_bytes // sector} -> {move.to_bytes // sector}, {units.format_bytes(abs(move.shift_bytes))} {way}"
    )
    if move.number in plan.makes_room:
        yield "    it is aligned, and moves to make room for one that is not"
    record = plan.places.records.get(move.number)
    if record is not None:
        yield f"    its extended boot record goes to sector {record // sector}"
    if move.number in plan.changes_boot_records:
        yield "    its boot sector says where it begins, and is changed with it"
    for number, warning in plan.warnings:
        if number == move.number:
            yield f"    mind: {warning}"


def _totals(plan: Plan, rates: Rates) -> Iterator[str]:
    table = plan.layout.table
    kind = "both copies of the GPT" if table and table.kind == "gpt" else "the MBR"
    if any(each.role == "logical" and each.number in plan.places.starts for each in plan.layout.partitions):
        kind += " and the chain of extended boot records"
    yield f"  {units.format_bytes(plan.moved_bytes)} are read twice, written once and read back; {kind} would change"
    yield "  what marks a file system or an array is wiped from the old places at the end"
    seconds = rates.expected_s(plan.moved_bytes)
    if not seconds:
        return
    reading = f"about {units.format_time(seconds * 1e9)}: it is read at {units.format_rate(rates.read)} now"
    if rates.write:
        yield f"  {reading}, and was written at {units.format_rate(rates.write)} in the examination of {rates.examined}"
    else:
        yield f"  {reading}; how fast it is written is not known, and taken to be the same"


def plan_document(plan: Plan, rates: Rates) -> dict[str, Any]:
    """What a repair would do, for programs. All places and sizes in bytes, times in seconds."""
    return {
        "boundary_bytes": plan.boundary_bytes,
        "moves": [
            {
                "partition": each.number,
                "from_bytes": each.from_bytes,
                "to_bytes": each.to_bytes,
                "length_bytes": each.length_bytes,
                "makes_room": each.number in plan.makes_room,
                "changes_boot_sector": each.number in plan.changes_boot_records,
            }
            for each in plan.moves
        ],
        "moved_bytes": plan.moved_bytes,
        "extended_boot_records": {str(number): at for number, at in plan.places.records.items()},
        "left": [{"partition": each.number, "why": each.why, "advice": each.advice} for each in plan.left],
        "obstacles": [{"found": each.found, "advice": each.advice} for each in plan.obstacles],
        "warnings": [{"partition": number, "warning": text} for number, text in plan.warnings],
        "read_bytes_per_second": rates.read,
        "write_bytes_per_second": rates.write or None,
        "expected_s": rates.expected_s(plan.moved_bytes),
    }


def finished_text(name: str, repair: Repair, layout: Layout, *, undone: bool) -> str:
    """What is where now."""
    sector = layout.sector_bytes
    if undone:
        return f"{name}: all is as it was; {_partitions(len(repair.moves))} moved back, and the old table written"
    lines = [f"{name}: {_partitions(len(repair.moves))} moved, every byte read back and compared"]
    for move in sorted(repair.moves, key=lambda each: each.number):
        lines.append(f"  partition {move.number} begins at sector {move.to_bytes // sector} (byte {move.to_bytes})")
    return "\n".join(lines)


def unreadable_text(bad: Sequence[Unreadable], files: Mapping[int, Sequence[str]]) -> str:
    """What cannot be read, and which files lie there. files: paths by partition."""
    lines = [f"{counted(len(bad), 'block')} of what would be moved cannot be read"]
    for number in sorted({each.number for each in bad}):
        of_it = [each for each in bad if each.number == number]
        shown = ", ".join(str(each.at_bytes) for each in of_it[:_MOST_SHOWN])
        lines.append(f"  partition {number}, at bytes {shown}{' ...' * (len(of_it) > _MOST_SHOWN)}: {of_it[0].reason}")
        paths = files.get(number, ())
        lines += [f"    file: {path}" for path in paths[:_MOST_SHOWN]]
        if not paths:
            lines.append("    which files lie there could not be told")
    return "\n".join(lines)


def _partitions(count: int) -> str:
    return "1 partition" if count == 1 else f"{count} partitions"


def _what(partition: Partition) -> str:
    return partition.inside.kind if partition.inside else partition.type_name
