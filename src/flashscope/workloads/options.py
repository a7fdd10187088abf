"""The options of fio's job language that are understood: one table, from which the reference page is made.

    python -m flashscope.workloads.options        prints docs/reference/job-language.md

An option that is not here is refused. Those marked "host" concern the program that makes the load, not the
load itself; each has one meaning here, and other values of it are refused.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from typing import Any, get_args

from flashscope.workloads import fio_sizes
from flashscope.workloads.fio_values import (
    bytes_or_percent,
    integer,
    per_kind,
    percentage,
    positive,
    runtime_ns,
    switch,
    thinktime_ns,
)
from flashscope.workloads.job import Direction, Distribution

ASYNCHRONOUS_ENGINES = ("io_uring", "libaio", "posixaio")
SYNCHRONOUS_ENGINES = ("psync", "sync", "pvsync", "pvsync2")
_DEFAULT_THETA = {"zipf": 1.1, "pareto": 0.2}  # fio's own


@dataclass(frozen=True)
class Option:
    """One option. read: text to value, raising ValueError. bare: may stand without "=".

    accepted: what may be written, for messages and the page. meaning: one sentence.
    host: it concerns the loading program only.
    """

    name: str
    read: Callable[[str], Any]
    accepted: str
    meaning: str
    aliases: tuple[str, ...] = ()
    bare: bool = False
    host: bool = False


def _direction(text: str) -> Direction:
    if ":" in text:
        raise ValueError("the number behind the colon (requests per new offset) is not supported")
    for direction in get_args(Direction):
        if text == direction:
            return direction  # type: ignore[no-any-return]  # get_args is untyped; Direction is a Literal of str
    if text == "readwrite":
        return "rw"
    raise ValueError("it is not a kind of load")


def _distribution(text: str) -> Distribution:
    kind, _, argument = text.partition(":")
    if kind == "random" and not argument:
        return Distribution()
    if kind in _DEFAULT_THETA:
        try:
            theta = float(argument) if argument else _DEFAULT_THETA[kind]
        except ValueError:
            raise ValueError(f"{argument!r} is not one number") from None
        if not (0 < theta < 1 or (kind == "zipf" and 1 < theta <= 100)):
            raise ValueError(f"{theta:g} is outside {'0 to 100 without 1' if kind == 'zipf' else '0 to 1'}")
        return Distribution("zipf" if kind == "zipf" else "pareto", theta=theta)
    if kind == "zoned" and argument:
        return Distribution("zoned", zones=_zones(argument))
    raise ValueError("it is not a distribution that is known here")


def _zones(text: str) -> tuple[tuple[float, float], ...]:
    if "," in text:
        raise ValueError("zones that differ between reads and writes are not supported")
    pairs = [pair.strip().split("/") for pair in text.split(":")]
    if any(len(pair) != 2 for pair in pairs):
        raise ValueError("zones are written ACCESSES/SPAN:ACCESSES/SPAN...")
    zones = tuple((float(percentage(access)), float(percentage(span))) for access, span in pairs)
    for name, column in (("accesses", 0), ("spans", 1)):
        total = sum(zone[column] for zone in zones)
        if total != 100:
            raise ValueError(f"the {name} sum to {total:g} % and not to 100 %")
    if any(span == 0 for _, span in zones):
        raise ValueError("a zone has no span")
    return zones


def _sectors(text: str) -> int:
    value = positive(text)
    if value % 512:
        raise ValueError(f"{value} bytes are not whole sectors of 512 bytes")
    return value


def _engine(text: str) -> str:
    if text not in ASYNCHRONOUS_ENGINES + SYNCHRONOUS_ENGINES:
        raise ValueError("it is not an engine that is known here")
    return text


def _direct(text: str) -> bool:
    if text not in ("", "1"):
        raise ValueError("that would measure the page cache instead of the drive")
    return True


def _words(text: str) -> str:
    return text


_SIZE = "bytes with fio's suffixes (4k)"
_KINDS = ", or up to three by commas for read,write,trim"
_SWITCH = "0 or 1, or no value for 1"

OPTIONS: tuple[Option, ...] = (
    Option("rw", _direction, ", ".join([*get_args(Direction), "readwrite"]), "The load. Default: read.", ("readwrite",)),
    Option("rwmixread", percentage, "0 to 100", "Per cent of reads in rw and randrw. Default: 50."),
    Option("rwmixwrite", percentage, "0 to 100", "100 less this is rwmixread; the later of the two counts."),
    Option(
        "bs",
        partial(per_kind, read=fio_sizes.fixed),
        f"{_SIZE}{_KINDS}",
        "Request size, whole sectors. Default: 4k.",
        ("blocksize",),
    ),
    Option(
        "bsrange",
        partial(per_kind, read=fio_sizes.ranged),
        f"LOW-HIGH (4k-64k){_KINDS}",
        "Request sizes: every multiple of LOW up to HIGH alike.",
        ("blocksize_range",),
    ),
    Option(
        "bssplit",
        partial(per_kind, read=fio_sizes.split),
        f"SIZE/PERCENT:SIZE/PERCENT...{_KINDS}",
        "Request sizes with their shares; shares that are left out divide the rest.",
    ),
    Option(
        "ba",
        partial(per_kind, read=_sectors),
        f"{_SIZE}{_KINDS}",
        "Grid on which random requests start. Default: the smallest size. Any other value implies norandommap.",
        ("blockalign",),
    ),
    Option(
        "size",
        bytes_or_percent,
        f"{_SIZE}, or per cent of the drive (50%)",
        "Length of the span, from offset. Default, 0 and 100%: to the end of the drive.",
    ),
    Option(
        "offset",
        bytes_or_percent,
        f"{_SIZE}, or per cent of the drive (50%)",
        "Start of the span. Per cent are rounded up to ba (default: the smallest size).",
        ("fileoffset",),
    ),
    Option(
        "io_size",
        bytes_or_percent,
        f"{_SIZE}, or per cent of the span (50%)",
        "Bytes to transfer, going round the span if need be. Default: the span once.",
        ("io_limit",),
    ),
    Option(
        "runtime",
        runtime_ns,
        "seconds, or a time with us, ms, s, m, h or d",
        "Stop after this time even if bytes are left. Default: no limit.",
        ("timeout",),
    ),
    Option("time_based", switch, _SWITCH, "Go round the span until runtime is over.", bare=True),
    Option("iodepth", positive, "1 or more", "Requests outstanding at a time. Default: 1."),
    Option("numjobs", positive, "1 to 4096", "Run so many clones at once; clone i is called NAME.i. Default: 1."),
    Option(
        "stonewall",
        switch,
        _SWITCH,
        "Wait until everything above is done; begins a new group.",
        ("wait_for_previous",),
        bare=True,
    ),
    Option("norandommap", switch, _SWITCH, "Random places may come twice before all came once.", bare=True),
    Option(
        "random_distribution",
        _distribution,
        "random, zipf[:THETA], pareto[:H], zoned:ACCESSES/SPAN:... (per cent, each summing to 100)",
        "Where random requests go. Default: random.",
    ),
    Option("randseed", integer, "a whole number", "Seed of the random choices. Default and 0: fio's own."),
    Option(
        "randrepeat",
        switch,
        "0 or 1",
        "0: draw a seed when the file is read; the record keeps it. randseed wins. Default: 1.",
    ),
    Option(
        "rate",
        partial(per_kind, read=integer),
        f"bytes per second with fio's suffixes{_KINDS}",
        "Highest rate; 0: no limit. Not together with rate_iops.",
    ),
    Option(
        "rate_iops",
        partial(per_kind, read=integer),
        f"requests per second{_KINDS}",
        "Highest request rate; 0: no limit. Not together with rate.",
    ),
    Option(
        "thinktime",
        thinktime_ns,
        "microseconds, or a time with us, ms, s, m, h or d",
        "Rest so long after every thinktime_blocks requests. Default: 0.",
    ),
    Option("thinktime_blocks", positive, "1 or more", "Requests between two rests. Default: 1."),
    Option(
        "buffer_compress_percentage",
        percentage,
        "0 to 100",
        "Share of the written data that a compressor can take out. Default: 0.",
    ),
    Option("zero_buffers", switch, _SWITCH, "Write zeros only.", bare=True),
    Option(
        "refill_buffers",
        switch,
        _SWITCH,
        "Written data never repeats here, with or without this option.",
        bare=True,
        host=True,
    ),
    Option(
        "ioengine",
        _engine,
        ", ".join(ASYNCHRONOUS_ENGINES + SYNCHRONOUS_ENGINES),
        "How fio talks to the kernel: checked against iodepth; on a real drive the best one there is taken.",
        host=True,
    ),
    Option("direct", _direct, "1", "Past the page cache; always so here.", host=True),
    Option("thread", switch, _SWITCH, "Threads instead of processes; always so here.", bare=True, host=True),
    Option("group_reporting", switch, _SWITCH, "Results are always those of the group.", bare=True, host=True),
    Option("description", _words, "any text", "For people.", host=True),
    Option("name", _words, "any text", "Another name for the job.", host=True),
)

BY_NAME: dict[str, Option] = {name: option for option in OPTIONS for name in (option.name, *option.aliases)}

REFUSED: dict[str, str] = {
    "filename": "name the drive on the command line, so that its guard can look at it",
    "directory": "name the drive on the command line, so that its guard can look at it",
    "buffered": "leave it out; requests go past the page cache",
    "filesize": "use size; the drive has the size it has",
    "ramp_time": "put a job of that length above and begin the next with stonewall",
    "loops": "use io_size; it goes round the span",
}
"""Well-known options that are not understood, and what to do instead."""


def nearest(name: str) -> str:
    """The supported option whose name is most like `name`."""
    return get_close_matches(name, BY_NAME, n=1, cutoff=0.0)[0]


def reference_page() -> str:
    """docs/reference/job-language.md as text."""

    def rows(host: bool) -> str:
        lines = ["| Option | Accepted | Meaning |", "|--|--|--|"]
        for option in OPTIONS:
            if option.host is host:
                names = ", ".join(f"`{name}`" for name in (option.name, *option.aliases) if name != "")
                lines.append(f"| {names} | {option.accepted} | {option.meaning} |")
        return "\n".join(lines)

    refused = "\n".join(f"- `{name}`: {advice}." for name, advice in REFUSED.items())
    return _PAGE.format(load=rows(False), host=rows(True), refused=refused)


_PAGE = """\
# The job language

