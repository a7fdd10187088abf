"""Whether a drive holds what was written to it, place by place: the step `CheckPlaces`.

check.py         the passes, the same for every drive
medium.py        what they need of a drive: write, settle, read
virtual.py       a virtual drive, which keeps stamps and no data
real.py          a file or a block device, past all caches
sector_stamp.py  the data of a sector there, which says whose it is
"""
