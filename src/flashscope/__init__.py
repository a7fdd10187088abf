"""flashscope: see inside a flash drive from the outside."""
