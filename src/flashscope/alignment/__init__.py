"""Where things begin on a disk, against the boundaries of the drive below, and what it costs where they miss them.

    Layout --> judged.py (each start) --> loss.py (by the law) --> picture.py, advice.py

It knows layouts and laws. The mapping unit is given to it: it knows no store and opens no drive.
"""
