"""Addresses, parts and job files that nobody would write: most of them nearly right, some of them nonsense."""

from __future__ import annotations

import random

from flashscope.drives.parts.keys.key import Key
from flashscope.drives.parts.part import load_part
from flashscope.drives.parts.schema import KEYS
from flashscope.drives.parts.shipped import shipped_folder
from flashscope.workloads.options import OPTIONS

PARTS = sorted(path.stem for path in (shipped_folder() / "drives").glob("*.toml"))
_SECTIONS = {name: {key.rpartition(".")[0] for key in load_part(name).values} for name in PARTS}
_KIND = {name: load_part(name).kind for name in PARTS}
_COUNTS = (
    0,
    1,
    2,
    3,
    4,
    5,
    7,
    8,
    16,
    31,
    32,
    64,
    100,
    128,
    255,
    256,
    512,
    1000,
    1024,
    2048,
    4096,
    16384,
    1 << 17,
    1 << 20,
)
_TIMES = (
    "0 ns",
    "1 ns",
    "100 ns",
    "1 us",
    "20 us",
    "100 us",
    "300 us",
    "1 ms",
    "5 ms",
    "100 ms",
    "1 s",
    "1000 s",
    "1 d",
)
_SIZES = (
    "0 B", "1 B", "512 B", "4 KiB", "8 KiB", "16 KiB", "64 KiB", "256 KiB", "1 MiB", "8 MiB", "64 MiB", "200 MiB",
    "1 GiB", "4 GiB", "30 GiB", "200 GiB", "2 TiB", "1000 B", "4095 B",
)  # fmt: skip
_RATES = ("1 KB/s", "1 MB/s", "40 MB/s", "300 MB/s", "2 GB/s", "1000 GB/s", "1 B/s")
_NONSENSE = (
    "",
    "-1",
    "nan",
    "1e30",
    "x",
    "9" * 40,
    "1.5",
    "0x10",
    "true",
    "4 KiB/s",
    "²",
    "1e-9",
    "18446744073709551616",
)
_STATES = (
    "full", "steady", "worn", "fill:0.5", "fill:0.9,random", "fill:0.01,random", "random,erases:3000,spread:0.3",
    "erases:100000", "fill:0", "fill:1,random,erases:1",
)  # fmt: skip
_NO_STATES = ("steady,worn", "fill:2", "", "fill", "random:1", "erases:-1", "spread:9")


def value_of(key: Key, chance: random.Random) -> str:
    """A value of a key, mostly one of its dimension and within its bounds."""
    if chance.random() < 0.05:
        return chance.choice(_NONSENSE)
    match key.dimension:
        case "choice":
            return chance.choice(key.choices)
        case "yes or no":
            return chance.choice(("true", "false"))
        case "count" | "cycles" | "request-rate":
            fitting = [count for count in _COUNTS if key.least <= count <= key.most] or [1]
            count = chance.choice(_COUNTS if chance.random() < 0.05 else fitting)
            return f"{count} cycles" if key.dimension == "cycles" else str(count)
        case "time":
            return chance.choice(_TIMES)
        case "bytes":
            return chance.choice(_SIZES)
        case "rate":
            return chance.choice(_RATES)
        case "ratio" | "number":
            return str(chance.choice((0, 0.01, 0.1, 0.5, 0.9, 1, 2, 8, 1e-6)))
    return "text"


def options_of_part(chance: random.Random, part: str, most: int = 4) -> dict[str, str]:
    """Some keys of a part, with values; a drive of another shape is mostly given a size that may fit it."""
    kind, sections = _KIND[part], _SECTIONS[part]
    anything = chance.random() < 0.1
    keys = [key for key in KEYS if (key.section in sections and kind in key.kinds) or anything]
    keys = [key for key in keys if key.dimension != "text"]
    shape = [key for key in keys if key.section in ("geometry", "gc", "mapping", "buffer", "log_blocks")]
    chosen = [chance.choice(shape if shape and chance.random() < 0.6 else keys) for _ in range(chance.randint(1, most))]
    options = {key.name: value_of(key, chance) for key in chosen}
    if any(name.startswith("geometry.") for name in options) and chance.random() < 0.8:
        options["capacity.user_size"] = chance.choice(("64 MiB", "200 MiB", "1 GiB", "4 GiB", "16 GiB"))
        options["capacity.initial_bad_block_count"] = options["capacity.reserved_block_count"] = chance.choice("012")
    return options


