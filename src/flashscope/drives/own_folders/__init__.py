"""Folders and volumes that a run makes for itself in a directory, and what a killed run left of them."""
