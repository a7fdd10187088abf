"""Request sizes as fio writes them: bs, bsrange and bssplit, each for read,write,trim."""

from __future__ import annotations

from flashscope.workloads.fio_values import integer, percentage
from flashscope.workloads.job import BlockSizes


def fixed(text: str) -> BlockSizes:
    """One size: "4k"."""
    size_bytes = _size(text)
    return BlockSizes(weighted=((size_bytes, 100.0),), align_bytes=size_bytes)


def ranged(text: str) -> BlockSizes:
    """Any multiple of the lower end up to the higher: "4k-64k" or "4k:64k"; fio swaps ends that are reversed."""
    ends = text.replace(":", "-").split("-")
    if len(ends) != 2:
        raise ValueError("it is not a range such as 4k-64k")
    low, high = sorted(_size(end.strip()) for end in ends)
    return fixed(str(low)) if low == high else BlockSizes(range_bytes=(low, high), align_bytes=low)


def split(text: str) -> BlockSizes:
    """Sizes with their shares: "4k/60:64k/40". Shares that are left out divide the rest evenly, as in fio."""
    entries = [entry.strip().partition("/") for entry in text.split(":")]
    sizes = [_size(size.strip()) for size, _, _ in entries]
    shares = [percentage(share.strip()) if share.strip() else None for _, _, share in entries]
    rest = 100 - sum(share for share in shares if share is not None)
    missing = shares.count(None)
    if rest < 0 or (rest > 0 and not missing):
        raise ValueError(f"the shares sum to {100 - rest} % and not to 100 %")
    each = rest // missing if missing else 0
    # What does not divide evenly falls to the last size, since fio's draw ends there.
    weights = [float(each if share is None else share) for share in shares]
    weights[-1] += 100 - sum(weights)
    return BlockSizes(weighted=tuple(zip(sizes, weights, strict=True)), align_bytes=min(sizes))


def smallest_bytes(sizes: BlockSizes) -> int:
    """The smallest request [bytes]."""
    return sizes.range_bytes[0] if sizes.range_bytes else min(size for size, _ in sizes.weighted)


def largest_bytes(sizes: BlockSizes) -> int:
    """The largest request [bytes]."""
    return sizes.range_bytes[1] if sizes.range_bytes else max(size for size, _ in sizes.weighted)


def _size(text: str) -> int:
    size_bytes = integer(text)
    if size_bytes == 0 or size_bytes % 512:
        raise ValueError(f"{size_bytes} bytes are not whole sectors of 512 bytes")
    return size_bytes
