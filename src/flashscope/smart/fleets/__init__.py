"""Fleets: thousands of dumps read on all cores, a table by model, and unusual drives with the reason.

folders, files --files.py--> paths --parallel.py--> members (member.py) --summary.py--> models, outliers
                                                             \\--keep.py--> Parquet, SQLite
"""
