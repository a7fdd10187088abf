"""What an examination may write and take, and which experiments tell most for it.

facts, effort --budget.py--> Budget
experiments   --offers.py--> what each would do: least first     (elastic.py: shorter runs)
Budget, offers --selection.py--> who takes part, how far; who is left out, and why
"""
