"""From a dump to named numbers with units, intervals and provenance.

    Dump -> which family?  (`recognise.py`)
         -> one field per row of its table            attributes
         -> one field per row of each log's table     Device Statistics, NVMe, OCP, Intel, Indilinx
         -> host bytes: unit and source that fit      (`traffic.py`)
         -> numbers derived from several fields, and contradictions (`health.py`)

If a drive reports a number twice, one is kept under its key and the other under the key with `_vendor`, `_statistics`
or `_log` appended. Placeholders (all ones, and those in a table) give no field. Fields keep every raw number.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from flashscope.records.smart_snapshot import SmartAttribute, SmartSnapshot
from flashscope.smart.decoding import flash_bytes, misread, scsi, traffic, vendor_logs
from flashscope.smart.decoding.contradictions import COMPRESSING_FAMILIES
from flashscope.smart.decoding.health import complete
from flashscope.smart.decoding.host_pages import host_counter_gone_round, nand_by_pages
from flashscope.smart.decoding.layouts import LAYOUTS, raw_48
from flashscope.smart.decoding.reading import NO_SMART, UNKNOWN, Contradiction, Field, Reading
from flashscope.smart.decoding.recognise import Recognised, recognise
from flashscope.smart.decoding.table import (
    AttributeRow,
    FamilyTable,
    LogTable,
    Row,
    all_tables,
    log_tables,
    vendor_log_tables,
)
from flashscope.smart.decoding.unfilled import is_blank_health_log
from flashscope.smart.dump import Dump, dump_of_snapshot
from flashscope.units import format_bytes

ALL_ONES = frozenset({0xFFFF_FFFF, 0xFFFF_FFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFF})
CYCLES_MOST = 300_000  # SLC is rated for 100,000
LOGS = ("nvme_health", "ocp_c0", "scsi", "nvme_records", "intel_ca", "indilinx_gp_03")  # standards before makers
_WITHOUT_A_TABLE = frozenset({"smartctl", "sct", "sata_phy"})
_TEMPERATURES = ("temperature_celsius", "temperature_max_celsius", "temperature_min_celsius")
_CELSIUS = range(-59, 126)  # -60 and below stand for "no sensor"
_CONVENTION = {9: "hours", 12: "raw-48", 194: "celsius", 199: "raw-48"}  # id -> layout that nearly all drives use
_SAME_HOURS_RATIO = 0.01
LATER_RATIO = 0.001  # how far a log that was read later may be ahead of another


def decode(snapshot: SmartSnapshot) -> Reading:
    """The named numbers of a snapshot of a record; as `read`."""
    return read(dump_of_snapshot(snapshot))


def read(dump: Dump) -> Reading:
    """The named numbers of a dump; for an unknown family, those of standards and conventions."""
    found = recognise(dump)
    fields: dict[str, Field] = {}
    by_id = {attribute.id: attribute for attribute in reversed(dump.attributes)}
    if found.table is not None:
        _add_attributes(fields, found.table, by_id, dump)
    else:
        _add_conventional(fields, by_id)
    _add_statistics(fields, dump)
    blank = is_blank_health_log(dump.nvme_health)
    for name in LOGS:
        entries = dump.nvme_health if name == "nvme_health" else dump.vendor_logs.get(name, {})
        if name == scsi.LOG:
            entries = scsi.entries(entries)
        _add_log(fields, log_tables()[name], {} if blank and name == "nvme_health" else entries)
    _add_vendor_logs(fields, dump)
    disbelieved = _disbelieved(fields)
    if blank:
        disbelieved += (Contradiction("NotFilledIn", "The health log holds nothing but zeros; none is believed.", ""),)
    if dump.protocol == "SCSI":
        disbelieved += tuple(scsi.doubts(fields, found.is_flash))
    if (gone_round := host_counter_gone_round(fields)) is not None:
        fields["host_written_bytes"], contradiction = gone_round
        disbelieved += (contradiction,)
    if (nand := nand_by_pages(fields, dump)) is not None:
        fields.setdefault(nand.key, nand)
    disbelieved += _settle_flash_bytes(fields, found.table, dump)
    disbelieved += misread.set_right(fields, dump)
    known = {row.id for row in found.table.rows} if found.table is not None else set()
    family, title = _named(found, dump)
    reading = Reading(
        family,
        title,
        found.is_flash,
        found.confidence_ratio,
        found.evidence,
        fields,
        disbelieved,
        tuple(sorted(by_id.keys() - known)),
    )
    return complete(reading, dump)


def _settle_flash_bytes(fields: dict[str, Field], table: FamilyTable | None, dump: Dump) -> tuple[Contradiction, ...]:
    """Hold the counters of flash bytes against the drive's other numbers; what that contradicts."""
    rows = table.rows if table is not None else ()
    scales = {row.key: row.scales for row in rows if row.key in (flash_bytes.TOTAL, flash_bytes.CACHE)}
    outcome = flash_bytes.settled(
        fields,
        scales,
        dump,
        compresses=table is not None and table.name.startswith(COMPRESSING_FAMILIES),
        cache_apart=table is not None and table.cache_apart,
    )
    for key in outcome.withdrawn:
        fields.pop(key, None)
    fields.update(outcome.fields)
    return outcome.contradictions


