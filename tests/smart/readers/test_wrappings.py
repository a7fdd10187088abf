"""A dump reads the same out of what another program wrapped around it, or is refused; it never shows other numbers."""

from __future__ import annotations

import json
import quopri
import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from flashscope.errors import WrongUse
from flashscope.smart.dump import Dump
from flashscope.smart.readers.read import read_dump, read_dumps

from .test_smartctl_json import DOCUMENT
from .texts import BRIEF, NVME, OLD_ROWS, SCSI

Wrap = Callable[[str], str]
JSON = json.dumps(DOCUMENT, indent=2)
TEXTS = {"ATA": BRIEF, "NVMe": NVME, "SCSI": SCSI}


def before_each(words: str) -> Wrap:
    return lambda text: "\n".join(words + line for line in text.split("\n"))


def numbered(form: str) -> Wrap:
    return lambda text: "\n".join(form.format(number, line) for number, line in enumerate(text.split("\n"), 1))


def quoted_printable(text: str) -> str:
    head = "From: a@example.org\nContent-Transfer-Encoding: quoted-printable\n\n"
    return head + quopri.encodestring(text.encode()).decode()


LINES: dict[str, Wrap] = {
    "a system log": before_each("Mar  3 10:11:12 host smart[123]: "),
    "times": numbered("2024-03-03T10:11:{0:02d}.123Z {1}"),
    "line numbers": numbered("{0:4d}  {1}"),
    "file and line numbers": numbered("dump-12.txt:{0}:{1}"),
    "comments": before_each("# "),
    "a difference": before_each("+"),
    "a column of CSV": lambda text: "\n".join('"' + line.replace('"', '""') + '"' for line in text.split("\n")),
    "mail": quoted_printable,
    "zeros": lambda text: text + 300 * "\0",
    "form feeds": lambda text: text.replace("\n\n", "\n\f\n"),
    "a string in JSON": lambda text: json.dumps({"results": [{"item": "/dev/sda", "stdout": text}]}),
    "lines and a string in JSON": lambda text: json.dumps({"stdout": text, "stdout_lines": text.split("\n")}, indent=1),
    "JSON lines": lambda text: "\n".join(json.dumps({"log": f"{line}\n", "stream": "x"}) for line in text.split("\n")),
}
AROUND_JSON: dict[str, Wrap] = {
    "quote marks": before_each("> "),
    "a system log": before_each("Mar  3 10:11:12 host smart[123]: "),
    "comments before its lines": before_each("# "),
    "a forum": lambda text: f"[CODE]{text}[/CODE]",
    "comments": lambda text: "// collected\n" + text.replace("\n", " // by hand\n", 2) + "/* the end */",
    "spare commas": lambda text: text.replace("\n}", ",\n}"),
    "a string": lambda text: json.dumps({"output": text}),
}


def same(one: Dump, other: Dump) -> bool:
    """Whether two dumps say the same; how they were printed may differ."""
    return replace(one, source="", remarks=()) == replace(other, source="", remarks=())


@pytest.mark.parametrize("wrap", LINES.values(), ids=LINES)
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_text_reads_the_same_out_of(text: str, wrap: Wrap) -> None:
    assert same(read_dump(wrap(text).encode(), "wrapped"), read_dump(text.encode(), "plain"))


@pytest.mark.parametrize("wrap", AROUND_JSON.values(), ids=AROUND_JSON)
def test_json_reads_the_same_out_of(wrap: Wrap) -> None:
    assert same(read_dump(wrap(JSON).encode(), "wrapped"), read_dump(JSON.encode(), "plain"))


def test_text_and_json_in_one_file_are_both_read() -> None:
    plain = {read_dump(one.encode(), "").model for one in (BRIEF, JSON)}
    for text in (f"{BRIEF}\n{JSON}", f"{JSON}\n{BRIEF}"):
        assert {dump.model for dump in read_dumps(text.encode(), "both")} == plain


def test_a_web_address_in_json_is_no_comment() -> None:
    document = {**DOCUMENT, "collector": "https://example.org/a, }"}
    text = json.dumps(document, indent=2).replace("\n}", ",\n}")
    assert same(read_dump(text.encode(), ""), read_dump(JSON.encode(), ""))


def test_a_table_whose_rows_begin_alike_loses_nothing() -> None:
    assert read_dump(OLD_ROWS.encode(), "").attributes
    mail = f"I ran smartctl 7.2 and got:\n{OLD_ROWS}"
    assert read_dump(mail.encode(), "").attributes == read_dump(OLD_ROWS.encode(), "").attributes


def test_wrapped_and_mangled_dumps_are_read_or_refused() -> None:
    rng = random.Random(18)
    wraps = [*LINES.values(), *AROUND_JSON.values()]
    read = 0
    for _ in range(1500):
        data = bytearray(rng.choice(wraps)(rng.choice([*TEXTS.values(), JSON])).encode())
        for _ in range(rng.randint(1, 6)):
            place = rng.randrange(len(data))
            data[place : place + rng.randint(0, 30)] = rng.choice(
                (b"", b"\0", b"\n", b'"', b"{", b"[CODE]", b"\f", b"//")
            )
        try:
            read += len(read_dumps(bytes(data), "mangled")) > 0
        except WrongUse:
            continue
    assert read > 500
