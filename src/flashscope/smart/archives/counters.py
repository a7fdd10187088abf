"""The attributes whose history is kept beside the newest row: first, last and highest raw number, and resets.

Of all other attributes the newest row alone is kept, since a year of all would be a hundred times as much.
"""

POWER_ON_HOURS = 9

TRACKED = (5, 9, 12, 184, 187, 188, 194, 196, 197, 198, 199, 241)
"""Power-on hours and cycles, written sectors, the temperature, and the counts of what went wrong."""

NEVER_FALL = (5, 9, 12, 187, 241)
"""Those of them that no drive counts down: a lower number than the day before is a reset."""
