"""Experiments: the steps for a drive, and the findings from the record. One file each; `catalogue.py` lists them."""
