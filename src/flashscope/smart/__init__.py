"""SMART attributes: read from real drives, assigned to a controller family, decoded to named numbers with units."""
