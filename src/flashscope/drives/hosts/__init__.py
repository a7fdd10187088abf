"""Hosts: the data sheets of the computers that make requests to virtual drives."""
