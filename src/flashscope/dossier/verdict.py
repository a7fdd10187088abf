"""What a drive is, in three sentences: what it is and how fast; what becomes of that in use; what is inside.

Every clause rests on a value of medium confidence at least, and is left out without one; so a verdict may be short, and
on a counterfeit drive it begins with that. A file gets no sentence about an inside: what is seen is the file system.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flashscope.dossier.derived.rates import CONDITION
from flashscope.dossier.drive_kind import WITH_PLATTERS, DriveKind
from flashscope.dossier.judge.ruling import is_of_judge
from flashscope.dossier.known import Known
from flashscope.records.drive_facts import DriveFacts
from flashscope.units import format_bytes, format_number, format_rate

_FELL, _MUCH_SLOWER = 0.9, 0.7
_DEAR, _VERY_DEAR = 2.0, 20.0
_SLOW_RANDOM = 10e6
_VERY_SLOW_RANDOM = _SLOW_RANDOM / 5
"""Even a doubtful rate below this is slow."""
_MANY = 2
_FREEZE_NS = 300e6

_NAMES = {DriveKind.MEMORY: "drive of memory", DriveKind.ARRAY: "array of drives"}


def verdict(title: str, kind: DriveKind, facts: DriveFacts, known: Known) -> tuple[str, ...]:
    """At most three sentences."""
    sentences = [_first(title, kind, facts, known), _in_use(kind, known), _INSIDE[kind](known)]
    return tuple(each for each in sentences if each)


def _first(title: str, kind: DriveKind, facts: DriveFacts, known: Known) -> str:
    size = format_bytes(facts.user_bytes)
    if known.word("is_counterfeit") == "yes":
        real = known.text("real_capacity")
        holds = f" and holds {real}" if real else " and does not hold it"
        return f"This is a fake: {title} says {size}{holds}; {_beyond(known)}."
    what = _what(kind, facts)
    what = f"virtual {what}" if facts.virtual is not None else what
    rates = _rates(known)
    said = f"{title}, {_article(what)} {what} of {size}"
    return f"{said}, {rates}." if rates else f"{said}: how fast it is could not be told{_why_not(known)}."


def _why_not(known: Known) -> str:
    """The judge's doubt about all rates, as a clause."""
    answer = known.answer("sequential_write")
    doubts = () if answer is None else answer.doubts
    return next((f", because {doubt.message}" for doubt in doubts if is_of_judge(doubt)), "")


def _beyond(known: Known) -> str:
    """What becomes of data beyond the real end of a fake."""
    if known.word("counterfeit_kind") == "wraps":
        return "what is written beyond that destroys what was written before"
    return "what is written beyond that is lost"


def _what(kind: DriveKind, facts: DriveFacts) -> str:
    """The noun for it."""
    if kind is DriveKind.FILE:
        return "loop device" if facts.device is not None else facts.kind_name or kind.value
    return _NAMES.get(kind, kind.value)


def _rates(known: Known) -> str:
    """The rates in order, and those of small requests at random."""
    reads, writes = known.text("sequential_read"), known.text("sequential_write")
    in_order = _part("reads in order at {}", reads) or _part("writes in order at {}", writes)
    if reads and writes:
        in_order = f"reads at {reads} and writes at {writes} in order"
    reads, writes = known.text("random_read"), known.text("random_write")
    at_random = _part("reads 4 KiB at random at {}", reads) or _part("writes 4 KiB at random at {}", writes)
    if reads and writes:
        both = f"{reads} both ways" if reads == writes else f"{reads} and {writes}"
        if " and " in in_order:
            return f"{in_order}, at {both} with random 4 KiB requests"
        at_random = f"reads and writes 4 KiB at random at {both}"
    return ", and ".join(part for part in (in_order, at_random) if part)


def _in_use(kind: DriveKind, known: Known) -> str:
    """What becomes of the rates: long writes, random writes, rest, freezes."""
    long_writes = _towards_the_slow_end if kind in WITH_PLATTERS else _long_writes
    clauses = [long_writes(known), _random_writes(known), _freezes(known)]
    said = "; ".join(each for each in clauses if each)
    return f"{said[0].upper()}{said[1:]}." if said else ""


def _towards_the_slow_end(known: Known) -> str:
    """Platters hold less on each track towards their slow end: a long write falls without any cache."""
    first, worst = known.number("sequential_write"), known.number("worst_sustained_write")
    slower = first is not None and worst is not None and worst < _FELL * first
    return f"a write over all of it falls to {known.text('worst_sustained_write')}" if slower else ""


def _long_writes(known: Known) -> str:
    first, after = known.number("sequential_write"), known.number("after_cache")
    worst, where = known.number("worst_sustained_write"), known.detail("worst_sustained_write", CONDITION) or ""
    slower = first is not None and worst is not None and worst < _FELL * first
    small = first is not None and after is not None and after > _FELL * first
    if known.number("cache_size") is not None and after is not None and not small:
        said = f"long writes fall to {known.text('after_cache')} after {known.text('cache_size')}"
        if (again := known.later_fall()) is not None:
            first_rate, place = again
            said = f"long writes fall to {first_rate} after {known.text('cache_size')}"
            said += f" and to {known.text('after_cache')} after {place}"
        lower = worst is not None and worst < _FELL * after
        return f"{said}, and to {known.text('worst_sustained_write')} {where}" if lower else said
    if known.word("cache_size") == "none" or small:
        keeps = "a long write nearly keeps its rate" if small else "a long write keeps its rate"
        return f"{keeps}, but {where} it runs at {known.text('worst_sustained_write')}" if slower else keeps
    return f"long writes run at {known.text('worst_sustained_write')} {where}" if slower else ""


