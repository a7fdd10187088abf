"""The page of judged disks: where partitions begin, drawn against the boundaries of the drive below."""
