"""The published figures compared with the virtual drives: the same experiment on the virtual counterpart of the drive.

    published.csv --> scenario.py: how a figure is measured --> run.py --> result.py: model beside published

One file for each experiment of the documents; the figures of one condition share a run.
"""
