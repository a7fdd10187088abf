"""All rules, in the order in which they are asked: what cannot be at all, then what cannot be side by side.

A new rule is a file here with a `RULE`, a row in this list, and a row in docs/reference/judge.md (a test asks for it).
"""

from __future__ import annotations

from flashscope.dossier.judge.rule import Rule
from flashscope.dossier.judge.rules import (
    above_the_link,
    broken_runs,
    bursts_are_no_rates,
    compression,
    deeper_queues,
    freezes,
    larger_than_the_drive,
    latency_of_a_request,
    littles_law,
    more_at_once_than_asked,
    no_fall,
    no_flash_there,
    noise,
    one_arm,
    one_load_one_rate,
    one_mapping_unit,
    one_write_buffer,
    possible_numbers,
    reading_beside_writing,
    real_capacity,
    scaling,
    short_random_tests,
    states_that_were_made,
    too_short,
    waiting_helps,
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
    littles_law.RULE,
    scaling.RULE,
    above_the_link.RULE,
    worst_plateau.RULE,
    broken_runs.RULE,
    noise.RULE,
    too_short.RULE,
    real_capacity.RULE,
    one_arm.RULE,
    one_mapping_unit.RULE,
    one_write_buffer.RULE,
    compression.RULE,
    waiting_helps.RULE,
    no_fall.RULE,
    reading_beside_writing.RULE,
    freezes.RULE,
    latency_of_a_request.RULE,
    deeper_queues.RULE,
    bursts_are_no_rates.RULE,
    short_random_tests.RULE,
    one_load_one_rate.RULE,
)
"""In the order in which they are asked."""
