"""A table of numbers as a picture of one pixel each: a PNG of 64 colours inside the chart.

    values 0..1 --> colour number 1..63 (0: nothing, transparent) --> PNG --> data: address

A heat map of 120 x 256 rectangles would be two million characters of SVG; as pixels it is about ten thousand.
The colours are those of viridis: their steps look equal, also without colour vision and in print. They are readable on
white and on black, so dark mode does not change them. Source: M. Geller, S. van der Walt, https://bids.github.io/colormap/.
"""

from __future__ import annotations

import base64
import struct
import zlib

import numpy as np

_ANCHORS = (
    "440154", "482475", "414487", "355f8d", "2a788e", "21918c", "22a884", "44bf70", "7ad151", "bddf26", "fde725",
)  # fmt: skip
_COLOURS = 64


def palette() -> np.ndarray:
    """The colours from low to high, shape (63, 3): red, green, blue, 0..255."""
    anchors = np.array([[int(anchor[at : at + 2], 16) for at in (0, 2, 4)] for anchor in _ANCHORS])
    places = np.linspace(0, len(anchors) - 1, _COLOURS - 1)
    columns = [np.interp(places, np.arange(len(anchors)), anchors[:, part]) for part in range(3)]
    rounded: np.ndarray = np.rint(np.stack(columns, axis=1)).astype(np.uint8)
    return rounded


def picture(share: np.ndarray) -> str:
    """The values (0..1, NaN for nothing; shape (rows, columns), first row on top) as a `data:` address of a PNG."""
    known = np.isfinite(share)
    inside = np.clip(np.where(known, share, 0), 0, 1)
    pixels = np.where(known, 1 + np.rint(inside * (_COLOURS - 2)), 0).astype(np.uint8)
    height, width = pixels.shape
    lines = np.concatenate([np.zeros((height, 1), dtype=np.uint8), pixels], axis=1)  # 0: the line is not filtered
    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)  # 8 bits a pixel, each the number of a colour
    parts = [
        (b"IHDR", head),
        (b"PLTE", b"\0\0\0" + palette().tobytes()),
        (b"tRNS", b"\0"),
        (b"IDAT", zlib.compress(lines.tobytes(), 9)),
        (b"IEND", b""),
    ]
    png = b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*part) for part in parts)
    return "data:image/png;base64," + base64.b64encode(png).decode("ascii")


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
