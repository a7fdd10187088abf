"""The dossier: all findings on one drive, judged together, joined to one answer for each property.

records --judge/--> findings that can be true side by side --join.py--> answers --verdict.py, advice.py--> Dossier
"""
