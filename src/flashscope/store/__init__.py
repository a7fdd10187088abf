"""The store: one SQLite file that keeps records, proves that they are what was written, and gives them back."""
