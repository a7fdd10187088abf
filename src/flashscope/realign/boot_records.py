"""Boot sectors that state how many sectors lie before their partition: NTFS, FAT, exFAT, each with its copies.

    value = the partition's first sector                        becomes the new first sector
    value = the distance from its extended boot record (DOS)    becomes the new distance
    any other value                                             stays: it was not right before, or means nothing

exFAT keeps a checksum over its boot region in the region's last sector, which is written anew.
"""

from __future__ import annotations

from collections.abc import Iterator

from flashscope.partitions.layout import HiddenSectors, Layout, Partition
from flashscope.realign.repair import Batch, Write
from flashscope.realign.tables.change import NewPlaces, ReadSectors

_EXFAT_FIELD_BYTES = 64
_EXFAT_SKIPPED = (106, 107, 112)  # the flags of the volume and its fill level, which change in use


def boot_batches(layout: Layout, new: NewPlaces, read: ReadSectors) -> tuple[tuple[Batch, ...], tuple[Batch, ...]]:
    """Sectors at the partitions' new places: as they have to be there, and as they were. read: the disk before."""
    dress, undress = [], []
    for partition in layout.holding_data():
        if partition.number not in new.starts or partition.inside is None:
            continue
        hidden = partition.inside.hidden_sectors
        value = None if hidden is None else new_value(layout, partition, new)
        if hidden is None or value is None:
            continue
        before = _sectors(hidden, layout.sector_bytes, read)
        after = dict(before)
        for place in hidden.places_bytes:
            _put(after, place, value.to_bytes(hidden.width_bytes, "little"), layout.sector_bytes)
        for start, checksum in zip(hidden.places_bytes, hidden.checksums_bytes, strict=False):
            _put_checksum(after, start - _EXFAT_FIELD_BYTES, checksum, layout.sector_bytes)
        shift = new.starts[partition.number] - partition.start_bytes
        changed = sorted(at for at, content in after.items() if content != before[at])
        dress += [Write(at + shift, after[at]) for at in changed]
        undress += [Write(at + shift, before[at]) for at in changed]
    return ((tuple(dress),) if dress else ()), ((tuple(undress),) if undress else ())


def new_value(layout: Layout, partition: Partition, new: NewPlaces) -> int | None:
    """What the field has to say at the new place [sectors]; None when it stays as it is, or there is none."""
    hidden = partition.inside.hidden_sectors if partition.inside else None
    start = new.starts.get(partition.number)
    if hidden is None or start is None or partition.inside is None:
        return None
    if partition.inside.start_bytes != partition.start_bytes:
        return None  # it lies in something else, and states what it believes itself
    sector_bytes = partition.start_bytes // hidden.expected if hidden.expected else layout.sector_bytes
    if hidden.value == hidden.expected:
        return start // sector_bytes
    chain = partition.chain_bytes
    if chain is not None and hidden.value == (partition.start_bytes - chain) // sector_bytes:
        return (start - new.records.get(partition.number, chain)) // sector_bytes
    return None


def _sectors(hidden: HiddenSectors, sector_bytes: int, read: ReadSectors) -> dict[int, bytes]:
    """All sectors that may change, and those that a checksum is over, by their place."""
    spans = [(at, hidden.width_bytes) for at in hidden.places_bytes]
    for start, checksum in zip(hidden.places_bytes, hidden.checksums_bytes, strict=False):
        region = start - _EXFAT_FIELD_BYTES
        spans.append((region, checksum - region + _exfat_sector(region, checksum)))
    found: dict[int, bytes] = {}
    for at, length in spans:
        for place in _sector_places(at, length, sector_bytes):
            found[place] = found.get(place) or read(place, sector_bytes)
    return found


def _sector_places(at: int, length: int, sector_bytes: int) -> Iterator[int]:
    yield from range(at // sector_bytes * sector_bytes, at + length, sector_bytes)


def _put(sectors: dict[int, bytes], at: int, content: bytes, sector_bytes: int) -> None:
    """Replace bytes, which may lie in two sectors."""
    for place in _sector_places(at, len(content), sector_bytes):
        sector = bytearray(sectors[place])
        first, last = max(at, place), min(at + len(content), place + sector_bytes)
        sector[first - place : last - place] = content[first - at : last - at]
        sectors[place] = bytes(sector)


def _exfat_sector(region: int, checksum: int) -> int:
    """exFAT's own sector size [bytes]: the checksum is in the twelfth."""
    return (checksum - region) // 11


def _put_checksum(sectors: dict[int, bytes], region: int, checksum: int, sector_bytes: int) -> None:
    places = _sector_places(region, checksum - region, sector_bytes)
    content = b"".join(sectors[place] for place in places)[region % sector_bytes :][: checksum - region]
    value = exfat_checksum(content)
    own = _exfat_sector(region, checksum)
    _put(sectors, checksum, value.to_bytes(4, "little") * (own // 4), sector_bytes)


def exfat_checksum(region: bytes) -> int:
    """The checksum over the first eleven sectors of a boot region. Source: exFAT specification, 3.4."""
    value = 0
    for at, byte in enumerate(region):
        if at not in _EXFAT_SKIPPED:
            value = ((value << 31 | value >> 1) + byte) & 0xFFFFFFFF
    return value
