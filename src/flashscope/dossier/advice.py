"""What to do with a drive, each piece with its reason, from values that are not doubtful.

A rule looks at answers and gives one piece of advice, or none. The rules stand in the order of their weight: what may
lose data first, then what costs most time, then what wears.
"""

from __future__ import annotations

from collections.abc import Callable

from flashscope.dossier.derived.free_space import free_share_that_halves
from flashscope.dossier.dossier import Advice
from flashscope.dossier.known import Known, slow_reads_ratio
from flashscope.records.drive_facts import DriveFacts
from flashscope.units import format_bytes, format_bytes_binary, format_number, format_percent, format_time

Rule = Callable[[Known, DriveFacts], Advice | None]
_COSTLY, _DEAR = 1.1, 2.0
_FELL, _FREEZE_NS, _MIB = 0.9, 300e6, 2**20
_SECTOR_BYTES = 512
_ROUND_UP_S = (5, 10, 30, 60, 120, 300, 600, 1800)


def advice(known: Known, facts: DriveFacts) -> tuple[Advice, ...]:
    """All that the values give, the most important first."""
    if known.word("is_counterfeit") == "yes":
        return tuple(each for each in (_fake(known, facts),) if each)
    return tuple(each for rule in _RULES if (each := rule(known, facts)) is not None)


def _fake(known: Known, facts: DriveFacts) -> Advice | None:
    says, real = format_bytes(facts.user_bytes), known.text("real_capacity")
    if not real:
        return Advice("Do not trust it with data, and return it.", f"It does not hold the {says} it says.",
                      ("is_counterfeit",))  # fmt: skip
    return Advice(
        f"Return it: this drive has {real}, not {says}.",
        f"What was written beyond {real} did not come back.",
        ("is_counterfeit", "real_capacity"),
    )


def _long_writes(known: Known, _: DriveFacts) -> Advice | None:
    size, after = known.number("cache_size"), known.number("after_cache")
    first = known.number("sequential_write")
    if size is None or after is None or first is None or after > _FELL * first:
        return None
    again = known.later_fall()
    place = known.text("cache_size") if again is None else again[1]
    return Advice(
        f"Expect {known.text('after_cache')} after {place} of writing at once.",
        f"A long write falls from {known.text('sequential_write')} "
        + (f"after {known.text('cache_size')}, and further there." if again else "there."),
        ("cache_size", "after_cache"),
    )


def _align(known: Known, _: DriveFacts) -> Advice | None:
    unit, cost = known.number("mapping_unit"), known.number("misalignment_cost")
    if unit is None or unit <= _SECTOR_BYTES:
        return None
    named = format_bytes_binary(unit)
    fits = "; a start at 1 MiB fits" if _MIB % int(unit) == 0 else ""
    reason = f"It keeps data in units of {named}."
    if cost is not None and cost > _COSTLY and known.surely_above("misalignment_cost", 1.0):
        reason = f"It keeps data in units of {named}; from another start 4 KiB writes take {cost:.2g} times as long."
    return Advice(f"Align partitions to {named}{fits}.", reason, ("mapping_unit", "misalignment_cost"))


def _rest(known: Known, _: DriveFacts) -> Advice | None:
    back, delay = known.number("full_recovery"), known.number("idle_work")
    if back:
        return Advice(
            f"Let it rest {_round_time(back)} after bulk writes.",
            f"A tired full drive is back at nine tenths of its best after {format_time(back)}.",
            ("full_recovery",),
        )
    if delay and (whole := known.rest_for_a_burst()):
        return Advice(
            f"Let it rest for at least {whole} after bulk writes.",
            f"It cleans up when it is idle, from {format_time(delay)} on; {whole} bring a burst back to its full rate.",
            ("idle_work",),
        )
    if delay:
        return Advice(
            f"Let it rest for longer than {format_time(delay)} after bulk writes.",
            f"It cleans up when it is idle, from {format_time(delay)} on.",
            ("idle_work",),
        )
    if known.word("idle_work") == "none" and _is_tired(known):
        longest = known.longest_rest()
        return Advice(
            "Do not wait for it to recover by itself; free space instead.",
            f"Pauses{f' of up to {longest}' if longest else ''} brought nothing back.",
            ("idle_work", known.long_random()[0]),
        )
    return None


def _is_tired(known: Known) -> bool:
    long, short = known.number(known.long_random()[0]), known.number("random_write")
    return long is not None and short is not None and long < _FELL * short


