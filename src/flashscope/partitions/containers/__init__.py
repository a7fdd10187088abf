"""What lies between a partition and its file systems: LVM, md RAID, LUKS. Each file reads one."""
