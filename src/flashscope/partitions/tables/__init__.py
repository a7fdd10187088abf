"""Partition tables: MBR with its logical partitions, GPT with both copies, Apple's map. Each file reads one."""
