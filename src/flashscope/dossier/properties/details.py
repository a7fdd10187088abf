"""Findings that tell no property of a drive, each with the reason: they stay with their experiment.

The key may hold "*" for a part that varies.
"""

from __future__ import annotations

from collections.abc import Mapping

_PASS = "one line of a benchmark's window; its rates are evidence of other properties where the load is the same"
_STAGE = "a step on the way to a property of its own"

DETAILS: Mapping[tuple[str, str], str] = {
    ("crystaldiskmark-*", "rand_*_512k"): _PASS,
    ("as-ssd", "score_*"): "points of a benchmark are no property",
    ("as-ssd", "access_time_write_ns"): _PASS,
    ("hd-tune", "seq_*_max"): _PASS,
    ("hd-tune", "seq_read_*mib_blocks"): _PASS,
    ("hd-tune", "write_speed_spread_ratio"): _PASS,
    ("iometer", "requests_per_second_qd*"): "a mixture of the program's own, comparable only with itself",
    ("iometer", "response_time_qd*_ns"): "a mixture of the program's own, comparable only with itself",
    ("small-write-latency", "access_time_write_ns"): "the cost of small writes is told as a ratio",
    ("three-states", "read_rate_after_*_bytes_per_second"): "reads hardly depend on what was written before",
    ("sustained-sequential-write", "rate_ratio"): "the quotient of two properties",
    ("misalignment", "law_ratio"): "a law beside the measured cost, not a measurement",
    ("write-buffer", "drain_rate_bytes_per_second"): "the rate of long writes, seen from the buffer",
    ("fill-and-recovery", "collapse_ratio_*_read*"): "reads of a full drive; writes are what suffers",
    ("fill-and-recovery", "collapse_ratio_seq_read"): "reads of a full drive; writes are what suffers",
    ("fill-and-recovery", "collapse_ratio_rand_read_*"): "reads of a full drive; writes are what suffers",
    ("ageing-diary", "figures_follow"): "how the diary is to be read",
    ("archives", "*_duration_s"): "seconds of one set of files, comparable only with themselves",
    ("sector-emulation-copy", "copy_duration_*_s"): "seconds of one tree of files; the gain is the property",
    ("compressibility", "repeated_rate_ratio"): _STAGE,
}
"""(experiment, key) -> why it is a detail; both with "*" for what varies."""
