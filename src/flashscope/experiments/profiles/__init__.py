"""The benchmark programs that the source documents used, with their own loads, order and scoring. One file each.

They are made of steps, so one record can hold several of them: each runs under a condition ("fresh, CDM 1000 MB").
The condition is a label of its steps and stands before their names. A mark that is alone in its record has none.
"""
