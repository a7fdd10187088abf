"""Reports read records, never drives: the report of a drive, and its charts as files."""
