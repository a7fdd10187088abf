"""The part of a report that shows the inside of a virtual drive."""