def _random_writes(known: Known) -> str:
    key, words = known.long_random()
    long, short = known.number(key), known.number("random_write")
    if long is None:
        return ""
    said = f"{words} all over it end at {known.text(key)}"
    if short is not None and long > _MUCH_SLOWER * short:
        return ""
    if known.word("idle_work") == "none":
        return f"{said}, and {_no_rest(known)}"
    return f"{said}, and a rest of {known.text('idle_work')} begins to help" if known.number("idle_work") else said


def _no_rest(known: Known) -> str:
    """That waiting does not help, with how long was waited."""
    longest = known.longest_rest()
    return f"rests of up to {longest} do not help" if longest else "waiting does not help"


def _freezes(known: Known) -> str:
    longest = known.number("longest_freeze")
    if longest is None or longest < _FREEZE_NS:
        return ""
    return f"under {known.freeze_work()} it froze for up to {known.text('longest_freeze')}"


def _inside_of_flash(known: Known) -> str:
    units = known.number("parallelism")
    inside = _joined(
        _part("keeps data in units of {}", known.text("mapping_unit")),
        "" if units is None or units < _MANY else f"works on {_about(known, 'parallelism')} flash units at once",
        _part("takes writes into a buffer of {}", known.text("write_buffer") if known.number("write_buffer") else ""),
        "compresses data" if known.word("compression") == "yes" else "",
    )
    said = "; ".join(each for each in (f"it {inside}" if inside else "", _use_of_flash(known)) if each)
    return f"{said[0].upper()}{said[1:]}." if said else ""


def _about(known: Known, key: str) -> str:
    """A count, with "about" where its interval holds others."""
    answer = known.answer(key)
    is_point = answer is None or answer.low == answer.high
    return known.text(key) if is_point else f"about {known.text(key)}"


def _use_of_flash(known: Known) -> str:
    """What it is good for, by wear and rate of random writes."""
    wear, random = known.number("write_amplification"), known.number(known.long_random()[0])
    slow = random is not None and random < _SLOW_RANDOM
    why = ""
    if wear is not None and wear > _DEAR:
        why = f"a random 4 KiB write wears its flash as much as {format_number(wear, 2)} in order"
    short = known.roughly("random_write")
    if short is not None and short < _VERY_SLOW_RANDOM:
        why, slow = f"random 4 KiB writes run at about {format_rate(short)} only", True
    if slow or (wear is not None and wear > _VERY_DEAR):
        use = "it is good for reading and large files, not for many small writes"
        return f"{why}, so {use}" if why else use
    return why


def _inside_of_disk(known: Known) -> str:
    access = _part("a random access takes {}", known.text("access_time"))
    slow = _part("reads drop to {} at its slow end", known.text("read_minimum"))
    sector = known.number("mapping_unit")
    unit = f"its sectors are {known.text('mapping_unit')}, so partitions must be aligned" if sector else ""
    cache = ""
    if known.number("hybrid_gain") is not None:
        cache = f"what is read often is {known.text('hybrid_gain').removesuffix(' x')} times as fast, from flash"
    said = _joined(access, slow, unit, cache)
    return f"{said[0].upper()}{said[1:]}." if said else ""


def _inside_of_memory(known: Known) -> str:
    held = _part("a lone request is held back {} to gather others", known.text("gathering"))
    if known.number("gathering") is None:
        held = ""
    said = _joined(_part("a random read takes {}", known.text("read_latency")), held)
    return f"{said[0].upper()}{said[1:]}." if said else ""


def _inside_of_array(known: Known) -> str:
    members = known.number("useful_members")
    said = _joined(
        "" if members is None else f"large reads gain from up to {members:.0f} drives",
        _part("the host carries {}", known.text("host_limit")),
    )
    return f"{said[0].upper()}{said[1:]}." if said else ""


def _inside_of_file(known: Known) -> str:
    return "A file shows the rates of its file system and of what lies below: nothing is said about flash."


_INSIDE: Mapping[DriveKind, Callable[[Known], str]] = {
    DriveKind.FLASH: _inside_of_flash,
    DriveKind.DISK: _inside_of_disk,
    DriveKind.HYBRID: _inside_of_disk,
    DriveKind.MEMORY: _inside_of_memory,
    DriveKind.ARRAY: _inside_of_array,
    DriveKind.FILE: _inside_of_file,
}


def _part(pattern: str, text: str) -> str:
    """The pattern with the text; "" without it."""
    return pattern.format(text) if text else ""


def _joined(*parts: str) -> str:
    """Those that are not empty: "a", "a and b", "a, b and c"."""
    said = [part for part in parts if part]
    return " and ".join(part for part in (", ".join(said[:-1]), said[-1]) if part) if said else ""


def _article(noun: str) -> str:
    return "an" if noun[0] in "aeiou" else "a"
