"""What keeps a disk, or one of its partitions, from being moved safely; and what its owner has to know beforehand.

The rule: what states its place from the start of its partition may move, whatever it is, also what nobody here can read
(LUKS, LVM, ext4, XFS, btrfs, swap, ZFS). What states a place on the disk may move only when that field is known and can
be changed with it (NTFS, FAT, exFAT). The rest stays where it is, such as NTFS inside of BitLocker.
"""

from __future__ import annotations

from collections.abc import Iterator

from flashscope.partitions.layout import Layout, Partition, everything_inside

_STATE_DISK_PLACES = {
    "0x42": "the data base of Windows dynamic disks states places on the disk",
    "0xa5": "the label of a FreeBSD slice states places on the disk",
    "0xa6": "the label of an OpenBSD slice states places on the disk",
    "0xa9": "the label of a NetBSD slice states places on the disk",
    "0xbf": "the label of a Solaris partition is read by its place on the disk",
    "0x81": "a Minix partition may hold a table of its own that states places on the disk",
    "0xfb": "VMFS is known by its place on the disk to the hosts that share it",
    "0xfc": "a VMware core dump partition is known by its place on the disk",
    "21686148-6449-6E6F-744E-656564454649": "the boot loader in a BIOS boot partition is started from a fixed place; "
    "`grub-install` can put it elsewhere",
    "5808C8AA-7E8F-42E0-85D2-E1E90434CFB3": "the data base of Windows dynamic disks states places on the disk",
    "AF9B60A0-1431-4F62-BC68-3311714A69AD": "the data base of Windows dynamic disks states places on the disk",
}
_BOOT_SECTOR_LOADERS = ("ext2", "ext3", "ext4", "btrfs")


def disk_obstacles(layout: Layout, device_sector_bytes: int | None) -> Iterator[tuple[str, str]]:
    """Why nothing on a disk may be moved: what was found, and what to do. device_sector_bytes: the device's own."""
    table = layout.table
    if table is None:
        yield (
            "the disk has no partition table that can be read",
            "there is nothing to move; a file system on the whole disk begins at 0",
        )
        return
    if table.kind == "apple":
        yield "the disk has an Apple partition map, which is only read here", "repartition it, and copy the files back"
    if table.hybrid:
        yield (
            "the disk has a hybrid MBR: two tables that name the same partitions",
            "make it a plain GPT first, with `gdisk` (expert command n: a new protective MBR)",
        )
    if table.kind == "gpt":
        for copy in (each for each in table.copies if not each.good):
            yield (
                f"the {copy.which} copy of the GPT is bad",
                "repair it first: `sgdisk --verify DISK` says what is wrong, and `gdisk` writes it anew from the good "
                "copy (commands v, r, then c or d, w)",
            )
        if len(table.copies) < 2:
            yield "one of the two copies of the GPT is missing", "repair it first: `gdisk DISK`, commands v and w"
        last = (layout.size_bytes // table.sector_bytes - 1) * table.sector_bytes
        if any(each.which == "backup" and each.header_bytes != last for each in table.copies):
            yield (
                "the backup GPT is not at the end of the disk: the disk's size has changed",
                "`sgdisk --move-second-header DISK` puts it there",
            )
    if device_sector_bytes and table.sector_bytes != device_sector_bytes:
        yield (
            f"the table counts in sectors of {table.sector_bytes} B, and the device has sectors of "
            f"{device_sector_bytes} B",
            "attach the disk as it was when it was partitioned (another USB bridge), or with `losetup --sector-size`",
        )
    for problem in layout.problems:
        if problem.weight == "danger":
            yield problem.what, problem.means
    if sum(each.role == "extended" for each in layout.partitions) > 1:
        yield "there are two extended partitions, and systems differ in which one they read", "remove one of them"


def partition_obstacle(partition: Partition) -> tuple[str, str] | None:
    """Why a partition has to stay: what was found, and what to do; None when it may move."""
    why = _STATE_DISK_PLACES.get(partition.type_code) or _STATE_DISK_PLACES.get(partition.type_code.lower())
    if why:
        return why, "move its contents with the tools of the system that it belongs to"
    for inner in everything_inside(partition.inside):
        if inner.kind == "bitlocker":
            return (
                "it is a BitLocker volume: the boot sector inside says where it begins, and cannot be changed without "
                "the key",
                "turn BitLocker off for it (`manage-bde -off X:`, which decrypts it), move it, and turn it on again",
            )
        if inner.kind == "swap" and "suspend" in inner.detail:
            return "a system is suspended to it and would wake up with the old places", "wake it up and shut it down"
    return None


def warnings_of(layout: Layout, partition: Partition) -> Iterator[str]:
    """What the owner of a partition has to know when it moves; one sentence each."""
    kinds = {inner.kind for inner in everything_inside(partition.inside)}
    mbr = layout.table is not None and layout.table.kind == "mbr"
    if partition.inside is None:
        yield "it is not known what it holds; it is moved byte for byte, and a place that it states itself stays wrong"
    if "ntfs" in kinds and mbr:
        yield (
            "Windows knows partitions of an MBR disk by their place: if Windows starts from it, repair the start files "
            "afterwards (`bcdboot`, or the start repair of its medium); drive letters may change"
        )
    if "ntfs" in kinds:
        yield "if Windows is hibernated on it, or was shut down with fast startup, shut it down fully first"
    if partition.active and kinds & set(_BOOT_SECTOR_LOADERS):
        yield (
            "it is marked as the boot partition: a boot loader that keeps lists of blocks (LILO, GRUB in the "
            "partition's boot sector) has to be installed again"
        )
    if partition.type_name == "EFI system":
        yield (
            "it holds the boot loader of UEFI; if the firmware does not find it afterwards, `efibootmgr` makes its "
            "entry anew"
        )
