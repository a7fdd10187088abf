"""Real drives: files, directories, block devices."""
