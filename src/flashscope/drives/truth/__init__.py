"""The truth of virtual drives, with which findings about them are compared."""
