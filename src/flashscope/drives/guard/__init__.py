"""The guard: what must be true before a byte of a real drive is written."""
