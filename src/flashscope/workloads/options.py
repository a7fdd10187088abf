"""The options of fio's job language that are supported: one table, from which the reference page is made.

An option that is not here is refused, by name and line. To add one: a row here, and its effect on a `Job` in
`job_builder.py`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flashscope.vocabulary import DIRECTION_NAMES
from flashscope.workloads import fio_values as value
from flashscope.workloads.job import Distribution

_ALIASES = {"readwrite": "rw"}  # fio has two words for it
SYNCHRONOUS_ENGINES = ("sync", "psync", "vsync", "pvsync", "pvsync2")
QUEUED_ENGINES = ("libaio", "io_uring", "posixaio")
_MOST_JOBS = 256
_DEFAULT_THETA = {"zipf": "1.1", "pareto": "0.2"}  # fio's own


@dataclass(frozen=True)
class Option:
    """One supported option.

    name, aliases: as fio has them. parse: from text to a value; raises ValueError with what is accepted.
    meaning: what it does here. example: a value that is accepted ("" for a switch).
    """

    name: str
    parse: Callable[[str], Any]
    meaning: str
    example: str
    aliases: tuple[str, ...] = ()


def _distribution(text: str) -> Distribution:
    kind, _, rest = text.strip().partition(":")
    expected = "random, zipf:1.2, pareto:0.2, zoned:60/10:40/90"
    if kind == "random" and not rest:
        return Distribution()
    if kind == "zoned":
        return Distribution("zoned", zones=value.zones(rest))
    if kind not in ("zipf", "pareto"):
        raise ValueError(expected)
    try:
        theta = float(rest or _DEFAULT_THETA[kind])
    except ValueError:
        raise ValueError(expected) from None
    if not math.isfinite(theta):
        raise ValueError(expected)
    if kind == "pareto":
        if not 0 < theta < 1:
            raise ValueError("pareto with h between 0 and 1, both left out")
        return Distribution("pareto", theta)
    if theta <= 0 or theta == 1:
        raise ValueError("zipf with theta above 0 and other than 1")
    return Distribution("zipf", theta)


def _direction(text: str) -> str:
    if ":" in text:
        raise ValueError("a direction without a count of requests: rw=randread, not rw=randread:8")
    word = value.one_of(*DIRECTION_NAMES, *_ALIASES)(text)
    return _ALIASES.get(word, word)


def _repeatable(text: str) -> bool:
    if not value.switch(text):
        raise ValueError("1, so that the measurement can be repeated; randseed=NUMBER gives other places")
    return True


def _direct(text: str) -> bool:
    if not value.switch(text):
        raise ValueError("1: with direct=0 the host's page cache would be measured, not the drive")
    return True


OPTIONS = (
    Option("rw", _direction, "what the job does; `rand` in front: at random places", "randwrite", ("readwrite",)),
    Option("rwmixread", value.whole_number(0, 100), "per cent of reads in a mixed job", "70"),
    Option("rwmixwrite", value.whole_number(0, 100), "per cent of writes in a mixed job", "30"),
    Option(
        "bs",
        value.by_kind(value.positive_size_bytes),
        "request size, for reads, writes, trims",
        "4k,64k",
        ("blocksize",),
    ),
    Option("bssplit", value.by_kind(value.weighted_sizes), "request sizes with weights", "4k/60:64k/40"),
    Option(
        "bsrange",
        value.by_kind(value.size_range),
        "request sizes from a range, in steps of its low end",
        "4k-64k",
        ("blocksize_range",),
    ),
    Option(
        "blockalign",
        value.by_kind(value.positive_size_bytes),
        "grid on which random requests start; without it the smallest request. Turns the random map off, as in fio",
        "512",
        ("ba",),
    ),
    Option("size", value.size_or_share, "length of the span; a share is of what follows offset", "1g"),
    Option("offset", value.size_or_share, "where the span starts", "25%"),
    Option("io_size", value.size_or_share, "bytes to transfer; a share is of the span", "4g", ("io_limit",)),
    Option("runtime", value.time_ns("s"), "stop after this time (bare: seconds)", "30", ("timeout",)),
    Option("time_based", value.switch, "start again at the beginning of the span until the run time is over", ""),
    Option("iodepth", value.whole_number(1, 65536), "requests kept outstanding", "32"),
    Option("numjobs", value.whole_number(1, _MOST_JOBS), "copies of the job that run together", "4"),
    Option("randseed", value.whole_number(0, 2**63 - 1), "seed of the job's random numbers", "42"),
    Option(
        "randrepeat",
        _repeatable,
        "the same places in every run; another randseed gives other places",
        "1",
        ("allrandrepeat",),
    ),
    Option("norandommap", value.switch, "places are drawn anew each time; without it each place once per pass", ""),
    Option("random_distribution", _distribution, "where random requests go", "zipf:1.2"),
    Option("rate", value.by_kind(value.positive_size_bytes), "most bytes per second", "50m"),
    Option("rate_iops", value.by_kind(value.positive_size_bytes), "most requests per second", "1000"),
    Option(
        "rate_process",
        value.one_of("linear", "poisson"),
        "when requests under rate_iops are due: at equal intervals, or at random with that mean rate; then iodepth "
        "only says how many may wait",
        "poisson",
    ),
    Option("thinktime", value.time_ns("us"), "pause between requests (bare: microseconds)", "5ms"),
    Option("thinktime_blocks", value.whole_number(1, 10**9), "requests between two pauses", "8"),
    Option(
        "buffer_compress_percentage", value.whole_number(0, 100), "per cent of the data a compressor can remove", "46"
    ),
    Option("zero_buffers", value.switch, "write zeros only", ""),
    Option("dedupe_percentage", value.whole_number(0, 100), "per cent of the blocks that repeat earlier ones", "30"),
    Option("end_fsync", value.switch, "flush when all requests are done, and count that time", "1"),
    Option("stonewall", value.switch, "start when all jobs before are finished", "", ("wait_for_previous",)),
    Option("direct", _direct, "bypass the host's cache; 0 is refused", "1"),
    Option(
        "ioengine",
        value.one_of(*SYNCHRONOUS_ENGINES, *QUEUED_ENGINES),
        "the synchronous ones keep one request outstanding, whatever iodepth says; flashscope picks the engine itself",
        "libaio",
    ),
    Option("refill_buffers", value.switch, "new data for every write; on a virtual drive data is always new", ""),
    Option("group_reporting", value.switch, "results are reported together in any case", ""),
    Option("name", str, "another name for the job", "warm-up"),
    Option("description", str, "words for the reader", "fills the drive"),
)

BY_NAME = {name: option for option in OPTIONS for name in (option.name, *option.aliases)}

REFUSED = {
    "filename": "the drive is named on the command line, so that no job file can write to another one",
    "directory": "the drive is named on the command line",
    "include": "an error in an included file could not be shown with its line; put the options into the file itself",
    "verify": "checking what was written belongs to the endurance run, not to a measurement",
    "ramp_time": "it would hide the beginning of the run; leave out the first rows of the series instead",
}


def option_table() -> str:
    """The reference table of all options, in Markdown; docs/reference/job-language.md holds exactly this."""
    lines = ["| option | also | example | meaning |", "|---|---|---|---|"]
    for option in OPTIONS:
        also = ", ".join(f"`{alias}`" for alias in option.aliases)
        example = f"`{option.name}={option.example}`" if option.example else f"`{option.name}`"
        lines.append(f"| `{option.name}` | {also} | {example} | {option.meaning} |")
    return "\n".join(lines)
