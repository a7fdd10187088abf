"""The guard: what must be true before flashscope writes a byte to a real drive."""