<!-- Made by `python -m flashscope.workloads.options`; edit src/flashscope/workloads/options.py instead. -->

A workload is a fio job file. The same file runs under fio on a file or a block device, and in virtual time on a
virtual drive:

    flashscope run sim:onyx-32 mixed.fio

    [global]
    bs=4k
    size=50%
    iodepth=8

    [fill]              ; ends when the span is written once
    rw=write
    bs=1m

    [mixed]
    stonewall           ; waits for [fill]
    rw=randrw
    rwmixread=70
    runtime=60
    time_based

`[global]` may come again; it adds to what follows it. `;` and `#` begin a comment. An option that is not below is
refused with its line and the nearest one that is known; so is a value that has no meaning. Nothing is ignored.

Numbers are fio's: `k`, `kb` and `ki` are 1024, `kib` is 1000 (fio's kb_base=1024), likewise `m`, `g`, `t`, `p`;
`0x` begins a hexadecimal number. Expressions in parentheses, `${{VARIABLES}}`, `$keywords` and `include` are refused.

## The load

{load}

`bs`, `bsrange` and `bssplit` exclude each other within one job, counting what it takes from `[global]`.

## What concerns the loading program

{host}

`iodepth` above 1 with a synchronous engine (psync, sync, pvsync, pvsync2) is refused: fio would run it at depth 1.

## Refused, and what to do instead

{refused}

## Where it differs from fio

- The page cache is never measured: fio's default `direct=0` is not the default here.
- Without `ioengine` fio takes psync and caps the depth at 1; here an asynchronous engine is taken and `iodepth` counts.
- A span that reaches beyond the drive is refused; fio would make a file longer.
- `trimwrite` and `randtrimwrite` need the same sizes for trims and writes.
- `randrw` that visits every block once needs the same sizes for reads and writes; otherwise add `norandommap`.
"""


if __name__ == "__main__":
    print(reference_page(), end="")
