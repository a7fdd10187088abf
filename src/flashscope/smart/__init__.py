"""SMART attributes: read from real drives, told apart by family, decoded to named numbers with units."""
