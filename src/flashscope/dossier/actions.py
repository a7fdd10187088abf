"""What to do about a property, in one or two words, for the last column of the table; "" where nothing is to be done.

Whole sentences with their reasons: `advice.py`. Nothing is said about doubtful values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flashscope.dossier.derived.free_space import free_share_that_halves
from flashscope.dossier.known import Known, slow_reads_ratio
from flashscope.experiments.measured import LAST_TRIED

_DEAR_WRITES, _COSTLY = 3.0, 1.1
_FREEZE_NS = 300e6
_WORTH = 0.7
Rule = Callable[[Known, str], str]


def action(known: Known, key: str) -> str:
    """The words for that property."""
    rule = _RULES.get(key)
    return rule(known, key) if rule is not None and known.is_trusted(key) else ""


def _if_found(words: str) -> Rule:
    return lambda known, key: words if known.number(key) is not None else ""


def _above(limit: float, words: str) -> Rule:
    return lambda known, key: words if (known.number(key) or 0.0) > limit else ""


def _if_word(word: str, words: str) -> Rule:
    return lambda known, key: words if known.word(key) == word else ""


def _unit(known: Known, key: str) -> str:
    return "align" if (known.number(key) or 0) > 512 else ""


def _misaligned(known: Known, key: str) -> str:
    costs = (known.number(key) or 0.0) > _COSTLY and known.surely_above(key, 1.0)
    return "align" if costs else ""


def _wear(known: Known, key: str) -> str:
    wear, unit = known.number(key), known.number("mapping_unit")
    helps = wear is not None and unit is not None and free_share_that_halves(wear, unit) is not None
    return "leave space" if helps and wear is not None and wear > _DEAR_WRITES else ""


def _not_the_last(words: str) -> Rule:
    """The words, except where the value is the last that was tried."""
    return lambda known, key: "" if known.number(key) is None or known.detail(key, LAST_TRIED) else words


def _worst(known: Known, key: str) -> str:
    worst, first = known.number(key), known.number("sequential_write")
    return "plan with it" if worst and first and worst < _WORTH * first else ""


def _cache(known: Known, key: str) -> str:
    after, first = known.number("after_cache"), known.number("sequential_write")
    return "then pause" if after and first and after < _WORTH * first else ""


def _idle(known: Known, key: str) -> str:
    return "let it rest" if known.number(key) is not None else ""


def _long_writes(known: Known, key: str) -> str:
    rate, short = known.number(key), known.number("random_write")
    return "leave space" if rate and short and rate < _WORTH * short else ""


def _slow_reads(known: Known, _: str) -> str:
    return "keep apart" if slow_reads_ratio(known) is not None else ""


def _capacity(known: Known, key: str) -> str:
    return "return it" if known.word("is_counterfeit") == "yes" else ""


_RULES: Mapping[str, Rule] = {
    "real_capacity": _capacity,
    "is_counterfeit": _if_word("yes", "return it"),
    "mapping_unit": _unit,
    "cache_size": _cache,
    "worst_sustained_write": _worst,
    "random_write_long": _long_writes,
    "random_write_long_64k": _long_writes,
    "write_amplification": _wear,
    "idle_work": _idle,
    "full_recovery": _above(0.0, "let it rest"),
    "trim": _if_found("use TRIM"),
    "misalignment_cost": _misaligned,
    "small_write_cost": _above(1.5, "write 4 KiB"),
    "mixed_load": _slow_reads,
    "compression": _if_word("yes", "mind tests"),
    "erase_counter": _if_found("watch it"),
    "longest_freeze": _above(_FREEZE_NS, "expect it"),
    "gathering": _if_found("queue more"),
    "useful_read_depth": _not_the_last("no deeper"),
    "useful_write_depth": _not_the_last("no deeper"),
    "useful_members": _not_the_last("no more"),
    "full_buffer": _if_word("until-drained", "expect pauses"),
}
