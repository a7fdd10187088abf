"""What the jobs of a job file did: a table, and charts over time, per job and in sum."""
