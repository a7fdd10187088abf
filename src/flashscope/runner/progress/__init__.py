"""Progress: how far a run is, how long it still takes, and how it is stopped."""
