"""Which controller family a dump is from, and whether the drive is flash: weighed evidence, never the name alone.

    ids of the dump  --how likely in each family-->  bits  \\
    marks of the tables (flags, order, identities,          >  sum per family --> share of each --> one, or none
      value bytes; names weakly), Device Statistics -->  bits  /

Each family's table lists the ids that its drives always, sometimes and never have. The log2-likelihoods of the ids are
summed as if they were independent. They are not, so the sum is multiplied by `ID_WEIGHT`. A stranger (a drive that
fits no table) is a hypothesis too: a mixture of all families, with ids as frequent as in the average table.
A family is reported when its share of all hypotheses reaches `SURE_RATIO` and when it fits by itself, not only better
than the others: it must know most of the drive's ids, and the drive must have most of the ids marked "always".

Not weighed here: the name in the printing program's own database (`family_printed`), which depends on the model name.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from flashscope.records.smart_snapshot import SmartAttribute
from flashscope.smart.decoding import scsi
from flashscope.smart.decoding.layouts import LAYOUTS, raw_48
from flashscope.smart.decoding.table import FamilyTable, Mark, Recognition, all_tables
from flashscope.smart.dump import Dump

ALWAYS_RATIO, SOMETIMES_RATIO, NEVER_RATIO = 0.95, 0.35, 0.01  # share of a family's drives that have such an id
ID_WEIGHT = 0.6
SURE_RATIO = 0.8
KNOWN_LEAST_RATIO, ALWAYS_LEAST_RATIO = 0.8, 0.6  # of ids, for a family that fits by itself
NAME_BITS_MOST = 5.0  # limit for all names together
STATISTIC_BITS = 2.0  # a counter in the family's unit agrees with the Device Statistics, or not
ROTATION_BITS = 30.0
STRANGER_BITS = 2.0  # a drive without a table is less common than one of a known family, but not rare
_IDS = range(1, 256)
_DISK_IDS = frozenset({3, 4, 7, 10, 11, 193, 220, 222, 223, 224, 226, 240})
_HELIUM = 22
_FLASH_IDS = frozenset({*range(160, 183), 202, 231, 232, 233, 245, 246, 247, 248, 249})


_Candidate = tuple[float, FamilyTable, list[tuple[float, str]]]  # bits of all, table, bits and words of each reason
NVME = FamilyTable("nvme", "NVMe drive, by its standard health log", Recognition())
"""NVMe drives have no attributes; their standard log is the same for every controller."""
SCSI = FamilyTable("scsi", "SAS or SCSI solid-state drive, by its standard logs", Recognition())
"""The same for SCSI: their log pages are standard."""


@dataclass(frozen=True)
class Recognised:
    """The family of a dump. table: None when none is certain enough. is_flash: None when unknown.

    confidence_ratio: share of the likeliest family among all hypotheses x share of the drive's ids it knows, 0 to 1.
    evidence: in words, strongest first.
    """

    table: FamilyTable | None
    is_flash: bool | None
    confidence_ratio: float = 0.0
    evidence: tuple[str, ...] = ()


def recognise(dump: Dump) -> Recognised:
    """The family of the drive, whether it is flash, how certain that is, and why."""
    if not dump.attributes or dump.rotation_rpm:
        return _without_attributes(dump)
    by_id = {attribute.id: attribute for attribute in reversed(dump.attributes)}
    bits = _bits_of_ids(by_id)
    found: list[_Candidate] = []
    likeliest = max(bits[1:])
    for table, base in zip(all_tables(), bits[1:], strict=True):
        if base < likeliest - 40:  # no marks could make up for this difference
            continue
        reasons = list(_reasons(table, dump, by_id))
        found.append((base + sum(weight for weight, _ in reasons), table, reasons))
    found.sort(key=lambda one: -one[0])
    most, table, reasons = found[0]
    top = max(most, bits[0])
    whole = 2 ** (bits[0] - top) + sum(2 ** (one[0] - top) for one in found)
    share = 2 ** (most - top) / whole
    is_flash, why = _flash_or_disk(dump, by_id)
    known_ratio = len(by_id.keys() & _known_ids(table)) / len(by_id)
    always = table.recognise.always
    always_ratio = len(by_id.keys() & always) / len(always)
    fits = known_ratio >= KNOWN_LEAST_RATIO and always_ratio >= ALWAYS_LEAST_RATIO
    if share < SURE_RATIO or not fits:
        return Recognised(None, is_flash, share * known_ratio * always_ratio, (_why_none(found, bits[0], share), *why))
    ids = f"{known_ratio:.0%} of its attribute ids are those of {table.title}"
    marks = [text for weight, text in sorted(reasons, key=lambda one: -abs(one[0]))]
    is_flash = table.is_flash if dump.rotation_rpm is None else is_flash
    return Recognised(table, is_flash, share * known_ratio, (ids, *marks, *why))


def _why_none(found: list[_Candidate], stranger_bits: float, share: float) -> str:
    first, second = found[0], found[1] if len(found) > 1 else None
    if second is not None and first[0] - second[0] < 3 and first[0] > stranger_bits:
        return f"fits {first[1].title} and {second[1].title} about equally well"
    if share >= SURE_RATIO:
        return f"likeliest {first[1].title}, but too many ids differ from what its drives have"
    return f"likeliest {first[1].title}, but that has only {share:.0%} of the weight"


def _without_attributes(dump: Dump) -> Recognised:
    """The kind of drive, where it reports this without attributes."""
    if dump.rotation_rpm:
        disk = next((table for table in all_tables() if not table.is_flash), None)
        return Recognised(disk, False, 1.0, (f"it turns at {dump.rotation_rpm} rpm",))
    if dump.nvme_health or dump.protocol == "NVMe":
        return Recognised(NVME, True, 1.0, ("it is an NVMe drive",))
    if dump.protocol == "SCSI":
        return _scsi(dump)
    if dump.rotation_rpm == 0:
        return Recognised(None, True, 0.0, ("it says that it has no rotating parts",))
    return Recognised(None, None)


def _scsi(dump: Dump) -> Recognised:
    """A SCSI drive that does not turn, or does not say so."""
    log = dump.vendor_logs.get(scsi.LOG, {})
    flash = True if dump.rotation_rpm == 0 else scsi.is_flash(log)
    if flash is None or "is_volume" in log:
        return Recognised(None, None)
    if flash:
        return Recognised(SCSI, True, 1.0, ("it is a SCSI drive without rotating parts",))
    disk = next((table for table in all_tables() if not table.is_flash), None)
    return Recognised(disk, False, 1.0, ("it counts what only a disk has: starts of the motor, parkings of the heads",))


def _flash_or_disk(dump: Dump, by_id: Mapping[int, SmartAttribute]) -> tuple[bool | None, tuple[str, ...]]:
    """Flash, disk or unknown, from the drive's own report and its ids; with the reason."""
    if dump.rotation_rpm == 0:
        return True, ("it says that it has no rotating parts",)
    disk, flash = len(_DISK_IDS & by_id.keys()), len(_FLASH_IDS & by_id.keys())
    if _HELIUM in by_id or (disk > 2 and not flash):
        return False, ("it counts what only a disk has: spinning up, seeking, parking",)
    if flash > 1 and flash > 2 * disk:
        return True, ("it counts what only flash has: erases, spare blocks",)
    return None, ()