def _named(found: Recognised, dump: Dump) -> tuple[str, str]:
    if found.table is not None:
        return found.table.name, found.table.title
    if dump.attributes or dump.statistics or dump.vendor_logs:
        return UNKNOWN, "a family that is not known yet"
    return NO_SMART, "the drive shows no SMART attributes"


def _disbelieved(fields: Mapping[str, Field]) -> tuple[Contradiction, ...]:
    """One contradiction for each number of the Device Statistics in whose place the maker's counter is used."""
    found = []
    for key in traffic.PLACES:
        told = fields.get(f"{key}_statistics")
        if told is not None and key in fields and told.value != fields[key].value:
            message = (
                f"{fields[key].origin} makes {format_bytes(fields[key].value)}, the Device Statistics "
                f"{format_bytes(told.value)}: "
                f"{told.meaning}. The attribute is believed."
            )
            found.append(Contradiction("StatisticsDisbelieved", message, key))
    return tuple(found)


def _add_attributes(
    fields: dict[str, Field], table: FamilyTable, by_id: Mapping[int, SmartAttribute], dump: Dump
) -> None:
    """One field per row whose attribute the drive has; traffic last, because it is judged by the others."""
    unsure: list[tuple[AttributeRow, int, Field]] = []
    for row in table.rows:
        attribute = by_id.get(row.id)
        if attribute is None or row.key in fields or any(row.key == one.key for one, _, _ in unsure):
            continue
        count = LAYOUTS[row.layout](attribute)
        raw = raw_48(attribute)
        if count is None or count in ALL_ONES or count in row.placeholders or (raw and raw in row.placeholders):
            continue
        field = _field(row, count, f"attribute {row.id}", row.scales[0])
        raw = count if row.layout.startswith("value") else raw
        field = replace(field, raw=raw, attribute_id=row.id)
        if row.key in traffic.PLACES or len(row.scales) > 1:
            unsure.append((row, count, field))
        elif _is_possible(field):
            fields[row.key] = field
    _add_traffic(fields, unsure, dump)


def _add_traffic(fields: dict[str, Field], unsure: list[tuple[AttributeRow, int, Field]], dump: Dump) -> None:
    """Writes first: if a row may have the same units as the counter of writes, it has the unit found for writes."""
    life = traffic.Life(
        dump.user_bytes or None, _value(fields, "power_on_time_hours"), _value(fields, "erase_count_average")
    )
    chosen: dict[tuple[float, ...], tuple[float, str]] = {}
    for row, count, field in sorted(unsure, key=lambda one: one[0].key != "host_written_bytes"):
        unit, provenance = chosen.get(row.scales, (None, ""))
        scales = row.scales
        if unit is not None:
            scales = (unit, *(scale for scale in row.scales if scale != unit))
        if row.key not in traffic.PLACES:
            scales = scales[:1]
            found = [replace(_field(row, count, field.origin, scales[0]), raw=field.raw, attribute_id=row.id)]
            if provenance == "assumed" or (unit is None and len(row.scales) > 1):
                found = [replace(found[0], provenance="assumed")]
        else:
            distrusted = _value(fields, "host_written_bytes_statistics") is not None
            counter = traffic.Counter(field, count, scales, row.step)
            found = traffic.believed(row.key, counter, dump, life, distrusted=distrusted)
            if unit is not None and provenance != "assumed" and found and found[0].provenance == "assumed":
                found[0] = replace(counter.in_unit(unit), provenance="inferred")
        for one in found:
            fields[one.key] = one
        if row.key == "host_written_bytes" and len(row.scales) > 1 and count and found:
            told = fields.get("host_written_bytes_vendor", found[0])
            nearest = min(row.scales, key=lambda scale: abs(count * scale - told.value))
            chosen[row.scales] = (nearest, told.provenance)


