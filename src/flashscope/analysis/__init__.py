"""Computes results from columns of numbers. Imports neither drives nor the core."""
