"""The judge of consistency: which findings on one drive cannot be true, or not side by side."""
