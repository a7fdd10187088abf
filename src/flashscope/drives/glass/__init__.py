"""Virtual drives opened: their blocks, seen from inside."""
