"""Files on a drive as NTFS of Windows XP to 7 keeps them: clusters, file records, directories, maps, journal.

    a new file      a record in $MFT            1 KiB, or one sector where that is larger
                    an entry in its directory   in the directory's record, then in blocks of 4 KiB
                    clusters of 4 KiB           one run where possible; none when the data fit into the record
                    bits in two maps            pages of 4 KiB
                    entries in $LogFile         one after another, pages of 4 KiB

Changes are noted in memory first (`Change`); the host's lazy writer writes them to the drive, the journal first. A
record is written by itself, in its own size: with sectors of 512 B that is a write of 1 KiB on a multiple of 1 KiB,
with sectors of 4096 B a write of 4 KiB. (The documents measured 10 to 24 % difference; a cache that wrote whole pages
would show none.)

Assumed: the number of journal bytes for each kind of change, 700 B of data in a record, 500 B of entries in a
directory's record, entries appended in the order of names.
Not modelled here: compression, encryption, sparse files, streams, hard links, security descriptors, the reading of maps
and journal, checkpoints, splits of directory blocks in the middle.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from heapq import heappop, heappush

from flashscope.errors import WrongUse
from flashscope.vocabulary import TraceMetadata
from flashscope.workloads.file_system.clusters import Clusters
from flashscope.workloads.file_system.layout import CLUSTER_BYTES, Layout

Change = tuple[TraceMetadata, int, int]
"""Metadata that changed: kind, offset on the drive, length [bytes]."""

RECORD_BYTES = 1024
INDEX_BLOCK_BYTES = 4096
PAGE_BYTES = 4096
LOOKUP_BYTES = 8 * PAGE_BYTES
"""Read at once around a file record that is not in memory: a page fault of the cache reads eight pages (assumed)."""
_FIRST_RECORD = 24  # the records before it belong to the file system itself
_IN_RECORD_BYTES = 700
_ENTRIES_IN_RECORD_BYTES = 500
_INDEX_BLOCK_ROOM_BYTES = INDEX_BLOCK_BYTES - 64
_JOURNAL_BYTES = {"create": 1600, "directory": 2400, "extend": 400, "close": 400, "delete": 1600}


@dataclass
class Folder:
    """A directory: its record, and the blocks of its index [offsets in bytes]."""

    record: int
    blocks: list[int] = field(default_factory=list)
    room_bytes: int = _ENTRIES_IN_RECORD_BYTES


@dataclass
class Node:
    """A file on the drive. extents: (offset, length) [bytes], none when its data are in its record."""

    path: str
    size_bytes: int
    compressible_ratio: float
    record: int
    extents: list[tuple[int, int]]
    block_bytes: int | None  # offset of the directory entry's block; None: in the directory's record

    @property
    def stored_bytes(self) -> int:
        """In whole clusters."""
        return sum(length for _, length in self.extents)


class FileSystem:
    """A file system on a drive; formatted when the object is made, without any write.

    sector_bytes: logical sectors. can_trim: the drive is told about freed clusters.
    """

    def __init__(self, user_bytes: int, sector_bytes: int, *, can_trim: bool) -> None:
        self.sector_bytes = sector_bytes
        self.can_trim = can_trim
        self.user_bytes = user_bytes
        self.record_bytes = max(RECORD_BYTES, sector_bytes)
        self.layout = Layout.of(user_bytes)
        layout = self.layout
        self._clusters = Clusters(layout.first_free_cluster, layout.cluster_count)
        taken_bytes = layout.mft_bytes + layout.mft_length_bytes - layout.log_bytes
        self._clusters.reserve(layout.log_bytes // CLUSTER_BYTES, taken_bytes // CLUSTER_BYTES)
        self._files: dict[str, Node] = {}
        self._folders = {"": Folder(5)}
        self._free_records: list[int] = []  # a heap: the lowest is taken first
        self._next_record = _FIRST_RECORD
        self._journal_bytes = 0

    def find(self, path: str) -> Node:
        """The file of that path. Raises WrongUse when there is none."""
        if path not in self._files:
            raise WrongUse(
                f"there is no file {path!r} on the drive",
                accepted="files that an earlier operation created",
                advice="create it in a step before",
            )
        return self._files[path]

    def __contains__(self, path: str) -> bool:
        return path in self._files

    @property
    def free_bytes(self) -> int:
        """Room for more files [bytes]."""
        return self._clusters.free_count * CLUSTER_BYTES

    def create(self, path: str, size_bytes: int, compressible_ratio: float) -> tuple[Node, list[Change]]:
        """A new file with its clusters, and what changed. Raises WrongUse when there is no room."""
        folder, changes = self._folder(path.rpartition("/")[0])
        record = self._new_record()
        block = self._enter(folder, path.rpartition("/")[2], changes)
        extents: list[tuple[int, int]] = []
        if size_bytes > _IN_RECORD_BYTES:
            runs = self._clusters.allocate(-(-size_bytes // CLUSTER_BYTES))
            extents = [(start * CLUSTER_BYTES, count * CLUSTER_BYTES) for start, count in runs]
            for start, count in runs:
                changes += self._mark(start, count)
            changes += self._log("extend")
        changes += [self._record_change(record), self._record_change(folder.record), self._record_bit(record)]
        changes += self._log("create")
        node = Node(path, size_bytes, compressible_ratio, record, extents, block)
        self._files[path] = node
        return node, changes

    def close(self, node: Node) -> list[Change]:
        """What changes when a file that was written is closed: times and size in its record."""
        return [self._record_change(node.record), *self._log("close")]

    def delete(self, path: str) -> tuple[Node, list[Change]]:
        """The deleted file, whose clusters are free now, and what changed."""
        node = self.find(path)
        del self._files[path]
        folder = self._folders[path.rpartition("/")[0]]
        changes = [self._record_change(node.record), self._record_change(folder.record), self._record_bit(node.record)]
        if node.block_bytes is not None:
            changes.append((TraceMetadata.INDEX, node.block_bytes, INDEX_BLOCK_BYTES))
        for offset, length in node.extents:
            start, count = offset // CLUSTER_BYTES, length // CLUSTER_BYTES
            self._clusters.release(start, count)
            changes += self._mark(start, count)
        heappush(self._free_records, node.record)
        return node, changes + self._log("delete")

    def lookup_places(self, node: Node) -> list[tuple[int, int]]:
        """What must be in memory to open a file (offset, length): around its record, and the block of its entry."""
        record = node.record * self.record_bytes // LOOKUP_BYTES * LOOKUP_BYTES
        places = [(self.layout.mft_bytes + record, LOOKUP_BYTES)]
        return places if node.block_bytes is None else [(node.block_bytes, INDEX_BLOCK_BYTES), *places]

    def _folder(self, path: str) -> tuple[Folder, list[Change]]:
        """The directory of that path, made with all its parents when missing, and what changed."""
        if path in self._folders:
            return self._folders[path], []
        parent, changes = self._folder(path.rpartition("/")[0])
        folder = Folder(self._new_record())
        self._folders[path] = folder
        self._enter(parent, path.rpartition("/")[2], changes)
        changes += [self._record_change(folder.record), self._record_change(parent.record)]
        return folder, [*changes, self._record_bit(folder.record), *self._log("directory")]

    def _enter(self, folder: Folder, name: str, changes: list[Change]) -> int | None:
        """Put an entry into a directory; returns the block of the entry, None for the directory's record."""
        needs_bytes = (16 + 66 + 2 * len(name) + 7) // 8 * 8
        if folder.room_bytes < needs_bytes:
            (run,) = self._clusters.allocate(1)
            changes += self._mark(*run)
            folder.blocks.append(run[0] * CLUSTER_BYTES)
            folder.room_bytes = _INDEX_BLOCK_ROOM_BYTES
        folder.room_bytes -= needs_bytes
        if not folder.blocks:
            return None
        changes.append((TraceMetadata.INDEX, folder.blocks[-1], INDEX_BLOCK_BYTES))
        return folder.blocks[-1]

    def _new_record(self) -> int:
        if self._free_records:
            return heappop(self._free_records)
        self._next_record += 1
        if self._next_record * self.record_bytes > self.layout.mft_length_bytes:
            raise WrongUse(
                f"{self._next_record} files do not fit into the zone of file records",
                accepted=f"up to {self.layout.mft_length_bytes // self.record_bytes} files on this drive",
                advice="take a larger drive or fewer files",
            )
        return self._next_record - 1

    def _record_change(self, record: int) -> Change:
        return TraceMetadata.RECORD, self.layout.mft_bytes + record * self.record_bytes, self.record_bytes

    def _record_bit(self, record: int) -> Change:
        """The map of records in use is behind the records, in the last pages of their zone."""
        page = self.layout.mft_length_bytes // PAGE_BYTES - 1 - record // (8 * PAGE_BYTES)
        return TraceMetadata.BITMAP, self.layout.mft_bytes + page * PAGE_BYTES, PAGE_BYTES

    def _mark(self, start: int, count: int) -> list[Change]:
        """The pages of the map of clusters that hold the bits of a run."""
        per_page = 8 * PAGE_BYTES
        pages = range(start // per_page, (start + count - 1) // per_page + 1)
        return [(TraceMetadata.BITMAP, self.layout.bitmap_bytes + page * PAGE_BYTES, PAGE_BYTES) for page in pages]

    def _log(self, what: str) -> list[Change]:
        """The pages of the journal for an entry; after the last page comes the first."""
        first = self._journal_bytes // PAGE_BYTES
        self._journal_bytes += _JOURNAL_BYTES[what]
        last = self._journal_bytes // PAGE_BYTES
        count = self.layout.log_length_bytes // PAGE_BYTES
        pages = range(first, last + 1)
        return [
            (TraceMetadata.JOURNAL, self.layout.log_bytes + page % count * PAGE_BYTES, PAGE_BYTES) for page in pages
        ]
