"""What limits a drive from outside: link, host, queue, and commands that are gathered."""

from __future__ import annotations

from flashscope.dossier.derived.rates import fastest_seen
from flashscope.dossier.drive_kind import BARE, DriveKind
from flashscope.dossier.properties import value_text as said
from flashscope.dossier.properties.absences import none_with
from flashscope.dossier.properties.property import Group, Property, Source

LIMITS = (
    Property(
        "link_rate", "Least rate of the link", Group.LIMITS, "bytes/s", said.rate,
        (
            Source("", "fastest_rate_seen", "the highest rate that any long read or write had", derive=fastest_seen,
                   rests_on=("crystaldiskmark-8",)),
            Source("hd-tune", "burst_rate", "HD Tune, the same place again", same=False),
        ),
        BARE,
        tolerance_ratio=0.2,
    ),
    Property(
        "host_limit", "Limit of the host", Group.LIMITS, "bytes/s", said.rate,
        (Source("stripe-scaling", "host_limit_bytes_per_second", "where more members stop helping"),),
        frozenset({DriveKind.ARRAY}),
    ),
    Property(
        "useful_read_depth", "Useful read queue", Group.LIMITS, "requests", said.count,
        (Source("queue-depth", "useful_queue_depth_reads", "rates by queue depth"),),
        tolerance_ratio=1.0,
    ),
    Property(
        "useful_write_depth", "Useful write queue", Group.LIMITS, "requests", said.count,
        (Source("queue-depth", "useful_queue_depth_writes", "rates by queue depth"),),
        tolerance_ratio=1.0,
    ),
    Property(
        "gathering", "Wait to gather commands", Group.LIMITS, "ns", said.time,
        (Source("command-gathering", "gathering_wait_ns", "a lone read against one in company",
                absence=none_with("limit_ns")),),
    ),
    Property(
        "gathered_commands", "Commands it gathers", Group.LIMITS, "count", said.count,
        (Source("command-gathering", "gathered_command_count", "groups of growing size"),), only_with="gathering",
    ),
    Property(
        "full_rate_read", "Read size for full rate", Group.LIMITS, "bytes", said.memory,
        (Source("atto", "read_size_for_full_rate_bytes", "ATTO, rates by size"),),
        changes=True, tolerance_ratio=1.0,
    ),
    Property(
        "full_rate_write", "Write size for full rate", Group.LIMITS, "bytes", said.memory,
        (Source("atto", "write_size_for_full_rate_bytes", "ATTO, rates by size"),),
        changes=True, tolerance_ratio=1.0,
    ),
)  # fmt: skip
"""In the order of the page."""
