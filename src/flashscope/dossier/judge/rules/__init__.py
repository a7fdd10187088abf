"""All rules, in the order in which they are asked: what cannot be at all, then what cannot be side by side.

A new rule is a file here with a `RULE`, a row in this list, and a row in docs/reference/judge.md (a test asks for it).
"""

from __future__ import annotations

from flashscope.dossier.judge.rule import Rule
from flashscope.dossier.judge.rules import (
    above_the_link,
    larger_than_the_drive,
    more_at_once_than_asked,
    no_flash_there,
    possible_numbers,
    scaling,
    states_that_were_made,
    worst_plateau,
    write_amplification,
)

RULES: tuple[Rule, ...] = (
    no_flash_there.RULE,
    states_that_were_made.RULE,
    possible_numbers.RULE,
    write_amplification.RULE,
    larger_than_the_drive.RULE,
    more_at_once_than_asked.RULE,
    scaling.RULE,
    above_the_link.RULE,
    worst_plateau.RULE,
)
