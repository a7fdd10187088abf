"""Engines: what puts a load on a drive and times its answers."""
