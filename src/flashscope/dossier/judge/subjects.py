"""What findings speak of: keys of findings about flash, and about the inside of any drive."""

from __future__ import annotations

import re

FLASH = re.compile(
    r"erase_.*|write_amplification_.*|.*rber.*|error_bits_.*|idle_collection_.*|idle_recover.*|recovery_idle_ns"
    r"|trim_.*|slow_fill_level_ratio|collapse_ratio_.*|aged_ratio_.*|figures_follow|write_ratio_after_.*"
    r"|fill_data_matters|compresses|flash_bytes_per_host_byte_.*"
    r"|parallel_unit_count"
)
"""Keys of findings that speak of flash, or of what only flash does."""
INSIDE = re.compile(
    r"mapping_unit_bytes|misaligned_.*|law_ratio|write_buffer_bytes|drain_rate_.*|full_buffer_behaviour"
    r"|idle_gap_for_full_burst_ns|hybrid_cache_.*|idle_fill_delay_ns|rate_fall|rate_ratio|burst_rate"
    r"|largest_full_rate_file_bytes|effective_parallelism_.*|gathering_wait_ns|gathered_command_count"
    r"|host_written_attribute|small_write_cost_ratio|zero_rate_ratio|repeated_rate_ratio"
)
"""Keys of findings about the inside of any drive."""
