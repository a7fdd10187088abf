"""Glass drives: the blocks of virtual drives, seen from inside."""
