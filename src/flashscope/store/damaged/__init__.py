"""A damaged store: what is damaged in it, what can still be read, and a sound store made from that."""
