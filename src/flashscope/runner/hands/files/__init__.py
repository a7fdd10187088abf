"""Programs that work on files, as steps on a directory."""
