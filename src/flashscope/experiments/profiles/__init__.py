"""The benchmark programs the source documents used, with their own loads, order and scoring. One file each.

They are made of steps, so one record can hold several of them: every step's name begins with the prefix it was given.
"""
