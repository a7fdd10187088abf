"""Any dump, from any program: the form is found from the content, never from the file's name.

    bytes --> raw page?  --> text --> JSON? --> smartctl's or nvme-cli's
                                  \\-> hex dump of pages?  nvme-cli's text?  skdump's?  a plain table?  smartctl's text

`read_dump` gives one dump; `read_dumps` all of a file that holds several readings, in its order.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from flashscope.errors import WrongUse
from flashscope.smart.dump import Dump
from flashscope.smart.readers import indilinx_log, plain_table, skdump
from flashscope.smart.readers.collectors.scrutiny import looks_like_scrutiny, read_scrutiny
from flashscope.smart.readers.collectors.smartctl_exporter import looks_like_smartctl_exporter, read_smartctl_exporter
from flashscope.smart.readers.hex_text import hex_line
from flashscope.smart.readers.json_text import documents_of, greppable_document, text_behind
from flashscope.smart.readers.merge import merged
from flashscope.smart.readers.nvme_cli import (
    looks_like_nvme_cli,
    looks_like_nvme_text,
    read_nvme_document,
    read_nvme_text,
)
from flashscope.smart.readers.raw_pages import read_raw_pages
from flashscope.smart.readers.smartctl_json import looks_like_smartctl, read_smartctl_json
from flashscope.smart.readers.smartctl_text import read_smartctl_text
from flashscope.smart.readers.text import shortened, text_of, without_markup
from flashscope.smart.readers.wrappings import (
    holds_text_of_smartctl,
    joined_lines,
    texts_in,
    without_wrapping,
)

ACCEPTED = (
    "the output of smartctl -a, -x or --json, nvme smart-log, nvme ocp smart-add-log, nvme intel smart-log-add, "
    "or raw log pages"
)
MOST_BYTES = 64 << 20
"""Files beyond this are no dumps of SMART."""
_TIME = re.compile(r"(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d)(?::(\d\d))?(?:\.\d+)?\s*(Z|UTC|[+-]\d\d:?\d\d)?")
_INFORMATION = "=== START OF INFORMATION SECTION ==="
_HEADER = re.compile(r"^smartctl (?:version )?\d.*$", re.MULTILINE)
_HEX_LINES_LEAST = 4
_JSON_BEGINS = re.compile(r"^\{[ \t]*$", re.MULTILINE)
_LOG_ID = re.compile(r"log-id:\s*(0x[0-9a-fA-F]{1,2}|\d{1,3})\b")
_CONTROLS = bytes((*range(9), *range(14, 27)))


def read_dump(data: bytes, source: str) -> Dump:
    """The dump in `data`; of several readings of one drive, the last (a remark says so).

    source: the dump's name in messages. Raises WrongUse, saying what was found and what is accepted, when
    there is none, and when it holds several drives.
    """
    dumps = read_dumps(data, source)
    drives = {(dump.model, dump.serial or dump.wwn, dump.user_bytes) for dump in dumps if _names_drive(dump)}
    if len(drives) > 1:
        names = "; ".join(sorted({dump.model or dump.serial or dump.wwn for dump in dumps if _names_drive(dump)}))
        raise WrongUse(
            f"{source} holds dumps of {len(drives)} drives: {shortened(names)}",
            accepted="one drive",
            advice="split the file, or read it where several drives are taken",
        )
    last = dumps[-1]
    if len(dumps) == 1:
        return last
    return replace(last, remarks=(*last.remarks, f"the last of {len(dumps)} readings in {source}"))


def _names_drive(dump: Dump) -> bool:
    return bool(dump.model or dump.serial or dump.wwn)


def read_dumps(data: bytes, source: str) -> tuple[Dump, ...]:
    """All dumps in `data`, in their order; at least one. Raises WrongUse when there is none."""
    if len(data) > MOST_BYTES:
        raise WrongUse(f"{source} has {len(data)} bytes, which is too large for a SMART dump", accepted=ACCEPTED)
    if not data.strip():
        raise WrongUse(f"{source} is empty", accepted=ACCEPTED)
    if _is_binary(data):
        return (read_raw_pages(data, source),)
    text = without_wrapping(text_of(data))
    start = text.lstrip()[:1]
    if looks_like_smartctl_exporter(text):
        return read_smartctl_exporter(text, source)
    if looks_like_scrutiny(text):
        return read_scrutiny(text, source)
    if (greppable := greppable_document(text)) is not None:
        document, whole_text = greppable
        return (read_smartctl_json(document, source, whole_text=whole_text),)
    if dumps := _text_before_json(text, source):
        return dumps
    if "{" in text[:4000] and (start in "{[" or _TIME.match(text.lstrip()) or '"' in text[:4000]):
        if dumps := _json_dumps(text, source):
            return dumps
        if start in "{[":
            raise WrongUse(f"{source} is JSON, but not of SMART: {shortened(text[:200])}", accepted=ACCEPTED)
    return _text_dumps(text, source)


def _is_binary(data: bytes) -> bool:
    # A file that was made longer than what was written into it ends, or begins, with zeros.
    start = data.strip(b"\0")[:4096]
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        return False
    zeros = start.count(0)
    if zeros and (not start[::2].count(0) or not start[1::2].count(0)) and zeros > len(start) * 0.3:
        return False  # UTF-16
    controls = len(start) - len(start.translate(None, _CONTROLS))
    return controls > len(start) // 50


def _json_dumps(text: str, source: str) -> tuple[Dump, ...]:
    """The dumps of all JSON documents, and of texts between them; other documents are skipped with a remark."""
    dumps: list[Dump] = []
    strangers = 0
    found = documents_of(text)
    for before, document, whole_text in found:
        dumps += _dumps_beside(before, source)
        taken_at_s = _moment(before)
        for one in _unwrapped(document):
            dump = _json_dump(one, source, whole_text)
            if dump is None:
                kept = [inner for text_kept in texts_in(one) for inner in _dumps_of_kept(text_kept, source)]
                strangers += not kept
                dumps += kept
            elif taken_at_s is not None and dump.taken_at_s is None:
                dumps.append(_with_time(dump, taken_at_s, before))
            else:
                dumps.append(dump)
    dumps += _dumps_beside(text_behind(text), source)
    if not dumps and (lines := joined_lines([document for _, document, _ in found])):
        return _dumps_of_kept(lines, source)
    if strangers and dumps:
        dumps[-1] = replace(
            dumps[-1], remarks=(*dumps[-1].remarks, f"{strangers} JSON documents in the file are not of SMART")
        )
    return merged(dumps)


def _text_before_json(text: str, source: str) -> tuple[Dump, ...]:
    """The dumps of a text of smartctl and of JSON behind it; none where it is not so."""
    begins = _JSON_BEGINS.search(text) if holds_text_of_smartctl(text) else None
    of_json = _json_dumps(text[begins.start() :], source) if begins else ()
    return (*_dumps_beside(text[: begins.start()], source), *of_json) if begins and of_json else ()


def _dumps_beside(text: str, source: str) -> tuple[Dump, ...]:
    """The dumps in a text before, between or behind JSON documents."""
    if not holds_text_of_smartctl(text):
        return ()
    try:
        return _text_dumps(text, source)
    except WrongUse:
        return ()


def _dumps_of_kept(text: str, source: str) -> tuple[Dump, ...]:
    """The dumps in a text that stood in a JSON document; none where it holds none."""
    try:
        return read_dumps(text.encode("utf-8", errors="replace"), source)
    except WrongUse:
        return ()


def _unwrapped(document: Any) -> list[Any]:
    """The documents in an array, or in an object of another program that keeps them under keys of its own."""
    if isinstance(document, list):
        return [part for one in document for part in (_unwrapped(one) if isinstance(one, dict) else [one])]
    if isinstance(document, dict) and not (looks_like_smartctl(document) or looks_like_nvme_cli(document)):
        inner = [one for one in document.values() if isinstance(one, dict)]
        if known := [one for one in inner if looks_like_smartctl(one) or looks_like_nvme_cli(one)]:
            return known
    return [document]


def _json_dump(document: Any, source: str, whole_text: bool) -> Dump | None:
    if not isinstance(document, dict):
        return None
    if looks_like_smartctl(document):
        return read_smartctl_json(document, source, whole_text=whole_text)
    if looks_like_nvme_cli(document):
        return read_nvme_document(document, source, whole_text=whole_text)
    return None


def _moment(before: str) -> float | None:
    """The last date and time in a text, as seconds since 1970; without a zone it counts as UTC."""
    matches = list(_TIME.finditer(before[-400:]))
    if not matches:
        return None
    match = matches[-1]
    zone = {None: "+0000", "Z": "+0000", "UTC": "+0000"}.get(match[7], match[7])
    try:
        moment = datetime.strptime(
            f"{match[1]}-{match[2]}-{match[3]} {match[4]}:{match[5]}:{match[6] or '00'} {zone}", "%Y-%m-%d %H:%M:%S %z"
        )
    except ValueError:
        return None
    return moment.astimezone(UTC).timestamp()


def _with_time(dump: Dump, taken_at_s: float, before: str) -> Dump:
    match = list(_TIME.finditer(before[-400:]))[-1]
    remarks = dump.remarks if match[7] else (*dump.remarks, "the time of the reading has no time zone; UTC is assumed")
    return replace(dump, taken_at_s=taken_at_s, remarks=remarks)


def _text_dumps(text: str, source: str) -> tuple[Dump, ...]:
    text = without_markup(text)
    if skdump.looks_like_skdump(text):
        return (skdump.read_skdump(text, source),)
    if plain_table.looks_like_plain_table(text):
        return plain_table.read_plain_table(text, source)
    if looks_like_nvme_text(text):
        return (read_nvme_text(text, source),)
    if "ID#" not in text and " Log 0x" not in text and (page := _hex_page(text)):
        told = _LOG_ID.search(text)
        return (read_raw_pages(page, source, log_id=int(told[1], 0) if told else None),)
    parts = _readings(text)
    return tuple(_with_bank_counts(read_smartctl_text(part, source)) for part in parts)


def _with_bank_counts(dump: Dump) -> Dump:
    """The dump with the contents of its GP log 03h, if the drive has an Indilinx controller."""
    page = dump.pages.get(indilinx_log.PAGE)
    return indilinx_log.with_statistics(dump) if page and indilinx_log.is_statistics(page) else dump


def _readings(text: str) -> list[str]:
    """The text, cut before each further reading: where smartctl's information section begins again.

    Old versions print no such heading for SCSI drives; there the first line of smartctl separates the readings.
    """
    starts = [match.start() for match in re.finditer(re.escape(_INFORMATION), text)]
    headers = [match.start() for match in _HEADER.finditer(text)]
    if not starts and len(headers) > 1 and "\nDevice: " in text:
        starts = headers
    if len(starts) < 2:
        return [text]
    cuts = [
        max([header for header in headers if before < header <= start], default=start)
        for before, start in itertools.pairwise(starts)
    ]
    return [text[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]


def _hex_page(text: str) -> bytes | None:
    """The bytes of a hex dump that fills a text but for a few lines; None when there is none, or it has a gap."""
    lines = [line for line in text.split("\n") if line.strip()]
    found = [one for line in lines if (one := hex_line(line)) is not None]
    if len(found) < _HEX_LINES_LEAST or len(found) * 2 < len(lines):
        return None
    page = bytearray()
    for offset_bytes, data in found:
        if offset_bytes != len(page):
            break
        page.extend(data)
    return bytes(page)
