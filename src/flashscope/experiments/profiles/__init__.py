"""The benchmark programs the source documents used, with their own loads, order and scoring. One file each.

They are made of steps, so one record can hold several of them: each is made under a condition ("fresh, CDM 1000 MB"),
which its steps carry as a label and show before their names. The only mark of a record has none.
"""
