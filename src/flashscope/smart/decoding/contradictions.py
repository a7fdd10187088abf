"""Numbers of a drive that contradict each other, or are impossible: one small rule each, and which number is used.

    Case (fields + dump) --every rule of RULES--> Found: the contradiction, the number that is used, and why

A rule may replace a doubtful field by a more certain one, or remove a field without information. The raw number stays
in the message. Rules use keys and units, never models; families only where their flash compresses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from flashscope.smart.decoding.life import Life, life_of, said_between
from flashscope.smart.decoding.life_claims import Claim, life_claims
from flashscope.smart.decoding.rated_writes import promised_writes
from flashscope.smart.decoding.reading import Field, Reading
from flashscope.smart.decoding.traffic import ALL_ONES_SECTORS
from flashscope.smart.decoding.words import in_words
from flashscope.smart.dump import Dump
from flashscope.units import format_bytes, format_count, format_number, format_percent

SECTOR_BYTES = 512
COMPRESSING_FAMILIES = ("sandforce", "intel-sandforce", "seagate")
"""Beginnings of the names of families that may write less to flash than the host wrote."""

_EARLIEST_S = {"ATA": 1_136_073_600, "NVMe": 1_356_998_400}  # 2006 and 2013: first such drives on sale
_LINK_BYTES_PER_SECOND = {"ATA": 600e6, "NVMe": 16e9}  # SATA at 6 Gbit/s; sixteen lanes for any NVMe drive
_COLDEST_C, _HOTTEST_C = -55, 150
_LONGEST_HOURS = 263_000  # thirty years
HIGHEST_WRITE_AMPLIFICATION = 200.0
"""The highest write amplification seen over the whole life of a drive is 120."""


@dataclass(frozen=True)
class Case:
    """The input of the rules."""

    reading: Reading
    dump: Dump

    def field(self, key: str) -> Field | None:
        """The field of that key; None when there is none."""
        return self.reading.fields.get(key)

    def value(self, key: str) -> float | None:
        """Its value; None when there is none."""
        return self.reading.value(key)


@dataclass(frozen=True)
class Found:
    """One contradiction. believed: key of the field that is used, or "". replacement: replaces the field of its key.

    drop: keys of fields without information, which are removed.
    """

    kind: str
    message: str
    believed: str = ""
    replacement: Field | None = None
    drop: tuple[str, ...] = ()


Rule = Callable[[Case], Iterator[Found]]


def claims_of_life(case: Case) -> Iterator[Found]:
    """All that the drive says of its life against each other: one contradiction names every claim."""
    life, claims = life_of(case.reading, promised_writes(case.dump)), life_claims(case.reading)
    if not claims or (life is not None and not life.disagrees):
        return
    told = "; ".join(f"{claim.words}{_why_not(claim)}" for claim in claims)
    if life is None:
        message = f"{told}. So nothing is said of how much of its rated life is used."
    else:
        left = f"{format_percent(round(life.left.value, 2))} left{said_between(life.left)}{_promise(life)}"
        message = f"the drive's own numbers differ on how much of its rated life is used: {told}. Taken is {left}."
    yield Found("LifeDisagrees", message, "remaining_life_ratio" if life else "")


def _promise(life: Life) -> str:
    """What was written of what is promised, where that makes the interval wider."""
    return f"; {life.promise}" if life.promise and life.used.high > max(one.used.high for one in life.claims) else ""


def _why_not(claim: Claim) -> str:
    return f" (not believed: {claim.set_aside})" if claim.set_aside else ""


def host_bytes_against_device_statistics(case: Case) -> Iterator[Found]:
    """Host bytes of vendor attributes against the ATA Device Statistics, whose unit a standard fixes.

    Where the decoder found the statistics wrong (`KEY_statistics` is present), it has reported that itself.
    """
    for key, offset_bytes, what in (("host_written_bytes", 0x18, "written"), ("host_read_bytes", 0x28, "read")):
        sectors = case.dump.statistic(1, offset_bytes)
        field = case.field(f"{key}_vendor") or case.field(key)
        if field is None or field.attribute_id is None or not sectors or case.field(f"{key}_statistics"):
            continue
        if sectors >= ALL_ONES_SECTORS:
            continue  # the drive does not fill the entry
        stated = sectors * SECTOR_BYTES
        slack = max(0.01 * stated, field.high - field.low)
        if abs(field.value - stated) <= slack:
            continue
        unit = _unit_that_fits(field, stated)
        yield Found(
            "HostBytesDisagree",
            f"{field.origin or 'an attribute'} says {format_bytes(field.value)} {what}, the Device Statistics say "
            f"{format_bytes(stated)}.{unit} The Device Statistics are believed, because a standard fixes their unit.",
            key,
            _by_statistics(replace(field, key=key), stated, SECTOR_BYTES, sectors, offset_bytes),
        )


def _by_statistics(field: Field, value: int, unit: int, raw: int, offset_bytes: int) -> Field:
    """The field with the number from the Device Statistics; unit: one step of their counter."""
    origin = f"Device Statistics 01h:{offset_bytes:03X}h"
    return Field(field.key, value, field.unit, field.meaning, "documented", value, value + unit, raw=raw, origin=origin)


def _unit_that_fits(field: Field, stated_bytes: int) -> str:
    units = {"512 B": 512, "1 MiB": 2**20, "16 MiB": 2**24, "32 MiB": 2**25, "64 MiB": 2**26, "GB": 10**9, "GiB": 2**30}
    for name, size in units.items():
        if field.raw and abs(field.raw * size - stated_bytes) <= max(0.01 * stated_bytes, size):
            return f" With units of {name} they agree."
    return ""


def power_on_time_against_device_statistics(case: Case) -> Iterator[Found]:
    """Hours of an attribute against those of the Device Statistics."""
    field, hours = case.field("power_on_time_hours"), case.dump.statistic(1, 0x10)
    if field is None or field.attribute_id is None or not hours or case.field("power_on_time_hours_statistics"):
        return
    if abs(field.value - hours) <= max(24.0, 0.01 * hours, field.high - field.low):
        return
    yield Found(
        "PowerOnTimeDisagrees",
        f"{field.origin} says {format_number(field.value)} h of power-on time, the Device Statistics say {hours} h, "
        "which are believed, because a standard fixes their unit.",
        "power_on_time_hours",
        _by_statistics(field, hours, 1, hours, 0x10),
    )


def power_on_time_against_the_calendar(case: Case) -> Iterator[Found]:
    """More hours than have passed since the first drives of the kind were sold, up to the day of the reading."""
    field, taken_at_s = case.field("power_on_time_hours"), case.dump.taken_at_s
    earliest = _EARLIEST_S.get(case.dump.protocol)
    if field is None or earliest is None or case.reading.is_flash is not True:
        return
    if field.low > _LONGEST_HOURS:
        yield Found(
            "PowerOnTimeImpossible",
            f"{format_number(field.value)} h of power-on time are more than any such drive can have; the counter is in "
            "a smaller unit, or has overflowed. It is left out.",
            drop=("power_on_time_hours",),
        )
    elif taken_at_s is not None and 0 <= (taken_at_s - earliest) / 3600 < field.low:
        yield Found(
            "PowerOnTimeAgainstDate",
            f"{format_number(field.value)} h of power-on time are more than passed between the first such drives and "
            "the date of this reading. The hours are believed, because the clocks of computers are wrong more often.",
            "power_on_time_hours",
        )


def written_faster_than_the_link(case: Case) -> Iterator[Found]:
    """More host bytes than the link can carry in the power-on time: the unit is wrong."""
    hours, rate = case.field("power_on_time_hours"), _LINK_BYTES_PER_SECOND.get(case.dump.protocol)
    if hours is None or rate is None or hours.value <= 0:
        return
    for key in ("host_written_bytes", "host_read_bytes"):
        field = case.field(key)
        if field is not None and field.value > rate * 3600 * (hours.high + 1):
            counter = field.origin or in_words(key)
            yield Found(
                "FasterThanTheLink",
                f"{format_bytes(field.value)} in {format_number(hours.value)} h is more than the link carries; the "
                f"unit of {counter} or of the power-on time is not the one that is assumed. Neither is believed.",
            )


def less_written_than_the_host_wrote(case: Case) -> Iterator[Found]:
    """Fewer bytes to flash than from the host, on a drive that is not known to compress."""
    host, nand = case.field("host_written_bytes"), case.field("nand_written_bytes")
    if host is None or nand is None or case.reading.family.startswith(COMPRESSING_FAMILIES):
        return
    if 0 < nand.high < 0.98 * host.low:
        yield Found(
            "FlashBelowHost",
            f"{format_bytes(nand.value)} written to flash is less than the {format_bytes(host.value)} of the host. "
            "The drive compresses, or counts flash from a later day on, or one unit is not the one that is "
            "assumed. The "
            "host's bytes are believed; take the write amplification with care.",
            "host_written_bytes",
        )


def far_more_written_than_the_host_wrote(case: Case) -> Iterator[Found]:
    """More bytes to flash than any drive writes for what the host wrote."""
    host, nand = case.field("host_written_bytes"), case.field("nand_written_bytes")
    if host is None or nand is None or host.value <= 0:
        return
    average, user_bytes = case.value("erase_count_average") or 0, case.dump.user_bytes or 0
    if nand.value <= 2 * (average + 1) * user_bytes:
        return  # its erases bear it out: what an idle drive writes for itself
    if nand.value > HIGHEST_WRITE_AMPLIFICATION * host.value:
        yield Found(
            "FlashFarAboveHost",
            f"{format_bytes(nand.value)} written to flash for {format_bytes(host.value)} of the host is more than any "
            "drive does; one of the two is in another unit, or has overflowed. Neither is believed, and no "
            "write amplification is stated.",
        )


def erase_counts_in_order(case: Case) -> Iterator[Found]:
    """Lowest <= average <= highest; if two parts of one raw number are not in this order, their meaning is wrong."""
    for prefix in ("", "slc_"):
        lowest, average, highest = (case.field(f"{prefix}erase_count_{name}") for name in ("min", "average", "max"))
        for low, high in ((lowest, average), (average, highest), (lowest, highest)):
            if low is not None and high is not None and low.low > high.high:
                one_number = low.attribute_id is not None and low.attribute_id == high.attribute_id
                ending = (
                    f"This firmware fills attribute {low.attribute_id} in another way; both are left out."
                    if one_number
                    else "Neither is certain."
                )
                yield Found(
                    "EraseCountsOutOfOrder",
                    f"{in_words(low.key)} is {format_number(low.value)} and {in_words(high.key)} is "
                    f"{format_number(high.value)}, which cannot both be true. "
                    f"{ending}",
                    drop=(low.key, high.key) if one_number else (),
                )
                break


def spare_cannot_be(case: Case) -> Iterator[Found]:
    """A share of spare above 100 %, or no spare left while no block went bad."""
    spare = case.field("spare_left_percent")
    if spare is None:
        return
    if spare.value > 100:
        yield Found(
            "SpareImpossible",
            f"{format_number(spare.value)} % of spare left is not possible; the value is left out.",
            drop=(spare.key,),
        )
        return
    grown = case.field("grown_bad_block_count") or case.field("retired_block_count")
    if spare.value <= 0 and grown is not None and grown.value == 0:
        yield Found(
            "SpareDisagrees",
            "the drive says that no spare is left and that no block went bad; the count of blocks is believed.",
            grown.key,
        )


def temperature_cannot_be(case: Case) -> Iterator[Found]:
    """Outside the temperatures at which a drive works, or outside its own lowest and highest temperature."""
    for key in ("temperature_celsius", "temperature_min_celsius", "temperature_max_celsius"):
        field = case.field(key)
        if field is not None and not _COLDEST_C <= field.value <= _HOTTEST_C:
            yield Found(
                "TemperatureImpossible",
                f"{in_words(key)} is {format_number(field.value)} °C, which no drive survives; the value is left out.",
                drop=(key,),
            )
    lowest, highest = case.value("temperature_min_celsius"), case.value("temperature_max_celsius")
    if lowest is not None and highest is not None and lowest > highest:
        yield Found(
            "TemperaturesOutOfOrder",
            f"the lowest temperature, {lowest:.6g} °C, is above the highest, {highest:.6g} °C.",
        )


def error_counts_disagree(case: Case) -> Iterator[Found]:
    """Errors beyond correction by the maker's count and by the Device Statistics, where one of the two has none."""
    own, told = case.field("uncorrectable_error_count"), case.field("uncorrectable_error_count_statistics")
    if own is None or told is None or bool(own.value) == bool(told.value):
        return
    yield Found(
        "ErrorCountsDisagree",
        f"{own.origin} says {format_count(own.value)} to the number of errors beyond correction, the Device Statistics "
        f"{format_count(told.value)}. The attribute is believed, because it is the maker's own count.",
        own.key,
    )


