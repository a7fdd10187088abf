"""How a command runs experiments on a drive: which take part, the confirmed run, and going on after a stop."""
