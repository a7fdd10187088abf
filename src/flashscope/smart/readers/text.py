"""Bytes to text and text to numbers, whatever encoding, locale and line ends the printing machine had."""

from __future__ import annotations

import html
import re

_SIGNS = {
    **dict.fromkeys("\u00a0\u2007\u2008\u2009\u200a\u202f\u3000", " "),
    **dict.fromkeys("\ufeff\u200b\u200e\u200f\0", ""),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2212", "-"),
    "\u2014": "---",
    **dict.fromkeys("\r\f\v\x1c\x1d\x1e\x85", "\n"),
}
_STRANGE = re.compile(f"[{''.join(_SIGNS)}]")
_CONTROLS = re.compile(r"[\r\f\v\x1c-\x1e\0]")
_ESCAPES = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
# Groups of three digits, as programs print them, or of two, as in India. The separator is the same in all of the
# number; it may be several characters when the text was read with a wrong encoding.
_GROUPED = re.compile(
    r"\d{1,3}(?:(?P<sign>[^\w+-]|[^\d\s+-]{1,3})\d{3}(?:(?P=sign)\d{3})*|([,.' ])\d\d(?:\2\d\d)*\2\d{3})"
)
_ZERO_SHARE = 0.3
ENDS_IN_A_LINE = "the text ends in the middle of a line, which is not read; what came after it is missing"
_ENTITY = re.compile(r"&(?:nbsp|gt|lt|amp|quot|ndash|mdash|#\d{1,5});")
_MARKUP = re.compile(
    r"</?(?:html|body|pre|code|br|p|div|span|b|i|tt|font|td|tr|table)(?: [^<>\n]{0,200})?/?>"
    r"|\[/?(?:code|quote|b|i|u|color|size|font|pre|spoiler|tt|mono)(?:=[^\]\n]{0,80})?\]",
    re.IGNORECASE,
)


def text_of(data: bytes) -> str:
    """The text in `data`: UTF-8, UTF-16 (with its mark or without) or, line by line, Windows-1252.

    Line ends become "\\n", blanks of all widths " ", dashes "-". Never fails: invalid bytes are replaced.
    """
    text = _decoded(data)
    if not text.isascii() or _CONTROLS.search(text):
        text = _STRANGE.sub(lambda match: _SIGNS[match[0]], text.replace("\r\n", "\n"))
    return _ESCAPES.sub("", text) if "\x1b" in text else text


def without_markup(text: str) -> str:
    """The text without the marks of web pages and forums around it (`<pre>`, `&nbsp;`, `[/CODE]`)."""
    if "&" in text and _ENTITY.search(text):
        text = text_of(html.unescape(text).encode("utf-8", errors="replace"))
    if "<" in text or "[" in text:
        text = _MARKUP.sub(lambda match: "\n" if match[0][1:3].lower() == "br" else "", text)
    return text


def _decoded(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace")
    start = data[:512]
    if len(start) > 3 and start.count(0) > len(start) * _ZERO_SHARE:
        even, odd = start[::2].count(0), start[1::2].count(0)
        if not even or not odd:
            return data.decode("utf-16-le" if odd else "utf-16-be", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return "".join(_decoded_line(line) for line in data.splitlines(keepends=True))


def _decoded_line(line: bytes) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        return line.decode("cp1252", errors="replace")


def whole_number(text: str) -> int | None:
    """The integer that `text` consists of, with thousands grouped in any locale's way; None when it is not one.

    "0x1f" counts as hexadecimal. A fraction is no integer: "1,5" gives None (but "1,500" is 1500).
    """
    text = text.strip()
    if text.isascii() and text.isdigit():
        return int(text) if len(text) <= MOST_DIGITS else None
    if text[:2] in ("0x", "0X"):
        try:
            return int(text[2:].strip(), 16) if len(text) <= MOST_DIGITS else None
        except ValueError:
            return None
    if len(text) <= MOST_DIGITS and _GROUPED.fullmatch(text):
        return int("".join(sign for sign in text if "0" <= sign <= "9"))
    return None


MOST_DIGITS = 60
"""The longest number that is read: 128 bits have 39 digits, and 12 separators between them."""


def shortened(line: str) -> str:
    """The line as it is quoted in `Dump.unread` and in messages: at most 200 characters."""
    line = line.strip()
    return line if len(line) <= 200 else f"{line[:197]}..."