def _known_ids(table: FamilyTable) -> frozenset[int]:
    return table.recognise.always | table.recognise.sometimes | {row.id for row in table.rows}


@cache
def _weights_of_ids() -> tuple[tuple[float, ...], tuple[tuple[float, ...], ...]]:
    """For the stranger and then each table: bits of a dump without any id, and what each id adds."""
    ratios = []
    for table in all_tables():
        always, known = table.recognise.always, _known_ids(table)
        ratios.append(
            [ALWAYS_RATIO if id in always else SOMETIMES_RATIO if id in known else NEVER_RATIO for id in _IDS]
        )
    mixture = [sum(column) / len(ratios) for column in zip(*ratios, strict=True)]
    absent, present = cache(_bits_of_absence), cache(_bits_of_presence)  # the tables have three ratios in all
    empty, added = [], []
    for index, row in enumerate((mixture, *ratios)):
        empty.append(ID_WEIGHT * sum(map(absent, row)) - (0 if index else STRANGER_BITS))
        added.append((0.0, *map(present, row)))
    return tuple(empty), tuple(added)


def _bits_of_absence(ratio: float) -> float:
    return math.log2(1 - ratio)


def _bits_of_presence(ratio: float) -> float:
    return ID_WEIGHT * math.log2(ratio / (1 - ratio))


def _bits_of_ids(by_id: Mapping[int, SmartAttribute]) -> list[float]:
    """Likelihood of these ids [log2], for the stranger and then for each table."""
    empty, added = _weights_of_ids()
    ids = [id for id in by_id if 0 < id < 256]
    return [start + sum([row[id] for id in ids]) for start, row in zip(empty, added, strict=True)]


