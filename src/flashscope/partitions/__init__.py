"""What lies where on a disk: its partition table, the partitions, and what stands inside them.

    Source --read.py--> Layout: a table, partitions, containers and file systems in them, free gaps, problems

This room reads bytes and writes nothing. Every byte is taken for untrusted: what is wrong with a disk is a `Problem`
in the `Layout`, never an exception.
"""
