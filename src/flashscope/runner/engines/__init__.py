"""Engines, which put a load on a drive and measure the latencies."""
