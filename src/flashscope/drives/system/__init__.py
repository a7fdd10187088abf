"""What the system knows about its drives: `view.py` is the plain data, the other files read it."""
