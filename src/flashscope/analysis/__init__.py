"""From columns of numbers to what they say. Knows neither drives nor the core."""
