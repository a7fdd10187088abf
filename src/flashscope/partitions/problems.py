"""What is wrong with a layout that was read: partitions that overlap or leave the disk, contents that do not fit.

Each finding is a `Problem`: what, where, what it means. Faults of one table are told by the file that reads it.
"""

from __future__ import annotations

from itertools import islice

from flashscope.partitions.layout import Inner, Layout, Partition, Problem, Table, everything_inside
from flashscope.partitions.source import FailedRead, Source

_MOST_TOLD = 20
_TO_MOVE_IS_UNSAFE = "what lies there cannot be told apart, so nothing on this disk should be moved"


def problems_of_partitions(layout: Layout) -> tuple[Problem, ...]:
    """All that is wrong with the partitions of a layout, at most 20 of each kind."""
    kinds = (_outside(layout), _overlaps(layout), _strays(layout), _contents(layout))
    return (*(each for kind in kinds for each in islice(kind, _MOST_TOLD)), *_size_changed(layout))


def problems_of_reading(source: Source) -> tuple[Problem, ...]:
    """The places that could not be read."""
    failed: dict[int, FailedRead] = {each.offset_bytes: each for each in source.failed}
    return tuple(
        Problem(
            f"{each.length_bytes} B at byte {each.offset_bytes} cannot be read: {each.reason}",
            each.offset_bytes,
            "what stands there counts as zeros here; save what can be saved before anything else (`ddrescue`)",
            "danger",
        )
        for each in islice(failed.values(), _MOST_TOLD)
    )


def ambiguous(held: Inner | None, also: tuple[Inner, ...], number: int | None) -> list[Problem]:
    """That a place carries the marks of several file systems."""
    if held is None or not also:
        return []
    names = ", ".join(each.kind for each in also)
    where = f"partition {number}" if number is not None else "the disk"
    what = f"{where} holds {held.kind} and also carries the mark of {names}"
    return [
        Problem(what, held.start_bytes, f"{names} is probably left over; it is read as {held.kind}", "danger", number)
    ]


def other_sectors(table: Table | None, source: Source) -> tuple[Problem, ...]:
    """That a table counts in other sectors than its disk has: it was written where the disk showed others."""
    own = source.logical_sector_bytes
    if table is None or own is None or own == table.sector_bytes:
        return ()
    what = f"the table counts in sectors of {table.sector_bytes} B, and the disk has sectors of {own} B"
    means = "systems do not find its partitions here; it was partitioned behind another controller or enclosure"
    return (Problem(what, table.copies[0].header_bytes, means, "danger"),)


def table_beside(whole: Inner) -> Problem:
    """That a disk has a partition table and also holds something as a whole."""
    return Problem(
        f"the disk has a partition table and also carries the mark of {whole.kind} as a whole",
        whole.start_bytes,
        "one of them is left over, or the partitions lie inside it; nothing on this disk should be moved",
        "danger",
    )


def _outside(layout: Layout) -> list[Problem]:
    problems = []
    for each in layout.partitions:
        if each.size_bytes == 0:
            what, means = f"partition {each.number} has no sectors", "it holds nothing"
        elif each.start_bytes >= layout.size_bytes:
            what = f"partition {each.number} begins at byte {each.start_bytes}, beyond the disk's end"
            means = "it cannot be used; the disk is smaller than when it was partitioned, or this is a cut copy"
        elif each.end_bytes > layout.size_bytes:
            beyond = each.end_bytes - layout.size_bytes
            what = f"partition {each.number} ends {beyond} B beyond the disk's end"
            means = "its last part does not exist; the disk is smaller than when it was partitioned"
        elif layout.table and each.start_bytes < layout.table.first_usable_bytes:
            what, means = f"partition {each.number} begins within the table", "writing to it destroys the table"
        else:
            continue
        problems.append(Problem(what, each.start_bytes, means, "danger", each.number))
    return problems


def _overlaps(layout: Layout) -> list[Problem]:
    problems: list[Problem] = []
    for nested in (False, True):
        spans = sorted(
            (each for each in layout.partitions if (each.role == "logical") == nested and each.size_bytes),
            key=lambda each: (each.start_bytes, each.end_bytes),
        )
        reaching: Partition | None = None  # the one before that ends last
        for each in spans:
            if reaching is not None and each.start_bytes < reaching.end_bytes:
                shared = min(reaching.end_bytes, each.end_bytes) - each.start_bytes
                what = f"partitions {reaching.number} and {each.number} overlap by {shared} B"
                problems.append(Problem(what, each.start_bytes, _TO_MOVE_IS_UNSAFE, "danger", each.number))
            if reaching is None or each.end_bytes > reaching.end_bytes:
                reaching = each
    return problems


def _strays(layout: Layout) -> list[Problem]:
    """Logical partitions that do not lie within an extended one."""
    extended = [each for each in layout.partitions if each.role == "extended"]
    return [
        Problem(
            f"the logical partition {each.number} does not lie within the extended one",
            each.start_bytes,
            _TO_MOVE_IS_UNSAFE,
            "danger",
            each.number,
        )
        for each in layout.partitions
        if each.role == "logical"
        and not any(one.start_bytes < each.start_bytes and each.end_bytes <= one.end_bytes for one in extended)
    ]


def _contents(layout: Layout) -> list[Problem]:
    problems = []
    for partition in layout.holding_data():
        for each in everything_inside(partition.inside):
            if each is partition.inside and each.size_bytes and each.size_bytes > partition.size_bytes:
                what = f"the {each.kind} in partition {partition.number} is {each.size_bytes - partition.size_bytes} B "
                means = "its end does not exist, or belongs to another partition; check it before anything is moved"
                problems.append(
                    Problem(f"{what}larger than the partition", each.start_bytes, means, "danger", partition.number)
                )
            problems += _hidden(each, partition)
    return problems


def _hidden(inner: Inner, partition: Partition) -> list[Problem]:
    """That a boot sector is wrong about where it stands. From logical ones, old systems count from their record."""
    hidden = inner.hidden_sectors
    if hidden is None or inner is not partition.inside or hidden.value in (0, hidden.expected):
        return []
    if partition.chain_bytes is not None:
        sector_bytes = partition.start_bytes // hidden.expected if hidden.expected else 0
        if hidden.value * sector_bytes == partition.start_bytes - partition.chain_bytes:
            return []
    what = f"the boot sector of partition {partition.number} says that {hidden.value} sectors lie before it, "
    means = "a system may not start from it; its files are not concerned"
    return [Problem(f"{what}and there are {hidden.expected}", hidden.places_bytes[0], means, "note", partition.number)]


def _size_changed(layout: Layout) -> list[Problem]:
    table = layout.table
    if table is None or table.kind != "gpt" or table.end_usable_bytes <= layout.size_bytes:
        return []
    beyond = table.end_usable_bytes - layout.size_bytes
    what = f"the GPT was made for a disk that is at least {beyond} B larger"
    means = "this is a cut copy, or the disk was changed; no backup of the table exists at its end"
    return [Problem(what, layout.size_bytes, means, "danger")]
