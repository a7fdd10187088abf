"""Virtual drives: parts and arrays of them, in virtual time."""
