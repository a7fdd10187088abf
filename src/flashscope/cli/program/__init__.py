"""The program around every command: its streams, its memory, its signals, and how it ends."""
