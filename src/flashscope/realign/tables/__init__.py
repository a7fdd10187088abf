"""The sectors of a partition table before, during and after a repair: MBR with its logical partitions, and GPT.

Our own writer and not sfdisk: sfdisk writes the whole table anew, with its own idea of CHS addresses and of the places
of extended boot records, and when it is killed between two of its writes nobody knows what it had in mind. Here the
bytes of each sector are known before the first one is written, so that a journal can hold them; only the fields that
state a place change; and the sector that makes the change visible is written last, alone.
"""
