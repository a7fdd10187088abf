"""The published figures, held against the virtual drives: the same experiment on the drive it was made on.

    published.csv --> scenario.py: how a figure comes about --> run.py --> result.py: model beside published

One file for each experiment of the documents; the figures of one condition share a run.
"""
