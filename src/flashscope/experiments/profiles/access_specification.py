"""An Iometer access specification, read from the lines of an .icf file or from a small text of its own.

    'Access specification name,default assignment
        File Server,DISK
    'size,% of size,% reads,% random,delay,burst,align,reply
        512,10,80,100,0,1,0,0
        4096,60,80,100,0,1,0,0          or, one per line:   size=4k of=60 read=80 random=100

size: of a request. % of size: how often it comes. % reads, % random: of the requests of that line. delay [ms] after
each burst of so many requests. align: the grid on which requests start, 0 = any sector. reply: of network tests.
Refused, since the fio jobs used here cannot do it: lines that are partly random, or that differ in % random, delay,
burst or align; replies.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flashscope.errors import WrongUse
from flashscope.experiments.streams import SECOND_NS
from flashscope.vocabulary import Direction
from flashscope.workloads import fio_values
from flashscope.workloads.job import BlockSizes, Job

_FIELDS = ("size", "of", "read", "random", "delay", "burst", "align", "reply")
_DEFAULTS = {"of": 100, "read": 100, "random": 0, "delay": 0, "burst": 1, "align": 0, "reply": 0}
_ADVICE = "e.g. 4096,60,80,100,0,1,0,0 or size=4k of=60 read=80 random=100"
_MILLISECOND_NS = SECOND_NS // 1000


_DIRECTIONS: dict[tuple[bool, bool], tuple[Direction, Direction]] = {
    (True, False): ("rw", "randrw"),
    (False, True): ("read", "randread"),
    (False, False): ("write", "randwrite"),
}
"""(mixed, reads only): fio's direction in order, and at random."""


@dataclass(frozen=True)
class AccessLine:
    """One line: request size [bytes], share of the requests, of reads in them, whether random, pauses, grid."""

    size_bytes: int
    of_percent: int
    read_percent: int
    random_percent: int
    delay_ms: int = 0
    burst_count: int = 1
    align_bytes: int = 0


