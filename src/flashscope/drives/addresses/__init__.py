"""Addresses of drives: what a person types, taken apart."""
