"""What the type of a partition means, for the types that are in use. A type that is not here is shown by its code.

Sources: the list of util-linux (pt-mbr-partnames.h, pt-gpt-partnames.h) and the Discoverable Partitions Specification.
"""

EXTENDED = frozenset({0x05, 0x0F, 0x85})
PROTECTIVE = 0xEE
DYNAMIC_DISK = 0x42  # Windows' logical disk manager keeps a data base of its own at the end of the disk
BIOS_BOOT = "21686148-6449-6E6F-744E-656564454649"
NO_GUID = "00000000-0000-0000-0000-000000000000"

MBR_TYPES = {
    0x01: "FAT12",
    0x04: "FAT16",
    0x05: "extended",
    0x06: "FAT16",
    0x07: "NTFS or exFAT",
    0x0B: "FAT32",
    0x0C: "FAT32",
    0x0E: "FAT16",
    0x0F: "extended",
    0x11: "hidden FAT12",
    0x14: "hidden FAT16",
    0x16: "hidden FAT16",
    0x17: "hidden NTFS",
    0x1B: "hidden FAT32",
    0x1C: "hidden FAT32",
    0x1E: "hidden FAT16",
    0x27: "Windows recovery",
    DYNAMIC_DISK: "Windows dynamic disk",
    0x82: "Linux swap",
    0x83: "Linux",
    0x85: "extended",
    0x8E: "Linux LVM",
    0xA5: "FreeBSD",
    0xA6: "OpenBSD",
    0xA9: "NetBSD",
    0xAB: "Apple boot",
    0xAF: "Apple HFS+",
    0xBF: "Solaris",
    0xDA: "data without a file system",
    0xE8: "LUKS",
    PROTECTIVE: "GPT protective",
    0xEF: "EFI system",
    0xFB: "VMware VMFS",
    0xFD: "Linux RAID",
}

GPT_TYPES = {
    "C12A7328-F81F-11D2-BA4B-00A0C93EC93B": "EFI system",
    BIOS_BOOT: "BIOS boot",
    "E3C9E316-0B5C-4DB8-817D-F92DF00215AE": "Microsoft reserved",
    "EBD0A0A2-B9E5-4433-87C0-68B6B72699C7": "Microsoft basic data",
    "DE94BBA4-06D1-4D40-A16A-BFD50179D6AC": "Windows recovery",
    "5808C8AA-7E8F-42E0-85D2-E1E90434CFB3": "Windows dynamic disk metadata",
    "AF9B60A0-1431-4F62-BC68-3311714A69AD": "Windows dynamic disk data",
    "0FC63DAF-8483-4772-8E79-3D69D8477DE4": "Linux",
    "0657FD6D-A4AB-43C4-84E5-0933C84B4F4F": "Linux swap",
    "E6D6D379-F507-44C2-A23C-238F2A3DF928": "Linux LVM",
    "A19D880F-05FC-4D3B-A006-743F0F84911E": "Linux RAID",
    "CA7D7CCB-63ED-4C53-861C-1742536059CC": "LUKS",
    "933AC7E1-2EB4-4F13-B844-0E14E2AEF915": "Linux home",
    "4F68BCE3-E8CD-4DB1-96E7-FBCAF984B709": "Linux root (x86-64)",
    "44479540-F297-41B2-9AF7-D131D5F0458A": "Linux root (x86)",
    "B921B045-1DF0-41C3-AF44-4C6F280D3FAE": "Linux root (ARM 64)",
    "BC13C2FF-59E6-4262-A352-B275FD6F7172": "Linux extended boot",
    "48465300-0000-11AA-AA11-00306543ECAC": "Apple HFS+",
    "7C3457EF-0000-11AA-AA11-00306543ECAC": "Apple APFS",
    "6A898CC3-1DD2-11B2-99A6-080020736631": "ZFS",
    "516E7CB6-6ECF-11D6-8FF8-00022D09712B": "FreeBSD UFS",
    "516E7CBA-6ECF-11D6-8FF8-00022D09712B": "FreeBSD ZFS",
}


def mbr_type_name(code: int) -> str:
    """What a type byte of an MBR means; the byte as "0x9f" where that is not known here."""
    return MBR_TYPES.get(code, f"0x{code:02x}")


def gpt_type_name(guid: str) -> str:
    """What a type GUID (in capitals) means; the GUID itself where that is not known here."""
    return GPT_TYPES.get(guid, guid)
