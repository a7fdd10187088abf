"""Arrays as compressed bytes: the columns and histograms of a record in the store.

A column is kept as its little-endian bytes, deflated, together with its numpy type ("<i8", "<f8", ...) and its unit. A
histogram is two such columns, first the buckets, then the counts. Nothing is rounded.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from flashscope.records.columns import Column
from flashscope.records.latency import SUB_BUCKETS, Histogram

_NUMBERS = re.compile(r"[<|][biuf](1|2|4|8|16)")
_BUCKETS = SUB_BUCKETS * SUB_BUCKETS  # of latencies below 2^69 ns
_HISTOGRAM_BYTES_MOST = 16 * _BUCKETS + 1
_LEVEL = 6  # higher levels gain under 2 % on such columns and take several times as long


def pack_column(column: Column, width: int = 1) -> dict[str, Any]:
    """What a row keeps of a column: unit, dtype ("<i8"), row_count, data. width: values in each of its rows.

    Raises ValueError for values that are not one-dimensional numbers.
    """
    values = np.asarray(column.values)
    if values.ndim != 1 or values.dtype.kind not in "biuf":
        raise ValueError(f"a column holds numbers in one dimension, not {values.dtype} of shape {values.shape}")
    little = values.astype(values.dtype.newbyteorder("<"), copy=False)
    data = zlib.compress(little.tobytes(), _LEVEL)
    return {"unit": column.unit, "dtype": little.dtype.str, "row_count": len(values) // width, "data": data}


def unpack_column(row: Mapping[str, Any], width: int = 1) -> Column:
    """The column in a row that `pack_column` filled. width: as there.

    Raises ValueError when it is damaged.
    """
    if _NUMBERS.fullmatch(row["dtype"]) is None:
        raise ValueError(f"the column {row['name']!r} is of type {row['dtype']!r}, which holds no numbers")
    dtype = np.dtype(row["dtype"])
    data = _inflated(row["data"], row["row_count"] * width * dtype.itemsize)
    return Column(row["unit"], np.frombuffer(data, dtype=dtype).copy())


def _inflated(data: bytes, size_bytes: int) -> bytes:
    """The bytes in compressed data. Raises ValueError when there are more or fewer, without making them."""
    stream = zlib.decompressobj()
    try:
        found = stream.decompress(data, max(size_bytes, 0) + 1)
    except zlib.error as error:
        raise ValueError(f"compressed values cannot be read ({error})") from None
    if len(found) != size_bytes or not stream.eof or stream.unused_data:
        raise ValueError("compressed values are not as many as they should be")
    return found


def pack_histogram(histogram: Histogram) -> dict[str, Any]:
    """What a row keeps of a histogram: request_count, sum_ns, min_ns, max_ns, and data, its buckets and counts."""
    pairs = np.array(sorted(histogram.counts.items()), dtype="<i8").reshape(-1, 2)
    return {
        "request_count": histogram.total,
        "sum_ns": str(histogram.sum_ns),
        "min_ns": histogram.min_ns,
        "max_ns": histogram.max_ns,
        "data": zlib.compress(pairs.tobytes(), _LEVEL),
    }


def unpack_histogram(row: Mapping[str, Any]) -> Histogram:
    """The histogram in a row that `pack_histogram` filled.

    Raises ValueError when it is damaged.
    """
    stream = zlib.decompressobj()
    try:
        data = stream.decompress(row["data"], _HISTOGRAM_BYTES_MOST)
    except zlib.error as error:
        raise ValueError(f"a histogram cannot be read ({error})") from None
    pairs = np.frombuffer(data, dtype="<i8").reshape(-1, 2)
    counts = {int(bucket): int(count) for bucket, count in pairs}
    if not stream.eof or any(bucket not in range(_BUCKETS) or count < 0 for bucket, count in counts.items()):
        raise ValueError("a histogram has buckets that no latency falls into")
    histogram = Histogram(counts, int(row["sum_ns"]), row["min_ns"], row["max_ns"])
    if histogram.total != row["request_count"]:
        raise ValueError(f"a histogram counts {histogram.total} requests instead of {row['request_count']}")
    return histogram