def _leave_free(known: Known, facts: DriveFacts) -> Advice | None:
    wear, unit = known.number("write_amplification"), known.number("mapping_unit")
    if wear is None or unit is None or wear < _DEAR:
        return None
    found = free_share_that_halves(wear, unit)
    if found is None:
        return None
    share, then = found
    how = "free (and TRIM on)" if facts.can_trim else "of it unpartitioned from the start"
    return Advice(
        f"Leave {format_percent(share)} {how} if you write much at random.",
        f"A random 4 KiB write costs {format_number(wear, 2)} times its bytes in flash now, and about "
        f"{format_number(then, 2)} then, by the law of greedy collection.",
        ("write_amplification", "mapping_unit"),
    )


def _slow_full(known: Known, _: DriveFacts) -> Advice | None:
    level = known.number("slow_from")
    if level is None:
        return None
    return Advice(
        f"Keep {format_percent(1 - level)} free.", f"From {format_percent(level)} full on writes slow down.",
        ("slow_from",),
    )  # fmt: skip


def _use_trim(known: Known, _: DriveFacts) -> Advice | None:
    after = known.number("trim")
    if after is None:
        return None
    reason = "Random writes are fast again right after a deletion."
    if after:
        reason = f"Random writes are fast again {format_time(after)} after a deletion."
    return Advice("Leave TRIM on.", reason, ("trim",))


def _freezes(known: Known, _: DriveFacts) -> Advice | None:
    longest = known.number("longest_freeze")
    if longest is None or longest < _FREEZE_NS:
        return None
    return Advice(
        "Keep programs off it that cannot wait.",
        f"Under {known.freeze_work()} it stood still for up to {known.text('longest_freeze')}.",
        ("longest_freeze",),
    )


def _keep_apart(known: Known, _: DriveFacts) -> Advice | None:
    ratio = slow_reads_ratio(known)
    if ratio is None:
        return None
    return Advice(
        "Keep bulk writes away from programs that wait for reads.",
        f"Beside writing at half its rate, 1 read in 100 waits {format_number(ratio, 2)} times as long.",
        ("mixed_load",),
    )


def _mind_zeros(known: Known, _: DriveFacts) -> Advice | None:
    if known.word("compression") != "yes":
        return None
    return Advice("Test it with data like your own.", "It compresses: zeros look faster than they are.",
                  ("compression",))  # fmt: skip


def _small_writes(known: Known, _: DriveFacts) -> Advice | None:
    ratio = known.number("small_write_cost")
    if ratio is None or ratio < 1.5:
        return None
    return Advice(
        "Give it whole 4 KiB writes (a file system with clusters of 4 KiB).",
        f"A write of 512 B takes {format_number(ratio, 2)} times as long as one of 4 KiB.",
        ("small_write_cost",),
    )


def _gathers(known: Known, _: DriveFacts) -> Advice | None:
    if known.number("gathering") is None:
        return None
    return Advice("Give it more than one request at a time.", f"It holds a lone one back {known.text('gathering')}.",
                  ("gathering",))  # fmt: skip


def _slow_end(known: Known, _: DriveFacts) -> Advice | None:
    slow, fast = known.number("read_minimum"), known.number("sequential_read")
    if slow is None or fast is None or slow > 0.7 * fast:
        return None
    return Advice(
        "Put what must be fast at its beginning.",
        f"At its slowest place it reads at {known.text('read_minimum')}, at its best at "
        f"{known.text('sequential_read')}.",
        ("read_minimum", "sequential_read"),
    )


def _members(known: Known, facts: DriveFacts) -> Advice | None:
    useful, members = known.number("useful_members"), len(facts.members)
    if useful is None or not members or useful >= members:
        return None
    return Advice(
        f"Use {useful:.0f} of its {members} drives for large files.",
        f"More drives bring nothing for large reads{_limit(known)}.",
        ("useful_members", "host_limit"),
    )


def _limit(known: Known) -> str:
    return f": the host carries {known.text('host_limit')}" if known.number("host_limit") else ""


def _watch(known: Known, _: DriveFacts) -> Advice | None:
    if known.number("erase_counter") is None:
        return None
    return Advice(
        f"Watch SMART attribute {known.text('erase_counter')}.",
        "It counts erases, so it tells how worn the flash is.",
        ("erase_counter",),
    )


def _round_time(value_ns: float) -> str:
    """The next round time."""
    return format_time(next((s for s in _ROUND_UP_S if s * 1e9 >= value_ns), value_ns / 1e9) * 1e9)


_RULES: tuple[Rule, ...] = (
    _long_writes, _align, _freezes, _rest, _slow_full, _leave_free, _use_trim, _keep_apart, _small_writes, _slow_end,
    _members, _gathers, _mind_zeros, _watch,
)  # fmt: skip
