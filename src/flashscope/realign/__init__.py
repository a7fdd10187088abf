"""The repair of misaligned partitions: they are moved to aligned starts, and not a byte of them is lost.

    Layout --plan/--> Repair (plain data) --work/--> journal, disk
                                                     veil the table, move, dress, show the new table; or undo it all

docs/explanation/realign.md says what is durable when, and why the next run can go on or undo after any interruption.
"""
