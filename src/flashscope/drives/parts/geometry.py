"""Conditions on the values of a part together: sizes that divide evenly, and enough flash for the visible capacity.

    programmed page  = page x lock-step packages x planes (when programmed together)
    programmed block = the same, times pages per block; bad and reserved blocks are counted in these
    pool             = the blocks that allocate and collect for themselves: one die, or one plane
    parity           = one page of every stripe of a block takes no data
    superblock       = one programmed block of every pool, when they all work together as a single pool; or of one die
                       (and plane) on every channel, when these make up a pool

The core checks the same again and decides; here the message can name the file and the key.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from flashscope.drives.parts.part_file import PartValue
from flashscope.errors import WrongUse
from flashscope.units import format_bytes_binary

_Refuse = Callable[[str, str, str], WrongUse]


@dataclass(frozen=True)
class Geometry:
    """Sizes that follow from a part's values. programmed_*: what is programmed or erased as one.

    data_block_bytes: data in a programmed block; the rest is parity.
    erase_blocks_per_programmed_block: erases, one after another or in parallel, that free one.
    """

    raw_bytes: int
    programmed_page_bytes: int
    programmed_block_bytes: int
    data_block_bytes: int
    programmed_block_count: int
    pool_count: int
    erase_blocks_per_programmed_block: int


def geometry_of(values: Mapping[str, PartValue]) -> Geometry:
    """The sizes that follow from the values of a complete part; lock-step packages must divide evenly."""
    planes = _whole(values, "geometry.planes_per_die")
    together = _whole(values, "geometry.lockstep_packages")
    dies = (
        _whole(values, "geometry.channels")
        * _whole(values, "geometry.packages_per_channel")
        * _whole(values, "geometry.dies_per_package")
        // together
    )
    multiplane = bool(values["geometry.multiplane"].value)
    page_bytes = _whole(values, "geometry.page_size") * together * (planes if multiplane else 1)
    block_bytes = page_bytes * _whole(values, "geometry.pages_per_block")
    pool_count = dies * (1 if multiplane else planes)
    erase_blocks = 1
    if values["geometry.superblock"].value:
        of_channels = values["geometry.superblock_of"].value == "channels"
        erase_blocks = _whole(values, "geometry.channels") if of_channels else pool_count
        pool_count //= erase_blocks
        block_bytes *= erase_blocks
    block_count = pool_count * _whole(values, "geometry.blocks_per_plane")
    pages = block_bytes // page_bytes
    stripe_pages = _stripe_pages(values)
    data_bytes = block_bytes - (-(-pages // stripe_pages) * page_bytes if stripe_pages else 0)
    return Geometry(
        block_bytes * block_count, page_bytes, block_bytes, data_bytes, block_count, pool_count, erase_blocks
    )


def check_geometry(values: Mapping[str, PartValue], label: str) -> None:
    """Raise WrongUse, naming the key to change, when the values of a complete part cannot be one drive.

    label: how messages call the part.
    """

    def refuse(key: str, why: str, accepted: str) -> WrongUse:
        return WrongUse(f"{label}: {key} is {values[key].text}, {why}", accepted=accepted)

    packages = _whole(values, "geometry.packages_per_channel")
    if packages % _whole(values, "geometry.lockstep_packages"):
        raise refuse(
            "geometry.lockstep_packages", "which does not divide packages_per_channel", f"a divisor of {packages}"
        )
    for key in ("geometry.page_size", "mapping.unit"):
        if _whole(values, key).bit_count() != 1:
            raise refuse(key, "which is not a power of two", "512 B, 1 KiB, 2 KiB ... 64 KiB")
    latencies, pages = values["timing.program_latency"].value, _whole(values, "geometry.pages_per_block")
    if isinstance(latencies, tuple) and pages % len(latencies):
        raise refuse(
            "timing.program_latency", f"a pattern that does not repeat evenly over {pages} pages", "a shorter list"
        )
    geometry = geometry_of(values)
    unit_bytes = _whole(values, "mapping.unit")
    if geometry.programmed_page_bytes % unit_bytes:
        page = format_bytes_binary(geometry.programmed_page_bytes)
        raise refuse("mapping.unit", "which does not divide the programmed page", f"at most {page}")
    buffer_bytes = _whole(values, "buffer.size")
    if 0 < buffer_bytes < geometry.programmed_page_bytes:
        page = format_bytes_binary(geometry.programmed_page_bytes)
        raise refuse("buffer.size", "which is less than one programmed page", f'"0 B" (no buffer) or at least {page}')
    low, high = _whole(values, "gc.low_water_blocks"), _whole(values, "gc.high_water_blocks")
    if high <= low:
        raise refuse("gc.high_water_blocks", f"not more than low_water_blocks ({low})", f"at least {low + 1}")
    stripe_pages, pages = _stripe_pages(values), geometry.programmed_block_bytes // geometry.programmed_page_bytes
    if stripe_pages == 1 or stripe_pages > pages:
        why = "and a stripe has data and one page of parity, within a block"
        raise refuse("parity.stripe_pages", why, f"0 (none), or 2 to the {pages} pages of a block")
    if stripe_pages and "log_blocks.count" in values:
        raise refuse("parity.stripe_pages", "on a block-mapped drive", "a part without log_blocks, or 0")
    _check_room(values, geometry, refuse)


def _check_room(values: Mapping[str, PartValue], geometry: Geometry, refuse: _Refuse) -> None:
    """Without bad and reserved blocks, enough flash must remain for the user capacity; the buffer must be smaller."""
    user_bytes = _whole(values, "capacity.user_size")
    if _whole(values, "buffer.size") >= user_bytes:
        raise refuse("buffer.size", "which is as much as the whole drive", f"less than {user_bytes} B")
    if user_bytes % 512:
        raise refuse("capacity.user_size", "which is not whole sectors", "a multiple of 512 B")
    left = geometry.programmed_block_count
    for key in ("capacity.initial_bad_block_count", "capacity.reserved_block_count"):
        left -= _whole(values, key)
        if left * 2 <= geometry.programmed_block_count:
            half = geometry.programmed_block_count // 2
            raise refuse(key, "which leaves less than half for data", f"bad and reserved together under {half} blocks")
    data_bytes = left * geometry.data_block_bytes
    if user_bytes > data_bytes:
        raise refuse(
            "capacity.user_size",
            f"but flash for data is {format_bytes_binary(data_bytes)} ({geometry.raw_bytes} B raw, less bad and"
            " reserved blocks and parity)",
            f"at most {data_bytes} B",
        )


def _stripe_pages(values: Mapping[str, PartValue]) -> int:
    """Pages of a stripe [count]; 0 for a part without parity."""
    return _whole(values, "parity.stripe_pages") if "parity.stripe_pages" in values else 0


def _whole(values: Mapping[str, PartValue], key: str) -> int:
    value = values[key].value
    assert isinstance(value, int), key
    return value
