"""How much of a drive's life is used, by several clocks, each with an interval and the meaning of its end.

    clock           used so far                   how fast: growth of the same number in recent windows
    erase cycles    average / rated erase count   cycles for each byte of the host, and for each hour
    maker           per cent used                 per cent for each byte, each hour
    written bytes   host bytes / rated bytes      bytes for each hour
    spare blocks    share of the spare gone       share for each byte, each hour
    bit errors      RBER / what ECC corrects      (no projection: errors do not predict the loss of data)

"Rating reached" means that the maker's promise is used up. It does not mean "expected to fail": drives in public tests
wrote two to ten times their rating. Only at the end of the spare clock does a drive refuse writes.
Time is calendar time where the readings have a date, else power-on hours.
Not modelled here: loss of charge in a drive that lies unpowered; exponential growth of bad blocks near the end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from flashscope.smart.decoding.life_claims import ERASES, believed, counting, life_claims
from flashscope.smart.decoding.rated_writes import PromisedWrites
from flashscope.smart.decoding.reading import Reading
from flashscope.smart.decoding.recent_rates import Point, Rate, rate
from flashscope.smart.decoding.span import Span, weakest
from flashscope.units import counted, format_bytes, format_number

Series = Sequence[tuple[float | None, Reading]]

_BEYOND_RATING = (
    "The rating is what the maker promises, not the end of the drive's life: in public endurance tests drives "
    "wrote two to "
    "ten times theirs. Past it, data keeps for a shorter time without power."
)
_BEYOND_SPARE = (
    "When no spare is left a drive refuses writes. Read-only mode keeps data readable, but not certainly and "
    "not for ever: some drives are no longer found at the next power-on. Copy everything before switching it off."
)
_BEYOND_ERRORS = (
    "Above this ratio the code that corrects errors loses sectors more often than drives may. The ratio grows "
    "with wear, "
    "heat and time without power; it tells little about which drive fails next."
)


_YOUNG_HOURS, _YOUNG_USED_RATIO = 1000, 0.1
_TOO_YOUNG = "it has been in use for too short a time to say how fast it is used up"


@dataclass(frozen=True)
class Clock:
    """One measure of how much of the life is used.

    used_ratio: 0 new, 1 used up, above 1 beyond it. remaining_host_bytes, remaining_time_hours: until it is used up, at
        the present rates; None when unknown.
    time_basis: "calendar" or "power-on". rate_basis: "recent windows", "lifetime average" or "". provenance: of
        the clock's numbers. rating_reached: certainly used up. ends_in_failure: whether the end is a failure, or only
        the end of the maker's promise. statement: in plain words. meaning_at_end: what the end means. doubts: in words.
    """

    key: str
    title: str
    used_ratio: Span
    provenance: str
    statement: str
    meaning_at_end: str
    rating_reached: bool
    ends_in_failure: bool = False
    remaining_host_bytes: Span | None = None
    remaining_time_hours: Span | None = None
    time_basis: str = ""
    rate_basis: str = ""
    window_count: int = 0
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Hand:
    """A clock's value in one reading: how much is used [ratio], and the smallest visible step.

    contradicted: other numbers contradict it, so nothing is projected from it.
    """

    used: Span
    step_ratio: float
    provenance: str
    statement: str
    doubts: tuple[str, ...] = ()
    contradicted: bool = False


Read = Callable[[Reading], _Hand | None]


def clocks(
    readings: Series, *, rated_written_bytes: float | None = None, promised: PromisedWrites | None = None
) -> tuple[Clock, ...]:
    """The clocks that a drive's readings allow, oldest reading first; empty for disks and for no readings.

    readings: (time in seconds or None, reading) of one drive. rated_written_bytes: the maker's promise of host bytes
        (TBW), as the user stated it; else the drive's own number is used; else `promised`, from a data sheet.
    """
    if not readings or readings[-1][1].is_flash is False:
        return ()

    def written(reading: Reading) -> _Hand | None:
        return _written_bytes(reading, rated_written_bytes, promised)

    rows: tuple[tuple[str, str, Read, str], ...] = (
        ("rated_erase_cycles", "Rated erase cycles", _erase_cycles, _BEYOND_RATING),
        ("maker_percentage", "The maker's percentage", _maker_percentage, _BEYOND_RATING),
        ("rated_written_bytes", "Rated bytes written", written, _BEYOND_RATING),
        ("spare_blocks", "Spare blocks", _spare_blocks, _BEYOND_SPARE),
        ("bit_errors", "Bit errors", _bit_errors, _BEYOND_ERRORS),
    )
    made = (_clock(key, title, read, meaning, readings) for key, title, read, meaning in rows)
    return tuple(clock for clock in made if clock is not None)


def earliest(all_clocks: Sequence[Clock]) -> Clock | None:
    """The clock that ends first at its present rate; without rates, the most used one. None without clocks."""
    timed = [clock for clock in all_clocks if clock.remaining_time_hours is not None]
    if timed:
        return min(timed, key=lambda clock: clock.remaining_time_hours.value if clock.remaining_time_hours else 0.0)
    return max(all_clocks, key=lambda clock: clock.used_ratio.value, default=None)


def _clock(key: str, title: str, read: Read, meaning: str, readings: Series) -> Clock | None:
    last = read(readings[-1][1])
    if last is None:
        return None
    bytes_rate = time_rate = None
    basis = ""
    projected = key != "bit_errors" and not last.contradicted and last.used.low < 1
    if projected:
        bytes_rate = rate(_points(readings, read, _host_bytes), step=last.step_ratio)
        times, basis = _times(readings)
        time_rate = rate(_points(readings, read, times), step=last.step_ratio) if basis else None
        if basis == "calendar" and time_rate is not None and time_rate.basis == "lifetime average":
            # The dates of a series do not begin with the drive's life; its power-on hours do.
            time_rate, basis = rate(_points(readings, read, _power_on_hours), step=last.step_ratio), "power-on"
    used = last.used
    left = used.left_of(1)
    shown = time_rate or bytes_rate
    young = _is_too_young(readings[-1][1], used, shown)
    if young:
        bytes_rate = time_rate = None
    return Clock(
        key,
        title,
        used,
        last.provenance,
        last.statement,
        meaning,
        rating_reached=used.low >= 1 and not last.contradicted,
        ends_in_failure=key == "spare_blocks",
        remaining_host_bytes=_remaining(left, bytes_rate),
        remaining_time_hours=_remaining(left, time_rate),
        time_basis=basis if time_rate else "",
        rate_basis=shown.basis if shown and not young else "",
        window_count=shown.window_count if shown else 0,
        doubts=(
            *last.doubts,
            *((_TOO_YOUNG,) if young else _doubts_of_rate(shown) if projected and used.value else ()),
        ),
    )


def _is_too_young(reading: Reading, used: Span, speed: Rate | None) -> bool:
    """Whether so little of the life has passed that its average tells no pace: a first filling is no habit."""
    hours = reading.value("power_on_time_hours")
    average = speed is not None and speed.basis == "lifetime average"
    return average and hours is not None and hours < _YOUNG_HOURS and used.value < _YOUNG_USED_RATIO


def _remaining(left: Span, speed: Rate | None) -> Span | None:
    if speed is None or speed.span.value <= 0:
        return None
    return left / speed.span


def _doubts_of_rate(speed: Rate | None) -> tuple[str, ...]:
    if speed is None:
        return ("the readings do not show how fast it is used up",)
    if speed.basis == "lifetime average":
        return ("only averages over the whole life are known; readings from several days would show the present rate",)
    if speed.window_count <= 2:
        return (f"only {counted(speed.window_count, 'recent window')}: the rate may vary more",)
    return ()


Base = Callable[[float | None, Reading], float | None]


def _points(readings: Series, read: Read, base: Base) -> list[Point]:
    points = []
    for time_s, reading in readings:
        hand, along = read(reading), base(time_s, reading)
        if hand is not None and along is not None:
            points.append((along, hand.used.value))
    return points


def _host_bytes(_: float | None, reading: Reading) -> float | None:
    return reading.value("host_written_bytes")


def _power_on_hours(_: float | None, reading: Reading) -> float | None:
    return reading.value("power_on_time_hours")


def _calendar_hours(time_s: float | None, _: Reading) -> float | None:
    return None if time_s is None else time_s / 3600


def _times(readings: Series) -> tuple[Base, str]:
    """Calendar time when at least two readings have a date; else power-on time; else nothing ("")."""
    if sum(time_s is not None for time_s, _ in readings) >= 2:
        return _calendar_hours, "calendar"
    known = readings[-1][1].value("power_on_time_hours") is not None
    return _power_on_hours, "power-on" if known else ""


def _erase_cycles(reading: Reading) -> _Hand | None:
    average, rated = reading.fields.get("erase_count_average"), reading.fields.get("rated_pe_cycles")
    if average is None or rated is None or rated.value <= 0:
        return None
    if any(claim.set_aside for claim in life_claims(reading) if claim.key == ERASES):
        return None  # the rating cannot be true
    used = Span.of(average) / Span.of(rated)
    statement = f"{average.value:,.0f} of {rated.value:,.0f} rated erase cycles".replace(",", "\u202f")
    doubts = ("the rating is inferred, not stated by the drive",) if rated.provenance in ("inferred", "assumed") else ()
    return _Hand(used, 1 / rated.value, weakest(average, rated), statement, doubts)


def _maker_percentage(reading: Reading) -> _Hand | None:
    told = life_claims(reading)
    claims = [claim for claim in told if claim.key != ERASES]
    claim = next(iter(counting(claims) or claims), None)
    if claim is None or not believed(told):
        return None
    doubts = (f"other numbers contradict it, and they are believed: {claim.set_aside}",) if claim.set_aside else ()
    # Every drive states whole per cent.
    used = Span(claim.used.value, claim.used.value, max(claim.used.high, claim.used.value + 0.01))
    return _Hand(used, 0.01, claim.provenance, claim.words, doubts, contradicted=bool(claim.set_aside))


def _written_bytes(reading: Reading, told_bytes: float | None, promised: PromisedWrites | None) -> _Hand | None:
    host = reading.fields.get("host_written_bytes")
    stated = reading.fields.get("rated_written_bytes") or reading.fields.get("endurance_estimate_bytes")
    if host is None:
        return None
    doubts: tuple[str, ...] = ()
    if told_bytes:
        limit, by, provenance = told_bytes, "as you stated", host.provenance
    elif stated is not None and stated.value > 0:
        limit, by, provenance = stated.value, "by the drive itself", weakest(host, stated)
        doubts = ("the promise is the drive's own estimate",)
    elif promised is not None:
        limit, by = promised.rated_bytes, f"by the {promised.source}"
        provenance = weakest(host, at_best=promised.provenance)
        doubts = ("the promise is looked up by model and capacity, not stated by the drive",)
    else:
        return None
    used = Span.of(host) / Span.exactly(limit)
    statement = f"{format_bytes(host.value)} of {format_bytes(limit)} promised ({by})"
    return _Hand(used, max(host.high - host.low, 1) / limit, provenance, statement, doubts)


def _spare_blocks(reading: Reading) -> _Hand | None:
    spare, threshold = reading.fields.get("spare_left_percent"), reading.value("spare_threshold_percent") or 0.0
    if reading.value("bad_block_table_full"):
        return _Hand(Span.exactly(1.0), 0.01, "documented", "the table of bad blocks is full")
    if spare is None or threshold >= 100:
        return None
    room = 100 - threshold
    ends = [(100 - min(100.0, end)) / room for end in (spare.value, spare.high, spare.low)]
    until = f"; the drive warns at {threshold:.3g} %" if threshold else ""
    statement = f"{spare.value:.3g} % of the spare is left{until}"
    return _Hand(Span(ends[0], min(ends), max(ends)), 0.01, spare.provenance, statement)


def _bit_errors(reading: Reading) -> _Hand | None:
    rber = reading.fields.get("rber")
    if rber is None or rber.value <= 0:
        return None
    limit = ecc_limit()
    statement = (
        f"{format_number(rber.value, 2)} of the bits read are wrong; a usual code corrects "
        f"{format_number(limit.value, 1)}"
    )
    weak, strong = format_number(limit.low, 1), format_number(limit.high, 1)
    doubt = f"which code the drive has is not known: {weak} with 8 bits per 512 B, {strong} with LDPC"
    return _Hand(Span.of(rber) / limit, 0.0, "assumed", statement, (doubt,))


@cache
def ecc_limit() -> Span:
    """The RBER up to which a drive's code keeps one lost sector in 1e15 bits [ratio].

    Value: 15 bits corrected in 512 B; low: 8 bits, as in the first drives; high: 1e-2, about what LDPC codes correct.
    Source: laws.uncorrectable_errors for the first two; the last is the order of magnitude of published decoders.
    """
    from flashscope.laws.uncorrectable_errors import raw_error_ratio_for

    return Span(raw_error_ratio_for(1e-15, 512, 15), raw_error_ratio_for(1e-15, 512, 8), 1e-2)