def same_counters_differ(case: Case) -> Iterator[Found]:
    """Attributes 225 and 241 of Intel drives count the same; if they differ, the higher one is the later one."""
    if not case.reading.family.startswith(("intel", "solidigm")):
        return
    one, other = case.dump.attribute(225), case.dump.attribute(241)
    if one is None or other is None:
        return
    first, second = (int.from_bytes(attribute.raw, "little") for attribute in (one, other))
    if first and second and abs(first - second) > max(1, 0.01 * max(first, second)):
        yield Found(
            "TwinCountersDiffer",
            f"attribute 225 is {first} and attribute 241 is {second}; both count what the host wrote. Neither "
            "is certain.",
        )


RULES: tuple[Rule, ...] = (
    claims_of_life,
    host_bytes_against_device_statistics,
    power_on_time_against_device_statistics,
    power_on_time_against_the_calendar,
    written_faster_than_the_link,
    less_written_than_the_host_wrote,
    far_more_written_than_the_host_wrote,
    erase_counts_in_order,
    spare_cannot_be,
    temperature_cannot_be,
    same_counters_differ,
    error_counts_disagree,
)
"""All rules are applied, in this order."""


def findings(case: Case) -> list[Found]:
    """All contradictions in this case."""
    return [found for rule in RULES for found in rule(case)]