def _field(row: Row, count: int, origin: str, scale: float) -> Field:
    """The field of one row, exact or with an error of up to `row.step` counts."""
    value: int | float = count * scale + row.add
    step: int | float = scale if row.step == 1 else -scale if row.step == -1 else row.step * scale
    if scale == traffic.SECTOR_BYTES:
        step = 0
    if row.negate_from is not None:
        value, step = row.negate_from - value, -step
    low, high = (value, value + step) if step >= 0 else (value + step, value)
    if row.unit == "per cent" and step:  # drives round either way
        low, high = max(0, value - abs(step)), value + abs(step)
    return Field(row.key, value, row.unit, row.meaning, row.provenance, low, high, count, origin)


def _is_possible(field: Field) -> bool:
    """Whether a value is possible for its row: a share from 0 to 100, an average erase count that flash can reach."""
    if field.key == "erase_count_average":
        return field.value <= CYCLES_MOST
    return not field.key.endswith("left_percent") or 0 <= field.value <= 100


def _value(fields: Mapping[str, Field], key: str) -> float | None:
    return fields[key].value if key in fields else None


def _add_conventional(fields: dict[str, Field], by_id: Mapping[int, SmartAttribute]) -> None:
    """Hours, power cycles, temperature and link errors, which nearly all drives report alike; marked as assumed.

    Drives without any flag follow no convention, so nothing is taken from them.
    """
    if not any(attribute.flags for attribute in by_id.values()):
        return
    disk = next((table for table in all_tables() if not table.is_flash), None)
    for row in disk.rows if disk is not None else ():
        attribute = by_id.get(row.id)
        if (
            attribute is None
            or row.id not in _CONVENTION
            or row.layout != _CONVENTION[row.id].replace("raw-48", "raw-32")
        ):
            continue
        count = LAYOUTS[_CONVENTION[row.id]](attribute)
        if count is None or count in ALL_ONES or (row.id == 194 and not count):
            continue
        field = _field(row, count, f"attribute {row.id}", 1)
        meaning = f"{row.meaning}, if this drive does what most drives do"
        fields[row.key] = replace(
            field, meaning=meaning, provenance="assumed", raw=raw_48(attribute), attribute_id=row.id
        )


def _add_statistics(fields: dict[str, Field], dump: Dump) -> None:
    """The Device Statistics that are valid and agree with the standard."""
    if not dump.statistics:
        return
    told = {(one.page, one.offset_bytes): one.value for one in reversed(dump.statistics)}
    table = log_tables()["statistics"]
    degrees = [told.get(place) for place in ((5, 0x08), (5, 0x20), (5, 0x28))]
    sensor = any(one and one in _CELSIUS for one in degrees)
    untrusted = "host_written_bytes_statistics" in fields
    for row in table.rows:
        count = told.get((row.page, row.offset))
        if (
            count is None
            or count in row.placeholders
            or count in ALL_ONES
            or (count < 0 and row.key not in _TEMPERATURES)
        ):
            continue
        if row.key in _TEMPERATURES and (not sensor or count not in _CELSIUS):
            continue
        if row.key in traffic.PLACES and (f"{row.key}_statistics" in fields or f"{row.key}_vendor" in fields):
            continue
        field = _field(row, count, f"{table.place} {row.page:02X}h:{row.offset:03X}h", row.scales[0])
        if untrusted and row.key in traffic.PLACES:
            field = replace(field, provenance="assumed")
        if row.key not in fields:
            fields[row.key] = field
        elif not _same(field, fields[row.key]):
            fields[f"{row.key}_statistics"] = replace(field, key=f"{row.key}_statistics")


def _same(one: Field, other: Field) -> bool:
    if one.unit == "hours":
        return abs(one.value - other.value) <= 1 + _SAME_HOURS_RATIO * other.value
    return abs(one.value - other.value) <= LATER_RATIO * abs(other.value)


def _add_vendor_logs(fields: dict[str, Field], dump: Dump) -> None:
    """The logs of NVMe drives' makers; their tables are loaded only when a dump has one."""
    for name, entries in dump.vendor_logs.items():
        if name not in LOGS and name not in _WITHOUT_A_TABLE and (table := vendor_log_tables().get(name)) is not None:
            _add_log(fields, vendor_logs.in_fitting_units(table, entries, fields, dump), entries)


def _add_log(fields: dict[str, Field], table: LogTable, entries: Mapping[str, int]) -> None:
    for row in table.rows if entries else ():
        name = next((name for name in row.names if name in entries), None)
        if name is None or entries[name] in row.placeholders or entries[name] in ALL_ONES:
            continue
        field = _field(row, entries[name], f"{table.place}: {name}", row.scales[0])
        if row.key not in fields:
            fields[row.key] = field
        elif row.key in traffic.PLACES or not _same(field, fields[row.key]):
            key = f"{row.key}_vendor" if row.key in traffic.PLACES else f"{row.key}_log"
            fields.setdefault(key, replace(field, key=key))
