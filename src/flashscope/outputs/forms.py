"""The forms of results, and how a file of each form is recognised as made by flashscope: by a mark inside it.

    HTML      its generator          SVG     a comment              PNG       the text chunk "Software"
    CSV       its headings           METRICS the name of the first  MARKDOWN  its second line says so
    SQLITE    its application_id     PARQUET the schema's metadata  TRACE     its first line
    RECORDS   the first name in its first line      ARCHIVE   DuckDB's; a table in it says the rest (smart/archives/)

CSV and metrics cannot hold a mark that other programs would ignore, so text that only flashscope writes serves as one.
A file that somebody edits keeps its mark and can be replaced; under another name it is safe.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass

from flashscope.outputs.sqlite_files import TABLES_ID, header_of

HEAD_BYTES = 16 << 10
"""How much of a file's beginning is searched for a mark [bytes]."""
TAIL_BYTES = 1 << 20
"""How much of its end [bytes]; a Parquet file has its metadata there."""

PARQUET_KEY = b"made_by_flashscope"
"""Key of the schema's metadata in a Parquet file of ours."""

_GENERATOR = b'<meta name="generator" content="flashscope">'
_SVG_COMMENT = b"<!-- made by flashscope -->"
_PNG_BEGIN = b"\x89PNG\r\n\x1a\n"
_PNG_HEADER_BYTES = len(_PNG_BEGIN) + 25  # its first chunk, of 13 bytes with 12 around
_PNG_TEXT = b"tEXt" + b"Software\0flashscope"
_CSV_HEADINGS = re.compile(
    rb"address,([^\n]*,)?status,record,finding,value,unit,low,high,confidence_ratio\r?(\n|$)"
)  # fmt: skip


@dataclass(frozen=True)
class Form:
    """A form of results.

    name: with its article. is_ours: whether a file of ours begins and ends like this (HEAD_BYTES, TAIL_BYTES).
    stamp: puts the mark into content that has none. is_for_all: readable for all, for any umask.
    takes_streams: it may be written to a pipe. waits: writing to a pipe waits until somebody reads.
    """

    name: str
    is_ours: Callable[[bytes, bytes], bool]
    stamp: Callable[[bytes], bytes] = lambda content: content
    is_for_all: bool = False
    takes_streams: bool = True
    waits: bool = True

    def made(self, content: bytes) -> bool:
        """Whether content of this form has the mark."""
        return self.is_ours(content[:HEAD_BYTES], content[-TAIL_BYTES:])


def _stamp_svg(content: bytes) -> bytes:
    begin = content.find(b">", content.find(b"<svg")) + 1
    return content if _SVG_COMMENT in content[:HEAD_BYTES] else content[:begin] + _SVG_COMMENT + content[begin:]


def _stamp_png(content: bytes) -> bytes:
    if _PNG_TEXT in content[:HEAD_BYTES]:
        return content
    chunk = struct.pack(">I", len(_PNG_TEXT) - 4) + _PNG_TEXT + struct.pack(">I", zlib.crc32(_PNG_TEXT))
    return content[:_PNG_HEADER_BYTES] + chunk + content[_PNG_HEADER_BYTES:]


def _is_database(head: bytes, _: bytes) -> bool:
    found = header_of(head)
    return found is not None and found.application_id == TABLES_ID


HTML = Form("an HTML page", lambda head, _: _GENERATOR in head)
SVG = Form("an SVG chart", lambda head, _: b"<svg" in head and _SVG_COMMENT in head, _stamp_svg)
PNG = Form("a PNG chart", lambda head, _: head.startswith(_PNG_BEGIN) and _PNG_TEXT in head, _stamp_png)
CSV = Form("a table of findings", lambda head, _: _CSV_HEADINGS.match(head) is not None)
MARKDOWN = Form("a page of figures", lambda head, _: b"\nWritten by `flashscope " in head)
METRICS = Form(
    "a file of metrics", lambda head, _: head.startswith(b"# HELP flashscope_"), is_for_all=True, waits=False
)
SQLITE = Form("an SQLite file of tables", _is_database, takes_streams=False)
PARQUET = Form("a Parquet file", lambda head, tail: head.startswith(b"PAR1") and PARQUET_KEY in tail)
ARCHIVE = Form("a database of DuckDB", lambda head, _: head[8:12] == b"DUCK", takes_streams=False)
RECORDS = Form("an export of records", lambda head, _: head.startswith(b'{"flashscope_record": '))
TRACE = Form("a trace of file work", lambda head, _: head.startswith(b"flashscope file trace "))
