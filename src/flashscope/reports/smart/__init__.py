"""The page about SMART of one drive, and the page of a fleet."""
