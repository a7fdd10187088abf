"""The layout of a disk: its table, the partitions with what they hold, the gaps, and all that is wrong.

    Source -> GPT? Apple's map? MBR? nothing -> partitions -> what each holds -> gaps -> problems

A GPT counts only with a protective MBR, as systems hold it. What cannot be read is a problem in the layout.
"""

from __future__ import annotations

from dataclasses import replace

from flashscope.partitions.contents import read_contents
from flashscope.partitions.gaps import find_gaps
from flashscope.partitions.layout import Layout, Partition, Problem, Table, TableCopy
from flashscope.partitions.place import Place
from flashscope.partitions.problems import (
    ambiguous,
    other_sectors,
    problems_of_partitions,
    problems_of_reading,
    table_beside,
)
from flashscope.partitions.source import Source
from flashscope.partitions.tables import apple, gpt, mbr
from flashscope.partitions.tables.types import PROTECTIVE
from flashscope.units import counted

_DEFAULT_SECTOR = 512
_LARGER_SECTOR = 4096
_MOST_LOOKED_INTO = 512


def read_layout(source: Source, sector_bytes: int | None = None) -> Layout:
    """Everything that is known of a disk from its bytes.

    sector_bytes: the logical sector in which an MBR counts, where a person states it; else the device's own. For an
    image, which has none, 512 B are taken, or 4096 B when only then something is found inside the partitions.
    Never raises for what the disk holds.
    """
    known = sector_bytes or source.logical_sector_bytes
    layout = _with_sectors(source, known or _DEFAULT_SECTOR)
    if known is None and _counts_wrongly(layout):
        other = _with_sectors(source, _LARGER_SECTOR)
        if any(each.inside for each in other.partitions):
            layout = other
    return layout.with_problems(*problems_of_reading(source))


def _counts_wrongly(layout: Layout) -> bool:
    is_mbr = layout.table is not None and layout.table.kind == "mbr"
    return is_mbr and not any(each.inside for each in layout.partitions)


def _with_sectors(source: Source, sector_bytes: int) -> Layout:
    table, partitions, problems = _table(source, sector_bytes)
    counted = table.sector_bytes if table else sector_bytes
    whole, also = read_contents(Place(source, 0, source.size_bytes, counted))
    layout = Layout(source.size_bytes, counted, table, problems=(*problems, *other_sectors(table, source)))
    if table is None:
        return replace(layout, whole=whole).with_problems(*ambiguous(whole, also, None))
    filled, more = _filled(source, partitions, counted)
    layout = replace(layout, partitions=filled, gaps=find_gaps(source, table, filled))
    if whole is not None and all(each.inside is None or each.inside.uuid != whole.uuid for each in filled):
        layout = replace(layout, whole=whole).with_problems(table_beside(whole))
    return layout.with_problems(*more, *problems_of_partitions(layout))


def _filled(
    source: Source, partitions: tuple[Partition, ...], sector_bytes: int
) -> tuple[tuple[Partition, ...], list[Problem]]:
    """The partitions with what each holds."""
    filled, problems = [], []
    for index, each in enumerate(partitions):
        if each.role == "extended" or index >= _MOST_LOOKED_INTO:
            filled.append(each)
            continue
        inside, also = read_contents(Place(source, each.start_bytes, each.size_bytes, sector_bytes))
        filled.append(replace(each, inside=inside))
        problems += ambiguous(inside, also, each.number)
    if len(partitions) > _MOST_LOOKED_INTO:
        what = f"the table names {len(partitions)} partitions"
        problems.append(Problem(what, 0, f"only the first {_MOST_LOOKED_INTO} were looked into", "danger"))
    return tuple(filled), problems


def _table(source: Source, sector_bytes: int) -> tuple[Table | None, tuple[Partition, ...], tuple[Problem, ...]]:
    record = mbr.read_boot_record(source)
    headers = gpt.find_headers(source)
    table, partitions, problems = gpt.read_partitions(headers)
    if table is not None and (record is None or record.protective):
        return _as_gpt(record, table, partitions, problems)
    if record is not None and record.protective and not any(_ordinary(record)):
        what = "the MBR says that the disk has a GPT, and no copy of one is good"
        faults = [
            f"the {each.which} copy: {'; '.join(each.faults)}" for each in (headers.primary, headers.backup) if each
        ]
        what += f" ({'. '.join(faults)})" if faults else ""
        means = (
            "systems show no partitions; `gdisk` or `testdisk` may find them again; write nothing to the disk before"
        )
        return None, (), (Problem(what, 0, means, "danger"),)
    found = apple.read_map(source)
    if found[0] is not None:
        return found
    if record is None:
        return None, (), ()
    partitions, records, problems = mbr.read_partitions(source, record, sector_bytes)
    if table is not None:
        what = "an MBR without a protective entry stands beside a GPT"
        means = "systems read the MBR; the GPT is left over, and a tool that trusts it would show other partitions"
        problems = (*problems, Problem(what, table.copies[0].header_bytes, means, "danger"))
    return replace(_mbr_table(record, source, sector_bytes), chain_bytes=records), partitions, problems


def _ordinary(record: mbr.BootRecord) -> list[mbr.Entry]:
    return [each for each in record.entries if each.used and each.type_byte != PROTECTIVE]


def _mbr_table(record: mbr.BootRecord, source: Source, sector_bytes: int) -> Table:
    copy = TableCopy("mbr", 0, mbr.ENTRIES_BYTES, 4 * mbr.ENTRY_BYTES, True)
    end = min(source.size_bytes // sector_bytes, 2**32) * sector_bytes  # its entries count with 32 bits
    return Table("mbr", sector_bytes, f"0x{record.signature:08x}", (copy,), sector_bytes, end, mbr.ENTRY_BYTES, 4)


def _as_gpt(
    record: mbr.BootRecord | None, table: Table, partitions: tuple[Partition, ...], problems: tuple[Problem, ...]
) -> tuple[Table, tuple[Partition, ...], tuple[Problem, ...]]:
    if record is None:
        what = "the disk has a GPT without the protective MBR in sector 0"
        means = "systems show no partitions; `gdisk` writes the protective MBR anew"
        return table, partitions, (*problems, Problem(what, 0, means, "danger"))
    named = _ordinary(record)
    if not named:
        return table, partitions, problems
    slots = [(slot, each) for slot, each in enumerate(record.entries, start=1) if each in named]
    hybrid = tuple(mbr.as_partition(each, slot, "hybrid", 0, table.sector_bytes) for slot, each in slots)
    what = f"hybrid MBR: it names {counted(len(hybrid), 'partition')} of the GPT as well"
    means = "some systems read the MBR and some the GPT; whoever changes one has to change both"
    return replace(table, hybrid=hybrid), partitions, (*problems, Problem(what, 0, means, "danger"))
