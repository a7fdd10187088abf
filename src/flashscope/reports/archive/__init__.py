"""The page of an archive: years of a fleet's daily rows."""
