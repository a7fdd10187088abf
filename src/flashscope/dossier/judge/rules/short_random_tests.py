"""Random writes that keep their rate in a short test, beside a write amplification that no drive keeps its rate with.

After enough random writing the flash writes several times what the host does, and the host gets so much less. A test of
a gigabyte ends before that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flashscope.dossier.judge.objection import Objection
from flashscope.dossier.judge.rule import Rule
from flashscope.dossier.judge.told import doubted, numbers_told
from flashscope.records import Record
from flashscope.units import format_number

_KEPT = 0.9
_COSTS = 2.0


def _objections(records: Sequence[Record]) -> Iterator[Objection]:
    for cost in numbers_told(records, "write_amplification_random"):
        for kept in numbers_told(records, "collapse_ratio_rand_write_4k"):
            if kept.low > _KEPT and cost.low > _COSTS:
                costs = f"long random writing costs {format_number(cost.value)} times its bytes in flash"
                yield doubted(kept, f"{costs}; this is a short test before that", cost)


RULE = Rule(
    "short-random-tests",
    "Random writes that cost several times their bytes do not keep their rate for long.",
    _objections,
)
