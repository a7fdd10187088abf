"""Folders and volumes that a run makes for itself in a directory, and their remains after a run was killed."""
