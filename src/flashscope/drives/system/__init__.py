"""What the system knows of its drives: `view.py` is the plain data, the other files read it."""
