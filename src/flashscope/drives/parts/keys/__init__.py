"""The keys of a part, one file for each group: what a data sheet or a teardown states about it."""
