"""Experiments: what to do to a drive and what the record says. One file each; `catalogue.py` lists them."""
