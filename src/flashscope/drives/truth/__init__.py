"""The truth of virtual drives: what findings about them are held against."""
