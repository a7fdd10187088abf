"""Records as rows of the tables, and rows as records: each part of a record in a file of its own."""
