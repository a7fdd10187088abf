"""The file of a store: where it may be, how SQLite opens it, and its errors in words that help."""
