"""Reports read records, never drives: the dossier page, and its charts as files."""