def address(chance: random.Random) -> str:
    """The address of a virtual drive: a part or a stripe, with keys, a state, a modifier."""
    part = chance.choice(PARTS)
    options = options_of_part(chance, part) if chance.random() < 0.9 else {}
    if chance.random() < 0.5:
        options["aged"] = chance.choice(_STATES if chance.random() < 0.95 else _NO_STATES)
    if chance.random() < 0.05:
        options["seed"] = chance.choice(("1", "0", "18446744073709551615", "-1", "x"))
    text = f"sim:{part}"
    if chance.random() < 0.2:
        count = chance.choice((1, 2, 3, 4, 8, 64, 99))
        chunk = chance.choice(("128KiB", "64KiB", "4KiB", "1MiB", "0", "7KiB"))
        text = (
            f"stripe:{chunk}:{text}*{count}"
            if chance.random() < 0.7
            else f"stripe:{chunk}:{text}+sim:{chance.choice(PARTS)}"
        )
        options.pop("aged", None) if chance.random() < 0.8 else None
    if options:
        text += "?" + "&".join(f"{name}={value}" for name, value in options.items())
    if chance.random() < 0.15:
        text += chance.choice(
            ("@offset=31.5KiB", "@sector=4096", "@offset=63s", "@offset=1TiB", "@", "@x=1", "@offset=1")
        )
    if chance.random() < 0.03:
        at = chance.randrange(len(text))
        text = text[:at] + chance.choice(("?", "&", "=", "%", "\0", "é", "*", ":")) + text[at + chance.randint(0, 3) :]
    return text


def part_text(chance: random.Random) -> str:
    """A part file: a shipped one with some values replaced, and perhaps a few bytes too."""
    name = chance.choice(PARTS)
    lines = (shipped_folder() / "drives" / f"{name}.toml").read_text(encoding="utf-8").splitlines()
    for option, value in options_of_part(chance, name).items():
        section, _, last = option.rpartition(".")
        bare = (
            value if value.lstrip("-").replace(".", "", 1).isdecimal() or value in ("true", "false") else f'"{value}"'
        )
        lines += [] if f"[{section}]" in lines else [f"[{section}]"]
        at = lines.index(f"[{section}]") + 1
        lines = [*lines[:at], f"{last} = {bare}", *(line for line in lines[at:] if not line.startswith(f"{last} ="))]
    text = "\n".join(lines)
    for _ in range(chance.choice((0, 0, 0, 1, 3))):
        at = chance.randrange(len(text))
        text = (
            text[:at]
            + chance.choice(("=", "[", "]", '"', "\n", "9", "-", "{", "#", "inf"))
            + text[at + chance.randint(0, 4) :]
        )
    return text


_JOB_VALUES = {
    "rw": ("read", "write", "randread", "randwrite", "randrw", "trim", "trimwrite", "rw", "randtrim"),
    "bs": ("512", "4k", "4k,8k", "64k", "1m", "128m", "1g", "3584", "1000"),
    "bssplit": ("4k/60:64k/40", "512/1:128k/99", "4k/50", "1m/100"),
    "bsrange": ("4k-64k", "512-1m", "64k-4k", "1m-1g"),
    "blockalign": ("512", "4k", "1m"),
    "size": ("1m", "64m", "1g", "100%", "50%", "1t", "0", "512", "10000000"),
    "offset": ("0", "25%", "1m", "512", "99%", "1t", "3"),
    "io_size": ("64k", "16m", "1g", "200%", "100t"),
    "runtime": ("1", "30", "1h", "10ms", "200d", "0"),
    "iodepth": ("1", "4", "32", "1024", "65536"),
    "numjobs": ("1", "2", "8", "256"),
    "rate": ("1k", "1m", "100m", "512", "1t"),
    "rate_iops": ("1", "100", "1000000"),
    "random_distribution": ("random", "zipf:1.2", "zipf:0.01", "pareto:0.2", "zoned:60/10:40/90", "zipf:9"),
    "thinktime": ("5ms", "1us", "1d", "0"),
    "ioengine": ("libaio", "sync"),
}  # fmt: skip


def job_text(chance: random.Random) -> str:
    """A job file of one to four jobs."""
    lines = ["[global]", "time_based", "runtime=10"] if chance.random() < 0.1 else []
    for number in range(chance.choice((1, 1, 1, 2, 4))):
        lines += [f"[j{number}]", f"rw={chance.choice(_JOB_VALUES['rw'])}"]
        anything = chance.random() < 0.2
        likely = [option for option in OPTIONS if anything or (option.name in _JOB_VALUES and option.name != "rw")]
        for option in chance.sample(likely, chance.randint(1, 4)):
            choices = _JOB_VALUES.get(option.name, (option.example, "0", "1", "100"))
            value = chance.choice(_NONSENSE) if chance.random() < 0.05 else chance.choice(choices)
            lines.append(f"{option.name}={value}" if value else option.name)
    text = "\n".join(lines) + "\n"
    if chance.random() < 0.05:
        at = chance.randrange(len(text))
        text = text[:at] + chance.choice(("[", "]", "=", ";", "\0", "\n", "${x}", "%")) + text[at + 1 :]
    return text