@dataclass(frozen=True)
class AccessSpecification:
    """A named mix of requests; the shares of its lines sum to 100 %."""

    name: str
    lines: tuple[AccessLine, ...]

    @property
    def writes(self) -> bool:
        """True when any request is a write."""
        return any(line.read_percent < 100 for line in self.lines)

    def job(
        self, *, sector_bytes: int, offset_bytes: int, size_bytes: int, outstanding: int, runtime_ns: int, seed: int
    ) -> Job:
        """The same mix as one job over a span, until runtime_ns is over.

        Sizes may have shares of reads of their own: reads and writes get a list of sizes each, and the share of reads
        of the whole is the sum over the lines; all in whole per cent, as fio takes them.
        """
        reads = round(sum(line.of_percent * line.read_percent for line in self.lines) / 100) / 100
        first = self.lines[0]
        grid = max(first.align_bytes, sector_bytes)
        in_order, at_random = _DIRECTIONS[0.0 < reads < 1.0, reads == 1.0]
        return Job(
            name="iometer",
            direction=at_random if first.random_percent else in_order,
            read_sizes=self._sizes(sector_bytes, grid, reading=True),
            write_sizes=self._sizes(sector_bytes, grid, reading=False),
            read_share_ratio=reads,
            offset_bytes=offset_bytes,
            size_bytes=size_bytes,
            runtime_ns=runtime_ns,
            time_based=True,
            queue_depth=outstanding,
            random_map=False,
            thinktime_ns=first.delay_ms * _MILLISECOND_NS,
            thinktime_blocks=first.burst_count,
            seed=seed,
        )

    def _sizes(self, sector_bytes: int, grid_bytes: int, *, reading: bool) -> BlockSizes:
        weights: dict[int, int] = {}
        for line in self.lines:
            share = line.of_percent * (line.read_percent if reading else 100 - line.read_percent)
            size = -(-line.size_bytes // sector_bytes) * sector_bytes
            if share:
                weights[size] = weights.get(size, 0) + share
        if not weights:  # a direction without requests still needs a size
            weights = {-(-self.lines[0].size_bytes // sector_bytes) * sector_bytes: 1}
        percent = _whole_percent(list(weights.values()))
        return BlockSizes(tuple(zip(weights, percent, strict=True)), None, grid_bytes)


def _whole_percent(weights: list[int]) -> list[float]:
    """Weights as whole per cent that sum to 100: each rounded down; the rest goes to those that lost most."""
    total = sum(weights)
    percent = [weight * 100 // total for weight in weights]
    most_cut = sorted(range(len(weights)), key=lambda index: -(weights[index] * 100 % total))
    for index in most_cut[: 100 - sum(percent)]:
        percent[index] += 1
    return [float(each) for each in percent]


def parse_access_specification(text: str, *, name: str = "access specification") -> AccessSpecification:
    """Read a specification; the first one when the text holds several.

    name: used when the text gives none. Raises WrongUse, naming the line, for text that is no specification or cannot
    be written as a fio job.
    """
    lines: list[AccessLine] = []
    expects_name = False
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        if line.startswith("'"):
            if lines and "name" in line:
                break  # the next specification begins
            expects_name = "specification name" in line
        elif expects_name:
            name, expects_name = line.rsplit(",", 1)[0].strip() or name, False
        elif line and not line.lower().startswith("version"):
            lines.append(_line(line, number))
    _check(lines)
    return AccessSpecification(name, tuple(lines))


def _line(text: str, number: int) -> AccessLine:
    if "=" in text:
        pairs = (word.partition("=") for word in text.replace(",", " ").split())
        values: dict[str, Any] = _DEFAULTS | {key: value for key, _, value in pairs}
        unknown = sorted(set(values) - set(_FIELDS))
        if unknown or "size" not in values:
            fault = f"it has {', '.join(unknown)}" if unknown else "it has no size"
            raise WrongUse(f"line {number}: {fault}", accepted=", ".join(_FIELDS), advice=_ADVICE)
    else:
        words = [word.strip() for word in text.split(",")]
        if not 7 <= len(words) <= len(_FIELDS):
            raise WrongUse(
                f"line {number} has {len(words)} fields: {text!r}", accepted=", ".join(_FIELDS), advice=_ADVICE
            )
        values = _DEFAULTS | dict(zip(_FIELDS, words, strict=False))
    numbers = {field: _number(field, str(values[field]), number) for field in _FIELDS}
    if numbers["reply"]:
        raise WrongUse(f"line {number}: reply is {numbers['reply']}", accepted="0: a drive sends no replies")
    return AccessLine(*(numbers[field] for field in _FIELDS[:-1]))


def _number(field: str, text: str, line: int) -> int:
    sizes = field in ("size", "align")
    low, high = {"size": (1, 1 << 30), "burst": (1, 10**9)}.get(field, (0, 1 << 30))
    if field in ("of", "read", "random"):
        high = 100
    try:
        value = fio_values.positive_size_bytes(text) if sizes and text != "0" else int(text)
    except ValueError:
        value = -1
    if not low <= value <= high:
        raise WrongUse(
            f"line {line}: {field} is {text!r}", accepted=f"a whole number from {low} to {high}", advice=_ADVICE
        )
    return value


def _check(lines: list[AccessLine]) -> None:
    if not lines:
        raise WrongUse("the access specification has no line", accepted="one line or more", advice=_ADVICE)
    whole = sum(line.of_percent for line in lines)
    if whole != 100:
        raise WrongUse(f"the shares of its lines sum to {whole} %", accepted="100 %", advice="see `% of size`")
    for line in lines:
        if line.random_percent not in (0, 100):
            raise WrongUse(
                f"a line is {line.random_percent} % random",
                accepted="0 or 100 % random: fio's jobs here are wholly one or the other",
                advice="run two specifications, one of each",
            )
    first = lines[0]
    for field, words in (
        ("random_percent", "% random"),
        ("delay_ms", "delay"),
        ("burst_count", "burst"),
        ("align_bytes", "align"),
    ):
        if any(getattr(line, field) != getattr(first, field) for line in lines):
            raise WrongUse(f"its lines differ in {words}", accepted=f"the same {words} in every line")


FILE_SERVER = parse_access_specification(
    """
'Access specification name,default assignment
    File Server,NONE
'size,% of size,% reads,% random,delay,burst,align,reply
    512,10,80,100,0,1,0,0
    1024,5,80,100,0,1,0,0
    2048,5,80,100,0,1,0,0
    4096,60,80,100,0,1,0,0
    8192,2,80,100,0,1,0,0
    16384,4,80,100,0,1,0,0
    32768,4,80,100,0,1,0,0
    65536,10,80,100,0,1,0,0
"""
)
"""The File Server pattern that Intel shipped with Iometer (as fio's own example job has it)."""