def _reasons(table: FamilyTable, dump: Dump, by_id: Mapping[int, SmartAttribute]) -> Iterator[tuple[float, str]]:
    """(bits, words) of all evidence for or against a family except the ids."""
    if dump.rotation_rpm == 0 and not table.is_flash:
        yield -ROTATION_BITS, "it has no rotating parts"
    names = 0.0
    for mark in table.recognise.marks:
        borne = _bears(mark, dump, by_id)
        weight = mark.bits if borne else -mark.against if borne is not None else 0.0
        if not weight:
            continue
        if mark.model or mark.firmware:
            weight = max(-NAME_BITS_MOST - names, min(NAME_BITS_MOST - names, weight))
            names += weight
        yield weight, _words(mark, bool(borne), dump)
    for key, statistic in (("host_written_bytes", (1, 0x18)), ("host_read_bytes", (1, 0x28))):
        sectors = dump.statistic(*statistic)
        row = next((row for row in table.rows if row.key == key and row.id in by_id), None)
        if sectors and row is not None and len(row.scales) == 1 and row.scales[0] > 512:
            shown, unit = LAYOUTS[row.layout](by_id[row.id]), row.scales[0]
            if shown is None:
                continue
            agrees = abs(shown * unit - sectors * 512) <= unit + sectors * 512 / 100
            words = f"{row.id} {'agrees' if agrees else 'disagrees'} with the Device Statistics in the family's unit"
            yield (STATISTIC_BITS if agrees else -STATISTIC_BITS), words


def _bears(mark: Mark, dump: Dump, by_id: Mapping[int, SmartAttribute]) -> bool | None:
    """Whether a drive has a mark; None when unknown."""
    if mark.model is not None:
        return mark.model.search(dump.model) is not None if dump.model else None
    if mark.firmware is not None:
        return mark.firmware.search(dump.firmware) is not None if dump.firmware else None
    if mark.flags_zero:
        return not any(attribute.flags for attribute in dump.attributes)
    if mark.first:
        return tuple(attribute.id for attribute in dump.attributes[: len(mark.first)]) == mark.first
    if mark.absent:
        return not any(id in by_id for id in mark.absent)
    if mark.over_100:
        one = by_id.get(mark.over_100)
        return None if one is None else 100 < one.value <= 200
    if mark.raw_is_value:
        one = by_id.get(mark.raw_is_value)
        return None if one is None or not one.value else raw_48(one) == one.value
    if mark.equal:
        raws = [raw_48(by_id[id]) for id in mark.equal if id in by_id]
        return raws[0] == raws[1] if len(raws) == 2 and any(raws) else None
    if mark.ordered:
        return _in_order(mark.ordered, by_id)
    return _wears_as_rated(mark.wear_percent, by_id)


def _in_order(ordered: tuple[int, ...], by_id: Mapping[int, SmartAttribute]) -> bool | None:
    """Whether three packed words are a minimum, an average and a maximum; None when all are 0."""
    id, *places = ordered
    whole = raw_48(by_id[id]) if id in by_id else 0
    least, average, most = ((whole >> 16 * place) & 0xFFFF for place in places)
    return least <= average <= most and most > 0 if whole else None


def _wears_as_rated(wear: tuple[int, ...], by_id: Mapping[int, SmartAttribute]) -> bool | None:
    """Whether percent = floor(100 count / rated) for some rating within bounds; None when both are 0."""
    count, percent, lowest, highest = wear
    if count not in by_id or percent not in by_id:
        return None
    cycles, used = raw_48(by_id[count]), raw_48(by_id[percent])
    return 100 * cycles // highest <= used <= 100 * cycles // lowest if cycles or used else None


def _words(mark: Mark, borne: bool, dump: Dump) -> str:
    """A mark, present or absent, in words."""
    yes = "" if borne else "not "
    if mark.model is not None:
        return (
            f"the model name {dump.model!r} {'is one' if borne else 'is none'} of the family's; names are weak evidence"
        )
    if mark.firmware is not None:
        return f"the firmware's name {dump.firmware!r} is {yes}of its pattern; names are weak evidence"
    if mark.flags_zero:
        return "no attribute carries a flag" if borne else "attributes carry flags"
    if mark.first:
        return f"the list does {yes}begin with {', '.join(map(str, mark.first))}"
    if mark.absent:
        return f"it has {'none' if borne else 'some'} of {', '.join(map(str, mark.absent))}"
    if mark.over_100:
        return f"the value byte of {mark.over_100} is {yes}above 100"
    if mark.raw_is_value:
        return f"the raw number of {mark.raw_is_value} does {yes}repeat its value byte"
    if mark.equal:
        return f"{mark.equal[0]} and {mark.equal[1]} are {yes}the same number"
    if mark.ordered:
        return f"the words of {mark.ordered[0]} are {yes}a minimum, an average and a maximum"
    return f"{mark.wear_percent[1]} is {yes}the whole per cent of {mark.wear_percent[0]} for some rating"
