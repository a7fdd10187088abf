"""Each rule of the guard on plain data: that it refuses, and that what it says lifts it does.

What a machine seldom has (md, LVM, ZFS, btrfs, two drives with one serial number) is only held here;
loop devices, mounts, swap areas and partitions are also held on the real system in test_guard_real.py.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypedDict, Unpack

import pytest

from flashscope.drives.guard.consent import Consent
from flashscope.drives.guard.contents.survey import Foreign
from flashscope.drives.guard.guard import Refused, broken_rules, check
from flashscope.drives.guard.own_files import OwnFiles
from flashscope.drives.guard.rules import ALL_RULES, Case
from flashscope.drives.guard.rules.place import RESERVE_BYTES
from flashscope.drives.guard.signatures import Signature
from flashscope.drives.guard.target import Kind, Target
from flashscope.drives.system.view import Block, FileIdentity, Mount, Swap, SystemView
from flashscope.errors import WrongUse

GIB = 1024**3
SERIAL = "S3R14L"

SYSTEM = Block("sda", "8:0", "/dev/sda", size_bytes=100 * GIB, serial="SYSTEM")
SYSTEM_ROOT = Block("sda1", "8:1", "/dev/sda1", kind="part", size_bytes=90 * GIB, partition_of="sda")
SYSTEM_SPARE = Block("sda2", "8:2", "/dev/sda2", kind="part", size_bytes=10 * GIB, partition_of="sda")
DRIVE = Block("sdb", "8:16", "/dev/sdb", size_bytes=32 * GIB, serial=SERIAL)
PARTITION = Block("sdb1", "8:17", "/dev/sdb1", kind="part", size_bytes=GIB, partition_of="sdb")
NEIGHBOUR = Block("sdb2", "8:18", "/dev/sdb2", kind="part", size_bytes=GIB, partition_of="sdb")
ROOT = Mount("/", "8:1", "/dev/sda1", "8:1", "ext4")
FILE = (66, 1234)


class CaseParts(TypedDict, total=False):
    """What a test may say of a case beside its drive and its system."""

    consent: Consent
    destructive: bool
    block_signatures: tuple[Signature, ...] | None
    foreign: Foreign | None
    unreadable: bool
    store_path: Path | None
    own: OwnFiles


class Found(TypedDict, total=False):
    """What a test may say of a file or a directory as found."""

    kind: Kind
    link_to: str
    also: str
    identity: FileIdentity | None
    hard_links: int
    size_bytes: int
    allocated_bytes: int
    free_bytes: int
    file_system: str
    parent_kind: Kind
    readable: bool
    writable: bool
    read_only_file_system: bool
    signatures: tuple[Signature, ...] | None
    busy: str


def view(
    *blocks: Block,
    mounts: tuple[Mount, ...] = (),
    swaps: tuple[Swap, ...] = (),
    pool_members: Mapping[str, str] | None = None,
) -> SystemView:
    everything = {each.name: each for each in (SYSTEM, SYSTEM_ROOT, SYSTEM_SPARE, DRIVE, *blocks)}
    return SystemView(everything, (ROOT, *mounts), swaps, pool_members or {})


def on_block(name: str = "sdb", system: SystemView | None = None, **more: Unpack[CaseParts]) -> Case:
    system = system or view()
    target = Target(f"/dev/{name}", "block device", Path(f"/dev/{name}"), "block device", block_name=name)
    return replace(Case(target, system, Consent(serial=SERIAL)), **more)


def on_file(consent: Consent | None = None, system: SystemView | None = None, **found: Unpack[Found]) -> Case:
    target = Target(
        "file:/data/x",
        "file",
        Path("/data/x"),
        "file",
        identity=FILE,
        size_bytes=GIB,
        allocated_bytes=GIB,
        free_bytes=10 * GIB,
    )
    return Case(replace(target, **found), system or view(), consent or Consent(write_ok=True))


def names(case: Case) -> list[str]:
    return [refusal.rule for refusal in broken_rules(case)]


def found(case: Case) -> str:
    return "\n".join(f"{refusal.found} | {refusal.lift}" for refusal in broken_rules(case))


def loop(name: str, number: str, *, over: Block | None = None, identity: tuple[int, int] | None = FILE) -> Block:
    backing = over.path if over else "/data/x"
    return Block(
        name,
        number,
        f"/dev/{name}",
        kind="loop",
        size_bytes=GIB,
        backing_file=backing,
        backing_identity=None if over else identity,
        backing_number=over.number if over else "",
    )


def test_a_free_drive_whose_serial_number_was_typed_breaks_no_rule() -> None:
    assert names(on_block()) == []


def test_a_free_file_with_write_ok_breaks_no_rule() -> None:
    assert names(on_file()) == []


def on_directory(consent: Consent | None = None, **found: Unpack[Found]) -> Case:
    target = Target("dir:/data", "directory", Path("/data"), "directory", free_bytes=10 * GIB, file_system="ext4")
    return Case(replace(target, **found), view(), consent or Consent(write_ok=True))


def test_a_directory_with_write_ok_breaks_no_rule() -> None:
    assert names(on_directory()) == []


# Place


def test_a_directory_in_memory_is_refused_until_it_is_allowed_by_name() -> None:
    assert names(on_directory(file_system="tmpfs")) == ["memory"]
    assert names(on_directory(Consent(write_ok=True, allow=frozenset({"memory"})), file_system="tmpfs")) == []


KERNELS = [
    ("/dev", "devtmpfs"),
    ("/dev", "tmpfs"),
    ("/dev/mapper", "tmpfs"),
    ("/proc/sys", "proc"),
    ("/run/lock", "tmpfs"),
    ("/sys/kernel/debug", "debugfs"),
    ("/sys/firmware/efi/efivars", "efivarfs"),
    ("/sys/fs/cgroup", "cgroup2"),
    ("/mnt/tracing", "tracefs"),
    ("/mnt/pages", "hugetlbfs"),
    ("/mnt/old", "sysfs"),
]


@pytest.mark.parametrize(("path", "kind"), KERNELS)
def test_what_belongs_to_the_kernel_is_refused_as_a_place_for_reading_too(path: str, kind: str) -> None:
    system = view(mounts=(Mount(path, "0:5", file_system=kind),))
    allow = frozenset({"memory"})
    for target in (
        Target(f"dir:{path}", "directory", Path(path), "directory", free_bytes=GIB, file_system=kind),
        Target(f"file:{path}/x", "file", Path(path, "x"), "file", identity=FILE, size_bytes=GIB, allocated_bytes=GIB),
        Target(f"file:{path}/x", "file", Path(path, "x"), "missing", free_bytes=10 * GIB),
    ):
        consent = Consent(write_ok=True, create_bytes=GIB if target.kind == "missing" else None, allow=allow)
        assert names(Case(target, system, consent)) == ["kernel"]
        if target.kind != "missing":
            assert names(Case(target, system, consent, destructive=False)) == ["kernel"]


@pytest.mark.parametrize(
    ("path", "kind"), [("/dev/shm", "tmpfs"), ("/run/media/me/stick", "vfat"), ("/device", "ext4"), ("/tmp", "tmpfs")]
)
def test_a_place_on_a_drive_or_in_shared_memory_is_not_the_kernels(path: str, kind: str) -> None:
    target = Target(f"dir:{path}", "directory", Path(path), "directory", free_bytes=GIB, file_system=kind)
    case = Case(target, view(mounts=(Mount(path, "0:5", file_system=kind),)), Consent(write_ok=True))
    assert "kernel" not in names(case)


def test_a_directory_takes_no_more_room_than_there_is_to_the_byte() -> None:
    room = 10 * GIB - RESERVE_BYTES
    assert names(on_directory(Consent(write_ok=True, create_bytes=room))) == []
    assert names(on_directory(Consent(write_ok=True, create_bytes=room + 1))) == ["space"]


def test_a_missing_drive_or_file_is_refused_for_reading_too() -> None:
    gone = Target("/dev/sdz", "block device", Path("/dev/sdz"), "missing")
    assert names(Case(gone, view(), destructive=False)) == ["exists"]
    assert names(on_file(kind="missing")) == ["exists"]
    assert names(replace(on_file(kind="missing"), destructive=False)) == ["exists"]
    assert "does not exist" in found(on_file(kind="missing", parent_kind="missing"))
    assert "is not a directory" in found(on_file(kind="missing", parent_kind="file"))


def test_a_missing_file_is_made_when_its_size_is_given() -> None:
    consent = Consent(write_ok=True, create_bytes=GIB)
    assert names(on_file(consent, kind="missing", identity=None, size_bytes=0, allocated_bytes=0)) == []


def test_what_is_neither_file_nor_block_device_is_refused_and_told_the_right_address() -> None:
    assert names(on_file(kind="directory")) == ["kind"]
    assert "write it as /data/x" in found(on_file(kind="block device"))
    plain = Target("/dev/x", "block device", Path("/dev/x"), "file")
    assert "write it as file:/dev/x" in found(Case(plain, view()))


def test_a_symbolic_link_is_refused_and_told_where_it_leads() -> None:
    assert names(on_file(link_to="/data/real")) == ["symbolic-link"]
    assert "file:/data/real" in found(on_file(link_to="/data/real"))


def test_a_file_whose_whole_name_is_the_address_makes_it_ambiguous() -> None:
    assert names(on_file(also="/data/x@offset=63s")) == ["ambiguous"]
    assert names(replace(on_file(also="/data/x@offset=63s"), destructive=False)) == ["ambiguous"]


def test_a_file_that_another_one_is_mounted_on_is_refused_until_it_is_allowed_by_name() -> None:
    bound = view(mounts=(Mount("/data/x", "8:1", "/dev/sda1", "8:1", "ext4"),))
    assert names(on_file(system=bound)) == ["hard-link"]
    assert names(on_file(Consent(write_ok=True, allow=frozenset({"hard-link"})), system=bound)) == []
    elsewhere = view(mounts=(Mount("/data/x", "8:1", "/dev/sda1", "8:1", "ext4", process=7),))
    assert names(on_file(system=elsewhere)) == []


def test_a_hard_link_is_refused_until_it_is_allowed_by_name() -> None:
    assert names(on_file(hard_links=2)) == ["hard-link"]
    assert names(on_file(Consent(write_ok=True, allow=frozenset({"hard-link"})), hard_links=2)) == []


def test_a_drive_without_permission_is_refused() -> None:
    unreadable = replace(on_block().target, readable=False, writable=False)
    unwritable = replace(on_block().target, writable=False)
    assert names(replace(on_block(), target=unreadable)) == ["access"]
    assert names(replace(on_block(), target=unwritable)) == ["access"]


def test_reading_takes_no_permission_to_write() -> None:
    unwritable = replace(on_block().target, writable=False)
    assert names(replace(on_block(), target=unwritable, destructive=False)) == []


def test_a_read_only_drive_or_file_system_is_refused_and_may_be_read() -> None:
    case = on_block(system=view(replace(DRIVE, read_only=True)))
    assert names(case) == ["read-only"]
    assert names(replace(case, destructive=False)) == []
    assert names(on_file(read_only_file_system=True, writable=False)) == ["read-only"]


def test_a_drive_without_a_medium_is_refused() -> None:
    assert names(on_block(system=view(replace(DRIVE, size_bytes=0)))) == ["size"]


def test_a_size_that_differs_from_the_files_own_is_refused_and_the_same_size_is_not() -> None:
    assert names(on_file(Consent(write_ok=True, create_bytes=2 * GIB))) == ["size"]
    assert names(on_file(Consent(write_ok=True, create_bytes=GIB))) == []
    assert names(on_file(size_bytes=0)) == ["size"]


@pytest.mark.parametrize("size_bytes", [0, -GIB, 1000])
def test_a_new_file_has_a_size_above_zero_in_whole_mebibytes(size_bytes: int) -> None:
    assert names(on_file(Consent(write_ok=True, create_bytes=size_bytes), kind="missing", allocated_bytes=0)) == [
        "size"
    ]


def test_a_file_that_would_fill_its_file_system_is_refused_to_the_byte() -> None:
    consent = Consent(write_ok=True, create_bytes=GIB)
    exact = on_file(
        consent, kind="missing", identity=None, size_bytes=0, allocated_bytes=0, free_bytes=GIB + RESERVE_BYTES
    )
    short = replace(exact, target=replace(exact.target, free_bytes=GIB + RESERVE_BYTES - 1))
    assert names(exact) == []
    assert names(short) == ["space"]


def test_a_sparse_file_must_have_room_for_what_is_not_allocated_yet() -> None:
    assert names(on_file(allocated_bytes=0, free_bytes=GIB)) == ["space"]
    assert names(on_file(allocated_bytes=GIB, free_bytes=0)) == []


# Permission


def test_a_file_is_not_written_without_write_ok() -> None:
    assert names(on_file(Consent())) == ["write-ok"]
    assert names(on_file(Consent(write_ok=True))) == []


def test_a_drive_is_not_written_without_its_serial_number() -> None:
    for typed in (None, "", "s3r14l", SERIAL + "X", "SYSTEM", "/dev/sdb"):
        assert names(on_block(consent=Consent(write_ok=True, serial=typed))) == ["serial"]
    assert names(on_block(consent=Consent(serial=SERIAL))) == []


def test_a_refusal_shows_what_was_typed_and_never_the_serial_number() -> None:
    text = found(on_block(consent=Consent(serial="WRONG")))
    assert "'WRONG'" in text
    assert "lsblk" in text
    assert SERIAL not in text


def test_reading_takes_no_serial_number() -> None:
    assert names(on_block(consent=Consent(), destructive=False)) == []


def test_a_partition_takes_the_serial_number_of_its_drive() -> None:
    assert names(on_block("sdb1", view(PARTITION))) == []
    assert names(on_block("sdb1", view(PARTITION), consent=Consent(serial="X"))) == ["serial"]


def test_a_drive_without_a_serial_number_takes_its_wwn_and_without_both_nothing() -> None:
    only_wwn = view(replace(DRIVE, serial="", world_wide_name="0x5001"))
    assert names(on_block(system=only_wwn, consent=Consent(serial="0x5001"))) == []
    nameless = view(replace(DRIVE, serial=""))
    for typed in (None, "", "sdb"):
        assert names(on_block(system=nameless, consent=Consent(serial=typed))) == ["serial"]
    assert "nothing" in found(on_block(system=nameless))


def test_two_drives_with_one_serial_number_are_told_apart_by_wwn() -> None:
    twins = view(
        replace(DRIVE, world_wide_name="0x1"), replace(DRIVE, name="sdc", number="8:32", world_wide_name="0x2")
    )
    assert names(on_block(system=twins)) == ["serial"]
    assert "WWN" in found(on_block(system=twins))
    assert names(on_block(system=twins, consent=Consent(serial="0x1"))) == []
    assert names(on_block(system=twins, consent=Consent(serial="0x2"))) == ["serial"]


def test_a_loop_device_takes_the_path_of_its_backing_file() -> None:
    system = view(loop("loop0", "7:0"))
    assert names(on_block("loop0", system, consent=Consent(serial="/data/x"))) == []
    assert names(on_block("loop0", system, consent=Consent(serial="x"))) == ["serial"]


def test_a_loop_device_over_a_drive_takes_the_serial_number_of_that_drive() -> None:
    system = view(loop("loop0", "7:0", over=DRIVE))
    assert names(on_block("loop0", system, consent=Consent(serial="/dev/sdb"))) == ["serial"]
    assert names(on_block("loop0", system)) == []


# In use


def test_a_mounted_drive_is_refused_and_an_unmounted_one_is_not() -> None:
    for mount in (Mount("/mnt", "8:16"), Mount("/mnt", "0:99", "/dev/sdb", "8:16", "btrfs")):
        assert names(on_block(system=view(mounts=(mount,)))) == ["mounted"]
    assert names(on_block(system=view())) == []


def test_a_drive_with_a_mounted_partition_is_refused() -> None:
    system = view(PARTITION, mounts=(Mount("/mnt", "8:17"),))
    assert names(on_block(system=system)) == ["mounted"]
    assert "/dev/sdb1 is mounted on /mnt" in found(on_block(system=system))


def test_a_mounted_neighbour_does_not_stop_a_partition_and_a_mounted_whole_drive_does() -> None:
    assert names(on_block("sdb1", view(PARTITION, NEIGHBOUR, mounts=(Mount("/mnt", "8:18"),)))) == []
    assert names(on_block("sdb1", view(PARTITION, mounts=(Mount("/mnt", "8:16"),)))) == ["mounted"]


def test_a_mount_in_another_mount_namespace_names_the_process() -> None:
    case = on_block(system=view(mounts=(Mount("/inner", "8:16", process=42),)))
    assert names(case) == ["mounted"]
    assert "process 42" in found(case)
    assert "nsenter --target 42" in found(case)


def test_what_is_built_on_a_partition_and_mounted_holds_the_drive() -> None:
    volume = Block("dm-0", "254:0", "/dev/mapper/data", kind="lvm", slaves=("sdb1",), mapper_uuid="LVM-abc")
    system = view(replace(PARTITION, holders=("dm-0",)), volume, mounts=(Mount("/srv", "254:0"),))
    assert names(on_block(system=system)) == ["mounted", "held"]
    assert "lvchange --activate n /dev/mapper/data" in found(on_block(system=system))


@pytest.mark.parametrize(
    ("holder", "lift"),
    [
        (Block("md0", "9:0", "/dev/md0", slaves=("sdb",)), "mdadm --stop /dev/md0"),
        (Block("dm-3", "254:3", "/dev/mapper/box", slaves=("sdb",)), "dmsetup remove /dev/mapper/box"),
        (Block("bcache0", "252:0", "/dev/bcache0", slaves=("sdb",)), "stop /dev/bcache0"),
    ],
)
def test_a_held_drive_says_how_to_release_it(holder: Block, lift: str) -> None:
    case = on_block(system=view(replace(DRIVE, holders=(holder.name,)), holder))
    assert names(case) == ["held"]
    assert lift in found(case)
    assert names(on_block(system=view(holder))) == []


def test_every_member_of_a_mounted_btrfs_is_held_and_not_only_the_one_that_mountinfo_names() -> None:
    second = Block("sdc", "8:32", "/dev/sdc", size_bytes=GIB)
    system = view(
        second,
        mounts=(Mount("/pool", "0:50", "/dev/sdc", "8:32", "btrfs"),),
        pool_members={"sdb": "uuid", "sdc": "uuid"},
    )
    assert names(on_block(system=system)) == ["mounted", "held"]
    assert names(on_block(system=view(second, pool_members={"sdc": "uuid"}))) == []


def test_swap_on_a_partition_or_in_the_file_is_refused() -> None:
    assert names(on_block(system=view(PARTITION, swaps=(Swap("/dev/sdb1", "8:17"),)))) == ["swap"]
    case = on_file(system=view(swaps=(Swap("/data/x", "", FILE),)))
    assert names(case) == ["swap"]
    assert "swapoff /data/x" in found(case)


def test_swap_elsewhere_stops_nothing() -> None:
    elsewhere = (Swap("/dev/sda2", "8:2"), Swap("/data/y", "", (66, 99)), Swap("/gone"))
    assert names(on_block(system=view(swaps=elsewhere))) == []
    assert names(on_file(system=view(swaps=elsewhere))) == []


def test_a_file_under_a_loop_device_is_refused() -> None:
    case = on_file(system=view(loop("loop0", "7:0")))
    assert names(case) == ["loop"]
    assert "losetup --detach /dev/loop0" in found(case)
    assert names(on_file(system=view(loop("loop0", "7:0", identity=(66, 99))))) == []


def test_a_drive_under_a_loop_device_is_refused_together_with_what_that_one_holds() -> None:
    system = view(loop("loop0", "7:0", over=DRIVE), mounts=(Mount("/mnt", "7:0"),))
    assert names(on_block(system=system)) == ["mounted", "loop"]


def test_a_loop_device_over_a_mounted_drive_is_refused() -> None:
    system = view(PARTITION, loop("loop0", "7:0", over=DRIVE), mounts=(Mount("/mnt", "8:17"),))
    assert "mounted" in names(on_block("loop0", system))


def test_a_loop_device_that_shares_its_file_with_a_mounted_one_is_refused() -> None:
    system = view(loop("loop0", "7:0"), loop("loop1", "7:1"), mounts=(Mount("/mnt", "7:1"),))
    assert names(on_block("loop0", system, consent=Consent(serial="/data/x"))) == ["mounted", "loop", "serial"]


def test_a_busy_drive_is_refused_and_a_free_one_is_not() -> None:
    busy = replace(on_block().target, busy="something holds it")
    assert names(replace(on_block(), target=busy)) == ["busy"]
    assert names(replace(on_block(), target=replace(busy, busy=""))) == []


# Contents


@pytest.mark.parametrize(
    ("signature", "rule"),
    [
        (Signature("gpt", "partition-table", "/dev/sdb"), "partition-table"),
        (Signature("ext4", "filesystem", "/dev/sdb"), "file-system"),
        (Signature("btrfs", "filesystem", "/dev/sdb"), "file-system"),
        (Signature("swap", "other", "/dev/sdb"), "file-system"),
        (Signature("crypto_LUKS", "crypto", "/dev/sdb"), "file-system"),
        (Signature("something-new", "other", "/dev/sdb"), "file-system"),
    ],
)
def test_contents_are_refused_until_they_are_allowed_by_name(signature: Signature, rule: str) -> None:
    case = on_block(block_signatures=(signature,))
    assert names(case) == [rule]
    assert f"--allow {rule}" in found(case)
    assert names(replace(case, consent=Consent(serial=SERIAL, allow=frozenset({rule})))) == []
    other = "hard-link"
    assert names(replace(case, consent=Consent(serial=SERIAL, allow=frozenset({other})))) == [rule]


@pytest.mark.parametrize(
    ("signature", "lift"),
    [
        (Signature("linux_raid_member", "raid", "/dev/sdb"), "mdadm --zero-superblock /dev/sdb"),
        (Signature("LVM2_member", "raid", "/dev/sdb"), "pvremove /dev/sdb"),
        (Signature("zfs_member", "filesystem", "/dev/sdb"), "zpool labelclear /dev/sdb"),
        (Signature("bcache", "other", "/dev/sdb"), "wipefs --all /dev/sdb"),
    ],
)
def test_a_member_of_a_pool_is_refused_and_cannot_be_allowed(signature: Signature, lift: str) -> None:
    case = on_block(block_signatures=(signature,))
    assert names(case) == ["pool-member"]
    assert lift in found(case)
    with pytest.raises(WrongUse, match="cannot be set aside"):
        broken_rules(replace(case, consent=Consent(serial=SERIAL, allow=frozenset({"pool-member"}))))


def test_a_drive_no_longer_a_member_is_free() -> None:
    assert names(on_block(block_signatures=())) == []


def test_contents_that_cannot_be_told_are_refused() -> None:
    assert names(on_block(block_signatures=None)) == ["unknown-contents"]
    assert names(on_file(signatures=None)) == ["unknown-contents"]
    with pytest.raises(WrongUse, match="cannot be set aside"):
        names(on_block(block_signatures=None, consent=Consent(serial=SERIAL, allow=frozenset({"unknown-contents"}))))


def test_data_of_others_are_refused_until_they_are_allowed_by_name() -> None:
    for case in (on_block(foreign=Foreign(4096, "a film")), replace(on_file(), foreign=Foreign(4096, "a film"))):
        assert names(case) == ["data"]
        assert "at byte 4096; it looks like: a film | --allow data; or: " in found(case)
        assert names(replace(case, consent=replace(case.consent, allow=frozenset({"data"})))) == []
        assert names(replace(case, consent=replace(case.consent, allow=frozenset({"file-system"})))) == ["data"]
    assert "blkdiscard --zeroout /dev/sdb" in found(on_block(foreign=Foreign(0, "")))


def test_a_drive_of_which_nothing_can_be_read_is_refused() -> None:
    assert names(on_block(unreadable=True)) == ["unknown-contents"]
    assert names(on_block()) == []


def test_a_file_that_holds_a_file_system_is_refused_until_it_is_allowed_by_name() -> None:
    inside = (Signature("ext4", "filesystem", "/data/x"),)
    assert names(on_file(signatures=inside)) == ["file-system"]
    assert names(on_file(Consent(write_ok=True, allow=frozenset({"file-system"})), signatures=inside)) == []


# Precious


def test_the_drive_of_the_running_system_is_refused_on_all_its_partitions() -> None:
    for name in ("sda", "sda1", "sda2"):
        case = on_block(name, consent=Consent(serial="SYSTEM"))
        assert "system" in names(case)
        assert "nothing" in found(case)


def test_the_system_is_found_through_a_logical_volume_on_an_array() -> None:
    array = Block("md0", "9:0", "/dev/md0", slaves=("sdb1",), holders=("dm-0",))
    volume = Block("dm-0", "254:0", "/dev/mapper/root", slaves=("md0",))
    blocks = {each.name: each for each in (DRIVE, replace(PARTITION, holders=("md0",)), NEIGHBOUR, array, volume)}
    system = SystemView(blocks, (Mount("/", "254:0"),))
    assert names(on_block("sdb", system)) == ["system", "mounted", "held", "held"]
    assert names(on_block("sdb2", system)) == ["system"]


def test_a_drive_that_only_holds_boot_is_the_systems_too() -> None:
    assert "system" in names(on_block(system=view(PARTITION, mounts=(Mount("/boot/efi", "8:17"),))))


def test_a_drive_beside_the_system_is_free() -> None:
    assert "system" not in names(on_block())


def test_the_drive_that_holds_the_results_is_refused_until_they_go_elsewhere() -> None:
    system = view(PARTITION, NEIGHBOUR, mounts=(Mount("/results", "8:17"),))
    case = on_block(system=system, store_path=Path("/results/records.sqlite"))
    assert names(case) == ["store", "mounted"]
    assert names(replace(case, store_path=Path("/elsewhere/records.sqlite"))) == ["mounted"]
    assert names(on_block("sdb2", system, store_path=Path("/results/records.sqlite"))) == []


def test_results_in_a_loop_file_are_found_on_the_drive_under_it() -> None:
    inner = replace(loop("loop0", "7:0"), backing_file="/results/inner.img")
    system = view(PARTITION, inner, mounts=(Mount("/results", "8:17"), Mount("/inner", "7:0")))
    assert "store" in names(on_block(system=system, store_path=Path("/inner/records.sqlite")))


def test_the_results_store_itself_is_never_the_target() -> None:
    case = replace(on_file(), store_path=Path("/other/name"), own=OwnFiles(frozenset({FILE})))
    assert names(case) == ["store"]
    missing = on_file(Consent(write_ok=True, create_bytes=GIB), kind="missing", identity=None, allocated_bytes=0)
    assert names(replace(missing, store_path=Path("/data/x"))) == ["store"]
    assert names(replace(missing, store_path=Path("/data/y"))) == []


# All together


def test_all_broken_rules_are_told_at_once_with_what_lifts_each() -> None:
    case = on_block(
        system=view(replace(DRIVE, read_only=True), mounts=(Mount("/my mount", "8:16"),)),
        consent=Consent(),
        block_signatures=(Signature("ext4", "filesystem", "/dev/sdb"),),
    )
    with pytest.raises(Refused) as refused:
        check(case)
    assert [each.rule for each in refused.value.refusals] == ["read-only", "mounted", "file-system", "serial"]
    assert refused.value.exit_code == 2
    text = str(refused.value)
    assert "4 rules refuse it" in text
    assert text.count("lifted by:") == 4
    assert "umount '/my mount'" in text


def test_a_rule_that_is_not_there_or_cannot_be_set_aside_is_an_error_even_on_a_free_drive() -> None:
    for name, message in (("mountd", "no such rule"), ("mounted", "cannot be set aside")):
        with pytest.raises(WrongUse, match=message) as refused:
            broken_rules(on_block(consent=Consent(serial=SERIAL, allow=frozenset({name}))))
        assert "file-system" in refused.value.accepted


def test_consent_of_the_wrong_kind_is_not_silently_ignored() -> None:
    with pytest.raises(WrongUse, match="--serial does not go with"):
        broken_rules(on_file(Consent(write_ok=True, serial=SERIAL)))
    with pytest.raises(WrongUse, match="--size does not go with"):
        broken_rules(on_block(consent=Consent(serial=SERIAL, create_bytes=GIB)))


def test_rule_names_are_unique_and_every_rule_says_what_it_is() -> None:
    assert len({rule.name for rule in ALL_RULES}) == len(ALL_RULES)
    for rule in ALL_RULES:
        assert rule.explains
        assert rule.lifted_by
        assert ("--allow" in rule.lifted_by) == rule.overridable
