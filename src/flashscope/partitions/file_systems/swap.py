"""Linux swap: a magic text at the end of the first page; pages count from the start."""

from __future__ import annotations

from flashscope.partitions.layout import Inner
from flashscope.partitions.place import Place

_PAGE_SIZES = (4096, 8192, 16384, 65536)


def read_swap(place: Place) -> Inner | None:
    """The swap area, None where there is none. unit_bytes: a page."""
    for page_bytes in _PAGE_SIZES:
        if place.fields(page_bytes - 10, 10).bytes_at(0, 10) == b"SWAPSPACE2":
            header = place.fields(1024, 64)
            return Inner(
                kind="swap",
                role="swap",
                start_bytes=place.start_bytes,
                size_bytes=(header.u32(4) + 1) * page_bytes,
                uuid=header.uuid(12),
                label=header.text(28, 16),
                data_start_bytes=place.start_bytes,
                unit_bytes=page_bytes,
            )
    return None
