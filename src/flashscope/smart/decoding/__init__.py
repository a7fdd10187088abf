"""From a dump to named numbers with units, and what follows from them."""
