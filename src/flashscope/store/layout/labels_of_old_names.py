"""The labels of steps that were kept before steps had labels, derived from their names.

    "burst 3 after 1.32 s" of idle-recovery   -->  burst after a pause, number 3

Only the migration of a store uses this (`schema.py`). A row of the table is a pattern of names, with a group for each
label in the name, and the role. A name that fits no row gets no labels, since no analysis used such a step.
The table describes the names at the time when labels were introduced. Do not change it when experiments change.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from flashscope import units
from flashscope.records.labels import NO_LABELS, Label, Labels

_IDLES_NS = [round(10**9 * 2 ** (power / 4 - 2)) // 10_000_000 * 10_000_000 for power in range(25)]
_STATES = {
    "secure erase": "fresh",
    "a zero fill": "after_zero_fill",
    "a random-data fill": "after_random_fill",
    "4 KiB random writing": "after_random_writes",
}
_PASSES = ("crystaldiskmark-3", "crystaldiskmark-5", "crystaldiskmark-8", "as-ssd", "hd-tune", "atto")
_COUNTS = (
    *("number", "turn", "members", "depth", "outstanding", "level", "part", "file_mb", "pause_s"),
    *("sector_bytes", "start_sectors", "compressible_percent"),
)


def _bytes(words: str) -> int:
    return units.parse(words, "bytes", key="a size in the name of a step")


def _idle_ns(words: str) -> int:
    """The pause that was shown with three digits."""
    about = units.parse(words, "time", key="a pause in the name of a step")
    return min(_IDLES_NS, key=lambda pause_ns: abs(pause_ns - about))


def _gap_ns(words: str) -> int:
    return 0 if words == "none" else units.parse(words, "time", key="a gap in the name of a step")


_READ_AS: dict[str, Callable[[str], Label]] = {
    "request_bytes": _bytes,
    "region_bytes": _bytes,
    "idle_ns": _idle_ns,
    "gap_ns": _gap_ns,
    "share_ratio": lambda percent: int(percent) / 100,
    "removable_ratio": lambda percent: int(percent) / 100,
    "state": _STATES.__getitem__,
    **dict.fromkeys(_COUNTS, int),
}
"""How the text of a group becomes a label; the text of any other group is the label itself."""


@dataclass(frozen=True)
class _Row:
    """name: a pattern, whose groups are labels. in_family: steps that differ by a last number belong together.

    fixed: labels that are not in the name.
    """

    name: str
    role: str
    in_family: bool = False
    fixed: dict[str, Label] = field(default_factory=dict)


_FIRST = _Row(r"first state|used: first state|first state again|.+: first state", "first state")
_PASS = _Row(r"(?:(?P<condition>.+): )?(?P<load>[a-z0-9_]+) pass (?P<number>\d+)", "pass", in_family=True)

_ROWS: dict[str, tuple[_Row, ...]] = {
    **dict.fromkeys(_PASSES, (_PASS,)),
    "as-ssd": (
        _Row(
            r"(?P<condition>compression): (?P<load>\w+) (?P<compressible_percent>\d+) % compressible pass "
            r"(?P<number>\d+)",
            "pass",
            in_family=True,
        ),
        _PASS,
    ),
    "atto": (_Row(r"(?P<load>(?:read|write) .+) pass (?P<number>\d+)", "pass", True, {"condition": ""}),),
    "hd-tune": (
        _PASS,
        _Row(r"(?:(?P<condition>.+): )?(?P<load>\w+) at (?P<number>\d+)", "point of a curve", in_family=True),
    ),
    "iometer": (_Row(r"run with (?P<outstanding>\d+) outstanding", "run of an access specification"),),
    "small-write-latency": (_Row(r"(?P<direction>read|write) (?P<request_bytes>.+)", "small requests"),),
    "small-write-matrix": (
        _Row(r"aligned (?P<request_bytes>.+)", "cell", fixed={"aligned": True}),
        _Row(r"unaligned (?P<request_bytes>.+)", "cell", fixed={"aligned": False}),
    ),
    "misalignment": (
        _Row(r"(?P<kind>read|write) (?P<request_bytes>.+) settling", "settling"),
        _Row(r"(?P<kind>read|write) (?P<request_bytes>.+) from sector (?P<start_sectors>\d+)", "shifted", True),
    ),
    "hybrid-cache": (
        _Row("warming", "warming"),
        _Row("warm 4 KiB at once", "warm at once"),
        _Row(r"warm (?P<request_bytes>.+)", "warm"),
        _Row(r"cold (?P<request_bytes>.+)", "cold"),
        _Row(r"after (?P<idle_ns>.+)", "after idleness"),
        _Row(r"within (?P<region_bytes>.+)", "within"),
        _Row(r"outside (?P<region_bytes>.+)", "outside"),
    ),
    "write-buffer": (
        _FIRST,
        _Row(r"burst (?P<extent>short|long|paced) .+", "burst", fixed={"state": "fresh"}),
        _Row(r"gap (?P<gap_ns>.+)", "gap"),
        _Row("used: overwritten", "overwritten", fixed={"state": "used"}),
        _Row("used: settling", "settling", fixed={"state": "used"}),
        _Row(r"used: burst \d+", "burst", True, {"state": "used"}),
        _Row(r"(?P<condition>.+): rand_write_4k(?:_qd32)?", "document"),
    ),
    "compressibility": (
        _FIRST,
        _Row(r"(?P<removable_ratio>\d+) % compressible", "data of a kind", fixed={"kind": "compressible"}),
        _Row("zeros", "data of a kind", fixed={"removable_ratio": 1.0, "kind": "zeros"}),
        _Row("repeated blocks", "data of a kind", fixed={"removable_ratio": 0.0, "kind": "repeated"}),
    ),
    "command-gathering": (
        _Row("lone", "lone", fixed={"depth": 1}),
        _Row("lone after a rest", "lone after a rest", fixed={"depth": 1}),
        _Row(r"group of (?P<depth>\d+)", "group"),
        _Row(r"company of (?P<depth>\d+)", "company"),
    ),
    "queue-depth": (_Row(r"(?P<kind>read|write) (?P<depth>\d+)", "queue depth", in_family=True),),
    "mixed-load-latency": (
        _Row("alone", "reads alone"),
        _Row("write alone", "writes alone"),
        _Row(r"beside (?P<share_ratio>\d+) %", "reads beside writes"),
    ),
    "read-write-interference": (
        _Row(r"(?P<way>read|write|both|single read|single write|in turn) (?P<turn>\d+)", "pass", in_family=True),
    ),
    "stutter": (_Row(r"(?P<work>writes|mixed|reads)", "watched work"),),
    "copy-within-drive": (
        *(_Row(rf"{role} (?P<number>\d+)", role) for role in ("write", "read", "copy", "delete")),
        _Row("read in memory", "read in memory"),
        _Row("write in memory", "write in memory"),
    ),
    "archives": (
        _Row("write archives", "write"),
        _Row("copy", "copy"),
        _Row(r"delete the (?:copy|pictures)", "delete"),
        _Row("extract in parallel", "parallel"),
        _Row("extract in turn", "serial"),
        _Row("extract in parallel in memory", "parallel in memory"),
        _Row("extract in turn in memory", "serial in memory"),
    ),
    "sector-emulation-copy": (_Row(r"copy (?P<number>\d+), (?P<sector_bytes>\d+) B", "copy"),),
    "sustained-sequential-write": (_Row("sequential write", "long write"),),
    "three-states": (_FIRST, _Row(r"after (?P<state>.+): (?P<kind>read|write)", "measured")),
    "idle-recovery": (
        _FIRST,
        _Row(r"tired out|tired burst", "tiring"),
        _Row(r"reads (?P<number>\d+) after .+", "reads after a pause"),
        _Row(r"burst (?P<number>\d+) after .+", "burst after a pause"),
    ),
    "fill-and-recovery": (
        _FIRST,
        _PASS,
        _Row("beside test A: rand_read_512k", "beside test A"),
        _Row(r"test A.*: files", "files of test A"),
        _Row("filled up again: files", "files again"),
        _Row(r"recovery (?P<pause_s>\d+) s: (?P<load>rand_write_\w+)", "probe after a pause"),
        _Row(r"TRIM (?P<pause_s>\d+) s: (?P<load>rand_write_\w+)", "probe after a deletion"),
        _Row(r"file (?P<file_mb>\d+) MB: (?P<load>rand_write_4k)", "in a file"),
    ),
    "ageing-diary": (_FIRST, _PASS),
    "stripe-scaling": (
        _Row(r"form (?P<members>\d+)", "form"),
        _Row(r"members (?P<members>\d+)", "members"),
        _Row(
            r"(?P<way>(?:read|write|both) (?:64|1) MiB|random reads|random writes) (?P<members>\d+)",
            "load",
            in_family=True,
        ),
    ),
    "smart-inference": (
        _Row(r"SMART after (?:conditioning|sequential .+)", "reading of SMART", fixed={"phase": "sequential"}),
        _Row("SMART after idle", "reading of SMART", fixed={"phase": "idle"}),
        _Row(r"SMART after random .+", "reading of SMART", fixed={"phase": "random"}),
        _Row(r"(?P<phase>sequential) \d+\.\d+", "load", in_family=True),
        _Row(r"(?P<phase>random) \d+", "load", in_family=True),
    ),
    "rber-against-erase-count": (
        _Row(r"wearing (?P<level>\d+)", "wearing", in_family=True),
        _Row(r"filling (?P<level>\d+)", "filling", in_family=True),
        _Row(r"reading (?P<level>\d+)\.(?P<part>\d+)", "reading", in_family=True),
        _Row(r"SMART before reading (?P<level>\d+)", "SMART", fixed={"part": 0}),
        _Row(r"SMART after reading (?P<level>\d+)\.(?P<part>\d+)", "SMART"),
    ),
}


def labels_of_old_name(experiment: str, name: str) -> Labels:
    """The labels of a step that an experiment left under this name; none for a name that is not known."""
    for row in _ROWS.get(experiment, ()):
        found = re.fullmatch(row.name, name)
        if found is None:
            continue
        values = {label: _label(label, words or "") for label, words in found.groupdict().items()}
        family = name.rstrip("0123456789. ") if row.in_family else ""
        return Labels.of(row.role, family=family, **(values | row.fixed))
    return NO_LABELS


def _label(label: str, words: str) -> Label:
    read = _READ_AS.get(label)
    return words if read is None else read(words)
