"""Drives held by an open descriptor, and files reached from one."""
