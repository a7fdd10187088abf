"""A judged disk for a terminal: table of starts, pictures, losses, what is wrong with the table, what to do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flashscope.alignment.disk import DiskAlignment, StartLoss
from flashscope.alignment.judged import Start
from flashscope.alignment.loss import Loss
from flashscope.alignment.picture import close_up, disk_picture
from flashscope.alignment.words import loss_in_words, verdict_in_words
from flashscope.cli.texts.folded import folded
from flashscope.partitions.layout import Partition
from flashscope.units import format_bytes, format_bytes_binary

_KINDS = {"mbr": "MBR", "gpt": "GPT", "apple": "Apple partition map"}
_CLOSE_UPS = 3
_RANGE_BY_READING = "from the loss when reading a unit takes no time to that when it takes as long as programming it"
_RANGE_BY_MERGES = (
    "this part is mapped by blocks: from the loss when each write needs a merge of blocks, which hides most of it, to "
    "that when none does; not known for writes larger than a unit"
)
_PAGES_ASSUMED = "for a drive that is mapped by pages; on one that is mapped by blocks, merges hide most of the loss"
_AT_LEAST = "at least: drives with several banks may lose more"
_JOINED = "nothing: where a write buffer joins the writes"


def disk_text(disk: DiskAlignment) -> str:
    """Everything that is known of a disk's alignment."""
    blocks = [_head(disk), disk_picture(disk.layout), _starts(disk), *_close_ups(disk), _losses(disk), _problems(disk)]
    blocks.append(["what to do", *(line for each in disk.advice for line in folded(f"  {each}"))])
    return "\n\n".join("\n".join(block) for block in blocks if block)


def _head(disk: DiskAlignment) -> list[str]:
    layout = disk.layout
    table = _KINDS[layout.table.kind] if layout.table else "no partition table"
    unit = disk.unit
    if unit.size_bytes is None:
        said = (
            "mapping unit: not known (state it with --unit; `flashscope examine` finds it); shown for the common ones"
        )
    else:
        said = f"mapping unit: {format_bytes_binary(unit.size_bytes)} ({_origin(disk)})"
    size = format_bytes(layout.size_bytes)
    return [f"{disk.where}: {size}, {table}, sectors of {layout.sector_bytes} B", said]


def _origin(disk: DiskAlignment) -> str:
    return {"stated": "as stated", "part": f"of the part {disk.unit.source}"}.get(disk.unit.origin, disk.unit.source)


def _starts(disk: DiskAlignment) -> list[str]:
    """One row for each start: where it begins, the largest power of two that it is a multiple of, each boundary."""
    if not disk.starts:
        return []
    heads = ["begins at", "", "aligned to", *(each.name for each in disk.against)]
    partitions = {each.number: each for each in disk.layout.partitions}
    rows = [
        [
            _place(each, disk.layout.sector_bytes),
            "  " * each.depth + _name(each, partitions.get(each.partition or -1)),
            format_bytes_binary(each.aligned_to_bytes) if each.start_bytes else "all",
            *(verdict_in_words(verdict) for verdict in each.verdicts),
        ]
        for each in disk.starts
    ]
    notes = ["  +: so far past the boundary; what writes meet is the innermost start of each partition"]
    if any(each.kind == "if-unit" for each in disk.against):
        notes.append("  ?: in case that this is the drive's mapping unit")
    return [*_columns([heads, *rows], left={1}), *notes]


def _place(start: Start, sector_bytes: int) -> str:
    sector, rest = divmod(start.start_bytes, sector_bytes)
    return f"sector {sector}" if not rest else f"byte {start.start_bytes}"


def _name(start: Start, partition: Partition | None) -> str:
    if partition is None or start.depth:
        return f"{start.name}: {start.holds}" if start.what in ("volume", "whole disk") and start.holds else start.name
    label = f' "{partition.name}"' if partition.name else ""
    return f"{start.name}: {start.holds or partition.type_name}{label}"


def _close_ups(disk: DiskAlignment) -> Iterator[list[str]]:
    unit = max(disk.unit.to_calculate_with)
    seen: set[int] = set()
    for each in disk.off:
        if each.past(unit) and each.past(unit) not in seen and len(seen) < _CLOSE_UPS:
            seen.add(each.past(unit))
            yield close_up(each, unit)


def _losses(disk: DiskAlignment) -> list[str]:
    """A table for each group of starts that lose the same."""
    groups: dict[tuple[Loss, ...], list[Start]] = {}
    for cost in disk.costs:
        if any(not loss.is_none for loss in cost.losses):
            groups.setdefault(cost.losses, []).append(cost.start)
    if not groups:
        return []
    lines = ["lost by the law, of the rate of writes at a boundary"]
    for losses, starts in groups.items():
        lines += _group(StartLoss(starts[0], losses), [each.name for each in starts], disk)
    notes = _about_losses([loss for losses in groups for loss in losses], disk)
    return [*lines, *(line for note in notes for line in folded(f"  {note}"))]


def _about_losses(losses: Sequence[Loss], disk: DiskAlignment) -> Iterator[str]:
    """What the words of these losses rest on, one sentence each; of words that are not there, none."""
    if disk.times.merges is not None:
        yield _RANGE_BY_MERGES
    elif any(loss.high_ratio is not None and loss.low_ratio != loss.high_ratio for loss in losses):
        yield _RANGE_BY_READING
    if disk.unit.origin != "part":
        yield _PAGES_ASSUMED
    if any(loss.high_ratio is None and not loss.is_unknown for loss in losses):
        yield _AT_LEAST
    if any(loss.writing.joined and not loss.is_none for loss in losses):
        yield _JOINED


def _group(cost: StartLoss, names: Sequence[str], disk: DiskAlignment) -> list[str]:
    units = disk.unit.to_calculate_with
    heads = ["  " + ", ".join(dict.fromkeys(names)), *(_unit_name(size, disk) for size in units)]
    rows: dict[str, list[str]] = {}
    for loss in cost.losses:
        rows.setdefault(loss.writing.name, []).append(loss_in_words(loss))
    return _columns([heads, *([f"    {name}", *said] for name, said in rows.items())], left={0})


def _unit_name(size_bytes: int, disk: DiskAlignment) -> str:
    return f"{'if the' if disk.unit.size_bytes is None else ''} unit {format_bytes_binary(size_bytes)}".strip()


def _problems(disk: DiskAlignment) -> list[str]:
    marks = {"danger": "!!", "warning": "! ", "note": "  "}
    found = disk.layout.problems
    lines = [f"  {marks[each.weight]} {each.what}:\n       {each.means}" for each in found]
    return ["what is wrong with this disk's layout", *lines] if lines else []


def _columns(rows: Sequence[Sequence[str]], left: set[int]) -> list[str]:
    """Rows as columns; those in `left` to the left, the others to the right."""
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    return [
        "  ".join(
            f"{cell:<{width}}" if place in left else f"{cell:>{width}}"
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
